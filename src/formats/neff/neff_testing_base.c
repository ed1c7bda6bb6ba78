// The NEFFs that tests begin with.
#include <string.h>

#include "base/buffer.h"
#include "formats/neff/neff_testing.h"

static const char graph_text[] =
    "{\n"
    "  \"nodes\": [\n"
    "    {\"op\": \"null\", \"name\": \"input\", \"attrs\": {\"is_param\": \"0\"}, \"inputs\": "
    "[]},\n"
    "    {\"op\": \"tvm_op\", \"name\": \"sg0\",\n"
    "     \"attrs\": {\"func_name\": \"__kelf\", \"kelf\": \"kelf-0.json\", \"num_inputs\": "
    "\"1\",\n"
    "               \"num_outputs\": \"1\", \"output_names\": \"output\"},\n"
    "     \"inputs\": [[0, 0, 0]]}\n"
    "  ],\n"
    "  \"arg_nodes\": [0],\n"
    "  \"heads\": [[1, 0, 0]],\n"
    "  \"node_row_ptr\": [0, 1, 2],\n"
    "  \"attrs\": {\n"
    "    \"shape\": [\"list_shape\", [[@COUNT@], [@COUNT@]]],\n"
    "    \"storage_id\": [\"list_int\", [0, 1]],\n"
    "    \"dltype\": [\"list_str\", [\"float32\", \"float32\"]]\n"
    "  }\n"
    "}\n";

static const char kelf_text[] = "{\n"
                                "  \"graphs\": [\n"
                                "    {\"definition\": \"sg00/def.json\", \"name\": \"sg00\"}\n"
                                "  ],\n"
                                "  \"version\": \"0.5\",\n"
                                "  \"target\": \"@TARGET@\"\n"
                                "}\n";

#define DEF_HEAD                                                                                   \
    "{\n"                                                                                          \
    "  \"name\": \"definition\",\n"                                                                \
    "  \"version\": \"0.6\",\n"                                                                    \
    "  \"pe\": \"pe.json\", \"act\": \"act.json\", \"pool\": \"pool.json\",\n"                     \
    "  \"dve\": \"dve.json\", \"sp\": \"sp.json\",\n"                                              \
    "  \"replica_groups\": [[]],\n"                                                                \
    "  \"runtime_statebuffer_reservation\": [],\n"

static const char copy_def[] =
    DEF_HEAD "  \"dma_queue\": {\n"
             "    \"q0\": {\"type\": \"data\", \"owner\": \"sp\", \"semaphore\": 1}\n"
             "  },\n"
             "  \"var\": {\n"
             "    \"input\": {\"type\": \"input\", \"var_id\": 0, \"size\": 64},\n"
             "    \"output\": {\"type\": \"output\", \"var_id\": 1, \"size\": 64}\n"
             "  }\n"
             "}\n";

static const char all_reduce_def[] = DEF_HEAD
    "  \"dma_queue\": {\n"
    "    \"q_gradient_in\": {\"type\": \"in\", \"owner\": \"pool\", \"semaphore\": 10},\n"
    "    \"q_gradient_out\": {\"type\": \"out\", \"owner\": \"pool\", \"semaphore\": 11}\n"
    "  },\n"
    "  \"var\": {\n"
    "    \"SB\": {\"type\": \"state-buffer\", \"var_id\": 1},\n"
    "    \"input\": {\"type\": \"input\", \"#transfer-type\": \"input\", \"var_id\": 0,\n"
    "              \"size\": 128, \"element_size\": 4, \"internal_shape\": [1, 1, 1, 32]},\n"
    "    \"output\": {\"type\": \"output\", \"#transfer-type\": \"output\", \"var_id\": 2,\n"
    "               \"size\": 128, \"element_size\": 4, \"internal_shape\": [1, 1, 1, 32]},\n"
    "    \"gradient_in\": {\"type\": \"tmp-buf\", \"var_id\": 3, \"size\": 128},\n"
    "    \"gradient_out\": {\"type\": \"tmp-buf\", \"var_id\": 4, \"size\": 128}\n"
    "  }\n"
    "}\n";

static const char empty_engine[] = "{\n"
                                   "  \"dma\": [],\n"
                                   "  \"instr\": \"@ENGINE@.bin\",\n"
                                   "  \"name\": \"@ENGINE@\"\n"
                                   "}\n";

static const char copy_sp[] =
    "{\n"
    "  \"dma\": [\n"
    "    {\"id\": 0, \"queue\": \"q0\",\n"
    "     \"desc\": [\n"
    "       {\"from\": \"input\", \"from_off\": 0, \"from_sizes\": [64], \"from_steps\": [1],\n"
    "        \"to\": \"output\", \"to_off\": 0, \"to_sizes\": [64], \"to_steps\": [1]}]}\n"
    "  ],\n"
    "  \"instr\": \"sp.bin\",\n"
    "  \"name\": \"sp\"\n"
    "}\n";

static const char all_reduce_pool[] =
    "{\n"
    "  \"dma\": [\n"
    "    {\"id\": 0, \"queue\": \"q_gradient_in\",\n"
    "     \"desc\": [\n"
    "       {\"from\": \"input\", \"from_off\": 0, \"from_sizes\": [128, 1],\n"
    "        \"from_steps\": [1, 128],\n"
    "        \"to\": \"gradient_in\", \"to_off\": 0, \"to_sizes\": [128, 1],\n"
    "        \"to_steps\": [1, 128]}]},\n"
    "    {\"id\": 0, \"queue\": \"q_gradient_out\",\n"
    "     \"desc\": [\n"
    "       {\"from\": \"gradient_out\", \"from_off\": 0, \"from_sizes\": [128, 1],\n"
    "        \"from_steps\": [1, 128],\n"
    "        \"to\": \"output\", \"to_off\": 0, \"to_sizes\": [128, 1],\n"
    "        \"to_steps\": [1, 128]}]}\n"
    "  ],\n"
    "  \"instr\": \"pool.bin\",\n"
    "  \"name\": \"pool_array_json\"\n"
    "}\n";

#define RECORD_EXIT "df 10 00 00 00 00 00 00 00 00 00 00 01\n"

static const char copy_sp_stream[] = "c1 10 00 00 00 00 00 00 00 00 00 00 'q0'\n"
                                     "a0 10 00 00 04 01 00 00 00 00 00 00\n" RECORD_EXIT;

static const char all_reduce_pe_stream[] =
    "c8 10 00 00 04 0a 13 16 00 00 00 00 04 0a 00 00 03 00 00 00 04 00 00 00 20 00 00 00 00 00 00 "
    "00 01\n" RECORD_EXIT;

static const char all_reduce_pool_stream[] =
    "c1 10 00 00 00 00 00 00 00 00 00 00 'q_gradient_in'\n"
    "c1 10 00 00 04 16 00 00 00 00 00 00 'q_gradient_out'\n"
    "a0 10 00 00 04 0b 00 00 00 00 00 00\n" RECORD_EXIT;

// `text` with every `name` replaced, in the test's arena.
static hoist_str filled(hoist_test *t, const char *text, const char *name, const char *value)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    const char *found = strstr(text, name);
    while (found) {
        hoist_buffer_str(&out, (hoist_str){text, (size_t)(found - text)});
        hoist_buffer_c(&out, value);
        text = found + strlen(name);
        found = strstr(text, name);
    }
    hoist_buffer_c(&out, text);
    const hoist_str result = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    return result;
}

static const char *engine_member(hoist_test *t, neff_engine_id engine, const char *suffix)
{
    return hoist_arena_format(&t->arena, "sg00/%s.%s", neff_engines[engine].key, suffix).data;
}

void neff_test_base(hoist_test *t, neff_test_program program, const char *target,
                    neff_texts *out_neff)
{
    const bool copy = program == NEFF_TEST_COPY;
    *out_neff = (neff_texts){0};
    neff_test_put(t, out_neff, "neff.json", filled(t, graph_text, "@COUNT@", copy ? "16" : "32"));
    neff_test_put(t, out_neff, "kelf-0.json",
                  filled(t, kelf_text, "@TARGET@", target ? target : "*"));
    neff_test_put(t, out_neff, "sg00/def.json", hoist_str_from(copy ? copy_def : all_reduce_def));
    for (neff_engine_id i = 0; i < NEFF_ENGINE_COUNT; i++) {
        neff_test_put(t, out_neff, engine_member(t, i, "json"),
                      filled(t, empty_engine, "@ENGINE@", neff_engines[i].key));
    }
    for (neff_engine_id i = 0; i < NEFF_ENGINE_COUNT; i++) {
        neff_test_stream(t, out_neff, engine_member(t, i, "bin"), RECORD_EXIT);
    }
    if (copy) {
        neff_test_put(t, out_neff, "sg00/sp.json", hoist_str_from(copy_sp));
        neff_test_stream(t, out_neff, "sg00/sp.bin", copy_sp_stream);
    } else {
        neff_test_put(t, out_neff, "sg00/pool.json", hoist_str_from(all_reduce_pool));
        neff_test_stream(t, out_neff, "sg00/pe.bin", all_reduce_pe_stream);
        neff_test_stream(t, out_neff, "sg00/pool.bin", all_reduce_pool_stream);
    }
}
