// Reads a generated engine file, one line of about 100 MB laid out as NEFF writers do, with the
// tape of codec/json and with jansson: CPU time, and memory on top of the text.
// An argument gives another size in MB.
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "bench/bench.h"
#include "codec/json.h"

enum { DEFAULT_MEGABYTES = 100 };

typedef struct bench_input {
    hoist_bytes text;
    uint64_t checksum; // keeps results alive
} bench_input;

static void add_side(hoist_buffer *out, const char *side, unsigned n)
{
    static const char *const names[] = {"input", "sb_weights_", "spill_tile", "output_grad"};
    hoist_buffer_format(out,
                        "\"%s\": \"%s%u\", \"%s_off\": %u, \"%s_sizes\": [%u, %u], "
                        "\"%s_steps\": [%d, 1]",
                        side, names[n % 4], n % 977, side, n * 512u % 1000003u, side, 1u + n % 128,
                        64u << n % 4, side, n % 7 == 0 ? -256 : 2048);
}

static void add_block(hoist_buffer *out, unsigned n)
{
    hoist_buffer_format(out, "{\"queue\": \"qSyIoDma%u\", \"id\": %u, \"#comment\": \"block\", ",
                        n % 16, n);
    hoist_buffer_c(out, "\"desc\": [");
    for (unsigned i = 0; i < 1 + n % 4; i++) {
        hoist_buffer_c(out, i ? ", {" : "{");
        add_side(out, "from", 31 * n + i);
        hoist_buffer_c(out, ", ");
        add_side(out, "to", 17 * n + i);
        hoist_buffer_format(out, ", \"dtype\": \"%s\"}", n % 3 ? "bfloat16" : "float32");
    }
    hoist_buffer_c(out, "]}");
}

static void make_engine_file(hoist_buffer *out, size_t size)
{
    hoist_buffer_c(out, "{\"name\": \"pool_array_json\", \"instr\": \"pool.bin\", \"dma\": [");
    for (unsigned n = 0; out->size < size && !out->failed; n++) {
        hoist_buffer_c(out, n ? ", " : "");
        add_block(out, n);
    }
    hoist_buffer_c(out, "]}");
}

static void read_tape(void *self)
{
    bench_input *input = self;
    hoist_json json;
    if (hoist_json_read(input->text, NULL, hoist_allocator_system(), NULL, &json) != HOIST_OK) {
        abort();
    }
    input->checksum += json.count;
    hoist_json_free(&json);
}

static void read_jansson(void *self)
{
    bench_input *input = self;
    json_t *root = json_loadb((const char *)input->text.data, input->text.size, 0, NULL);
    if (!root) {
        abort();
    }
    input->checksum += json_object_size(root);
    json_decref(root);
}

// All numbers as integers and all strings, which the tape decodes on demand.
static void decode_tape(void *self)
{
    bench_input *input = self;
    hoist_json json;
    if (hoist_json_read(input->text, NULL, hoist_allocator_system(), NULL, &json) != HOIST_OK) {
        abort();
    }
    hoist_arena arena;
    hoist_arena_init(&arena, hoist_allocator_system());
    for (uint32_t i = 0; i < json.count; i++) {
        int64_t value = 0;
        if (hoist_json_kind_of(&json, i) == HOIST_JSON_STRING) {
            input->checksum += hoist_json_string(&json, i, &arena).size;
        } else if (hoist_json_i64(&json, i, &value)) {
            input->checksum += (uint64_t)value;
        }
    }
    hoist_arena_deinit(&arena);
    hoist_json_free(&json);
}

static bool measure_memory(bench_input *input)
{
    const double size = (double)input->text.size;
    hoist_json json;
    const size_t before = hoist_bench_resident();
    if (!hoist_bench_reset_peak() || before == 0) {
        (void)printf("json tape memory: skipped, the kernel does not tell\n");
        return true;
    }
    if (hoist_json_read(input->text, NULL, hoist_allocator_system(), NULL, &json) != HOIST_OK) {
        abort();
    }
    const size_t peak = hoist_bench_peak();
    hoist_bench_figure("json bytes of text per token", size / (double)json.count, "bytes");
    hoist_json_free(&json);
    return hoist_bench_at_most("json tape peak memory", (double)(peak - before) / size,
                               "bytes per byte of text", 2.5);
}

int main(int argc, char **argv)
{
    const size_t megabytes = argc > 1 ? strtoul(argv[1], NULL, 10) : DEFAULT_MEGABYTES;
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    make_engine_file(&text, megabytes * 1000000);
    if (text.failed) {
        (void)fprintf(stderr, "out of memory\n");
        return 1;
    }
    bench_input input = {hoist_buffer_bytes(&text), 0};
    bool good = measure_memory(&input);
    const hoist_bench_pair read = {.what = "json tape vs jansson",
                                   .ours = read_tape,
                                   .theirs = read_jansson,
                                   .self = &input,
                                   .want = 5,
                                   .rounds = 5};
    good = hoist_bench_compare(&read) && good;
    const hoist_bench_pair decode = {.what = "json tape, all values decoded, vs jansson",
                                     .ours = decode_tape,
                                     .theirs = read_jansson,
                                     .self = &input,
                                     .want = 4,
                                     .rounds = 3};
    good = hoist_bench_compare(&decode) && good;
    hoist_bench_use(&input);
    hoist_buffer_deinit(&text);
    return good ? 0 : 1;
}
