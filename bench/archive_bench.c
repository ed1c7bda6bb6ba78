// What opening a NEFF costs before any of it is understood: the members of a raw archive of 500 MB
// against its digest, a million members, and a packed archive of generated JSON unpacked in memory
// against what tar xzf has to do. An argument gives another size in MB.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "bench/bench.h"
#include "codec/gzip.h"
#include "codec/hash.h"
#include "codec/tar.h"

enum { DEFAULT_MEGABYTES = 500, MANY_MEMBERS = 1000000, CHUNK = 64 << 10 };

typedef struct bench_input {
    hoist_bytes archive;
    hoist_bytes packed;
    size_t size;       // unpacked
    uint64_t checksum; // keeps results alive
} bench_input;

static void require(bool condition)
{
    if (!condition) {
        (void)fprintf(stderr, "archive_bench: out of memory\n");
        exit(1);
    }
}

// Text as an engine file has it, whose numbers do not repeat.
static void add_json(hoist_buffer *out, size_t size, uint64_t *seed)
{
    const size_t end = out->size + size;
    while (out->size < end && !out->failed) {
        *seed = *seed * 6364136223846793005u + 1442695040888963407u;
        hoist_buffer_format(
            out, "{\"from\": \"w%u\", \"from_off\": %u, \"from_sizes\": [%u, 64]}, ",
            (unsigned)(*seed >> 33) % 977, (unsigned)(*seed >> 40), 1u << *seed % 8);
    }
}

static void add_member(hoist_buffer *out, size_t number, hoist_bytes data)
{
    char name[64];
    const int size = snprintf(name, sizeof(name), "sg00/constants/w%zu.json", number);
    const hoist_tar_member member = {.name = {name, (size_t)size},
                                     .flag = '0',
                                     .dialect = HOIST_TAR_USTAR,
                                     .mode = 0644,
                                     .data = data};
    require(hoist_tar_write(&member, out) == HOIST_OK);
}

// `count` members of `size` bytes.
static hoist_buffer make_archive(size_t count, size_t size)
{
    uint64_t seed = 1;
    hoist_buffer text;
    hoist_buffer out;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_buffer_init(&out, hoist_allocator_system());
    for (size_t i = 0; i < count; i++) {
        text.size = 0;
        add_json(&text, size, &seed);
        add_member(&out, i, hoist_buffer_bytes(&text));
    }
    require(hoist_tar_end(0, 10240, &out) == HOIST_OK);
    hoist_buffer_deinit(&text);
    return out;
}

static uint64_t read_members(hoist_bytes archive)
{
    static const hoist_tar_options options = {.max_members = MANY_MEMBERS + 1};
    hoist_arena arena;
    hoist_tar tar;
    hoist_arena_init(&arena, hoist_allocator_system());
    require(hoist_tar_read(archive, &options, &arena, NULL, &tar) == HOIST_OK);
    const uint64_t count = tar.count;
    hoist_arena_deinit(&arena);
    return count;
}

static void read_tar(void *self)
{
    bench_input *input = self;
    input->checksum += read_members(input->archive);
}

static void hash_tar(void *self)
{
    bench_input *input = self;
    uint8_t digest[HOIST_HASH_MAX_SIZE];
    require(hoist_hash(HOIST_HASH_SHA256, input->archive, NULL, digest) == HOIST_OK);
    input->checksum += digest[0];
}

static void unpack_ours(void *self)
{
    static const hoist_gzip_options options = {.max_ratio = 1100};
    bench_input *input = self;
    hoist_mut_bytes all;
    require(hoist_gzip_read(input->packed, &options, hoist_allocator_system(), NULL, &all) ==
            HOIST_OK);
    input->checksum += read_members((hoist_bytes){all.data, all.size});
    hoist_free(hoist_allocator_system(), all.data, all.size);
}

// The least that `tar xzf` does: inflate with gzip's framing, check the sum, and copy each piece to
// fresh pages, which are the files then.
static void unpack_zlib(void *self)
{
    static uint8_t chunk[CHUNK];
    bench_input *input = self;
    uint8_t *files = malloc(input->size);
    size_t size = 0;
    z_stream z = {.avail_in = (uInt)input->packed.size};
    memcpy(&z.next_in, &input->packed.data, sizeof(z.next_in));
    require(files && inflateInit2(&z, 15 + 16) == Z_OK);
    int result = Z_OK;
    while (result == Z_OK) {
        z.next_out = chunk;
        z.avail_out = sizeof(chunk);
        result = inflate(&z, Z_NO_FLUSH);
        memcpy(files + size, chunk, sizeof(chunk) - z.avail_out);
        size += sizeof(chunk) - z.avail_out;
    }
    require(result == Z_STREAM_END && size == input->size);
    input->checksum += files[size / 2];
    (void)inflateEnd(&z);
    free(files);
}

static void rate(const char *what, double bytes, double seconds)
{
    hoist_bench_figure(what, bytes / 1e6 / seconds, "MB/s");
}

static bool measure_raw(size_t megabytes)
{
    hoist_buffer raw = make_archive(megabytes, 1000000);
    bench_input input = {.archive = hoist_buffer_bytes(&raw)};
    const hoist_bench_pair pair = {.what = "members of a raw archive vs its SHA-256",
                                   .ours = read_tar,
                                   .theirs = hash_tar,
                                   .self = &input,
                                   .want = 100,
                                   .rounds = 5};
    const bool good = hoist_bench_compare(&pair);
    rate("SHA-256", (double)raw.size, hoist_bench_seconds(hash_tar, &input, 3));
    hoist_bench_use(&input);
    hoist_buffer_deinit(&raw);
    return good;
}

static bool measure_many(void)
{
    hoist_buffer many = make_archive(MANY_MEMBERS, 0);
    bench_input input = {.archive = hoist_buffer_bytes(&many)};
    const double seconds = hoist_bench_seconds(read_tar, &input, 3);
    hoist_bench_use(&input);
    hoist_buffer_deinit(&many);
    return hoist_bench_at_most("a million members", seconds * 1e9 / MANY_MEMBERS, "ns each", 2000);
}

static bool measure_packed(size_t megabytes)
{
    hoist_buffer raw = make_archive(megabytes, 1000000);
    hoist_buffer packed;
    hoist_buffer_init(&packed, hoist_allocator_system());
    require(hoist_gzip_write(hoist_buffer_bytes(&raw), 1, NULL, &packed) == HOIST_OK);
    bench_input input = {.packed = hoist_buffer_bytes(&packed), .size = raw.size};
    const hoist_bench_pair pair = {.what = "packed archive in memory vs zlib alone and a copy",
                                   .ours = unpack_ours,
                                   .theirs = unpack_zlib,
                                   .self = &input,
                                   .want = 0.9,
                                   .rounds = 5};
    const bool good = hoist_bench_compare(&pair);
    rate("unpacked", (double)raw.size, hoist_bench_seconds(unpack_ours, &input, 3));
    hoist_bench_use(&input);
    hoist_buffer_deinit(&packed);
    hoist_buffer_deinit(&raw);
    return good;
}

int main(int argc, char **argv)
{
    const size_t megabytes = argc > 1 ? strtoul(argv[1], NULL, 10) : DEFAULT_MEGABYTES;
    bool good = measure_raw(megabytes);
    good = measure_many() && good;
    good = measure_packed(megabytes / 2 + 1) && good;
    return good ? 0 : 1;
}
