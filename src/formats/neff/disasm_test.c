// The streams of whole files as text and as a tree.
#include "base/buffer.h"
#include "base/span.h"
#include "formats/neff/neff_testing.h"
#include "formats/neff/stream.h"
#include "testing/trace.h"

// A NEFF with two subgraphs, the second with fewer engines and a broken stream.
static void put_second(hoist_test *t, neff_texts *neff)
{
    neff_test_edit(t, neff, "kelf-0.json", "\"name\": \"sg00\"}",
                   "\"name\": \"sg00\"}, {\"definition\": \"sg01/def.json\", \"name\": \"sg01\"}");
    neff_test_put(
        t, neff, "sg01/def.json",
        HOIST_STR("{\"pe\": \"pe.json\", \"sp\": \"sp.json\", \"dma_queue\": {}, "
                  "\"var\": {\"o\": {\"type\": \"output\", \"var_id\": 0, \"size\": 4}}}"));
    neff_test_put(t, neff, "sg01/pe.json", HOIST_STR("{\"dma\": [], \"instr\": \"p e.bin\"}"));
    neff_test_put(t, neff, "sg01/sp.json", HOIST_STR("{\"dma\": [], \"instr\": \"none.bin\"}"));
    char stream[NEFF_RECORD_SIZE + 3] = "\xa4\x10"; // and three bytes more
    neff_test_put(t, neff, "sg01/p e.bin", (hoist_str){stream, sizeof(stream)});
}

#define FIRST                                                                                      \
    "# sg00/pe.bin pe 1 record\nPSEUDO_INST EXIT;\n\n"                                             \
    "# sg00/act.bin act 1 record\nPSEUDO_INST EXIT;\n\n"                                           \
    "# sg00/pool.bin pool 1 record\nPSEUDO_INST EXIT;\n\n"                                         \
    "# sg00/dve.bin dve 1 record\nPSEUDO_INST EXIT;\n\n"                                           \
    "# sg00/sp.bin sp 3 records\nPSEUDO_DMA_TRIGGER q0 block_id=0;\n"                              \
    "EVENT_SEMAPHORE $S[1]>0;\nPSEUDO_INST EXIT;\n"
#define SECOND "# \"sg01/p e.bin\" pe 1 record\nNOP;\n"

static const struct {
    const char *name;
    hoist_disasm_options options;
    const char *text; // NULL: HOIST_NOT_FOUND
    size_t errors;    // of rule 66
} cases[] = {
    // clang-format off
    {"all", {.offsets = false}, FIRST "\n" SECOND, 2},
    {"one subgraph", {.subgraph = "sg00"}, FIRST, 0},
    {"the other", {.subgraph = "sg01"}, SECOND, 2},
    {"one engine", {.engine = "pe"}, "# sg00/pe.bin pe 1 record\nPSEUDO_INST EXIT;\n\n" SECOND, 1},
    {"one stream with offsets", {.engine = "sp", .subgraph = "sg00", .offsets = true},
     "# sg00/sp.bin sp 3 records\n+0x0: PSEUDO_DMA_TRIGGER q0 block_id=0;\n"
     "+0x40: EVENT_SEMAPHORE $S[1]>0;\n+0x80: PSEUDO_INST EXIT;\n", 0},
    {"an engine that is not there", {.engine = "dve", .subgraph = "sg01"}, "", 0},
    {"no such engine", {.engine = "gpsimd"}, NULL, 0},
    {"no such subgraph", {.subgraph = "sg02"}, NULL, 0},
    // clang-format on
};

HOIST_TEST_TABLE(text, cases)
{
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_COPY, NULL, &neff);
    put_second(t, &neff);
    neff_module *module = neff_test_read(t, &neff);
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    const hoist_check_options check = {.resources = false};
    const hoist_status status =
        neff_disasm(&module->base, &check, &row->options, t->diag, &out, NULL);
    HOIST_EXPECT_EQ(t, status, row->text ? HOIST_OK : HOIST_NOT_FOUND);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->text ? row->text : "");
    HOIST_EXPECT_EQ(t, neff_test_count(t->diag, "NEFF-066"), row->errors);
    hoist_buffer_deinit(&out);
    neff_test_destroy(module);
}

// Writes events as they come: "[", "{", "key=value" and "]".
static hoist_status log_event(void *self, const hoist_tree_event *event)
{
    hoist_buffer *out = self;
    const bool opens = event->kind == HOIST_TREE_MAP || event->kind == HOIST_TREE_LIST;
    hoist_buffer_str(out, event->key);
    if (event->kind == HOIST_TREE_STR) {
        hoist_buffer_format(out, "='%.*s' ", (int)event->str.size, event->str.data);
    } else if (event->kind == HOIST_TREE_UINT) {
        hoist_buffer_format(out, "=%llu ", (unsigned long long)event->uinteger);
    } else {
        hoist_buffer_c(out, opens ? "[" : event->kind == HOIST_TREE_NULL ? "=null " : "]");
    }
    return HOIST_OK;
}

HOIST_TEST(tree)
{
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_ALL_REDUCE, "cayman", &neff);
    neff_module *module = neff_test_read(t, &neff);
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_tree_sink sink = {.self = &out, .event = log_event};
    const hoist_check_options check = {.resources = false};
    const hoist_disasm_options options = {.engine = "pe"};
    HOIST_EXPECT_EQ(t, neff_disasm(&module->base, &check, &options, t->diag, NULL, &sink),
                    HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out),
                     "[member='sg00/pe.bin' subgraph='sg00' engine='pe' records["
                     "[offset=0 mnemonic='PSEUDO_TRIGGER_COLLECTIVE' wait='$S[10]>0' "
                     "update='$S[22]++@complete' operands='ctype=ALL_REDUCE input_tensor_id=3 "
                     "output_tensor_id=4 num_elements=32 dtype=fp32 op=ADD group_id=0' ]"
                     "[offset=64 mnemonic='PSEUDO_INST' wait=null update=null operands='EXIT' ]]]");
    hoist_buffer_deinit(&out);
    neff_test_destroy(module);
}

// The text, then the tree.
static hoist_status show_with(hoist_allocator alloc, const void *self)
{
    neff_module module = *(const neff_module *)self;
    const hoist_check_options check = {.resources = false};
    const hoist_disasm_options options = {.offsets = true};
    size_t depth = 0;
    hoist_tree_sink sink = hoist_depth_sink(&depth);
    hoist_buffer out;
    module.base.alloc = alloc;
    hoist_buffer_init(&out, alloc);
    hoist_status status = neff_disasm(&module.base, &check, &options, NULL, &out, NULL);
    if (status == HOIST_OK) {
        status = neff_disasm(&module.base, &check, &options, NULL, NULL, &sink);
    }
    hoist_buffer_deinit(&out);
    return status;
}

HOIST_TEST(memory_runs_out)
{
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_ALL_REDUCE, NULL, &neff);
    neff_module *module = neff_test_read(t, &neff);
    if (module) {
        hoist_test_starve(t, show_with, module);
    }
    neff_test_destroy(module);
}

static const char fixture[] =
    "# sg00/pe.bin pe 1 record\n"
    "PSEUDO_TRIGGER_COLLECTIVE $S[10]>0 $S[22]++@complete ctype=ALL_REDUCE input_tensor_id=3 "
    "output_tensor_id=4 num_elements=32 dtype=fp32 op=ADD group_id=0;\n"
    "\n"
    "# sg00/act.bin act 0 records\n"
    "\n"
    "# sg00/pool.bin pool 3 records\n"
    "PSEUDO_DMA_TRIGGER q_gradient_in block_id=0;\n"
    "PSEUDO_DMA_TRIGGER $S[22]>0 q_gradient_out block_id=0;\n"
    "EVENT_SEMAPHORE $S[11]>0;\n"
    "\n"
    "# sg00/dve.bin dve 0 records\n"
    "\n"
    "# sg00/sp.bin sp 0 records\n";

static const struct {
    const char *name;
} files[] = {{"neff/tiny_allreduce_pkg1_pax.neff"}, {"neff/tiny_allreduce_pkg2_gnu.neff"}};

HOIST_TEST_TABLE(fixtures, files)
{
    const char *path = hoist_test_corpus(t, row->name);
    if (!path) {
        hoist_test_skip(t, "the corpus is absent");
        return;
    }
    const hoist_read_options read = {.alloc = hoist_allocator_system(), .keep = true};
    const hoist_check_options check = {.resources = false};
    const hoist_disasm_options options = {.offsets = false};
    hoist_module *module = NULL;
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, neff_read(hoist_test_file(t, path), &read, t->diag, &module), HOIST_OK);
    if (module) {
        HOIST_EXPECT_EQ(t, neff_disasm(module, &check, &options, t->diag, &out, NULL), HOIST_OK);
    }
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), fixture);
    HOIST_EXPECT_EQ(t, neff_test_count(t->diag, "NEFF-066"), 0);
    hoist_buffer_deinit(&out);
    neff_destroy(module);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(text), HOIST_TEST_ROW(tree), HOIST_TEST_ROW(memory_runs_out),
                HOIST_TEST_ROW(fixtures))
