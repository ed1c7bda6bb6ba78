// Rules 39c, 39e and 44: what blocks write in the state buffer.
#include "formats/neff/neff_testing.h"

#define DEF "sg00/def.json"
#define SP "sg00/sp.json"
#define FLAT(size) "\"from_off\": 0, \"from_sizes\": [" size "], \"from_steps\": [1]"
// One block of one descriptor, which moves `size` bytes to the state buffer at `off`.
#define FILL(queue, from, size, off)                                                               \
    "{\"id\": 0, \"queue\": \"" queue "\", \"desc\": [{\"from\": \"" from                          \
    "\", " FLAT(size) ", \"to\": \"SB\", \"to_off\": " off ", \"to_sizes\": [" size                \
                      "], \"to_steps\": [1]}]}"
#define DRAIN(queue, to)                                                                           \
    "{\"id\": 0, \"queue\": \"" queue "\", \"desc\": [{\"from\": \"input\", " FLAT(                \
        "8") ", \"to\": \"" to "\", \"to_off\": 0, \"to_sizes\": [8], \"to_steps\": [1]}]}"

// clang-format off
static const struct {
    const char *name;
    const char *blocks;
    const char *rule; // of the only finding; NULL: none
    const char *at;   // ^ before it, in sp.json
    const char *object;
    const char *says;
} pinned[] = {
    {"of a file",    FILL("p0", "w", "8", "0"),      NULL, NULL, NULL, NULL},
    {"of an input",  FILL("p0", "input", "8", "0"),  NULL, NULL, NULL, NULL},
    {"of a buffer",  FILL("p0", "tmp", "8", "0"),    "NEFF-039c", "^{\"from\"", "dma/0/desc/0", "neither file nor input"},
    {"of an output", FILL("p0", "output", "8", "0"), "NEFF-039c", "^{\"from\"", "dma/0/desc/0", "'p0'"},
    {"to a buffer",  DRAIN("p0", "tmp"),             "NEFF-039c", "^{\"from\"", "dma/0/desc/0", "writes to no state-buffer"},
    {"not pinned",   DRAIN("q0", "tmp"),             NULL, NULL, NULL, NULL},
    // Instances are rings of their set.
    {"by an instance", "{\"id\": 0, \"instance_name\": \"p1a\", \"desc\": [{\"from\": \"tmp\", " FLAT("8")
     ", \"to\": \"SB\", \"to_off\": 0, \"to_sizes\": [8], \"to_steps\": [1]}]}", "NEFF-039c", "^{\"from\"", "dma/0/desc/0", "'p1'"},
    {"written again", FILL("p0", "w", "8", "100") ",\n" FILL("q0", "tmp", "8", "107"),
     "NEFF-039e", "\"q0\", \"desc\": [^{", "dma/1/desc/0", "'q0' writes byte 107 of partition 0, which a pinned queue set filled"},
    {"written again before", FILL("q0", "tmp", "8", "107") ",\n" FILL("p0", "w", "8", "100"),
     "NEFF-039e", "\"q0\", \"desc\": [^{", "dma/0/desc/0", "byte 107"},
    {"written beside", FILL("p0", "w", "8", "100") ",\n" FILL("q0", "tmp", "8", "108"), NULL, NULL, NULL, NULL},
    {"written again by the same", FILL("p0", "w", "8", "100") ",\n" FILL("p0", "w", "8", "100"), NULL, NULL, NULL, NULL},
    {"written again by another pinned one", FILL("p0", "w", "8", "262145") ",\n" FILL("p1", "w", "8", "262152"),
     "NEFF-039e", "\"p1\", \"desc\": [^{", "dma/1/desc/0", "'p1' writes byte 8 of partition 1"},
    {"read again", FILL("p0", "w", "8", "0") ",\n{\"id\": 0, \"queue\": \"q0\", \"desc\": [{\"from\": \"SB\", " FLAT("8")
     ", \"to\": \"tmp\", \"to_off\": 0, \"to_sizes\": [8], \"to_steps\": [1]}]}", NULL, NULL, NULL, NULL},
    // What is not completely in the window is rule 55's.
    {"beyond the window", FILL("p0", "w", "8", "33554428") ",\n" FILL("q0", "w", "8", "33554428"), NULL, NULL, NULL, NULL},
};

static const struct {
    const char *name;
    const char *reservation;
    const char *blocks;
    const char *says; // NULL: no finding
} reserved[] = {
    {"last of the reserved bytes", "{\"type\": \"evtaccel\", \"offset\": 229368, \"size\": 8, \"base_partition\": 0, \"partitions\": 128}",
     FILL("q0", "tmp", "8", "33521663"), "'q0' writes byte 229375 of partition 127, which is reserved"},
    {"behind them", "{\"offset\": 229368, \"size\": 8, \"base_partition\": 0, \"partitions\": 128}",
     FILL("q0", "tmp", "8", "33521664"), NULL},
    {"before them", "{\"offset\": 229368, \"size\": 8, \"base_partition\": 0, \"partitions\": 128}",
     FILL("q0", "tmp", "8", "229360"), NULL},
    {"other partitions", "{\"offset\": 0, \"size\": 8, \"base_partition\": 1, \"partitions\": 2}", FILL("q0", "tmp", "8", "0"), NULL},
    {"partition 2", "{\"offset\": 0, \"size\": 8, \"base_partition\": 1, \"partitions\": 2}",
     FILL("q0", "tmp", "8", "524288"), "byte 0 of partition 2"},
    {"another memory", "{\"offset\": 0, \"size\": 8, \"base_partition\": 0, \"partitions\": 128}", DRAIN("q0", "tmp"), NULL},
    {"not whole", "{\"offset\": 0, \"size\": 8, \"partitions\": 128}", FILL("q0", "tmp", "8", "0"), NULL},
    {"outside", "{\"offset\": 262140, \"size\": 8, \"base_partition\": 0, \"partitions\": 1}", FILL("q0", "tmp", "8", "262140"), NULL},
    {"over each other, the later one first", "{\"offset\": 8, \"size\": 16, \"base_partition\": 0, \"partitions\": 2}, "
     "{\"offset\": 0, \"size\": 12, \"base_partition\": 1, \"partitions\": 1}", FILL("q0", "tmp", "8", "262160"), "byte 16 of partition 1"},
    {"one in another", "{\"offset\": 0, \"size\": 64, \"base_partition\": 0, \"partitions\": 1}, "
     "{\"offset\": 8, \"size\": 8, \"base_partition\": 0, \"partitions\": 1}", FILL("q0", "tmp", "8", "56"), "byte 56 of partition 0"},
    {"between two", "{\"offset\": 16, \"size\": 8, \"base_partition\": 0, \"partitions\": 1}, "
     "{\"offset\": 0, \"size\": 8, \"base_partition\": 0, \"partitions\": 1}", FILL("q0", "tmp", "8", "8"), NULL},
    {"of no size", "{\"offset\": 0, \"size\": 0, \"base_partition\": 0, \"partitions\": 128}", FILL("q0", "tmp", "8", "0"), NULL},
    {"no object", "7", FILL("q0", "tmp", "8", "0"), NULL},
};
// clang-format on

static neff_module *module_of(hoist_test *t, const char *blocks, const char *reservation,
                              neff_texts *out_neff)
{
    const hoist_str list = hoist_arena_format(&t->arena, "reservation\": [%s]", reservation);
    const hoist_str engine = hoist_arena_format(&t->arena, "{\"dma\": [\n%s\n]}", blocks);
    neff_test_base(t, NEFF_TEST_COPY, "tonga", out_neff);
    neff_test_edit(t, out_neff, DEF, "reservation\": []", list.data);
    neff_test_edit(t, out_neff, DEF, "\"var\": {",
                   "\"var\": {\"SB\": {\"type\": \"state-buffer\", \"var_id\": 2},\n"
                   "\"w\": {\"type\": \"file\", \"var_id\": 3, \"size\": 8, \"file_name\": "
                   "\"w.bin\"},\n"
                   "\"tmp\": {\"type\": \"tmp-buf\", \"var_id\": 4, \"size\": 64},");
    neff_test_edit(t, out_neff, DEF, "\"dma_queue\": {",
                   "\"dma_queue\": {\n"
                   "\"p0\": {\"type\": \"in\", \"owner\": \"sp\", \"pinned\": true},\n"
                   "\"p1\": {\"type\": \"data\", \"owner\": \"sp\", \"pinned\": true,"
                   " \"queue_instances\": [\"p1a\"]},\n");
    neff_test_put(t, out_neff, "sg00/w.bin", HOIST_STR("12345678"));
    neff_test_put(t, out_neff, SP, engine);
    return neff_test_read(t, out_neff);
}

// The findings of a rule that begins with `prefix`.
static void expect_count(hoist_test *t, const char *prefix, size_t count)
{
    if (neff_test_count(t->diag, prefix) != count) {
        hoist_test_fail(t, __FILE__, __LINE__, "expected %zu %s, findings are\n%s", count, prefix,
                        hoist_test_findings(t).data);
    }
}

HOIST_TEST_TABLE(pinned_blocks, pinned)
{
    neff_texts neff;
    neff_module *const module = module_of(t, row->blocks, "", &neff);
    neff_test_check(t, module, NULL, neff_check_queues);
    neff_test_destroy(module);
    expect_count(t, "NEFF-039", row->rule ? 1 : 0);
    if (row->rule) {
        neff_test_expect(t, &neff, row->rule, SP, row->at, row->says);
        for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
            const hoist_finding *const f = hoist_diag_at(t->diag, i);
            if (hoist_str_equal_c(hoist_str_from(f->rule->id), row->rule)) {
                HOIST_EXPECT_STR(t, f->object, row->object);
            }
        }
    }
}

HOIST_TEST_TABLE(reserved_bytes, reserved)
{
    neff_texts neff;
    neff_module *const module = module_of(t, row->blocks, row->reservation, &neff);
    neff_test_check(t, module, NULL, neff_check_def);
    neff_test_destroy(module);
    expect_count(t, "NEFF-044", row->says ? 1 : 0);
    if (row->says) {
        neff_test_expect(t, &neff, "NEFF-044", SP, "^{\"from\"", row->says);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(pinned_blocks), HOIST_TEST_ROW(reserved_bytes))
