// A model as the file "model.tflite", in which compiled operators' options are zero, and those:
// "payloads/0.bin" and so on.
#include <inttypes.h>

#include "base/assert.h"
#include "base/span.h"
#include "formats/folder_parts.h"
#include "formats/tflite/tflite.h"

// The options of compiled operators, in the order of tflite_payloads().
typedef struct payload_bytes {
    hoist_bytes *items; // arena: slices of the file
    size_t count;
} payload_bytes;

// A count of 0 also where two operators share bytes: a frame has one hole for each payload.
static hoist_status find_payloads(const hoist_module *module, hoist_arena *arena,
                                  payload_bytes *out)
{
    hoist_payload *payloads = NULL;
    *out = (payload_bytes){NULL, 0};
    HOIST_TRY(tflite_payloads(module, arena, &payloads, &out->count));
    out->items = hoist_arena_array(arena, out->count, sizeof(*out->items));
    for (size_t i = 0; out->items && i < out->count; i++) {
        out->items[i] = payloads[i].bytes;
    }
    if (!hoist_frame_is_split(tflite_of(module)->file, out->items, out->items ? out->count : 0)) {
        out->count = 0;
    }
    return out->items ? HOIST_OK : HOIST_NO_MEMORY;
}

// The same of bytes; none where they cannot be read. The module goes to `*out_module`, which the
// caller destroys.
static hoist_status read_payloads(hoist_bytes bytes, hoist_arena *arena, hoist_module **out_module,
                                  payload_bytes *out)
{
    const hoist_read_options options = {.alloc = arena->alloc, .keep = true};
    const hoist_status status = tflite_read(bytes, &options, NULL, out_module);
    *out = (payload_bytes){NULL, 0};
    if (status != HOIST_OK) {
        return status == HOIST_NO_MEMORY ? status : HOIST_OK;
    }
    return find_payloads(*out_module, arena, out);
}

// Unpacking --------------------------------------------------------------------------------------

// Reads the frame again and compares the places of its holes with those of the payloads: in a
// hostile file a payload may contain the FlatBuffer's own tables, which the zeros destroy.
static hoist_status check_cut(hoist_bytes file, const payload_bytes *payloads, hoist_bytes cut,
                              hoist_arena *arena, bool *out_same)
{
    hoist_module *module = NULL;
    payload_bytes again;
    const hoist_status status = read_payloads(cut, arena, &module, &again);
    *out_same = status == HOIST_OK && again.count == payloads->count &&
                hoist_frame_same_places(cut, again.items, file, payloads->items, again.count);
    tflite_destroy(module);
    return status;
}

// An operator without options is no part: folders have no empty files for them.
static hoist_status send_payloads(const payload_bytes *payloads, hoist_part_sink *sink,
                                  hoist_arena *arena)
{
    for (size_t i = 0; i < payloads->count; i++) {
        const hoist_part part = {.path = hoist_arena_format(arena, "payloads/%zu.bin", i),
                                 .bytes = payloads->items[i]};
        HOIST_TRY(part.path.data ? part.bytes.size ? sink->part(sink->self, &part) : HOIST_OK
                                 : HOIST_NO_MEMORY);
    }
    return HOIST_OK;
}

// "model.tflite" comes first, with its payloads zeroed. Where that frame does not read as the same
// model, the complete file is sent in its place, and no payloads.
static hoist_status send_all(hoist_bytes file, payload_bytes *payloads, hoist_part_sink *sink,
                             hoist_arena *arena)
{
    hoist_buffer cut;
    bool same = false;
    hoist_buffer_init(&cut, arena->alloc);
    hoist_frame_cut(file, payloads->items, payloads->count, &cut);
    hoist_status status = cut.failed
                              ? HOIST_NO_MEMORY
                              : check_cut(file, payloads, hoist_buffer_bytes(&cut), arena, &same);
    const hoist_part part = {.path = HOIST_STR(TFLITE_FRAME_NAME),
                             .bytes = same ? hoist_buffer_bytes(&cut) : file};
    status = status == HOIST_OK ? sink->part(sink->self, &part) : status;
    hoist_buffer_deinit(&cut);
    return status == HOIST_OK && same ? send_payloads(payloads, sink, arena) : status;
}

hoist_status tflite_unpack(const hoist_module *module, const hoist_unpack_options *options,
                           hoist_diag *diag, hoist_part_sink *sink)
{
    (void)options; // there is no manifest
    (void)diag;
    hoist_arena arena;
    payload_bytes payloads;
    hoist_arena_init(&arena, module->alloc);
    hoist_status status = find_payloads(module, &arena, &payloads);
    if (status == HOIST_OK) {
        // A model without compiled operators has nothing to unpack.
        status = payloads.count ? send_all(tflite_of(module)->file, &payloads, sink, &arena)
                                : HOIST_UNSUPPORTED;
    }
    hoist_arena_deinit(&arena);
    return status;
}

// Packing ----------------------------------------------------------------------------------------

// One call of tflite_pack().
typedef struct packing {
    hoist_parts parts; // of the folder; each is taken once
    hoist_arena arena;
    hoist_diag *diag;
    hoist_bytes frame;    // bytes of "model.tflite"; borrowed from its part
    hoist_module *module; // of the frame; NULL: it cannot be read
    payload_bytes places; // in the frame
    hoist_bytes *members; // arena: what is to be there
} packing;

// A payload that the folder lacks stays as the frame has it, unless the frame has a hole there.
static hoist_status take_payload(packing *p, size_t index)
{
    HOIST_ASSERT(index < p->places.count);
    const hoist_str path = hoist_arena_format(&p->arena, "payloads/%zu.bin", index);
    if (!path.data) {
        return HOIST_NO_MEMORY;
    }
    const hoist_part *const part = hoist_parts_take(&p->parts, path);
    p->members[index] = part ? part->bytes : p->places.items[index];
    if (!part && hoist_frame_is_hole(p->members[index])) {
        return hoist_fail(p->diag, HOIST_INVALID, hoist_folder_rule_row(FOLD_001), hoist_loc_none(),
                          "the folder has neither '%s' nor 'payloads/%zu/'", path.data, index);
    }
    return HOIST_OK;
}

static hoist_status take_parts(packing *p)
{
    // Before the payloads, whose number and places are those of the frame.
    const hoist_part *const frame = hoist_parts_take(&p->parts, HOIST_STR(TFLITE_FRAME_NAME));
    if (!frame) {
        return hoist_fail(p->diag, HOIST_INVALID, hoist_folder_rule_row(FOLD_001), hoist_loc_none(),
                          "the folder has no " TFLITE_FRAME_NAME);
    }
    p->frame = frame->bytes;
    HOIST_TRY(read_payloads(p->frame, &p->arena, &p->module, &p->places));
    p->members = hoist_arena_array(&p->arena, p->places.count, sizeof(*p->members));
    if (!p->members) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < p->places.count; i++) {
        HOIST_TRY(take_payload(p, i));
    }
    return hoist_parts_check_rest(&p->parts);
}

// Whether the model has data that its FlatBuffer does not hold. Their offsets count from the start
// of the file, so a FlatBuffer of another size would leave all of them wrong.
static bool has_data_behind(const tflite_model *model)
{
    bool found = false;
    for (uint32_t i = 0; i < model->buffers.count; i++) {
        found = found || model->buffers.items[i].offset > 1;
    }
    for (uint32_t g = 0; g < model->subgraphs.count; g++) {
        const tflite_subgraph *const graph = &model->subgraphs.items[g];
        for (uint32_t i = 0; i < graph->operators.count; i++) {
            found = found || graph->operators.items[i].large_custom_options_offset > 1;
        }
    }
    return found;
}

// `members` are in the order of tflite_payloads(): subgraphs, and operators in each.
static void set_payloads(const tflite_model *model, const hoist_bytes *members)
{
    for (uint32_t g = 0; g < model->subgraphs.count; g++) {
        const tflite_subgraph *const graph = &model->subgraphs.items[g];
        for (uint32_t i = 0; i < graph->operators.count; i++) {
            tflite_operator *const op = &graph->operators.items[i];
            if (tflite_is_edgetpu(tflite_code_of(model, op))) {
                op->custom_options = *members++;
            }
        }
    }
}

// The model with payloads of other sizes, laid out anew from its objects; with hoist_fb_rewrite()
// where it has fields that no row knows. Faults are refused: what could not be read would be lost.
static hoist_status write_anew(packing *p, hoist_buffer *out)
{
    const tflite_model *const model = tflite_of(p->module)->model;
    hoist_status status = HOIST_UNSUPPORTED;
    if (model->table.faults == 0 && !has_data_behind(model)) {
        set_payloads(model, p->members);
        status =
            hoist_fb_is_known(&tflite_model_type, model)
                ? hoist_fb_write(&tflite_model_type, model, hoist_fb_identifier(p->frame).data, out)
                : hoist_fb_rewrite(p->frame, &tflite_model_type, model, NULL, out);
    }
    if (status == HOIST_UNSUPPORTED) {
        return hoist_fail(p->diag, status, hoist_folder_rule_row(FOLD_004), hoist_loc_none(),
                          TFLITE_FRAME_NAME " cannot be laid out anew around payloads of other "
                                            "sizes");
    }
    return status;
}

// With payloads of the same sizes every other byte is the frame's. The result is read again,
// because operators of the frame may share bytes: then one payload has overwritten the other.
static hoist_status pack_all(packing *p, hoist_buffer *out)
{
    HOIST_TRY(take_parts(p));
    const size_t start = out->size;
    if (!hoist_frame_fill(p->frame, p->places.items, p->members, p->places.count, out)) {
        return write_anew(p, out);
    }
    hoist_module *again = NULL;
    payload_bytes now;
    if (out->failed) {
        return HOIST_NO_MEMORY;
    }
    const hoist_bytes made = {out->data + start, out->size - start};
    hoist_status status = read_payloads(made, &p->arena, &again, &now);
    if (status == HOIST_OK && (now.count != p->places.count ||
                               !hoist_frame_same_bytes(now.items, p->members, now.count))) {
        out->size = start; // they share their bytes
        status = write_anew(p, out);
    }
    tflite_destroy(again);
    return status;
}

hoist_status tflite_pack(const hoist_part *parts, size_t count, const hoist_pack_options *options,
                         hoist_diag *diag, hoist_buffer *out)
{
    (void)options; // none of them has a meaning here
    packing p = {.diag = diag};
    hoist_arena_init(&p.arena, out->alloc);
    hoist_status status = hoist_parts_init(&p.parts, parts, count, out->alloc, diag);
    if (status == HOIST_OK) {
        status = pack_all(&p, out);
    }
    tflite_destroy(p.module);
    hoist_parts_deinit(&p.parts, out->alloc);
    hoist_arena_deinit(&p.arena);
    return status;
}
