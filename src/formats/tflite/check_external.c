// Data in other files: tensors refer to them by id, external_buffers list the ids (TFL-034). In:
// the model; the ids are sorted once, so that each tensor finds its own by binary search.
#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/order.h"
#include "formats/tflite/check.h"

typedef struct external_entry {
    uint32_t id;    // that tensors use
    uint32_t index; // of the model's external_buffers
} external_entry;

// Entries of one id stay in the order of the file, so that the later one is reported as the copy.
static int by_id(const void *a, const void *b)
{
    const external_entry *const x = a;
    const external_entry *const y = b;
    const int order = hoist_order_u64(x->id, y->id);
    return order ? order : hoist_order_u64(x->index, y->index);
}

// Ids are above 0 and differ; their file is one of the model's groups. Findings come in the order
// of ids.
static void check_lists(tflite_checker *c, const external_entry *sorted)
{
    for (uint32_t i = 0; i < c->model->external_buffers.count; i++) {
        const tflite_external_buffer *const external =
            &c->model->external_buffers.items[sorted[i].index];
        const hoist_loc place = TFLITE_PLACE(c, external_buffer, external, id);
        hoist_frame frame;
        hoist_diag_push_item(c->diag, &frame, "external_buffers", sorted[i].index);
        if (external->id == 0) {
            tflite_report(c->diag, TFL_034, place, "data in another file have the id 0");
        } else if (i > 0 && sorted[i - 1].id == external->id) {
            tflite_report(c->diag, TFL_034, place,
                          "data in another file have the id %" PRIu32 ", as others have",
                          external->id);
        }
        if (external->group >= c->model->external_buffer_groups.count) {
            tflite_report(c->diag, TFL_034, TFLITE_PLACE(c, external_buffer, external, group),
                          "the data are in file %" PRIu32 ", the model lists %" PRIu32,
                          external->group, c->model->external_buffer_groups.count);
        }
        hoist_diag_pop(c->diag, &frame);
    }
}

static bool id_is_before(const void *entry, const void *id)
{
    return ((const external_entry *)entry)->id < *(const uint32_t *)id;
}

static bool is_listed(const tflite_model *model, const external_entry *sorted, uint32_t id)
{
    const size_t count = model->external_buffers.count;
    const size_t at = hoist_order_first(sorted, count, sizeof *sorted, id_is_before, &id);
    return at < count && sorted[at].id == id;
}

// Each tensor with an id finds it in the list.
static void check_tensors(tflite_checker *c, uint32_t graph_index, const external_entry *sorted)
{
    const tflite_subgraph *const graph = &c->model->subgraphs.items[graph_index];
    hoist_frame outer;
    hoist_diag_push_item(c->diag, &outer, "subgraphs", graph_index);
    for (uint32_t i = 0; i < graph->tensors.count; i++) {
        const tflite_tensor *const tensor = &graph->tensors.items[i];
        const uint32_t id = tensor->external_buffer;
        if (id && !is_listed(c->model, sorted, id)) {
            hoist_frame frame;
            hoist_diag_push_item(c->diag, &frame, "tensors", i);
            tflite_report(c->diag, TFL_034, TFLITE_PLACE(c, tensor, tensor, external_buffer),
                          "no data in another file have the id %" PRIu32, id);
            hoist_diag_pop(c->diag, &frame);
        }
    }
    hoist_diag_pop(c->diag, &outer);
}

// `sorted` is NULL where the list is empty, and is not read then.
hoist_status tflite_check_external(tflite_checker *c)
{
    const hoist_allocator alloc = c->module->base.alloc;
    const size_t count = c->model->external_buffers.count;
    external_entry *const sorted = hoist_alloc_zero(alloc, count, sizeof(*sorted));
    if (count > 0 && !sorted) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        sorted[i] = (external_entry){c->model->external_buffers.items[i].id, i};
    }
    if (count > 1) {
        qsort(sorted, count, sizeof(*sorted), by_id);
    }
    check_lists(c, sorted);
    for (uint32_t i = 0; i < c->model->subgraphs.count; i++) {
        check_tensors(c, i, sorted);
    }
    hoist_free(alloc, sorted, count * sizeof(*sorted));
    return HOIST_OK;
}
