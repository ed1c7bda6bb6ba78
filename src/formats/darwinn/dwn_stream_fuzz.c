// Chunks and links of any bytes: framed, linked and emptied, run, shown.
//
// Byte 0: chunks less one (bits 0 and 1). Byte 1: links (bits 0 to 3). Then eight bytes per link:
// kind, half, element, name and chunk, and the bit as 32 bits. The rest is the chunks, all but the
// last of them whole words.
#include <string.h>

#include "base/reader.h"
#include "base/span.h"
#include "codec/json_writer.h"
#include "formats/darwinn/stream_listing.h"
#include "testing/fuzz.h"

enum { MAX_CHUNKS = 4, MAX_LINKS = 15 };

typedef struct job {
    dwn_chunk chunks[MAX_CHUNKS];
    dwn_link links[MAX_CHUNKS][MAX_LINKS];
    size_t count;
    hoist_arena arena;
} job;

static const char *const names[] = {"", "image", "scores", "im\nage"};

static void read_links(job *j, hoist_reader *r, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const int8_t desc = (int8_t)hoist_read_u8(r);
        const int8_t position = (int8_t)hoist_read_u8(r);
        const int8_t batch = (int8_t)hoist_read_u8(r);
        const uint8_t rest = hoist_read_u8(r);
        const size_t chunk = rest / 4 % j->count;
        j->links[chunk][j->chunks[chunk].link_count++] =
            (dwn_link){.name = hoist_str_from(names[rest % 4]),
                       .batch = batch,
                       .offset_bit = (int32_t)hoist_read_u32le(r),
                       .desc = desc,
                       .position = position,
                       .has_meta = rest < 128};
    }
}

static bool read_chunk(job *j, size_t index, hoist_bytes bytes, uint16_t *next_id)
{
    const dwn_stream_options options = {index + 1 < j->count, *next_id};
    dwn_stream *stream = &j->chunks[index].stream;
    uint8_t *copy = hoist_arena_alloc(&j->arena, bytes.size);
    if (!copy) {
        return false;
    }
    if (bytes.size > 0) {
        memcpy(copy, bytes.data, bytes.size);
    }
    const hoist_bytes own = {copy, bytes.size};
    if (!fuzz_came(dwn_stream_read(own, &options, &j->arena, stream, next_id))) {
        return false;
    }
    uint32_t word = 0;
    for (size_t i = 0; i < stream->count; i++) {
        fuzz_require(stream->instructions[i].word == word);
        word += stream->instructions[i].words;
    }
    fuzz_require(word == stream->parsed && word <= stream->words);
    fuzz_require(word == stream->words || stream->fault_count > 0);
    for (size_t i = 0; i < stream->fault_count; i++) {
        char text[200];
        dwn_fault_text(&stream->faults[i], text, sizeof(text));
        fuzz_require(text[0] != '\0');
    }
    j->chunks[index].links = j->links[index];
    return true;
}

// Filling and emptying the holes is the same as emptying them.
static void link_and_undo(job *j, const dwn_chunk *chunk, const dwn_places *places)
{
    const hoist_bytes bytes = chunk->stream.bytes;
    const hoist_mut_bytes filled = {hoist_arena_alloc(&j->arena, bytes.size), bytes.size};
    const hoist_mut_bytes emptied = {hoist_arena_alloc(&j->arena, bytes.size), bytes.size};
    if (!filled.data || !emptied.data || bytes.size == 0) {
        return;
    }
    memcpy(filled.data, bytes.data, bytes.size);
    memcpy(emptied.data, bytes.data, bytes.size);
    const hoist_status status = dwn_link_undo(emptied, chunk->links, chunk->link_count);
    if (dwn_link_apply(filled, chunk->links, chunk->link_count, places) == HOIST_OK) {
        fuzz_require(status == HOIST_OK);
        fuzz_require(dwn_link_undo(filled, chunk->links, chunk->link_count) == HOIST_OK);
        fuzz_require(memcmp(filled.data, emptied.data, bytes.size) == 0);
    }
}

static void link_all(job *j)
{
    static const uint64_t addresses[] = {0x1122334455667788, 0xffffffff00000001};
    const dwn_place items[] = {
        {.desc = DWN_DESC_PARAMETER, .count = 1, .addresses = addresses},
        {.name = hoist_str_from("image"),
         .desc = DWN_DESC_INPUT,
         .count = 2,
         .addresses = addresses},
        {.name = hoist_str_from("scores"), .desc = DWN_DESC_OUTPUT, .count = 1},
    };
    dwn_places places;
    dwn_link_faults faults = {0};
    if (fuzz_came(dwn_places_init(&places, items, 3, hoist_allocator_system())) &&
        fuzz_came(dwn_link_check(j->chunks, j->count, &places, &j->arena, &faults))) {
        for (size_t i = 0; i < faults.count; i++) {
            char text[200];
            dwn_link_fault_text(&faults.items[i], text, sizeof(text));
            fuzz_require(text[0] != '\0');
        }
        for (size_t i = 0; i < j->count; i++) {
            link_and_undo(j, &j->chunks[i], &places);
        }
    }
    dwn_places_deinit(&places);
}

static void show(job *j, const dwn_program_run *run)
{
    const dwn_listing listing = {j->chunks, j->count, run, false};
    hoist_buffer out;
    hoist_json_writer writer;
    hoist_buffer_init(&out, hoist_allocator_system());
    if (fuzz_came(dwn_listing_write(&listing, &out))) {
        for (size_t i = 0; i < out.size; i++) {
            fuzz_require((out.data[i] >= 0x20 && out.data[i] < 0x7f) || out.data[i] == '\n');
        }
    }
    out.size = 0;
    hoist_json_writer_init(&writer, &out, false, false);
    hoist_tree_sink sink = hoist_json_writer_sink(&writer);
    hoist_tree_map(&sink, "");
    (void)fuzz_came(dwn_listing_send(&listing, hoist_allocator_system(), &sink));
    hoist_tree_end(&sink);
    (void)fuzz_came(sink.status);
    hoist_json_writer_deinit(&writer);
    hoist_buffer_deinit(&out);
}

static void run(job *j)
{
    dwn_program_run made = {0};
    if (!fuzz_came(dwn_program_execute(j->chunks, j->count, &j->arena, &made))) {
        return;
    }
    size_t at = 0;
    fuzz_require(made.transfer_count == made.run.count);
    fuzz_require(made.hint_count <= 2 * made.transfer_count + j->count);
    fuzz_require(dwn_hints_agree(&made, made.hints, made.hint_count, false, &at) ==
                 (made.unknown == 0));
    show(j, &made);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hoist_reader r = hoist_reader_init((hoist_bytes){data, size});
    job j = {.count = 0};
    j.count = 1 + hoist_read_u8(&r) % MAX_CHUNKS;
    read_links(&j, &r, hoist_read_u8(&r) % (MAX_LINKS + 1));
    hoist_arena_init(&j.arena, hoist_allocator_system());
    const uint64_t words = hoist_reader_left(&r) / DWN_WORD_SIZE / j.count;
    uint16_t next_id = 0;
    bool is_read = !r.failed;
    for (size_t i = 0; i < j.count && is_read; i++) {
        const uint64_t left = hoist_reader_left(&r);
        const hoist_bytes bytes =
            hoist_read_bytes(&r, i + 1 < j.count ? words * DWN_WORD_SIZE : left);
        is_read = read_chunk(&j, i, bytes, &next_id);
    }
    if (is_read) {
        link_all(&j);
        run(&j);
    }
    hoist_arena_deinit(&j.arena);
    return 0;
}
