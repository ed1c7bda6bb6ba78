// A run as the bytes of USB transfers: one walk over the hints of the caching and the main
// executable (darwinn reference sections 4.1, 4.2 and 4.4). In: a package, addresses and inputs;
// out: headers and data, and a list of steps that says what each transfer is.
#include "formats/darwinn/usb_stream.h"

#include <inttypes.h>
#include <string.h>

#include "base/reader.h"
#include "base/span.h"
#include "formats/darwinn/hints.h"
#include "formats/folder_parts.h"

// Steps ------------------------------------------------------------------------------------------

// Steps are bytes of a growing buffer until their number is known.
static void add_step(dwn_usb *u, hoist_stream_step step)
{
    step.executable = u->index;
    // The driver writes at most 1 MiB at a time; steps that send nothing have no pieces.
    step.pieces = step.is_sent ? (step.size + DWN_USB_PIECE - 1) / DWN_USB_PIECE : 0;
    hoist_buffer_add(&u->steps, (hoist_bytes){(const uint8_t *)&step, sizeof(step)});
}

// The header of a transfer, and its step: length (u32), tag (u8), three zero bytes. The limit is
// checked before anything is added, since hints of a small file may repeat a large buffer.
static hoist_status begin(dwn_usb *u, hoist_stream_step step)
{
    uint8_t header[DWN_USB_HEADER] = {0};
    if (u->out->size - u->start + DWN_USB_HEADER + step.size > DWN_MAX_STREAM) {
        return HOIST_LIMIT;
    }
    step.is_sent = true;
    step.at = u->out->size - u->start;
    hoist_store_u32le(header, (uint32_t)step.size);
    header[4] = step.tag;
    hoist_buffer_add(u->out, (hoist_bytes){header, sizeof(header)});
    add_step(u, step);
    return HOIST_OK;
}

// The byte of the file where the hint at hand is.
static hoist_loc hint_place(const dwn_usb *u)
{
    const dwn_stored_hint *const stored = &u->image->rows->dma_hints->hints.items[u->hint];
    return DWN_FIELD_PLACE(u->module, u->image->bytes, stored_hint, stored, any_hint);
}

// Sends a chunk as it is in the file, and then links the copy in the output: the file's bytes stay
// as they are.
static hoist_status send_chunk(dwn_usb *u, int32_t index)
{
    if (index < 0 || (uint32_t)index >= u->image->chunk_count) {
        return dwn_fail(u->diag, HOIST_INVALID, DWN_086, hint_place(u),
                        "a hint is for chunk %" PRId32 " of %" PRIu32, index,
                        u->image->chunk_count);
    }
    const dwn_chunk *const chunk = &u->image->chunks[index];
    const hoist_bytes bytes = chunk->stream.bytes;
    HOIST_TRY(begin(u, (hoist_stream_step){.kind = HOIST_STREAM_INSTRUCTIONS,
                                           .tag = DWN_TAG_INSTRUCTIONS,
                                           .index = (uint32_t)index,
                                           .size = bytes.size}));
    hoist_buffer_add(u->out, bytes);
    if (u->out->failed) {
        return HOIST_NO_MEMORY;
    }
    // The last bytes added.
    const hoist_mut_bytes copy = {u->out->data + u->out->size - bytes.size, bytes.size};
    const hoist_status status = dwn_link_apply(copy, chunk->links, chunk->link_count, &u->places);
    return status == HOIST_INVALID
               ? dwn_fail(u->diag, HOIST_INVALID, DWN_086, dwn_place_in_file(u->module, bytes.data),
                          "a field offset is outside of chunk %" PRId32
                          ", or its batch beyond the layer's",
                          index)
               : status;
}

// Transfers --------------------------------------------------------------------------------------

// Whether the range is inside the buffer; inputs may be read to the end of their last page.
static bool is_inside(const dwn_usb_buffer *buffer, const dwn_hint *hint)
{
    if (hint->offset < 0 || hint->size < 0) {
        return false;
    }
    const uint64_t end = (uint64_t)hint->offset + (uint64_t)hint->size;
    const uint64_t last = buffer->size ? (buffer->size - 1) / DWN_MEMORY_PAGE : 0;
    return end <= buffer->size || // behind it `end` is above 0
           (hint->desc == DWN_DESC_INPUT && buffer->size && (end - 1) / DWN_MEMORY_PAGE == last);
}

// The bytes of an element of the batch, and zeros after them. is_inside() has compared the hint
// with the buffer.
static void add_bytes(dwn_usb *u, const dwn_usb_buffer *buffer, const dwn_hint *hint)
{
    const size_t offset = (size_t)hint->offset;
    const size_t size = (size_t)hint->size;
    const size_t left = offset < buffer->size ? (size_t)buffer->size - offset : 0;
    const size_t stored = !buffer->bytes.data ? 0 : left < size ? left : size;
    if (stored) {
        const size_t element = (size_t)hint->batch * (size_t)buffer->size;
        hoist_buffer_add(u->out, (hoist_bytes){buffer->bytes.data + element + offset, stored});
    }
    hoist_buffer_fill(u->out, 0, size - stored);
}

// By kind of buffer and direction: tag and kind of the step. False: nothing is moved that way. Rows
// that are not listed have the tag 0, which is that of instructions.
static bool kind_of(const dwn_hint *hint, hoist_stream_step *step)
{
    static const hoist_stream_step in[DWN_DESC_COUNT] = {
        [DWN_DESC_INPUT] = {.kind = HOIST_STREAM_INPUT, .tag = DWN_TAG_INPUT},
        [DWN_DESC_PARAMETER] = {.kind = HOIST_STREAM_PARAMETERS, .tag = DWN_TAG_PARAMETER},
        [DWN_DESC_SCRATCH] = {.kind = HOIST_STREAM_SCRATCH, .tag = DWN_TAG_INPUT},
    };
    static const hoist_stream_step out[DWN_DESC_COUNT] = {
        [DWN_DESC_OUTPUT] = {.kind = HOIST_STREAM_OUTPUT, .tag = DWN_TAG_OUTPUT},
        [DWN_DESC_SCRATCH] = {.kind = HOIST_STREAM_SCRATCH_OUT, .tag = DWN_TAG_OUTPUT},
    };
    if (hint->desc < 0 || hint->desc >= DWN_DESC_COUNT ||
        (hint->direction != DWN_INFEED && hint->direction != DWN_OUTFEED)) {
        return false;
    }
    *step = (hint->direction == DWN_INFEED ? in : out)[hint->desc];
    return step->tag != 0;
}

// One transfer of data. To the chip: header and bytes; from it: a step only, with what is to be
// read.
static hoist_status move(dwn_usb *u, const dwn_hint *hint)
{
    const dwn_link link = {
        .name = hint->name, .batch = hint->batch, .desc = hint->desc, .has_meta = true};
    const dwn_place *const place = dwn_place_of(&u->places, &link); // by kind and name, as links
    char text[160];
    hoist_stream_step step;
    dwn_hint_text(hint, text, sizeof(text));
    if (!place || hint->batch < 0 || (uint32_t)hint->batch >= place->count) {
        return dwn_fail(u->diag, HOIST_INVALID, DWN_086, hint_place(u),
                        "a hint is for a buffer that there is not: %s", text);
    }
    const dwn_usb_buffer *const buffer = &u->buffers[place - u->items];
    if (!kind_of(hint, &step) || !is_inside(buffer, hint)) {
        return dwn_fail(u->diag, HOIST_INVALID, DWN_086, hint_place(u),
                        "a hint does not fit its buffer of %" PRIu64 " bytes: %s", buffer->size,
                        text);
    }
    step.buffer = place->name;
    step.batch = (uint32_t)hint->batch;
    step.offset = (uint64_t)hint->offset;
    step.size = (uint64_t)hint->size;
    step.address = buffer->addresses[hint->batch] + step.offset;
    if (hint->direction == DWN_OUTFEED) {
        add_step(u, step);
        return HOIST_OK;
    }
    HOIST_TRY(begin(u, step));
    add_bytes(u, buffer, hint);
    return HOIST_OK;
}

// A step of the driver (section 4.1). Everything that a hint says is checked before it is used.
static hoist_status take_hint(dwn_usb *u, const dwn_hint *hint)
{
    switch (hint->kind) {
    case DWN_HINT_DMA:
        return move(u, hint);
    case DWN_HINT_INSTRUCTION:
        return send_chunk(u, hint->index);
    case DWN_HINT_INTERRUPT:
        if (hint->index < 0 || hint->index >= DWN_USB_INTERRUPTS) {
            return dwn_fail(u->diag, HOIST_INVALID, DWN_086, hint_place(u),
                            "a hint is for interrupt %" PRId32, hint->index);
        }
        add_step(u, (hoist_stream_step){.kind = HOIST_STREAM_INTERRUPT,
                                        .tag = (uint8_t)(DWN_TAG_INTERRUPT + hint->index),
                                        .index = (uint32_t)hint->index});
        return HOIST_OK;
    case DWN_HINT_FENCE:
        add_step(u, (hoist_stream_step){.kind = HOIST_STREAM_FENCE});
        return HOIST_OK;
    default:
        return dwn_fail(u->diag, HOIST_INVALID, DWN_086, hint_place(u),
                        "a hint is of no known kind");
    }
}

// Executables ------------------------------------------------------------------------------------

// The hints of the executable at hand, in order; `u->hint` is where findings point.
static hoist_status take_hints(dwn_usb *u)
{
    dwn_hint *hints = NULL;
    size_t count = 0;
    HOIST_TRY(dwn_hints_of(u->image->rows, u->arena, &hints, &count));
    for (size_t i = 0; i < count; i++) {
        u->hint = i;
        HOIST_TRY(take_hint(u, &hints[i]));
        HOIST_TRY(u->out->failed || u->steps.failed ? HOIST_NO_MEMORY : HOIST_OK);
    }
    return HOIST_OK;
}

// One executable: its buffers, then its hints. A run is complete if all of its hints are.
static hoist_status take_executable(dwn_usb *u, const dwn_contents *contents, uint32_t index,
                                    hoist_stream *stream)
{
    u->index = index;
    u->image = &contents->images[index];
    if (!u->image->rows || !u->image->rows->dma_hints) {
        return dwn_fail(u->diag, HOIST_INVALID, DWN_086,
                        dwn_place_in_file(u->module, u->image->bytes.data),
                        "executable %" PRIu32 " has no hints", index);
    }
    HOIST_TRY(dwn_usb_enter(u));
    const hoist_status status = take_hints(u);
    dwn_places_deinit(&u->places);
    stream->is_complete = stream->is_complete && u->image->rows->dma_hints->fully_deterministic;
    return status;
}

// What was given for a buffer that no executable has is a mistake.
static hoist_status check_used(const dwn_usb *u)
{
    HOIST_TRY(
        dwn_link_check_used(u->options->addresses, u->is_used, u->options->address_count, u->diag));
    for (size_t i = 0; i < u->options->input_count; i++) {
        if (!u->is_used[u->options->address_count + i]) {
            return dwn_fail(u->diag, HOIST_NOT_FOUND, DWN_086, hoist_loc_none(),
                            "there is no input '%s'", u->options->inputs[i].layer);
        }
    }
    return HOIST_OK;
}

// The driver's order (section 4.4): parameters are cached first, then the main executable runs.
static hoist_status take_all(dwn_usb *u, const dwn_contents *contents, hoist_stream *stream)
{
    const dwn_roles roles = dwn_roles_of(contents);
    if (u->module->package_count != 1 || roles.main == DWN_NONE) {
        return dwn_fail(u->diag, HOIST_UNSUPPORTED, DWN_086, hoist_loc_none(),
                        "there is not one package with an executable to run");
    }
    // The first part is of addresses, the second of inputs.
    u->is_used = hoist_arena_array(u->arena, u->options->address_count + u->options->input_count,
                                   sizeof(u->is_used[0]));
    if (!u->is_used) {
        return HOIST_NO_MEMORY;
    }
    if (roles.caching != DWN_NONE) {
        HOIST_TRY(take_executable(u, contents, roles.caching, stream));
    }
    HOIST_TRY(take_executable(u, contents, roles.main, stream));
    return check_used(u);
}

// Steps are copied into the arena at the end, so that the caller owns nothing else. `out` may have
// had bytes before; they stay.
hoist_status dwn_stream_module(const hoist_module *module, const hoist_stream_options *options,
                               hoist_diag *diag, hoist_arena *arena, hoist_buffer *out,
                               hoist_stream *stream)
{
    dwn_usb u = {.module = dwn_of(module),
                 .options = options,
                 .diag = diag,
                 .arena = arena,
                 .out = out,
                 .start = out->size,
                 .next = DWN_EXTENDED_RANGE};
    hoist_buffer_init(&u.steps, arena->alloc);
    stream->is_complete = true;
    hoist_status status = take_all(&u, u.module->packages, stream);
    if (status == HOIST_LIMIT) {
        status = dwn_fail(u.diag, status, DWN_086, hoist_loc_none(),
                          "the run sends more than %d bytes", DWN_MAX_STREAM);
    }
    hoist_bytes steps = {NULL, 0};
    status = status == HOIST_OK ? hoist_buffer_keep(&u.steps, arena, &steps) : status;
    stream->steps = (const void *)steps.data; // memory of an arena, aligned for any type
    stream->step_count = steps.size / sizeof(*stream->steps);
    hoist_buffer_deinit(&u.steps);
    return status;
}
