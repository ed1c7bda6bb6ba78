// Signatures, which are named ways to call a subgraph: their subgraph and tensors (TFL-027), and
// their names, which are all different (TFL-028).
#include <inttypes.h>

#include "base/map.h"
#include "base/span.h"
#include "formats/tflite/check.h"

// Reports when `name` is empty or was there already.
static hoist_status check_name(tflite_checker *c, hoist_map *names, hoist_str name,
                               const char *what, hoist_loc place)
{
    if (name.size == 0) {
        tflite_report(c->diag, TFL_028, place, "%s has no name", what);
        return HOIST_OK;
    }
    const hoist_status status = hoist_map_add(names, name, 0, NULL);
    if (status == HOIST_BUSY) {
        tflite_report(c->diag, TFL_028, place, "%s is named '%.*s', as another one", what,
                      HOIST_STR_ARGS(name));
    }
    return status == HOIST_NO_MEMORY ? status : HOIST_OK;
}

// Arguments or results of a signature; `graph` NULL: its subgraph is TFL-027, so only names are
// checked.
static hoist_status check_maps(tflite_checker *c, const tflite_subgraph *graph,
                               const tflite_tensor_map_list *maps, const char *what)
{
    hoist_map names;
    hoist_status status = HOIST_OK;
    hoist_map_init(&names, c->module->base.alloc);
    for (uint32_t i = 0; i < maps->count && status == HOIST_OK; i++) {
        const tflite_tensor_map *const map = &maps->items[i];
        status = check_name(c, &names, map->name, what, TFLITE_PLACE(c, tensor_map, map, name));
        if (graph && map->tensor_index >= graph->tensors.count) {
            tflite_report(c->diag, TFL_027, TFLITE_PLACE(c, tensor_map, map, tensor_index),
                          "%s '%.*s' is tensor %" PRIu32 ", the subgraph has %" PRIu32, what,
                          HOIST_STR_ARGS(map->name), map->tensor_index, graph->tensors.count);
        }
    }
    hoist_map_deinit(&names);
    return status;
}

// `names` has the keys of the signatures before this one.
static hoist_status check_one(tflite_checker *c, hoist_map *names,
                              const tflite_signature *signature)
{
    const tflite_subgraph *graph = NULL;
    if (signature->subgraph_index < c->model->subgraphs.count) {
        graph = &c->model->subgraphs.items[signature->subgraph_index];
    } else {
        tflite_report(c->diag, TFL_027, TFLITE_PLACE(c, signature, signature, subgraph_index),
                      "the signature calls subgraph %" PRIu32 ", the model has %" PRIu32,
                      signature->subgraph_index, c->model->subgraphs.count);
    }
    HOIST_TRY(check_name(c, names, signature->signature_key, "a signature",
                         TFLITE_PLACE(c, signature, signature, signature_key)));
    HOIST_TRY(check_maps(c, graph, &signature->inputs, "an argument"));
    return check_maps(c, graph, &signature->outputs, "a result");
}

// Keys are compared in one map of the model, names of arguments in one per signature.
hoist_status tflite_check_signatures(tflite_checker *c)
{
    hoist_map names;
    hoist_status status = HOIST_OK;
    hoist_map_init(&names, c->module->base.alloc);
    for (uint32_t i = 0; i < c->model->signature_defs.count && status == HOIST_OK; i++) {
        hoist_frame frame;
        hoist_diag_push_item(c->diag, &frame, "signature_defs", i);
        status = check_one(c, &names, &c->model->signature_defs.items[i]);
        hoist_diag_pop(c->diag, &frame);
    }
    hoist_map_deinit(&names);
    return status;
}
