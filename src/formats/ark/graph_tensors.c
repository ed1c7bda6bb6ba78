// Each tensor and buffer of a file once: occurrences become rows by their ids, and are compared
// with the first one (ARK-M25, M26). Also what a buffer's tensors say of it: its size, and whether
// they have one element type (M24, M28).
#include <inttypes.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "base/span.h"
#include "formats/ark/graph_internal.h"
#include "formats/ark/places.h"
#include "formats/ark/rules.h"

// Rows grow while the file is read; indices stay, pointers do not.
static void rows_init(ark_rows *rows, size_t size, hoist_allocator alloc)
{
    *rows = (ark_rows){.size = size};
    hoist_map_init(&rows->ids, alloc);
}

static void rows_deinit(ark_rows *rows, hoist_allocator alloc)
{
    hoist_map_deinit(&rows->ids);
    hoist_free(alloc, rows->items, rows->capacity * rows->size);
}

// Rows are the builder's own memory until the graph has them.
void ark_builder_init(ark_builder *b, const ark_module *module, hoist_arena *arena,
                      hoist_diag *diag)
{
    *b = (ark_builder){.module = module, .arena = arena, .diag = diag};
    rows_init(&b->values, sizeof(ark_value_row), arena->alloc);
    rows_init(&b->memories, sizeof(ark_memory_row), arena->alloc);
}

void ark_builder_deinit(ark_builder *b)
{
    rows_deinit(&b->values, b->arena->alloc);
    rows_deinit(&b->memories, b->arena->alloc);
}

// The row at that index, until the next one is added.
static ark_value_row *value_row(const ark_builder *b, size_t index)
{
    return (ark_value_row *)b->values.items + index;
}

static ark_memory_row *memory_row(const ark_builder *b, size_t index)
{
    return (ark_memory_row *)b->memories.items + index;
}

// Adds a row and its id, when it has one. HOIST_BUSY: the id is there already, with the index that
// is given.
static hoist_status intern(ark_rows *rows, const hoist_rec_int *id, hoist_allocator alloc,
                           size_t *out_index)
{
    *out_index = rows->count;
    if (rows->count >= ARK_NONE) {
        return HOIST_LIMIT;
    }
    if (id->pos.line) { // without an Id it is a row of its own
        HOIST_TRY(hoist_map_add(&rows->ids, ark_id_key(&id->value), rows->count, out_index));
        *out_index = rows->count;
    }
    HOIST_TRY_MEMORY(hoist_grow(alloc, &rows->items, &rows->capacity, rows->count + 1, rows->size));
    rows->count++;
    return HOIST_OK;
}

// Buffers ----------------------------------------------------------------------------------------

// Order counts: ARK writes tags in ascending order. Missing lists are no difference.
static bool same_tags(const ark_tags *a, const ark_tags *b)
{
    bool same = a->count == b->count || !a->pos.line || !b->pos.line;
    for (size_t i = 0; same && i < a->count && i < b->count; i++) {
        same = a->items[i].rank == b->items[i].rank && a->items[i].tag == b->items[i].tag;
    }
    return same;
}

// A missing number is the reader's finding, and no difference.
static bool same_int(const hoist_rec_int *a, const hoist_rec_int *b)
{
    return a->value == b->value || !a->pos.line || !b->pos.line;
}

// The key in which two occurrences of a buffer differ; NULL: in none.
static const char *buffer_difference(const ark_buffer *first, const ark_buffer *row,
                                     hoist_pos *out_pos)
{
    *out_pos = row->pos;
    if (!same_int(&first->rank, &row->rank)) {
        *out_pos = row->rank.pos;
        return "Rank";
    }
    if (first->external.value != row->external.value) {
        *out_pos = row->external.pos.line ? row->external.pos : row->pos;
        return "IsExternal";
    }
    if (!same_tags(&first->send_tags, &row->send_tags)) {
        *out_pos = row->send_tags.pos;
        return "SendTags";
    }
    if (!same_tags(&first->recv_tags, &row->recv_tags)) {
        *out_pos = row->recv_tags.pos;
        return "RecvTags";
    }
    return NULL;
}

// At the later occurrence, once for each buffer. Which of the two holds is unknown, so neither
// does.
static void compare_buffers(ark_builder *b, ark_memory_row *known, const ark_buffer *row)
{
    hoist_pos pos;
    const char *const key = buffer_difference(known->memory.row, row, &pos);
    if (key && !known->differs) {
        ark_report(b->diag, ARK_M26, pos,
                   "%s of buffer %" PRId64 " is not the one at line %" PRIu32, key,
                   known->memory.id, known->memory.row->pos.line);
        known->differs = true;
        known->memory.valid = false;
    }
}

// The memory of a tensor: a new row, or the one that has its Id.
static hoist_status intern_buffer(ark_builder *b, const ark_buffer *row, uint32_t *out_memory)
{
    *out_memory = ARK_NONE;
    if (!row->pos.line) {
        return HOIST_OK;
    }
    size_t index = 0;
    const hoist_status status = intern(&b->memories, &row->id, b->arena->alloc, &index);
    if (status == HOIST_BUSY) {
        compare_buffers(b, memory_row(b, index), row);
    } else if (status == HOIST_OK) {
        const int64_t rank = row->rank.value;
        const hoist_rec_int *const own = &b->module->rank;
        *memory_row(b, index) = (ark_memory_row){
            .memory = {.id = row->id.value,
                       .row = row,
                       .local = rank == -1 || (own->pos.line && rank == own->value),
                       .external = row->external.value,
                       .valid = row->id.pos.line && row->rank.pos.line,
                       .whole = ARK_NONE},
            .first = ARK_NONE};
    } else {
        return status;
    }
    *out_memory = (uint32_t)index;
    return HOIST_OK;
}

// Tensors ----------------------------------------------------------------------------------------

static bool same_ints(const hoist_rec_ints *a, const hoist_rec_ints *b)
{
    if (!a->pos.line || !b->pos.line) {
        return true; // the reader reported it
    }
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++) {
        same = a->items[i].value == b->items[i].value;
    }
    return same;
}

// Spelled as PaddedShape or as Pads.
static bool same_padding(const ark_tensor *a, const ark_tensor *b)
{
    if (a->padded.pos.line && b->padded.pos.line) {
        return same_ints(&a->padded, &b->padded);
    }
    if (a->pads.pos.line && b->pads.pos.line) {
        return same_ints(&a->pads, &b->pads);
    }
    for (size_t k = 0; k < ARK_MAX_RANK; k++) { // one of each spelling: the extents are compared
        int64_t first = 0;
        int64_t second = 0;
        if (ark_padded_at(a, k, &first) && ark_padded_at(b, k, &second) && first != second) {
            return false;
        }
    }
    return true;
}

// The key in which two occurrences of a tensor differ; NULL: in none.
static const char *tensor_difference(const ark_tensor *first, const ark_tensor *row,
                                     hoist_pos *out_pos)
{
    *out_pos = row->dtype.pos;
    if (first->dtype.pos.line && row->dtype.pos.line &&
        !hoist_str_equal(first->dtype.text, row->dtype.text)) {
        return "DataType";
    }
    const struct {
        const char *key;
        bool same;
        hoist_pos pos;
    } lists[] = {
        {"Shape", same_ints(&first->shape, &row->shape), row->shape.pos},
        {"Strides", same_ints(&first->strides, &row->strides), row->strides.pos},
        {"Offsets", same_ints(&first->offsets, &row->offsets), row->offsets.pos},
        {"PaddedShape", same_padding(first, row),
         row->padded.pos.line ? row->padded.pos : row->pads.pos},
        {"Buffer", same_int(&first->buffer.id, &row->buffer.id), row->buffer.id.pos},
    };
    for (size_t i = 0; i < HOIST_COUNT_OF(lists); i++) {
        if (!lists[i].same) {
            *out_pos = lists[i].pos;
            return lists[i].key;
        }
    }
    return NULL;
}

// Like buffers: reported once, and no longer valid for any operator.
static void compare_tensors(ark_builder *b, ark_value_row *known, const ark_tensor *row)
{
    hoist_pos pos;
    const char *const key = tensor_difference(known->value.row, row, &pos);
    if (key && !known->differs) {
        ark_report(b->diag, ARK_M25, pos,
                   "%s of tensor %" PRId64 " is not the one at line %" PRIu32, key, known->value.id,
                   known->value.row->pos.line);
        known->differs = true;
        known->value.valid = false;
    }
}

// Elements of the array, gaps included.
static uint64_t array_count(const ark_value *value)
{
    return ark_array_size(value) / (hoist_dtype_get(value->dtype)->bits / 8);
}

// What a tensor with a valid geometry says of its buffer. The buffer is as large as its largest
// array; mixed element types are reported once.
static void add_to_buffer(ark_builder *b, uint32_t index)
{
    const ark_value *const value = &value_row(b, index)->value;
    ark_memory_row *const row = memory_row(b, value->memory);
    const uint64_t size = ark_array_size(value);
    row->memory.size = size > row->memory.size ? size : row->memory.size;
    if (row->first == ARK_NONE) {
        row->first = index;
        row->memory.whole = index;
        return;
    }
    if (array_count(value) > array_count(&value_row(b, row->memory.whole)->value)) {
        row->memory.whole = index;
    }
    const ark_value *const first = &value_row(b, row->first)->value;
    if (!row->mixed && first->row->dtype.value != value->row->dtype.value) {
        ark_report(b->diag, ARK_M28, value->row->dtype.pos,
                   "tensor %" PRId64 " has %s elements in buffer %" PRId64 ", tensor %" PRId64
                   " %s elements",
                   value->id, ark_dtype_shown(value->row->dtype.value), row->memory.id, first->id,
                   ark_dtype_shown(first->row->dtype.value));
        row->mixed = true;
    }
}

// Geometry is read from the first occurrence: others are the same, or the tensor is not valid.
hoist_status ark_builder_tensor(ark_builder *b, const ark_tensor *row, uint32_t *out_value)
{
    uint32_t memory = ARK_NONE;
    hoist_status status = intern_buffer(b, &row->buffer, &memory);
    size_t index = 0;
    if (status == HOIST_OK) {
        status = intern(&b->values, &row->id, b->arena->alloc, &index);
    }
    *out_value = (uint32_t)index;
    if (status == HOIST_BUSY) {
        compare_tensors(b, value_row(b, index), row);
        return HOIST_OK;
    }
    HOIST_TRY(status);
    *value_row(b, index) = (ark_value_row){
        .value = {.id = row->id.value, .row = row, .memory = memory, .producer = ARK_NONE}};
    ark_value *const value = &value_row(b, index)->value;
    const bool placed = ark_geometry(row, b->diag, value);
    value->valid = placed && memory != ARK_NONE && row->id.pos.line;
    if (value->valid) {
        add_to_buffer(b, (uint32_t)index);
    }
    return HOIST_OK;
}

// The end ----------------------------------------------------------------------------------------

// Of the memory of this rank; that of others is theirs.
static void check_total(ark_builder *b)
{
    uint64_t total = 0;
    for (size_t i = 0; i < b->memories.count; i++) {
        const ark_memory *const memory = &memory_row(b, i)->memory;
        if (memory->local && (hoist_ckd_add(&total, total, memory->size) || total > INT64_MAX)) {
            ark_report(b->diag, ARK_M24, memory->row->pos,
                       "the buffers up to buffer %" PRId64 " have 2^63 bytes or more", memory->id);
            return;
        }
    }
}

// A tensor in an invalid buffer is not valid, either.
hoist_status ark_builder_finish(ark_builder *b, ark_graph *graph, ark_value **out_values)
{
    check_total(b);
    ark_memory *const memories =
        hoist_arena_array(b->arena, b->memories.count, sizeof(*graph->memories));
    ark_value *const values = hoist_arena_array(b->arena, b->values.count, sizeof(*graph->values));
    HOIST_TRY_MEMORY(memories && values);
    for (size_t i = 0; i < b->memories.count; i++) {
        memories[i] = memory_row(b, i)->memory;
    }
    for (size_t i = 0; i < b->values.count; i++) {
        values[i] = value_row(b, i)->value;
        values[i].valid = values[i].valid && memories[values[i].memory].valid;
    }
    graph->memories = memories;
    graph->memory_count = (uint32_t)b->memories.count;
    graph->values = *out_values = values;
    graph->value_count = (uint32_t)b->values.count;
    return HOIST_OK;
}
