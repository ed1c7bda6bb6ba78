// Spaces, buffers, windows, overlap of placed buffers, and relocations (PRG-004 to 010). Overlap is
// found by sorting the buffers of a space by address.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/order.h"
#include "base/span.h"
#include "program/fields.h"
#include "program/verifier.h"

#define MAX_WINDOWS 64 // windows of windows

// 0 is none.
static bool is_power_of_two(uint32_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

// Capacity may be anything, 0 included.
static void check_spaces(hoist_verifier *v)
{
    for (uint32_t i = 0; hoist_verifier_at(v, HOIST_NAMES_SPACE, i); i++) {
        const hoist_prog_space *space = &v->program->spaces[i];
        if (!is_power_of_two(space->alignment)) {
            (void)hoist_verifier_fail(v, HOIST_PRG_004,
                                      "the alignment is %" PRIu32 ", expected a power of two",
                                      space->alignment);
        }
    }
}

// A window needs no more alignment than it asks for itself.
static void check_place(hoist_verifier *v, const hoist_prog_buffer *b)
{
    const hoist_prog_space *space = &v->program->spaces[b->space];
    uint64_t end = 0;
    // Address and size are the file's.
    if (hoist_ckd_add(&end, b->address, b->size)) {
        (void)hoist_verifier_fail(v, HOIST_PRG_006,
                                  "%" PRIu64 " bytes at 0x%" PRIx64 " go beyond all addresses",
                                  b->size, b->address);
    } else if (space->capacity && end > space->capacity) {
        (void)hoist_verifier_fail(v, HOIST_PRG_006,
                                  "%" PRIu64 " bytes at 0x%" PRIx64 " go beyond the end of '%.*s', "
                                  "which has %" PRIu64,
                                  b->size, b->address, HOIST_STR_ARGS(space->name),
                                  space->capacity);
    }
    const bool own = b->window_of == HOIST_NO_REF;
    const uint32_t expected =
        own && space->alignment > b->alignment ? space->alignment : b->alignment;
    if (is_power_of_two(expected) && b->address % expected != 0) {
        (void)hoist_verifier_fail(v, HOIST_PRG_006,
                                  "address 0x%" PRIx64 " is not a multiple of %" PRIu32, b->address,
                                  expected);
    }
}

// Against the buffer that it names; by induction the chain lies in its root.
static void check_window(hoist_verifier *v, const hoist_prog_buffer *b)
{
    const hoist_prog_buffer *base = &v->program->buffers[b->window_of];
    uint64_t end = 0;
    uint64_t address = 0;
    if (hoist_ckd_add(&end, b->window_offset, b->size) || end > base->size) {
        (void)hoist_verifier_fail(v, HOIST_PRG_008,
                                  "%" PRIu64 " bytes at offset %" PRIu64 " go beyond the end of "
                                  "'%.*s', which has %" PRIu64,
                                  b->size, b->window_offset, HOIST_STR_ARGS(base->name),
                                  base->size);
    }
    if (b->space != base->space) {
        (void)hoist_verifier_fail(v, HOIST_PRG_008, "'%.*s' lies in another space",
                                  HOIST_STR_ARGS(base->name));
    }
    // An address follows from the base's; giving it again must not contradict that.
    const bool wraps = hoist_ckd_add(&address, base->address, b->window_offset);
    if (b->placed && (!base->placed || wraps || address != b->address)) {
        (void)hoist_verifier_fail(v, HOIST_PRG_008,
                                  "the window is at 0x%" PRIx64 ", its bytes of '%.*s' are not",
                                  b->address, HOIST_STR_ARGS(base->name));
    }
}

// The buffer with memory of its own at the end of the chain of windows.
static void find_root(hoist_verifier *v, uint32_t index)
{
    const hoist_prog_buffer *buffers = v->program->buffers;
    hoist_buffer_root *root = &v->roots[index];
    root->buffer = index;
    // The limit also ends chains that come back to themselves.
    for (int depth = 0; buffers[root->buffer].window_of != HOIST_NO_REF; depth++) {
        const hoist_prog_buffer *b = &buffers[root->buffer];
        if (depth == MAX_WINDOWS || hoist_ckd_add(&root->offset, root->offset, b->window_offset)) {
            (void)hoist_verifier_fail(v, HOIST_PRG_008,
                                      "no buffer with memory of its own within %d windows",
                                      MAX_WINDOWS);
            *root = (hoist_buffer_root){.buffer = index};
            return;
        }
        root->buffer = b->window_of;
    }
}

// What callers see of a buffer with a type.
// Dense, in C order, and exactly as many as fill the buffer.
static void check_elements(hoist_verifier *v, const hoist_prog_buffer *b)
{
    const hoist_measured_layout *layout = hoist_verifier_layout(v, b->layout);
    const hoist_prog_layout *row = &v->program->layouts[b->layout];
    int64_t dense[HOIST_MAX_RANK];
    uint64_t bytes = 0;
    if (!layout->ok) {
        return;
    }
    if (layout->tiled || !hoist_layout_dense(&row->shape, b->dtype, dense) ||
        memcmp(dense, row->stride, sizeof dense[0] * (size_t)row->shape.rank) != 0) {
        (void)hoist_verifier_fail(v, HOIST_PRG_040, "the elements do not follow one another");
    } else if (hoist_ckd_mul(&bytes, layout->elements, hoist_dtype_get(b->dtype)->bits / 8) ||
               bytes != b->size) {
        (void)hoist_verifier_fail(v, HOIST_PRG_040,
                                  "%" PRIu64 " elements of type %s are not the %" PRIu64 " bytes",
                                  layout->elements, hoist_dtype_get(b->dtype)->name, b->size);
    }
}

// All checks of a buffer, also when one has failed: they are independent.
static void check_buffers(hoist_verifier *v)
{
    for (uint32_t i = 0; hoist_verifier_at(v, HOIST_NAMES_BUFFER, i); i++) {
        const hoist_prog_buffer *b = &v->program->buffers[i];
        if (!is_power_of_two(b->alignment)) {
            (void)hoist_verifier_fail(v, HOIST_PRG_004,
                                      "the alignment is %" PRIu32 ", expected a power of two",
                                      b->alignment);
        }
        if (b->size == 0 || b->bytes.size > b->size) {
            (void)hoist_verifier_fail(v, HOIST_PRG_005,
                                      "a buffer of %" PRIu64 " bytes cannot hold %zu", b->size,
                                      // A buffer of 0 bytes cannot hold 1.
                                      b->bytes.size ? b->bytes.size : 1);
        }
        if (b->placed) {
            check_place(v, b);
        }
        if (b->window_of != HOIST_NO_REF) {
            check_window(v, b);
        }
        if (b->typed) {
            check_elements(v, b);
        }
        find_root(v, i);
    }
}

// Overlap ----------------------------------------------------------------------------------------

typedef struct placed {
    hoist_ref space;
    uint32_t buffer;
    uint64_t address;
    uint64_t end;
    bool dynamic;
} placed;

// By space, address, then index: the order of findings does not depend on qsort().
static int compare_placed(const void *a, const void *b)
{
    const placed *x = a;
    const placed *y = b;
    const int space = hoist_order_u64(x->space, y->space);
    const int address = hoist_order_u64(x->address, y->address);
    return space ? space : address ? address : hoist_order_u64(x->buffer, y->buffer);
}

static void mark_fifos(hoist_verifier *v)
{
    for (uint32_t i = 0; i < v->program->fifo_count; i++) {
        const hoist_prog_fifo *fifo = &v->program->fifos[i];
        for (uint32_t k = 0; k < fifo->part_count; k++) {
            hoist_buffer_root *root = &v->roots[v->roots[fifo->parts[k]].buffer];
            // Noted at the root: parts may be windows.
            root->in_fifo = true;
            root->dynamic |= fifo->dynamic;
        }
    }
}

// At the later of the two.
static void report_overlap(hoist_verifier *v, const placed *late, const placed *early)
{
    const hoist_prog_buffer *b = &v->program->buffers[late->buffer];
    v->name = b->name;
    v->loc = b->loc;
    (void)hoist_verifier_fail(
        v, HOIST_PRG_007,
        "the buffer at 0x%" PRIx64 " begins inside '%.*s', which ends at 0x%" PRIx64, late->address,
        HOIST_STR_ARGS(v->program->buffers[early->buffer].name), early->end);
}

// In order of address: a buffer overlaps an earlier one when it begins before the farthest end.
static void check_overlap(hoist_verifier *v)
{
    const hoist_program *p = v->program;
    placed *list = hoist_verifier_array(v, p->buffer_count, sizeof *list);
    size_t count = 0;
    for (uint32_t i = 0; list && i < p->buffer_count; i++) {
        const hoist_prog_buffer *b = &p->buffers[i];
        uint64_t end = 0;
        if (b->placed && b->window_of == HOIST_NO_REF &&
            !hoist_ckd_add(&end, b->address, b->size)) {
            list[count++] = (placed){b->space, i, b->address, end, v->roots[i].dynamic};
        }
    }
    if (count) {
        qsort(list, count, sizeof *list, compare_placed);
    }
    const placed *farthest[2] = {NULL, NULL}; // of the static and dynamic ones
    for (size_t i = 0; i < count; i++) {
        // A dynamic buffer is compared with static ones only: two dynamic ones need not live at
        // once.
        for (int k = 0; k < (list[i].dynamic ? 1 : 2); k++) {
            if (farthest[k] && farthest[k]->space == list[i].space &&
                list[i].address < farthest[k]->end) {
                report_overlap(v, &list[i], farthest[k]);
            }
        }
        const placed **last = &farthest[list[i].dynamic];
        if (!*last || (*last)->space != list[i].space || (*last)->end < list[i].end) {
            *last = &list[i];
        }
    }
}

// Relocations ------------------------------------------------------------------------------------

typedef struct field_place {
    hoist_ref buffer; // with memory of its own
    uint32_t index;
    uint64_t begin; // bits
    uint64_t end;
} field_place;

static int compare_fields(const void *a, const void *b)
{
    const field_place *x = a;
    const field_place *y = b;
    const int buffer = hoist_order_u64(x->buffer, y->buffer);
    const int begin = hoist_order_u64(x->begin, y->begin);
    return buffer ? buffer : begin ? begin : hoist_order_u64(x->index, y->index);
}

// False: not to be compared with others.
static bool check_field_place(hoist_verifier *v, const hoist_prog_relocation *r, field_place *out)
{
    const hoist_prog_buffer *b = &v->program->buffers[r->buffer];
    // Bits, as fields of instructions begin at any bit.
    const uint64_t width = r->kind == HOIST_RELOCATION_64 ? 64 : 32;
    const hoist_buffer_root *root = &v->roots[r->buffer];
    uint64_t end = 0;
    uint64_t bits = 0;
    uint64_t base = 0;
    if (hoist_ckd_add(&end, r->bit_offset, width) ||
        (!hoist_ckd_mul(&bits, b->size, 8) && end > bits)) {
        return hoist_verifier_fail(v, HOIST_PRG_009,
                                   "%" PRIu64 " bits at bit %" PRIu64 " go beyond the %" PRIu64
                                   " bytes of the buffer",
                                   width, r->bit_offset, b->size);
    }
    if (hoist_ckd_mul(&base, root->offset, 8) || hoist_ckd_add(&out->end, base, end)) {
        return false; // beyond any memory: the window was reported
    }
    out->buffer = root->buffer;
    out->begin = out->end - width;
    return true;
}

// Fields are compared in the memory that they are in: two windows may show the same bytes.
static void check_relocations(hoist_verifier *v)
{
    const hoist_program *p = v->program;
    field_place *list = hoist_verifier_array(v, p->relocation_count, sizeof *list);
    size_t count = 0;
    for (uint32_t i = 0; list && i < p->relocation_count; i++) {
        v->name = p->buffers[p->relocations[i].buffer].name;
        v->loc = p->relocations[i].loc;
        list[count].index = i;
        // The slot is used again when the field is left out.
        count += check_field_place(v, &p->relocations[i], &list[count]);
    }
    if (count) {
        qsort(list, count, sizeof *list, compare_fields);
    }
    for (size_t i = 1; i < count; i++) {
        // Fields have one of two widths, so neighbours are enough to find that there is an
        // overlap.
        if (list[i].buffer == list[i - 1].buffer && list[i].begin < list[i - 1].end) {
            const hoist_prog_relocation *r = &p->relocations[list[i].index];
            v->name = p->buffers[r->buffer].name;
            v->loc = r->loc;
            (void)hoist_verifier_fail(
                v, HOIST_PRG_010, "the field at bit %" PRIu64 " begins inside the one before it",
                r->bit_offset);
        }
    }
}

void hoist_verify_memory(hoist_verifier *v)
{
    check_spaces(v);
    check_buffers(v);
    mark_fifos(v);
    check_overlap(v);
    check_relocations(v);
}
