#include <math.h>
#include <string.h>

#include "base/span.h"
#include "formats/neff/build.h"
#include "testing/test.h"

#define SIDE(name, bytes)                                                                          \
    {                                                                                              \
        .variable = (name), .sizes = {(const int64_t[]){bytes}, 1}, .steps = {                     \
            (const int64_t[]){1},                                                                  \
            1                                                                                      \
        }                                                                                          \
    }

static hoist_status add_copy(hoist_neff *neff)
{
    const hoist_neff_variable vars[] = {
        {.struct_size = sizeof(vars[0]), .name = "input", .type = "input", .size = 64},
        {.struct_size = sizeof(vars[0]), .name = "output", .type = "output", .size = 64},
    };
    const hoist_neff_queue_set queue = {.struct_size = sizeof(queue),
                                        .name = "q0",
                                        .type = "data",
                                        .owner = "sp",
                                        .has_semaphore = true,
                                        .semaphore = 1};
    const hoist_neff_pattern from = SIDE("input", 64);
    const hoist_neff_desc desc = {
        .struct_size = sizeof(desc), .from = &from, .from_count = 1, .to = SIDE("output", 64)};
    const hoist_neff_block block = {
        .struct_size = sizeof(block), .queue = "q0", .desc = &desc, .desc_count = 1};
    HOIST_TRY(hoist_neff_add_subgraph(neff, NULL));
    HOIST_TRY(hoist_neff_add_variable(neff, 0, &vars[0]));
    HOIST_TRY(hoist_neff_add_variable(neff, 0, &vars[1]));
    HOIST_TRY(hoist_neff_add_queue_set(neff, 0, &queue));
    HOIST_TRY(hoist_neff_add_block(neff, 0, HOIST_NEFF_SP, &block));
    return hoist_neff_add_code(neff, 0, HOIST_NEFF_SP,
                               "PSEUDO_DMA_TRIGGER q0 block_id=0;\n"
                               "EVENT_SEMAPHORE $S[1]>0;\n"
                               "PSEUDO_INST EXIT;\n",
                               NULL);
}

static hoist_neff *create(hoist_test *t, const hoist_neff_options *options)
{
    hoist_neff *neff = NULL;
    HOIST_EXPECT_EQ(t, hoist_neff_create(options, &neff), HOIST_OK);
    return neff;
}

static hoist_str text_of(hoist_test *t, hoist_neff *neff, const char *path)
{
    hoist_bytes bytes;
    HOIST_EXPECT_EQ(t, hoist_neff_member(neff, path, &bytes), HOIST_OK);
    return (hoist_str){(const char *)bytes.data, bytes.size};
}

// Members ----------------------------------------------------------------------------------------

// The vendor's own file (neff reference 3.4), byte for byte.
HOIST_TEST(writes_as_python_does)
{
    hoist_neff *const neff = create(t, NULL);
    const hoist_neff_subgraph sub = {.struct_size = sizeof(sub)};
    const hoist_neff_key name = {"name", "\"pe_array_json\""};
    HOIST_EXPECT_EQ(t, hoist_neff_add_subgraph(neff, &sub), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_neff_add_keys(neff, "sg00/pe.json", (hoist_neff_keys){&name, 1}),
                    HOIST_OK);
    HOIST_EXPECT_STR(t, text_of(t, neff, "sg00/pe.json"),
                     "{\n  \"dma\": [],\n  \"instr\": \"pe.bin\",\n  \"name\": "
                     "\"pe_array_json\"\n}");
    HOIST_EXPECT_STR(t, text_of(t, neff, "kelf-0.json"),
                     "{\n  \"graphs\": [\n    {\n      \"definition\": \"sg00/def.json\",\n"
                     "      \"name\": \"sg00\"\n    }\n  ],\n  \"version\": \"0.5\",\n"
                     "  \"target\": \"*\"\n}");
    hoist_neff_destroy(neff);
}

HOIST_TEST(graph_follows_from_variables)
{
    const hoist_neff_options options = {.struct_size = sizeof(options), .compact = true};
    hoist_neff *const neff = create(t, &options);
    HOIST_EXPECT_EQ(t, add_copy(neff), HOIST_OK);
    HOIST_EXPECT_STR(
        t, text_of(t, neff, "neff.json"),
        "{\"nodes\":[{\"op\":\"null\",\"name\":\"input\",\"attrs\":{},\"inputs\":[]},"
        "{\"op\":\"tvm_op\",\"name\":\"sg_coreV10\",\"attrs\":{\"func_name\":\"__kelf\","
        "\"kelf\":\"kelf-0.json\",\"num_inputs\":\"1\",\"num_outputs\":\"1\","
        "\"output_names\":\"output\"},\"inputs\":[[0,0,0]]}],\"arg_nodes\":[0],"
        "\"heads\":[[1,0,0]],\"node_row_ptr\":[0,1,2],\"attrs\":{"
        "\"shape\":[\"list_shape\",[[64],[64]]],\"storage_id\":[\"list_int\",[0,1]],"
        "\"dltype\":[\"list_str\",[\"uint8\",\"uint8\"]]}}");
    HOIST_EXPECT_STR(
        t, text_of(t, neff, "sg00/sp.json"),
        "{\"dma\":[{\"id\":0,\"queue\":\"q0\",\"desc\":[{\"from\":\"input\",\"from_off\":0,"
        "\"from_sizes\":[64],\"from_steps\":[1],\"to\":\"output\",\"to_off\":0,\"to_sizes\":[64],"
        "\"to_steps\":[1]}]}],\"instr\":\"sp.bin\",\"name\":\"sp\"}");
    hoist_neff_destroy(neff);
}

// What the graph says of a variable with 64 bytes and no shape.
static const struct {
    const char *name;
    const char *dtype;
    const char *shape;
    const char *dltype;
} shapeless[] = {
    {"no dtype", NULL, "[[64]]", "[\"uint8\"]"},
    {"float32", "float32", "[[16]]", "[\"float32\"]"},
    {"bfloat16", "bfloat16", "[[32]]", "[\"bfloat16\"]"},
    {"a dtype that nobody knows", "float7", "[[64]]", "[\"uint8\"]"},
};

HOIST_TEST_TABLE(elements_follow_from_the_size, shapeless)
{
    const hoist_neff_options options = {.struct_size = sizeof(options), .compact = true};
    const hoist_neff_variable v = {
        .struct_size = sizeof(v), .name = "x", .type = "input", .size = 64, .dtype = row->dtype};
    hoist_neff *const neff = create(t, &options);
    HOIST_EXPECT_EQ(t, hoist_neff_add_subgraph(neff, NULL), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_neff_add_variable(neff, 0, &v), HOIST_OK);
    const hoist_str graph = text_of(t, neff, "neff.json");
    HOIST_EXPECT(t, hoist_str_contains(graph, row->shape));
    HOIST_EXPECT(t, hoist_str_contains(graph, row->dltype));
    hoist_neff_destroy(neff);
}

// JSON has no way to write them (neff reference section 3).
HOIST_TEST(numbers_are_finite)
{
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    hoist_neff *const neff = create(t, NULL);
    HOIST_EXPECT_EQ(t, hoist_neff_add_subgraph(neff, NULL), HOIST_OK);
    for (size_t i = 0; i < 2 * HOIST_COUNT_OF(bad); i++) {
        const double number = bad[i / 2];
        const bool scale = i % 2;
        const hoist_neff_pattern from = {
            .variable = "x", .has_scale = scale, .scale = scale ? number : 1};
        const hoist_neff_desc desc = {.struct_size = sizeof(desc),
                                      .from = &from,
                                      .from_count = 1,
                                      .from_arr = scale,
                                      .has_constant = !scale,
                                      .constant = scale ? 0 : number};
        const hoist_neff_block block = {
            .struct_size = sizeof(block), .queue = "q", .desc = &desc, .desc_count = 1};
        HOIST_EXPECT_EQ(t, hoist_neff_add_block(neff, 0, HOIST_NEFF_SP, &block), HOIST_INVALID);
    }
    hoist_neff_destroy(neff);
}

// Keys of a variable, in every order.
static const struct {
    const char *name;
    hoist_neff_order order;
    hoist_neff_key keys[3];
    size_t key_count;
    const char *want; // the object; NULL: the call fails
} key_cases[] = {
    {"own order",
     HOIST_NEFF_ORDER_OWN,
     {{"#b", "1"}, {"a", "[true]"}},
     2,
     "{\"type\":\"input\",\"var_id\":0,\"size\":8,\"#b\":1,\"a\":[true]}"},
    {"sorted",
     HOIST_NEFF_ORDER_SORTED,
     {{"#b", "1"}, {"a", "{}"}},
     2,
     "{\"#b\":1,\"a\":{},\"size\":8,\"type\":\"input\",\"var_id\":0}"},
    {"reversed",
     HOIST_NEFF_ORDER_REVERSED,
     {{"#b", "null"}},
     1,
     "{\"#b\":null,\"size\":8,\"var_id\":0,\"type\":\"input\"}"},
    {"a known key",
     HOIST_NEFF_ORDER_OWN,
     {{"size", "\"8\""}, {"dtype", "\"x\""}},
     2,
     "{\"type\":\"input\",\"var_id\":0,\"size\":\"8\",\"dtype\":\"x\"}"},
    {"left out",
     HOIST_NEFF_ORDER_OWN,
     {{"size", NULL}, {"other", NULL}},
     2,
     "{\"type\":\"input\",\"var_id\":0}"},
    {"large integers",
     HOIST_NEFF_ORDER_OWN,
     {{"a", "9007199254740993"}, {"b", "18446744073709551615"}, {"c", "-9223372036854775808"}},
     3,
     "{\"type\":\"input\",\"var_id\":0,\"size\":8,\"a\":9007199254740993,"
     "\"b\":18446744073709551615,\"c\":-9223372036854775808}"},
    {"integers beyond 64 bits",
     HOIST_NEFF_ORDER_OWN,
     {{"a", "18446744073709551617"}, {"b", "[-9223372036854775809]"}},
     2,
     "{\"type\":\"input\",\"var_id\":0,\"size\":8,\"a\":18446744073709551617,"
     "\"b\":[-9223372036854775809]}"},
    {"fractions",
     HOIST_NEFF_ORDER_OWN,
     {{"a", "0.5"}, {"b", "\"\\u00e9\\n\""}},
     2,
     "{\"type\":\"input\",\"var_id\":0,\"size\":8,\"a\":0.5,\"b\":\"\xc3\xa9\\n\"}"},
    {"no JSON", HOIST_NEFF_ORDER_OWN, {{"a", "{"}}, 1, NULL},
    {"two values", HOIST_NEFF_ORDER_OWN, {{"a", "1 2"}}, 1, NULL},
    {"too deep",
     HOIST_NEFF_ORDER_OWN,
     {{"a", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"}},
     1,
     NULL},
    {"no name", HOIST_NEFF_ORDER_OWN, {{NULL, "1"}}, 1, NULL},
};

HOIST_TEST_TABLE(keys, key_cases)
{
    const hoist_neff_options options = {
        .struct_size = sizeof(options), .compact = true, .order = row->order};
    hoist_neff *const neff = create(t, &options);
    const hoist_neff_variable var = {.struct_size = sizeof(var),
                                     .name = "v",
                                     .type = "input",
                                     .size = 8,
                                     .keys = {row->keys, row->key_count}};
    HOIST_EXPECT_EQ(t, hoist_neff_add_subgraph(neff, NULL), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_neff_add_variable(neff, 0, &var),
                    row->want ? HOIST_OK : HOIST_INVALID);
    const hoist_str text = text_of(t, neff, "sg00/def.json");
    const hoist_str want =
        row->want ? hoist_arena_format(&t->arena, "\"v\":%s", row->want) : HOIST_STR("{");
    HOIST_EXPECT(t, hoist_str_contains(text, want.data));
    hoist_neff_destroy(neff);
}

// Keys of the graph are in the place of what follows from the variables, or behind it.
HOIST_TEST(keys_of_the_graph)
{
    const hoist_neff_options options = {.struct_size = sizeof(options), .compact = true};
    const hoist_neff_key keys[] = {{"heads", "[7]"}, {"#more", "true"}};
    hoist_neff *const neff = create(t, &options);
    HOIST_EXPECT_EQ(t, hoist_neff_add_subgraph(neff, NULL), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_neff_add_keys(neff, "neff.json", (hoist_neff_keys){keys, 2}),
                    HOIST_OK);
    const hoist_str text = text_of(t, neff, "neff.json");
    HOIST_EXPECT(t, hoist_str_contains(text, "\"heads\":[7],\"node_row_ptr\":"));
    HOIST_EXPECT(t, hoist_str_contains(text, "},\"#more\":true}"));
    hoist_neff_destroy(neff);
}

HOIST_TEST(members_are_added_replaced_and_dropped)
{
    hoist_neff *const neff = create(t, NULL);
    const hoist_bytes a = {(const uint8_t *)"a", 1};
    const hoist_bytes b = {(const uint8_t *)"bb", 2};
    const hoist_neff_keys none = {NULL, 0};
    hoist_bytes bytes;
    HOIST_EXPECT_EQ(t, hoist_neff_add_member(neff, "x", a), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_neff_add_member(neff, "x", b), HOIST_BUSY);
    HOIST_EXPECT_EQ(t, hoist_neff_add_member(neff, "neff.json", b), HOIST_BUSY);
    HOIST_EXPECT_STR(t, text_of(t, neff, "x"), "a");
    HOIST_EXPECT_EQ(t, hoist_neff_set_member(neff, "x", b), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_neff_set_member(neff, "neff.json", a), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_neff_set_member(neff, "y", a), HOIST_OK);
    HOIST_EXPECT_STR(t, text_of(t, neff, "x"), "bb");
    HOIST_EXPECT_STR(t, text_of(t, neff, "neff.json"), "a");
    HOIST_EXPECT_EQ(t, hoist_neff_add_keys(neff, "neff.json", none), HOIST_NOT_FOUND);
    HOIST_EXPECT_EQ(t, hoist_neff_add_keys(neff, "kelf-0.json", none), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_neff_drop_member(neff, "x"), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_neff_drop_member(neff, "x"), HOIST_NOT_FOUND);
    HOIST_EXPECT_EQ(t, hoist_neff_member(neff, "x", &bytes), HOIST_NOT_FOUND);
    HOIST_EXPECT_EQ(t, hoist_neff_add_member(neff, "x", a), HOIST_OK);
    HOIST_EXPECT_STR(t, text_of(t, neff, "x"), "a");
    HOIST_EXPECT_EQ(t, hoist_neff_add_keys(neff, "x", none), HOIST_NOT_FOUND);
    HOIST_EXPECT_EQ(t, hoist_neff_add_keys(neff, "z", none), HOIST_NOT_FOUND);
    hoist_neff_destroy(neff);
}

// Files ------------------------------------------------------------------------------------------

static neff_module *read_back(hoist_test *t, hoist_bytes file)
{
    const hoist_read_options options = {.alloc = hoist_allocator_system(), .keep = true};
    hoist_module *module = NULL;
    HOIST_EXPECT_EQ(t, hoist_neff_format.read(file, &options, t->diag, &module), HOIST_OK);
    return (neff_module *)module;
}

HOIST_TEST(file_is_read_back)
{
    hoist_neff *const neff = create(t, NULL);
    hoist_bytes file;
    HOIST_EXPECT_EQ(t, add_copy(neff), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_neff_finish(neff, t->diag, &file), HOIST_OK);
    neff_module *const module = read_back(t, file);
    HOIST_EXPECT_RULE(t, NULL);
    if (module) {
        HOIST_EXPECT_EQ(t, module->member_count, 13);
        HOIST_EXPECT_EQ(t, module->header.version_major, 1);
        HOIST_EXPECT_EQ(t, module->header.lnc_size, 1);
        HOIST_EXPECT_STR(t, neff_header_text(module->header.name, 256), "file.neff");
        HOIST_EXPECT_EQ(t, module->header.uuid[6] >> 4, 4);
        HOIST_EXPECT_STR(t, module->members[0].name, "neff.json");
        HOIST_EXPECT_STR(t, module->members[2].name, "sg00/def.json");
        HOIST_EXPECT_STR(t, module->members[12].name, "sg00/sp.bin");
        HOIST_EXPECT_EQ(t, module->members[12].bytes.size, 192);
        neff_destroy(&module->base);
    }
    hoist_neff_destroy(neff);
}

HOIST_TEST(same_calls_give_the_same_bytes)
{
    hoist_neff *const one = create(t, NULL);
    hoist_neff *const two = create(t, NULL);
    hoist_bytes first;
    hoist_bytes second;
    HOIST_EXPECT_EQ(t, add_copy(one), HOIST_OK);
    HOIST_EXPECT_EQ(t, add_copy(two), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_neff_finish(one, t->diag, &first), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_neff_finish(two, t->diag, &second), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_neff_finish(two, t->diag, &second), HOIST_OK);
    HOIST_EXPECT(t, first.size == second.size && memcmp(first.data, second.data, first.size) == 0);
    hoist_neff_destroy(one);
    hoist_neff_destroy(two);
}

// Each row adds one thing to the copy program; `features` must follow.
static hoist_status add_nothing(hoist_neff *neff)
{
    (void)neff;
    return HOIST_OK;
}

static hoist_status add_instances(hoist_neff *neff)
{
    const char *const names[] = {"a", "b"};
    return hoist_neff_add_queue_set(
        neff, 0,
        &(hoist_neff_queue_set){.struct_size = sizeof(hoist_neff_queue_set),
                                .name = "q1",
                                .type = "data",
                                .queue_instances = {names, 2}});
}

static hoist_status add_queue(hoist_neff *neff, const char *type)
{
    return hoist_neff_add_queue_set(
        neff, 0,
        &(hoist_neff_queue_set){
            .struct_size = sizeof(hoist_neff_queue_set), .name = "q1", .type = type});
}

static hoist_status add_act_load(hoist_neff *neff)
{
    return add_queue(neff, "act_load");
}

static hoist_status add_dynamic(hoist_neff *neff)
{
    return add_queue(neff, "dynamic");
}

static hoist_status add_function(hoist_neff *neff)
{
    return hoist_neff_add_code(neff, 0, HOIST_NEFF_PE,
                               "PSEUDO_FUNCTION_BEGIN f reset_semaphores=0 return=$R[1],$R[2];\n",
                               NULL);
}

static hoist_status add_remote(hoist_neff *neff)
{
    const int64_t ids[] = {3};
    return hoist_neff_add_block(neff, 0, HOIST_NEFF_SP,
                                &(hoist_neff_block){.struct_size = sizeof(hoist_neff_block),
                                                    .queue = "q0",
                                                    .remote_semaphores = {ids, 1}});
}

static hoist_status add_dimensions(hoist_neff *neff)
{
    const int64_t ones[] = {1, 1, 1, 1, 1};
    const hoist_neff_pattern side = {.variable = "input", .sizes = {ones, 5}, .steps = {ones, 5}};
    const hoist_neff_desc desc = {
        .struct_size = sizeof(desc), .from = &side, .from_count = 1, .to = side};
    return hoist_neff_add_block(neff, 0, HOIST_NEFF_SP,
                                &(hoist_neff_block){.struct_size = sizeof(hoist_neff_block),
                                                    .queue = "q0",
                                                    .desc = &desc,
                                                    .desc_count = 1});
}

static hoist_status add_large(hoist_neff *neff)
{
    return hoist_neff_add_variable(
        neff, 0,
        &(hoist_neff_variable){.struct_size = sizeof(hoist_neff_variable),
                               .name = "large",
                               .type = "tmp-buf",
                               .size = (int64_t)1 << 32});
}

static hoist_status add_second(hoist_neff *neff)
{
    return hoist_neff_add_subgraph(neff, NULL);
}

static hoist_status add_offset(hoist_neff *neff)
{
    return hoist_neff_add_code(neff, 0, HOIST_NEFF_PE,
                               "PSEUDO_TRIGGER_COLLECTIVE ctype=ALL_REDUCE input_tensor_id=0 "
                               "output_tensor_id=1 num_elements=1 dtype=fp32 op=ADD group_id=0 "
                               "input_offset=4 output_offset=0;\n",
                               NULL);
}

static const struct {
    const char *name;
    hoist_status (*add)(hoist_neff *neff);
    uint64_t asked;
    uint64_t features;
    const char *json; // part of def.json; NULL: it names no feature
} feature_cases[] = {
    {"nothing", add_nothing, 0, 0, NULL},
    {"asked for", add_nothing, 0x8000, 0x8000, NULL},
    {"instances", add_instances, 0, 0x10, "\"neff_features\":[\"neff_queue_set_instances\"]"},
    {"act_load", add_act_load, 0, 0x40, "\"neff_feature_dynamic_pwp\""},
    {"dynamic", add_dynamic, 0, 0x1000, NULL},
    {"functions", add_function, 0, 0x20, "\"neff_has_functions\""},
    {"remote semaphores", add_remote, 0, 0x4000, NULL},
    {"dimensions", add_dimensions, 0, 0x200, "\"neff_feature_DMA_desc_higher_dim\""},
    {"large", add_large, 0, 0x2000000, NULL},
    {"two cores", add_second, 0, 0x400, "\"neff_feature_vnc\""},
    {"offset", add_offset, 0, 0x2, "\"collective_has_offset\""},
    {"both", add_function, 0x10, 0x30,
     "\"neff_features\":[\"neff_queue_set_instances\",\"neff_has_functions\"]"},
};

HOIST_TEST_TABLE(features, feature_cases)
{
    const hoist_neff_options options = {
        .struct_size = sizeof(options), .compact = true, .feature_bits = row->asked};
    hoist_neff *const neff = create(t, &options);
    hoist_bytes file;
    HOIST_EXPECT_EQ(t, add_copy(neff), HOIST_OK);
    (void)text_of(t, neff, "sg00/def.json"); // what it says now must not stay
    HOIST_EXPECT_EQ(t, row->add(neff), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_neff_finish(neff, t->diag, &file), HOIST_OK);
    neff_module *const module = read_back(t, file);
    if (module) {
        HOIST_EXPECT_EQ(t, module->header.feature_bits, row->features);
        HOIST_EXPECT_EQ(t, module->header.version_major, row->features ? 2 : 1);
        neff_destroy(&module->base);
    }
    const hoist_str def = text_of(t, neff, "sg00/def.json");
    HOIST_EXPECT_EQ(t, hoist_str_contains(def, row->json ? row->json : "neff_features"),
                    row->json != NULL);
    hoist_neff_destroy(neff);
}

HOIST_TEST(header_is_as_asked)
{
    uint8_t uuid[16] = {1, 2, 3};
    uint8_t nodes[64] = {4, 5};
    const hoist_neff_options options = {.struct_size = sizeof(options),
                                        .pkg_version = 1,
                                        .version_major = 2,
                                        .version_minor = 1,
                                        .name = "n",
                                        .build_version = "b",
                                        .uuid = uuid,
                                        .num_tpb = 3,
                                        .requested_tpb_count = 4,
                                        .tpb_per_node = nodes,
                                        .has_lnc_size = true};
    hoist_neff *const neff = create(t, &options);
    hoist_bytes file;
    HOIST_EXPECT_EQ(t, add_copy(neff), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_neff_finish(neff, t->diag, &file), HOIST_OK);
    neff_module *const module = read_back(t, file);
    if (module) {
        const neff_header *const h = &module->header;
        HOIST_EXPECT_EQ(t, h->pkg_version, 1);
        HOIST_EXPECT(t, !module->gzip);
        HOIST_EXPECT_EQ(t, h->version_major * 10 + h->version_minor, 21);
        HOIST_EXPECT_EQ(t, h->num_tpb * 10 + h->requested_tpb_count, 34);
        HOIST_EXPECT_EQ(t, h->lnc_size, 0);
        HOIST_EXPECT(t, memcmp(h->uuid, uuid, 16) == 0 && memcmp(h->tpb_per_node, nodes, 64) == 0);
        HOIST_EXPECT_STR(t, neff_header_text(h->build_version, 128), "b");
        neff_destroy(&module->base);
    }
    hoist_neff_destroy(neff);
}

// What is refused --------------------------------------------------------------------------------

static const struct {
    const char *name;
    hoist_neff_options options;
    hoist_status want;
} option_cases[] = {
    {"fits", {.struct_size = sizeof(hoist_neff_options), .pkg_version = 2}, HOIST_OK},
    {"forgotten size", {.pkg_version = 2}, HOIST_INVALID},
    {"packaging", {.struct_size = sizeof(hoist_neff_options), .pkg_version = 3}, HOIST_INVALID},
    {"level", {.struct_size = sizeof(hoist_neff_options), .level = 10}, HOIST_INVALID},
    {"order",
     {.struct_size = sizeof(hoist_neff_options), .order = (hoist_neff_order)3},
     HOIST_INVALID},
};

HOIST_TEST_TABLE(options, option_cases)
{
    hoist_neff *neff = NULL;
    HOIST_EXPECT_EQ(t, hoist_neff_create(&row->options, &neff), row->want);
    HOIST_EXPECT_EQ(t, neff != NULL, row->want == HOIST_OK);
    hoist_neff_destroy(neff);
}

HOIST_TEST(calls_are_checked)
{
    hoist_neff *const neff = create(t, NULL);
    const hoist_neff_subgraph same = {.struct_size = sizeof(same), .name = "sg00"};
    const hoist_neff_subgraph absent = {.struct_size = sizeof(absent),
                                        .absent = {[HOIST_NEFF_DVE] = true}};
    const hoist_neff_variable nameless = {.struct_size = sizeof(nameless), .type = "input"};
    const hoist_neff_queue_set typeless = {.struct_size = sizeof(typeless), .name = "q"};
    const hoist_neff_block block = {.struct_size = sizeof(block)};
    const hoist_neff_entry entry = {.struct_size = sizeof(entry)};
    HOIST_EXPECT_EQ(t, hoist_neff_add_subgraph(neff, &absent), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_neff_add_variable(neff, 1, &nameless), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, hoist_neff_add_variable(neff, 0, &nameless), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, hoist_neff_add_queue_set(neff, 0, &typeless), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, hoist_neff_add_block(neff, 0, HOIST_NEFF_DVE, &block), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, hoist_neff_add_block(neff, 0, (hoist_neff_engine)5, &block), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, hoist_neff_add_entry(neff, &entry), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, hoist_neff_add_code(neff, 0, HOIST_NEFF_DVE, "", NULL), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, hoist_neff_add_code(neff, 0, HOIST_NEFF_SP, "NOP;\nNONE;\n", t->diag),
                    HOIST_INVALID);
    HOIST_EXPECT_RULE(t, "PACK-005");
    HOIST_EXPECT_EQ(t, text_of(t, neff, "sg00/sp.bin").size, 0);
    HOIST_EXPECT_EQ(t, hoist_neff_add_subgraph(neff, &same), HOIST_INVALID);
    hoist_neff_destroy(neff);
}

HOIST_TEST(unsafe_names_are_not_packed)
{
    hoist_neff *const neff = create(t, NULL);
    hoist_bytes file;
    HOIST_EXPECT_EQ(t, hoist_neff_add_member(neff, "../x", (hoist_bytes){NULL, 0}), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_neff_finish(neff, t->diag, &file), HOIST_INVALID);
    HOIST_EXPECT_RULE(t, "PACK-002");
    HOIST_EXPECT_EQ(t, file.size, 0);
    HOIST_EXPECT_EQ(t, hoist_neff_drop_member(neff, "../x"), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_neff_finish(neff, t->diag, &file), HOIST_OK);
    hoist_neff_destroy(neff);
}

// Structs of no known size are refused, and leave nothing.
HOIST_TEST(structs_without_a_size)
{
    hoist_neff *const neff = create(t, NULL);
    const hoist_neff_subgraph none = {.name = "none"};
    const hoist_neff_subgraph sub = {.struct_size = sizeof(sub)};
    hoist_bytes file;
    HOIST_EXPECT_EQ(t, hoist_neff_add_subgraph(neff, &none), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, hoist_neff_add_subgraph(neff, &sub), HOIST_OK);
    HOIST_EXPECT(t, hoist_str_contains(text_of(t, neff, "kelf-0.json"), "\"name\": \"sg00\""));
    HOIST_EXPECT_EQ(t, hoist_neff_finish(neff, t->diag, &file), HOIST_OK);
    hoist_neff_destroy(neff);
}

// Memory -----------------------------------------------------------------------------------------

static hoist_status build_all(hoist_neff *neff)
{
    const hoist_neff_key key = {"#comment", "{\"a\": [1, 2.5, \"x\", null, false]}"};
    const hoist_neff_keys keys = {&key, 1};
    const hoist_neff_entry entry = {
        .struct_size = sizeof(entry), .name = "cpu", .cpu_op = "x", .keys = keys};
    hoist_bytes file;
    HOIST_TRY(add_copy(neff));
    HOIST_TRY(add_instances(neff));
    HOIST_TRY(hoist_neff_add_keys(neff, "neff.json", keys));
    HOIST_TRY(hoist_neff_add_entry(neff, &entry));
    HOIST_TRY(hoist_neff_add_member(neff, "sg00/x", (hoist_bytes){(const uint8_t *)"x", 1}));
    HOIST_TRY(hoist_neff_set_member(neff, "sg00/x", (hoist_bytes){(const uint8_t *)"y", 1}));
    return hoist_neff_finish(neff, NULL, &file);
}

static hoist_status run_starved(hoist_allocator alloc, const void *self)
{
    (void)self;
    const hoist_neff_options options = {
        .struct_size = sizeof(options), .alloc = alloc, .wrapped = true, .pkg_version = 1};
    hoist_neff *neff = NULL;
    HOIST_TRY(hoist_neff_create(&options, &neff));
    const hoist_status status = build_all(neff);
    hoist_neff_destroy(neff);
    return status;
}

HOIST_TEST(refused_memory_is_told)
{
    hoist_test_starve(t, run_starved, NULL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(structs_without_a_size), HOIST_TEST_ROW(writes_as_python_does),
                HOIST_TEST_ROW(graph_follows_from_variables),
                HOIST_TEST_ROW(elements_follow_from_the_size), HOIST_TEST_ROW(numbers_are_finite),
                HOIST_TEST_ROW(keys), HOIST_TEST_ROW(keys_of_the_graph),
                HOIST_TEST_ROW(members_are_added_replaced_and_dropped),
                HOIST_TEST_ROW(file_is_read_back), HOIST_TEST_ROW(same_calls_give_the_same_bytes),
                HOIST_TEST_ROW(features), HOIST_TEST_ROW(header_is_as_asked),
                HOIST_TEST_ROW(options), HOIST_TEST_ROW(calls_are_checked),
                HOIST_TEST_ROW(unsafe_names_are_not_packed), HOIST_TEST_ROW(refused_memory_is_told))
