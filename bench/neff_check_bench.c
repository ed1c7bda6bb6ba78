// Judges the blocks and descriptors of a generated NEFF: CPU time for each descriptor, with moves
// into the state buffer of a generation that reserves bytes of it, and with a finding for each.
// An argument gives another number of descriptors, in thousands.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "base/span.h"
#include "bench/bench.h"
#include "formats/neff/neff.h"

enum { DEFAULT_THOUSANDS = 1000, MEMBERS = 5 };

static const char graph_text[] =
    "{\"nodes\": [{\"op\": \"tvm_op\", \"name\": \"k\", \"attrs\": {\"func_name\": \"__kelf\","
    " \"kelf\": \"kelf-0.json\"}, \"inputs\": []}], \"arg_nodes\": [], \"heads\": [[0, 0, 0]],"
    " \"node_row_ptr\": [0, 1], \"attrs\": {\"shape\": [\"list_shape\", [[64]]],"
    " \"dltype\": [\"list_str\", [\"float32\"]]}}";
static const char kelf_text[] = "{\"graphs\": [{\"definition\": \"sg00/def.json\", \"name\": "
                                "\"sg00\"}], \"version\": \"0.5\", \"target\": \"cayman\"}";
static const char def_text[] =
    "{\"sp\": \"sp.json\", \"runtime_statebuffer_reservation\": [{\"type\": \"evtaccel\","
    " \"offset\": 229368, \"size\": 8, \"base_partition\": 0, \"partitions\": 128}],"
    " \"dma_queue\": {\"q0\": {\"type\": \"data\", \"owner\": \"sp\", \"semaphore\": 1}},"
    " \"var\": {\"weights\": {\"type\": \"tmp-buf\", \"var_id\": 0, \"size\": 8388608},"
    " \"SB\": {\"type\": \"state-buffer\", \"var_id\": 1},"
    " \"output\": {\"type\": \"output\", \"var_id\": 2, \"size\": 64}}}";

typedef struct bench_input {
    const char *what;
    size_t descs;
    bool bad; // each descriptor moves a byte more than it reads
    neff_module *module;
    hoist_status (*part)(neff_check *c);
} bench_input;

static void must(bool good)
{
    if (!good) {
        (void)fprintf(stderr, "the input cannot be read\n");
        abort();
    }
}

// One block of 8 descriptors after the other.
static void write_engine(hoist_buffer *out, const bench_input *input)
{
    hoist_buffer_c(out, "{\"dma\": [");
    for (size_t i = 0; i < input->descs; i++) {
        const size_t column = i * 64 % 200000;
        if (i % 8 == 0) {
            hoist_buffer_format(out, "%s\n{\"id\": %zu, \"queue\": \"q0\", \"desc\": [",
                                i ? "]}," : "", i / 8);
        }
        hoist_buffer_format(out,
                            "%s\n{\"from\": \"weights\", \"from_off\": %zu, \"from_sizes\": [%d], "
                            "\"from_steps\": [1], \"to\": \"SB\", \"to_off\": %zu, \"to_sizes\": "
                            "[64, 128], \"to_steps\": [1, 262144]}",
                            i % 8 ? "," : "", i * 64 % 8000000, input->bad ? 8191 : 8192, column);
    }
    hoist_buffer_c(out, "]}]}");
}

static void make_module(bench_input *input, hoist_bytes engine)
{
    static const char *const names[MEMBERS] = {"neff.json", "kelf-0.json", "sg00/def.json",
                                               "sg00/sp.json", "sg00/sp.bin"};
    const hoist_str texts[MEMBERS] = {hoist_str_from(graph_text),
                                      hoist_str_from(kelf_text),
                                      hoist_str_from(def_text),
                                      {(const char *)engine.data, engine.size},
                                      HOIST_STR("")};
    const hoist_read_options options = {.alloc = hoist_allocator_system(), .keep = true};
    neff_module *m = neff_module_create(options.alloc, (hoist_bytes){0});
    must(m);
    m->members = hoist_arena_array(&m->arena, MEMBERS, sizeof(m->members[0]));
    must(m->members);
    for (size_t i = 0; i < MEMBERS; i++) {
        m->members[i] = (neff_member){.name = hoist_str_from(names[i]),
                                      .bytes = {(const uint8_t *)texts[i].data, texts[i].size}};
        must(hoist_map_add(&m->member_names, m->members[i].name, i, NULL) == HOIST_OK);
    }
    m->member_count = MEMBERS;
    m->header.lnc_size = 1;
    neff_reader reader = {.module = m, .options = &options, .arena = &m->arena};
    must(neff_read_members(&reader) == HOIST_OK);
    must(m->subgraph_count == 1 && m->subgraphs->engines[NEFF_SP].desc_count == input->descs);
    input->module = m;
}

static void judge(void *self)
{
    bench_input *input = self;
    neff_check check = {.module = input->module};
    bool given = false;
    check.generation = neff_generation_for(input->module, NULL, &given);
    must(hoist_diag_create(hoist_allocator_system(), NULL, &check.diag) == HOIST_OK);
    hoist_arena_init(&check.arena, hoist_allocator_system());
    must(input->part(&check) == HOIST_OK);
    must((hoist_diag_count(check.diag, HOIST_ERROR) > 0) == input->bad);
    hoist_arena_deinit(&check.arena);
    hoist_diag_destroy(check.diag);
}

static bool measure(bench_input *input, double most)
{
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    write_engine(&text, input);
    must(!text.failed);
    make_module(input, hoist_buffer_bytes(&text));
    const double seconds = hoist_bench_seconds(judge, input, 3);
    const bool good =
        hoist_bench_at_most(input->what, seconds * 1e9 / (double)input->descs, "ns", most);
    neff_destroy(&input->module->base);
    hoist_buffer_deinit(&text);
    return good;
}

int main(int argc, char **argv)
{
    const size_t thousands = argc > 1 ? strtoul(argv[1], NULL, 10) : DEFAULT_THOUSANDS;
    bench_input blocks = {"blocks, for each descriptor", thousands * 1000, false, NULL,
                          neff_check_blocks};
    bench_input descs = {"descriptors", thousands * 1000, false, NULL, neff_check_descs};
    bench_input bad = {"bad descriptors", thousands * 1000, true, NULL, neff_check_descs};
    bench_input memory = {"reserved bytes, for each descriptor", thousands * 1000, false, NULL,
                          neff_check_def};
    bool good = measure(&blocks, 300);
    good = measure(&descs, 300) && good;
    good = measure(&bad, 3000) && good;
    good = measure(&memory, 300) && good;
    return good ? 0 : 1;
}
