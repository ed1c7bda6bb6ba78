// Every compiled model as what a run sends over USB: the stream is decoded and compared with the
// hints of the file, bytes and all.
#include <stdio.h>
#include <string.h>

#include "base/reader.h"
#include "edgetpu_testing.h"
#include "formats/darwinn/usb_stream.h"

typedef struct figures {
    size_t files;
    size_t frames;
    size_t expected; // outputs, interrupts and fences
    uint64_t bytes;
} figures;

typedef struct decoder {
    hoist_test *t;
    hoist_reader r;
    const hoist_stream *stream;
    size_t step;
    figures *f;
} decoder;

// Data of the next frame.
static hoist_bytes next_frame(decoder *d, uint32_t tag, uint64_t size)
{
    HOIST_EXPECT_EQ(d->t, hoist_read_u32le(&d->r), size);
    HOIST_EXPECT_EQ(d->t, hoist_read_u32le(&d->r), tag);
    const hoist_bytes data = hoist_read_bytes(&d->r, size);
    HOIST_EXPECT(d->t, !d->r.failed);
    d->f->frames++;
    return data;
}

// Bytes that linking cannot have changed are those of the file.
static size_t count_changes(hoist_bytes a, hoist_bytes b)
{
    size_t count = 0;
    for (size_t i = 0; i < a.size && i < b.size; i++) {
        count += a.data[i] != b.data[i];
    }
    return count;
}

static void expect_dma(decoder *d, const dwn_executable *e, const dwn_stored_hint *hint)
{
    static const uint32_t tags[] = {3, 1, 2, 1}; // output, input, parameters, scratch
    const dwn_dma_hint *const dma = hint->any_hint.value;
    const hoist_stream_step *const step = &d->stream->steps[d->step];
    HOIST_EXPECT_EQ(d->t, step->size, dma->size_in_bytes);
    HOIST_EXPECT_EQ(d->t, step->offset, dma->offset_in_bytes);
    HOIST_EXPECT_EQ(d->t, step->is_sent, hint->direction == DWN_INFEED);
    if (hint->direction == DWN_OUTFEED) {
        HOIST_EXPECT_EQ(d->t, step->tag, 3);
        d->f->expected++;
        return;
    }
    const hoist_bytes data = next_frame(d, tags[dma->meta->desc], (uint64_t)dma->size_in_bytes);
    if (dma->meta->desc == DWN_DESC_PARAMETER) {
        HOIST_EXPECT(d->t,
                     memcmp(data.data, e->parameters.data + dma->offset_in_bytes, data.size) == 0);
    }
}

static void expect_hint(decoder *d, const dwn_executable *e, const dwn_stored_hint *hint)
{
    HOIST_EXPECT(d->t, d->step < d->stream->step_count);
    if (hint->any_hint.type == DWN_HINT_INSTRUCTION) {
        const dwn_instruction_hint *const i = hint->any_hint.value;
        const dwn_bitstream *const chunk =
            &e->instruction_bitstreams.items[i->instruction_chunk_index];
        const hoist_bytes sent = next_frame(d, 0, chunk->bitstream.size);
        const size_t changes = count_changes(sent, chunk->bitstream);
        HOIST_EXPECT(d->t, changes <= (size_t)5 * chunk->field_offsets.count);
    } else if (hint->any_hint.type == DWN_HINT_DMA) {
        expect_dma(d, e, hint);
    } else {
        const bool is_fence = hint->any_hint.type == DWN_HINT_FENCE;
        HOIST_EXPECT_EQ(d->t, d->stream->steps[d->step].tag, is_fence ? 0 : 4);
        d->f->expected++;
    }
    d->step++;
}

static void expect_executable(decoder *d, const dwn_contents *contents, uint32_t index)
{
    const dwn_executable *const e = index == DWN_NONE ? NULL : contents->images[index].rows;
    for (uint32_t i = 0; e && i < e->dma_hints->hints.count; i++) {
        expect_hint(d, e, &e->dma_hints->hints.items[i]);
    }
}

static void judge_package(hoist_test *t, const dwn_module *module, figures *f)
{
    static const hoist_stream_options options;
    hoist_stream stream = {.step_count = 0};
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(
        t, dwn_stream_module(&module->base, &options, t->diag, &t->arena, &out, &stream), HOIST_OK);
    decoder d = {
        .t = t, .r = hoist_reader_init(hoist_buffer_bytes(&out)), .stream = &stream, .f = f};
    const dwn_roles roles = dwn_roles_of(&module->packages[0]);
    expect_executable(&d, &module->packages[0], roles.caching);
    expect_executable(&d, &module->packages[0], roles.main);
    HOIST_EXPECT_EQ(t, d.step, stream.step_count);
    HOIST_EXPECT_EQ(t, d.r.pos, out.size);
    const dwn_hints *const main = module->packages[0].images[roles.main].rows->dma_hints;
    HOIST_EXPECT_EQ(t, stream.is_complete, main->fully_deterministic);
    f->bytes += out.size;
    hoist_buffer_deinit(&out);
}

static void judge_payload(hoist_test *t, const hoist_payload *payload, hoist_module *module,
                          void *self)
{
    (void)payload;
    judge_package(t, dwn_of(module), self);
}

static void judge_file(hoist_test *t, const char *path, void *self)
{
    figures *const f = self;
    edgetpu_each_payload(t, path, judge_payload, f);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 0);
    f->files++;
}

HOIST_TEST(edgetpu_usb)
{
    figures f = {0};
    if (!edgetpu_each_file(t, judge_file, &f)) {
        hoist_test_skip(t, "no compiled models here");
    }
    printf("%zu files, %zu frames, %zu other steps, %llu bytes\n", f.files, f.frames, f.expected,
           (unsigned long long)f.bytes);
    HOIST_EXPECT(t, f.files >= 21);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(edgetpu_usb))
