// Rule 63: what a transfer reads and writes that it probably should not (neff reference 4.1,
// 4.5.2): a constant or an input that is written, an output that is read before anything writes it,
// bytes that are read and written at once. In goes a descriptor of check_descs.c, out come
// warnings.
#include <assert.h>

#include "base/checked.h"
#include "base/span.h"
#include "formats/neff/desc_check.h"
#include "formats/neff/stream.h"

enum { PAIR = 2 }; // subgraphs of a logical core

// Who writes --------------------------------------------------------------------------------------

// Marks the variable of that name, if there is one.
static void mark(const neff_subgraph *s, bool *vars, hoist_str name)
{
    size_t index = 0;
    if (hoist_map_find(&s->var_names, name, &index)) {
        vars[index] = true;
    }
}

// Marks what the blocks of `from` write, by name: both cores of a pair have the same outputs.
static void mark_blocks(const neff_subgraph *s, const neff_subgraph *from, bool *from_vars,
                        bool *written)
{
    for (int e = 0; e < NEFF_ENGINE_COUNT; e++) {
        const neff_engine *engine = &from->engines[e];
        for (size_t i = 0; i < engine->desc_count; i++) {
            if (engine->descs[i].to.var != NEFF_NONE) {
                from_vars[engine->descs[i].to.var] = true;
            }
        }
    }
    for (uint32_t i = 0; i < from->var_count; i++) {
        if (from_vars[i]) {
            mark(s, written, from->vars[i].name);
        }
    }
}

// Marks what the instructions of `from` write; sets `unseen` for those whose destination is not in
// the file: descriptors made at run time, and the second form of collectives.
static void mark_stream(neff_desc_check *d, const neff_subgraph *from, hoist_bytes bytes)
{
    const int generation = d->e->c->generation;
    // Every record: functions do not matter.
    for (size_t at = 0; at + NEFF_RECORD_SIZE <= bytes.size; at += NEFF_RECORD_SIZE) {
        const uint8_t code = bytes.data[at];
        const neff_opcode *opcode = neff_opcode_find(code, generation);
        d->writers.unseen = d->writers.unseen || code == NEFF_COLLECTIVE2 ||
                            (opcode && opcode->kind == NEFF_CLASS_DGE);
        if (code == NEFF_COLLECTIVE) {
            const neff_record record = neff_record_decode(bytes.data + at, generation);
            const uint32_t var = neff_var_by_id(from, neff_collective_of(&record).output);
            if (var != NEFF_NONE) {
                mark(d->e->subgraph, d->writers.written, from->vars[var].name);
            }
        }
    }
}

// Found once per engine, when an output is first read: most files never read one. Writers of both
// cores count, since outputs are shared by name.
static hoist_status find_writers(neff_desc_check *d)
{
    const neff_module *module = d->e->c->module;
    const neff_subgraph *s = d->e->subgraph;
    // Several subgraphs of generation 1 pass data to each other in ways that are not in the file.
    d->writers.unseen = module->subgraph_count > PAIR;
    d->writers.written = hoist_arena_array(&d->e->c->arena, s->var_count, sizeof(bool));
    for (uint32_t i = 0; d->writers.written && !d->writers.unseen && i < module->subgraph_count;
         i++) {
        const neff_subgraph *from = &module->subgraphs[i];
        bool *vars = hoist_arena_array(&d->e->c->arena, from->var_count, sizeof(bool));
        HOIST_TRY_MEMORY(vars);
        mark_blocks(s, from, vars, d->writers.written);
        for (int e = 0; e < NEFF_ENGINE_COUNT; e++) {
            const uint32_t instr = from->engines[e].instr;
            if (instr != NEFF_NONE) {
                mark_stream(d, from, module->members[instr].bytes);
            }
        }
    }
    return d->writers.written ? HOIST_OK : HOIST_NO_MEMORY;
}

// Writes and reads --------------------------------------------------------------------------------

// The key `from` of the i-th source, in from_arr or next to `to`.
static neff_engine_spot source_spot(const neff_desc_check *d, uint32_t i)
{
    neff_engine_spot spot = neff_desc_spot(d, "from");
    spot.source = d->desc->has_from_arr ? i : NEFF_NONE;
    return spot;
}

// An output is undefined before the first write (4.1). Only its name is followed, not its bytes.
static hoist_status check_read(neff_desc_check *d, uint32_t i)
{
    const uint32_t from = neff_desc_source(d, i)->var;
    const neff_var *var = from == NEFF_NONE ? NULL : &d->e->subgraph->vars[from];
    if (!var || var->type != NEFF_VAR_OUTPUT) {
        return HOIST_OK;
    }
    if (!d->writers.written) {
        HOIST_TRY(find_writers(d));
    }
    if (!d->writers.written[from] && !d->writers.unseen) {
        neff_engine_report(d->e, NEFF_063, source_spot(d, i),
                           "the output '%.*s' is read, and nothing writes it",
                           HOIST_STR_ARGS(var->name));
    }
    return HOIST_OK;
}

// Overlaps ----------------------------------------------------------------------------------------

// Slices of one scratchpad: see check_scratchpad.c.
static bool is_same_area(const neff_var *a, const neff_var *b)
{
    return a->fabric == b->fabric && hoist_str_equal(a->backing_buf, b->backing_buf);
}

// Moves two patterns to where their variables are in a memory that both share; false: they share
// none, or offsets overflow. The state buffer is one memory under any number of names.
static bool move_together(const neff_var *a, neff_access *a_access, const neff_var *b,
                          neff_access *b_access)
{
    if (a == b || (a->type == NEFF_VAR_STATE_BUFFER && b->type == NEFF_VAR_STATE_BUFFER)) {
        return true;
    }
    return a->type == NEFF_VAR_VIRTUAL && b->type == NEFF_VAR_VIRTUAL && is_same_area(a, b) &&
           !hoist_ckd_add_i64(&a_access->offset, a_access->offset, a->backing_variable_off) &&
           !hoist_ckd_add_i64(&b_access->offset, b_access->offset, b->backing_variable_off);
}

// Each byte is read and then written at its own place: an update in place, as accumulation does. A
// transpose moves bytes to other places.
static bool is_in_place(const neff_desc_check *d, const neff_access *from, const neff_access *to)
{
    return d->desc->op != NEFF_OP_TRANSPOSE && neff_access_equal(from, to);
}

// Hardware gives no order between the reads and the writes of one transfer.
static void check_overlap(neff_desc_check *d, uint32_t i)
{
    const uint32_t from_var = neff_desc_source(d, i)->var;
    const uint32_t to_var = d->desc->to.var;
    neff_access from = d->from[i];
    neff_access to = d->to;
    if (from_var == NEFF_NONE || to_var == NEFF_NONE || !from.dims || !to.dims) {
        return;
    }
    const neff_var *vars = d->e->subgraph->vars;
    // Not NULL, since from_var is an index of it: the analyzer does not see that.
    assert(vars);
    if (!move_together(&vars[from_var], &from, &vars[to_var], &to) || is_in_place(d, &from, &to) ||
        !neff_access_within(&from, INT64_MAX) || !neff_access_within(&to, INT64_MAX)) {
        return; // rule 55 has reported patterns that are outside
    }
    const neff_overlap overlap = neff_access_overlap(&from, &to);
    if (overlap != NEFF_APART) {
        neff_engine_report(d->e, NEFF_063, source_spot(d, i),
                           "the bytes read from '%.*s' %s those written to '%.*s'",
                           // Entangled patterns may overlap: the search has a limit.
                           HOIST_STR_ARGS(vars[from_var].name),
                           overlap == NEFF_OVERLAP ? "overlap" : "may overlap",
                           HOIST_STR_ARGS(vars[to_var].name));
    }
}

hoist_status neff_check_effects(neff_desc_check *d)
{
    const uint32_t to = d->desc->to.var;
    const neff_var *var = to == NEFF_NONE ? NULL : &d->e->subgraph->vars[to];
    if (var && var->type == NEFF_VAR_FILE) {
        neff_engine_report(d->e, NEFF_063, neff_desc_spot(d, "to"),
                           "the constant '%.*s' is written", HOIST_STR_ARGS(var->name));
    }
    if (var && var->type == NEFF_VAR_INPUT && !var->is_aliased) {
        neff_engine_report(d->e, NEFF_063, neff_desc_spot(d, "to"),
                           "the input '%.*s' is written, which is no alias of an output",
                           HOIST_STR_ARGS(var->name));
    }
    for (uint32_t i = 0; i < d->source_count; i++) {
        HOIST_TRY(check_read(d, i));
        check_overlap(d, i);
    }
    return HOIST_OK;
}
