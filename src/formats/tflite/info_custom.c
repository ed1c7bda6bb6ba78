// Custom operators in the summary, with their options where they are FlexBuffers. Operators may
// share the bytes of their options, so no more is sent than the file could hold once.
#include "base/span.h"
#include "formats/tflite/info.h"

typedef struct custom_writer {
    const tflite_info_writer *w;
    // Bytes of options that may still be sent; at first the size of the file. Without it a file of
    // n bytes whose operators share one blob would give n * n bytes of output.
    uint64_t bytes_left;
} custom_writer;

// "options": the value; null when it is no FlexBuffer without a fault.
static hoist_status send_options(custom_writer *c, hoist_bytes bytes)
{
    hoist_flex in = {.bytes = bytes};
    hoist_flex_value root;
    const bool fits = bytes.size <= c->bytes_left;
    c->bytes_left -= fits ? bytes.size : 0;
    if (!fits || hoist_flex_root(&in, &root) != HOIST_OK || hoist_flex_check(&root) != HOIST_OK ||
        in.faults > 0) {
        hoist_tree_null(c->w->sink, "options");
        return HOIST_OK;
    }
    return hoist_flex_visit(&root, "options", c->w->sink);
}

// Path, size and options of one operator.
static hoist_status send_operator(custom_writer *c, uint32_t graph_index, uint32_t op_index)
{
    const tflite_module *const m = c->w->module;
    const tflite_operator *const op =
        &m->model->subgraphs.items[graph_index].operators.items[op_index];
    const hoist_bytes bytes = tflite_custom_options(m, op);
    char buffer[32];
    hoist_tree_map(c->w->sink, "");
    hoist_tree_str(c->w->sink, "operator", tflite_code_name(tflite_code_of(m->model, op), buffer));
    hoist_tree_uint(c->w->sink, "subgraph", graph_index, HOIST_UNIT_NONE);
    hoist_tree_uint(c->w->sink, "index", op_index, HOIST_UNIT_NONE);
    hoist_tree_uint(c->w->sink, "options_bytes", bytes.size, HOIST_UNIT_BYTES);
    const hoist_status status = send_options(c, bytes);
    hoist_tree_end(c->w->sink);
    return status;
}

hoist_status tflite_info_custom(const tflite_info_writer *w)
{
    const tflite_model *const model = w->module->model;
    custom_writer c = {.w = w, .bytes_left = w->module->file.size};
    hoist_tree_list(w->sink, "custom_operators");
    for (uint32_t g = 0; g < model->subgraphs.count; g++) {
        const tflite_subgraph *const graph = &model->subgraphs.items[g];
        for (uint32_t i = 0; i < graph->operators.count; i++) {
            const tflite_operator_code *const code =
                tflite_code_of(model, &graph->operators.items[i]);
            // Compiled ones are payloads, with a summary of their own.
            if (code && tflite_code_number(code) == TFLITE_OP_CUSTOM && !tflite_is_edgetpu(code)) {
                HOIST_TRY(send_operator(&c, g, i));
            }
        }
    }
    hoist_tree_end(w->sink);
    return HOIST_OK;
}
