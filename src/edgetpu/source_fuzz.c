// Any TFLite model as the source of layers: those that its own operators are expected to be, of
// which the first bytes change one. What was not changed is the same, and whatever differs is
// counted.
//
// Bytes 0 to 3: a layer, a byte in it, what it is changed by (0: nothing), what it reads. The rest
// is the model.
#include <string.h>

#include "base/alloc.h"
#include "base/reader.h"
#include "edgetpu/source.h"
#include "formats/tflite/tflite.h"
#include "testing/fuzz.h"
#include "testing/trace.h"

enum { FUZZ_MEMORY = 256 << 20 };

typedef struct change {
    uint8_t layer, at, by, reads;
} change;

// Members of a layer that are numbers, one after the other.
enum {
    FIRST = offsetof(dwn_recovered, input),
    NUMBERS = offsetof(dwn_recovered, weights) - FIRST,
};

// Layers of all operators that have some. HOIST_OK, HOIST_NO_MEMORY.
static hoist_status make_layers(hoist_edgetpu_source_pair *s, const change *c, uint32_t *reads)
{
    const uint32_t operators = s->operator_count;
    dwn_recovered *layers = hoist_arena_array(s->arena, operators, sizeof(*layers));
    uint32_t count = 0;
    if (!layers) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < operators; i++) {
        if (s->operators[i].expected.layer.kind != DWN_KIND_UNKNOWN) {
            layers[count] = s->operators[i].expected.layer;
            layers[count].inputs = reads;
            layers[count++].input_count = 1 + c->reads % 2;
        }
    }
    if (count > 0) {
        uint8_t *numbers = (uint8_t *)&layers[c->layer % count] + FIRST;
        numbers[c->at % NUMBERS] ^= c->by;
    }
    s->layers = layers;
    s->layer_count = count;
    return HOIST_OK;
}

static void compare(const tflite_module *module, const change *c, hoist_arena *arena)
{
    uint32_t reads[2] = {c->reads & 1 ? c->reads / 2U : DWN_MODEL_INPUT, DWN_MODEL_INPUT};
    const tflite_subgraph *graph = &module->model->subgraphs.items[0];
    hoist_edgetpu_source_pair s = {.arena = arena, .module = module, .graph = graph};
    size_t depth = 0;
    hoist_tree_sink sink = hoist_depth_sink(&depth);
    hoist_edgetpu_difference_sender sender = {.sink = &sink, .arena = arena};
    if (fuzz_came(hoist_edgetpu_source_match(&s)) && fuzz_came(make_layers(&s, c, reads))) {
        hoist_edgetpu_source_pair again = {.arena = arena,
                                           .module = module,
                                           .graph = graph,
                                           .layers = s.layers,
                                           .layer_count = s.layer_count};
        if (fuzz_came(hoist_edgetpu_source_send(&again, &sender))) {
            fuzz_require(depth == 0);
            for (uint32_t i = 0; i < again.layer_count; i++) {
                fuzz_require(again.owners[i] == DWN_NONE ||
                             again.operators[again.owners[i]].layer == i);
            }
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hoist_budget budget = {.parent = hoist_allocator_system(), .limit = FUZZ_MEMORY};
    hoist_reader r = hoist_reader_init((hoist_bytes){data, size});
    change c = {0};
    c.layer = hoist_read_u8(&r);
    c.at = hoist_read_u8(&r);
    c.by = hoist_read_u8(&r);
    c.reads = hoist_read_u8(&r);
    const hoist_read_options options = {.alloc = hoist_budget_allocator(&budget), .keep = true};
    hoist_module *module = NULL;
    hoist_arena arena;
    hoist_arena_init(&arena, options.alloc);
    if (!r.failed &&
        tflite_read((hoist_bytes){data + 4, size - 4}, &options, NULL, &module) == HOIST_OK &&
        tflite_of(module)->model->subgraphs.count > 0) {
        compare(tflite_of(module), &c, &arena);
    }
    hoist_arena_deinit(&arena);
    tflite_destroy(module);
    fuzz_require(budget.used == 0);
    return 0;
}
