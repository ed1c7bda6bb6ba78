// Inputs whose buffer an output shares: pairs in tensor_map.json next to def.json (neff reference
// 3.5), and nodes of neff.json with may_alias or must_alias (3.2). In goes a subgraph that was
// read, out come is_aliased and alias of its inputs, which rule 63 and lower/neff use.
#include "base/span.h"
#include "formats/neff/neff.h"
#include "formats/neff/tape.h"
#include "formats/neff/text.h"

// The input of that name; NULL: no such variable, or one of another type.
static neff_var *input_of(const neff_subgraph *subgraph, hoist_str name)
{
    size_t index = 0;
    const bool found = hoist_map_find(&subgraph->var_names, name, &index) &&
                       subgraph->vars[index].type == NEFF_VAR_INPUT;
    return found ? &subgraph->vars[index] : NULL;
}

// One item of a list: a pair of names, or the name of an input alone [inferred]. Without a known
// output the input may still be written.
static hoist_status read_pair(neff_reader *r, const neff_subgraph *subgraph, const hoist_json *json,
                              hoist_json_index item)
{
    hoist_str input;
    hoist_str output;
    size_t index = 0;
    HOIST_TRY(neff_tape_str(json, item, "input_name", r->arena, &input));
    HOIST_TRY(neff_tape_str(json, item, "output_name", r->arena, &output));
    if (neff_tape_is(json, item, HOIST_JSON_STRING)) {
        input = hoist_json_string(json, item, r->arena);
        HOIST_TRY(input.data ? HOIST_OK : HOIST_NO_MEMORY); // copied only when it has escapes
    }
    neff_var *const var = input_of(subgraph, input);
    if (var) {
        var->is_aliased = true;
        if (hoist_map_find(&subgraph->var_names, output, &index) &&
            subgraph->vars[index].type == NEFF_VAR_OUTPUT) {
            var->alias = (uint32_t)index;
        }
    }
    return HOIST_OK;
}

// {"alias_map": [{"input_name": "kv", "output_name": "kv_out"}], "must_alias": [...]}; other
// content is not an error, as the file is optional and undocumented.
static hoist_status read_map(neff_reader *r, const neff_subgraph *subgraph, const hoist_json *json)
{
    static const char *const keys[] = {"alias_map", "must_alias"};
    for (size_t i = 0; i < HOIST_COUNT_OF(keys) && json->count > 0; i++) {
        const hoist_json_index list = neff_tape_find(json, 0, keys[i]);
        hoist_json_index item = list + 1;
        const bool is_list = neff_tape_is(json, list, HOIST_JSON_ARRAY);
        for (uint32_t k = 0; is_list && k < hoist_json_size(json, list); k++) {
            HOIST_TRY(read_pair(r, subgraph, json, item));
            item = hoist_json_next(json, item);
        }
    }
    return HOIST_OK;
}

// Graph nodes and variables of one name are the same tensor where there is a single kelf.
static void mark_nodes(const neff_graph *graph, const neff_subgraph *subgraph)
{
    const hoist_json *const json = &graph->text.json;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const hoist_json_index node = neff_tape_at(json, graph->nodes[i].at);
        const hoist_json_index attrs = neff_tape_find(json, node, "attrs");
        neff_var *const var = input_of(subgraph, graph->nodes[i].name);
        if (var && attrs &&
            (neff_tape_find(json, attrs, "may_alias") ||
             neff_tape_find(json, attrs, "must_alias"))) {
            var->is_aliased = true;
        }
    }
}

hoist_status neff_read_aliases(neff_reader *r, neff_subgraph *subgraph)
{
    uint32_t member = NEFF_NONE;
    mark_nodes(&r->module->graph, subgraph);
    HOIST_TRY(neff_member_resolve(r->module, r->arena, subgraph->folder,
                                  HOIST_STR("tensor_map.json"), &member));
    if (member == NEFF_NONE) {
        return HOIST_OK;
    }
    neff_text text;
    HOIST_TRY(neff_text_try(r, member, NEFF_ROLE_METADATA, &text));
    const hoist_status status = read_map(r, subgraph, &text.json);
    neff_text_free(&text);
    return status;
}
