// Reads a generated engine file of a NEFF into its rows, and as a bare token tape: CPU time, and
// memory on top of the text. Twice: written compactly, and with an indent of 2 as Python does.
// An argument gives another size in MB.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "base/span.h"
#include "bench/bench.h"
#include "formats/neff/neff.h"

enum { DEFAULT_MEGABYTES = 64, VARS = 977, QUEUES = 16 };

typedef struct bench_input {
    hoist_bytes text;
    neff_module *module; // owned; with one subgraph of VARS variables and QUEUES queue sets
    uint64_t checksum;   // keeps results alive
} bench_input;

// Writing ----------------------------------------------------------------------------------------

// A writer of JSON in Python's two layouts.
typedef struct writer {
    hoist_buffer *out;
    bool indent;
    unsigned depth;
    bool first; // of the innermost list or object
} writer;

static void next_item(writer *w)
{
    hoist_buffer_c(w->out, w->first ? "" : ",");
    if (w->indent) {
        hoist_buffer_char(w->out, '\n');
        hoist_buffer_fill(w->out, ' ', (size_t)2 * w->depth);
    }
    w->first = false;
}

static void begin(writer *w, const char *bracket)
{
    hoist_buffer_c(w->out, bracket);
    w->depth++;
    w->first = true;
}

static void end(writer *w, const char *bracket)
{
    w->depth--;
    w->first = true;
    if (w->indent) {
        next_item(w);
    }
    hoist_buffer_c(w->out, bracket);
    w->first = false;
}

static void add_key(writer *w, const char *side, const char *key)
{
    next_item(w);
    hoist_buffer_format(w->out, "\"%s%s\":%s", side, key, w->indent ? " " : "");
}

static void add_numbers(writer *w, const char *side, const char *key, const long *numbers)
{
    add_key(w, side, key);
    begin(w, "[");
    for (int i = 0; i < 2; i++) {
        next_item(w);
        hoist_buffer_format(w->out, "%ld", numbers[i]);
    }
    end(w, "]");
}

static void add_side(writer *w, const char *side, unsigned n)
{
    add_key(w, side, "");
    hoist_buffer_format(w->out, "\"variable_%u\"", n % VARS);
    add_key(w, side, "_off");
    hoist_buffer_format(w->out, "%u", n * 512u % 1000003u);
    add_numbers(w, side, "_sizes", (const long[]){64L << n % 4, 1 + n % 128});
    add_numbers(w, side, "_steps", (const long[]){1, n % 7 == 0 ? -256 : 2048});
    if (n % 3 == 0) {
        add_key(w, side, "_dtype");
        hoist_buffer_c(w->out, n % 2 ? "\"bfloat16\"" : "\"float32\"");
    }
}

static void add_block(writer *w, unsigned n)
{
    next_item(w);
    begin(w, "{");
    add_key(w, "", "id");
    hoist_buffer_format(w->out, "%u", n);
    add_key(w, "", "queue");
    hoist_buffer_format(w->out, "\"qSyIoDma%u\"", n % QUEUES);
    add_key(w, "", "desc");
    begin(w, "[");
    for (unsigned i = 0; i < 1 + n % 4; i++) {
        next_item(w);
        begin(w, "{");
        add_side(w, "from", 31 * n + i);
        add_side(w, "to", 31 * n + i + 6);
        end(w, "}");
    }
    end(w, "]");
    end(w, "}");
}

static void write_engine(hoist_buffer *out, size_t size, bool indent)
{
    writer w = {.out = out, .indent = indent};
    begin(&w, "{");
    add_key(&w, "", "dma");
    begin(&w, "[");
    for (unsigned n = 0; out->size < size && !out->failed; n++) {
        add_block(&w, n);
    }
    end(&w, "]");
    add_key(&w, "", "instr");
    hoist_buffer_c(out, "\"pool.bin\"");
    end(&w, "}");
}

// Reading ----------------------------------------------------------------------------------------

static void must(bool good)
{
    if (!good) {
        (void)fprintf(stderr, "the input cannot be read\n");
        abort();
    }
}

static neff_subgraph *make_subgraph(neff_module *module)
{
    neff_subgraph *s = hoist_arena_array(&module->arena, 1, sizeof(*s));
    must(s);
    hoist_map_init(&s->var_names, module->base.alloc);
    hoist_map_init(&s->queue_names, module->base.alloc);
    hoist_map_init(&s->instance_names, module->base.alloc);
    s->var_count = VARS;
    s->queue_count = QUEUES;
    for (size_t i = 0; i < VARS; i++) {
        const hoist_str name = hoist_arena_format(&module->arena, "variable_%zu", i);
        must(hoist_map_add(&s->var_names, name, i, NULL) == HOIST_OK);
    }
    for (size_t i = 0; i < QUEUES; i++) {
        const hoist_str name = hoist_arena_format(&module->arena, "qSyIoDma%zu", i);
        must(hoist_map_add(&s->queue_names, name, i, NULL) == HOIST_OK);
    }
    return s;
}

static void make_module(bench_input *input)
{
    neff_module *m = neff_module_create(hoist_allocator_system(), (hoist_bytes){0});
    must(m);
    m->members = hoist_arena_array(&m->arena, 1, sizeof(m->members[0]));
    m->subgraphs = make_subgraph(m);
    must(m->members);
    m->members[0] = (neff_member){.name = HOIST_STR("pool.json"), .bytes = input->text};
    m->member_count = 1;
    must(hoist_map_add(&m->member_names, m->members[0].name, 0, NULL) == HOIST_OK);
    input->module = m;
}

static void free_module(bench_input *input)
{
    neff_subgraph *s = input->module->subgraphs;
    hoist_map_deinit(&s->var_names);
    hoist_map_deinit(&s->queue_names);
    hoist_map_deinit(&s->instance_names);
    neff_module_free(input->module);
}

static void read_rows(bench_input *input, neff_engine *engine)
{
    const hoist_read_options options = {.alloc = hoist_allocator_system(), .keep = true};
    neff_module *m = input->module;
    neff_reader reader = {.module = m, .options = &options, .arena = &m->arena};
    must(neff_read_engine(&reader, m->subgraphs, engine, HOIST_STR("pool.json")) == HOIST_OK);
    must(engine->block_count > 0);
}

static void read_engine(void *self)
{
    bench_input *input = self;
    neff_engine *engine = &input->module->subgraphs->engines[NEFF_POOL];
    read_rows(input, engine);
    input->checksum += engine->desc_count;
    neff_engine_deinit(input->module, engine);
}

static void read_tape(void *self)
{
    bench_input *input = self;
    hoist_json json;
    must(hoist_json_read(input->text, NULL, hoist_allocator_system(), NULL, &json) == HOIST_OK);
    input->checksum += json.count;
    hoist_json_free(&json);
}

static bool measure_memory(bench_input *input, const char *what)
{
    const double size = (double)input->text.size;
    neff_engine *engine = &input->module->subgraphs->engines[NEFF_POOL];
    const size_t before = hoist_bench_resident();
    if (!hoist_bench_reset_peak() || before == 0) {
        (void)printf("%s: skipped, the kernel does not tell\n", what);
        return true;
    }
    read_rows(input, engine);
    const size_t peak = hoist_bench_peak();
    hoist_bench_figure("bytes of text per descriptor", size / (double)engine->desc_count, "bytes");
    neff_engine_deinit(input->module, engine);
    return hoist_bench_at_most(what, (double)(peak - before) / size, "bytes per byte of text", 2.5);
}

static bool measure(size_t size, bool indent)
{
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    write_engine(&text, size, indent);
    must(!text.failed);
    bench_input input = {.text = hoist_buffer_bytes(&text)};
    make_module(&input);
    bool good = measure_memory(&input, indent ? "engine rows, indent 2, peak memory"
                                              : "engine rows, compact, peak memory");
    const hoist_bench_pair pair = {.what = indent ? "engine rows, indent 2, vs bare tape"
                                                  : "engine rows, compact, vs bare tape",
                                   .ours = read_engine,
                                   .theirs = read_tape,
                                   .self = &input,
                                   .want = 0.5};
    good = hoist_bench_compare(&pair) && good;
    hoist_bench_use(&input);
    free_module(&input);
    hoist_buffer_deinit(&text);
    return good;
}

int main(int argc, char **argv)
{
    const size_t megabytes = argc > 1 ? strtoul(argv[1], NULL, 10) : DEFAULT_MEGABYTES;
    bool good = measure(megabytes * 1000000, false);
    good = measure(megabytes * 1000000, true) && good;
    return good ? 0 : 1;
}
