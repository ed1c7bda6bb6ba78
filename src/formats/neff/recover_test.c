// Constants as arrays: what is known of each, where it is, and what is missing.
#include <string.h>

#include "hoist/neff.h"

#include "base/alloc.h"
#include "base/span.h"
#include "formats/neff/neff_testing.h"

#define DEF "sg00/def.json"
#define OUT "\"output\": {\"type\": \"output\", \"var_id\": 1, \"size\": 64}"
#define DICT(descr, order, shape)                                                                  \
    "{'descr': '" descr "', 'fortran_order': " order ", 'shape': " shape ", }\n"
#define FILE_KEYS "\"type\": \"file\", \"file_name\": \"w.npy\""
#define RAW_KEYS "\"type\": \"file\", \"file_name\": \"w.bin\""

// One line for each array and for each missing one.
typedef struct seen {
    hoist_buffer text;
    hoist_str said; // the text; the test's
    size_t arrays;
    size_t names;
    size_t missing;
    hoist_status answer; // to the first array
} seen;

static hoist_status see_array(void *self, const hoist_recovered *array)
{
    seen *const s = self;
    s->arrays++;
    s->names += array->name_count;
    for (size_t i = 0; i < array->name_count && i < 4; i++) {
        hoist_buffer_c(&s->text, i ? "," : "");
        hoist_buffer_str(&s->text, array->names[i]);
    }
    hoist_buffer_format(&s->text, ": %s*%u", hoist_dtype_get(array->dtype)->name,
                        array->element_size);
    for (uint32_t i = 0; i < array->rank; i++) {
        hoist_buffer_format(&s->text, "%c%lld", i ? 'x' : ' ', (long long)array->shape[i]);
    }
    hoist_buffer_format(
        &s->text, "%s%s at %.*s+%llu, %zu, %s, %s\n", array->is_big_endian ? " big" : "",
        array->is_fortran ? " fortran" : "", (int)array->member.size, array->member.data,
        (unsigned long long)array->offset, array->bytes.size,
        array->dtype_from ? array->dtype_from : "-", array->shape_from ? array->shape_from : "-");
    return s->answer;
}

static hoist_status see_missing(void *self, const hoist_unrecovered *missing)
{
    seen *const s = self;
    s->missing++;
    hoist_buffer_c(&s->text, "no ");
    hoist_buffer_str(&s->text, missing->name);
    hoist_buffer_format(&s->text, " at %.*s:%u: ", (int)missing->member.size, missing->member.data,
                        missing->loc.pos.line);
    hoist_buffer_str(&s->text, missing->reason);
    hoist_buffer_c(&s->text, "\n");
    return HOIST_OK;
}

// What comes of the module.
static hoist_status recover_from(hoist_test *t, const neff_module *module, seen *s)
{
    hoist_buffer_init(&s->text, hoist_allocator_system());
    const hoist_recovery_sink sink = {s, see_array, see_missing};
    const hoist_status status = neff_recover(&module->base, &sink);
    s->said = hoist_arena_str(&t->arena, hoist_buffer_text(&s->text));
    hoist_buffer_deinit(&s->text);
    return status;
}

// `expected` with `number` for each '%'.
static const char *with_number(hoist_test *t, const char *expected, size_t number)
{
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    for (const char *c = expected; *c; c++) {
        if (*c == '%') {
            hoist_buffer_format(&text, "%zu", number);
        } else {
            hoist_buffer_char(&text, *c);
        }
    }
    const char *const kept = hoist_arena_str(&t->arena, hoist_buffer_text(&text)).data;
    hoist_buffer_deinit(&text);
    return kept;
}

static void expect_recovered(hoist_test *t, const neff_texts *neff, const char *expected)
{
    seen s = {.answer = HOIST_OK};
    neff_module *const module = neff_test_read(t, neff);
    HOIST_EXPECT_EQ(t, recover_from(t, module, &s), HOIST_OK);
    HOIST_EXPECT_STR(t, s.said, expected);
    neff_test_destroy(module);
}

// A member of magic, version, header and `data` bytes.
static hoist_str array_of(hoist_test *t, const char *dict, size_t data)
{
    const hoist_str magic = HOIST_STR("\x93NUMPY\x01");
    const hoist_str text = hoist_str_from(dict);
    char *const file = hoist_arena_alloc(&t->arena, 10 + text.size + data);
    memcpy(file, magic.data, magic.size);
    file[8] = (char)text.size;
    memcpy(file + 10, text.data, text.size);
    return (hoist_str){file, 10 + text.size + data};
}

// The base with these variables after its own, w.npy and w.bin.
static void make_neff(hoist_test *t, neff_texts *neff, const char *vars, const char *dict,
                      size_t data)
{
    neff_test_base(t, NEFF_TEST_COPY, "sunda", neff);
    neff_test_edit(t, neff, DEF, OUT, hoist_arena_format(&t->arena, OUT ", %s", vars).data);
    if (dict) {
        neff_test_put(t, neff, "sg00/w.npy", array_of(t, dict, data));
    } else {
        char *const raw = hoist_arena_alloc(&t->arena, data);
        neff_test_put(t, neff, "sg00/w.bin", (hoist_str){raw, data});
    }
}

// Types and shapes -------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    const char *vars;
    const char *dict; // of w.npy; NULL: w.bin
    size_t data;
    const char *expected;
} known[] = {
    {"by the header", "\"x\": {" FILE_KEYS "}", DICT("<f4", "False", "(2, 3)"), 24,
     "x: f32*4 2x3 at sg00/w.npy+%, 24, npy header, npy header\n"},
    {"a scalar", "\"x\": {" FILE_KEYS "}", DICT("<i8", "False", "()"), 8,
     "x: i64*8 at sg00/w.npy+%, 8, npy header, npy header\n"},
    {"nothing", "\"x\": {" FILE_KEYS "}", DICT("|b1", "False", "(0, 9)"), 0,
     "x: bool*1 0x9 at sg00/w.npy+%, 0, npy header, npy header\n"},
    {"bytes behind the array", "\"x\": {" FILE_KEYS "}", DICT("<f4", "False", "(2, 3)"), 30,
     "x: f32*4 2x3 at sg00/w.npy+%, 24, npy header, npy header\n"},
    {"big-endian and Fortran order", "\"x\": {" FILE_KEYS "}", DICT(">i2", "True", "(2, 2)"), 8,
     "x: i16*2 2x2 big fortran at sg00/w.npy+%, 8, npy header, npy header\n"},
    {"two variables", "\"x\": {" FILE_KEYS "}, \"y\": {" FILE_KEYS "}", DICT("|u1", "False", "(1,)"), 1,
     "x,y: u8*1 1 at sg00/w.npy+%, 1, npy header, npy header\n"},
    {"bits", "\"x\": {" FILE_KEYS "}", DICT("|V2", "False", "(5,)"), 10,
     "x: none*2 5 at sg00/w.npy+%, 10, -, npy header\n"},
    {"bits that are said to be bfloat16", "\"x\": {" FILE_KEYS ", \"dtype\": \"bfloat16\"}", DICT("|V2", "False", "(5,)"), 10,
     "x: bf16*2 5 at sg00/w.npy+%, 10, def.json, npy header\n"},
    {"bits that the second variable explains", "\"x\": {" FILE_KEYS "}, \"y\": {" FILE_KEYS ", \"dtype\": \"bfloat16\"}", DICT("|V2", "False", "(5,)"), 10,
     "x,y: bf16*2 5 at sg00/w.npy+%, 10, def.json, npy header\n"},
    {"unsigned integers that are bfloat16", "\"x\": {" FILE_KEYS ", \"dtype\": \"bfloat16\"}", DICT("<u2", "False", "(5,)"), 10,
     "x: bf16*2 5 at sg00/w.npy+%, 10, def.json, npy header\n"},
    {"unsigned integers are no signed ones", "\"x\": {" FILE_KEYS ", \"dtype\": \"int16\"}", DICT("<u2", "False", "(5,)"), 10,
     "x: u16*2 5 at sg00/w.npy+%, 10, npy header, npy header\n"},
    {"bits are no larger type", "\"x\": {" FILE_KEYS ", \"dtype\": \"float32\"}", DICT("|V2", "False", "(4,)"), 8,
     "x: none*2 4 at sg00/w.npy+%, 8, -, npy header\n"},
    {"floats stay floats", "\"x\": {" FILE_KEYS ", \"dtype\": \"uint32\"}", DICT("<f4", "False", "(1,)"), 4,
     "x: f32*4 1 at sg00/w.npy+%, 4, npy header, npy header\n"},
    {"raw", "\"x\": {" RAW_KEYS "}", NULL, 7, "x: none*1 7 at sg00/w.bin+0, 7, -, -\n"},
    {"raw and empty", "\"x\": {" RAW_KEYS ", \"shape\": [0]}", NULL, 0, "x: none*1 0 at sg00/w.bin+0, 0, -, -\n"},
    {"raw with a type", "\"x\": {" RAW_KEYS ", \"dtype\": \"float32\"}", NULL, 8,
     "x: f32*4 2 at sg00/w.bin+0, 8, def.json, -\n"},
    {"raw with type and shape", "\"x\": {" RAW_KEYS ", \"dtype\": \"bfloat16\", \"shape\": [2, 1, 3]}", NULL, 12,
     "x: bf16*2 2x1x3 at sg00/w.bin+0, 12, def.json, def.json\n"},
    {"raw with a shape", "\"x\": {" RAW_KEYS ", \"shape\": [2, 3]}", NULL, 24,
     "x: none*4 2x3 at sg00/w.bin+0, 24, -, def.json\n"},
    {"raw with an element's size", "\"x\": {" RAW_KEYS ", \"element_size\": 4, \"internal_shape\": [1, 2]}", NULL, 8,
     "x: none*4 1x2 at sg00/w.bin+0, 8, -, def.json\n"},
    {"a size that contradicts the shape", "\"x\": {" RAW_KEYS ", \"element_size\": 2, \"internal_shape\": [1, 2]}", NULL, 8,
     "x: none*1 8 at sg00/w.bin+0, 8, -, -\n"},
    {"the second of two shapes", "\"x\": {" RAW_KEYS ", \"dtype\": \"int8\", \"shape\": [3], \"internal_shape\": [2, 4]}", NULL, 8,
     "x: i8*1 2x4 at sg00/w.bin+0, 8, def.json, def.json\n"},
    {"an unknown type", "\"x\": {" RAW_KEYS ", \"dtype\": \"float7\"}", NULL, 8, "x: none*1 8 at sg00/w.bin+0, 8, -, -\n"},
    {"a type that does not divide the bytes", "\"x\": {" RAW_KEYS ", \"dtype\": \"float32\"}", NULL, 7,
     "x: none*1 7 at sg00/w.bin+0, 7, -, -\n"},
    {"a negative extent", "\"x\": {" RAW_KEYS ", \"shape\": [-2, -4]}", NULL, 8, "x: none*1 8 at sg00/w.bin+0, 8, -, -\n"},
    {"extents beyond 64 bits", "\"x\": {" RAW_KEYS ", \"shape\": [4294967296, 4294967296, 8]}", NULL, 8,
     "x: none*1 8 at sg00/w.bin+0, 8, -, -\n"},
    {"33 extents", "\"x\": {" RAW_KEYS ", \"shape\": [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,8]}", NULL, 8,
     "x: none*1 8 at sg00/w.bin+0, 8, -, -\n"},
    {"elements of 3 bytes", "\"x\": {" RAW_KEYS ", \"shape\": [3], \"element_size\": 3}", NULL, 9,
     "x: none*1 9 at sg00/w.bin+0, 9, -, -\n"},
    {"a stray array", "\"x\": {\"type\": \"tmp-buf\"}", DICT("<f4", "False", "(1,)"), 4,
     "sg00/w: f32*4 1 at sg00/w.npy+%, 4, npy header, npy header\n"},
    {"a stray blob", "\"x\": {\"type\": \"tmp-buf\"}", NULL, 4, ""},
};
// clang-format on

HOIST_TEST_TABLE(what_is_known, known)
{
    neff_texts neff;
    make_neff(t, &neff, row->vars, row->dict, row->data);
    const size_t offset = row->dict ? 10 + strlen(row->dict) : 0;
    expect_recovered(t, &neff, with_number(t, row->expected, offset));
}

HOIST_TEST(names_may_have_a_nul)
{
    neff_texts neff;
    make_neff(t, &neff, "\"a\\u0000b\": {" RAW_KEYS "}", NULL, 1);
    seen s = {.answer = HOIST_OK};
    neff_module *const module = neff_test_read(t, &neff);
    HOIST_EXPECT_EQ(t, recover_from(t, module, &s), HOIST_OK);
    HOIST_EXPECT(t, s.said.size > 4 && memcmp(s.said.data, "a\0b:", 4) == 0);
    neff_test_destroy(module);
}

// What is missing --------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    const char *vars;
    const char *dict; // of w.npy; NULL: w.bin
    size_t data;
    const char *expected;
} lost[] = {
    {"no member", "\n\"x\": {\"type\": \"file\", \"file_name\": \"v.npy\"}", NULL, 0, "no x at sg00/def.json:%: 'v.npy' is not in the archive\n"},
    {"no name", "\n\"x\": {\"type\": \"file\"}", NULL, 0, "no x at sg00/def.json:%: no 'file_name' states where its values are\n"},
    {"a number as name", "\n\"x\": {\"type\": \"file\", \"file_name\": 7}", NULL, 0, "no x at sg00/def.json:%: no 'file_name' states where its values are\n"},
    {"cut off", "\n\"x\": {" FILE_KEYS "}", DICT("<f4", "False", "(2,)"), 7, "no x at sg00/def.json:%: 'w.npy': cut off: 7 bytes of the array's 8\n"},
    {"no .npy", "\n\"x\": {" FILE_KEYS "}", "nothing\n", 0, "no x at sg00/def.json:%: 'w.npy': the header is no dict literal: expected '{' here (NPY-005, byte 10)\n"},
    {"complex numbers", "\n\"x\": {" FILE_KEYS "}", DICT("<c8", "False", "(1,)"), 8, "no x at sg00/def.json:%: 'w.npy': descr '<c8' means complex numbers, expected plain numbers\n"},
    {"three-byte bits", "\n\"x\": {" FILE_KEYS "}", DICT("|V3", "False", "(1,)"), 3, "no x at sg00/def.json:%: 'w.npy': descr '|V3' means bit patterns of this size, expected plain numbers\n"},
    {"no type at all", "\n\"x\": {" FILE_KEYS "}", DICT("<q4", "False", "(1,)"), 4, "no x at sg00/def.json:%: 'w.npy': descr '<q4' means no type, expected plain numbers\n"},
    {"objects", "\n\"x\": {" FILE_KEYS "}", DICT("|O", "False", "(1,)"), 8, "no x at sg00/def.json:%: 'w.npy': descr '|O' has no size of an element\n"},
    {"too large", "\n\"x\": {" FILE_KEYS "}", DICT("<f4", "False", "(4294967296, 4294967296)"), 8, "no x at sg00/def.json:%: 'w.npy': the size of the array does not fit 63 bits\n"},
    {"each variable of a bad member", "\n\"x\": {" FILE_KEYS "}, \"y\": {" FILE_KEYS "}", DICT("<f4", "False", "(1,)"), 0,
     "no x at sg00/def.json:%: 'w.npy': cut off: 0 bytes of the array's 4\nno y at sg00/def.json:%: 'w.npy': cut off: 0 bytes of the array's 4\n"},
    {"a stray that is none", "\n\"x\": {\"type\": \"tmp-buf\"}", DICT("<f4", "False", "(1,)"), 1, "no sg00/w at sg00/w.npy:0: cut off: 1 byte of the array's 4\n"},
};
// clang-format on

HOIST_TEST_TABLE(what_is_missing, lost)
{
    neff_texts neff;
    make_neff(t, &neff, row->vars, row->dict, row->data);
    const hoist_pos place = neff_test_place(t, &neff, DEF, "^\"x\": {");
    expect_recovered(t, &neff, with_number(t, row->expected, place.line));
}

// clang-format off
static const struct {
    const char *name;
    const char *attrs;
    bool missing;
} parameters[] = {
    {"a text of one",  "{\"is_param\": \"1\"}", true},
    {"one",            "{\"is_param\": 1}",     true},
    {"true",           "{\"is_param\": true}",  true},
    {"a text of zero", "{\"is_param\": \"0\"}", false},
    {"zero",           "{\"is_param\": 0}",     false},
    {"false",          "{\"is_param\": false}", false},
    {"a list",         "{\"is_param\": [1]}",   false},
    {"nothing",        "{}",                    false},
    {"no attributes",  "7",                     false},
};
// clang-format on

HOIST_TEST_TABLE(parameters_are_missing, parameters)
{
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_COPY, "sunda", &neff);
    const hoist_str node = hoist_arena_format(
        &t->arena, "{\"nodes\": [{\"op\": \"null\", \"name\": \"w\", \"attrs\": %s}]}", row->attrs);
    neff_test_put(t, &neff, "neff.json", node);
    expect_recovered(t, &neff,
                     row->missing ? "no w at neff.json:1: a parameter that is an input: the "
                                    "framework has its values\n"
                                  : "");
}

// A definition that cannot be read leaves the arrays that explain themselves.
HOIST_TEST(a_broken_definition_leaves_arrays)
{
    neff_texts neff;
    static const char dict[] = DICT("<f4", "False", "(1,)");
    make_neff(t, &neff, "\"x\": {" FILE_KEYS "}", dict, 4);
    neff_test_put(t, &neff, DEF, HOIST_STR("{\"var\": {"));
    expect_recovered(t, &neff, "sg00/w: f32*4 1 at sg00/w.npy+68, 4, npy header, npy header\n");
}

// With public means ------------------------------------------------------------------------------

// A file of two subgraphs, with constants that have awkward names.
static hoist_neff *build_file(hoist_test *t)
{
    static const uint8_t raw[] = {1, 2, 3, 4};
    static const int64_t extents[] = {2, 1};
    const hoist_neff_variable vars[] = {
        {.struct_size = sizeof(vars[0]),
         .name = "../up",
         .type = "file",
         .size = 4,
         .file_name = "raw.bin",
         .dtype = "bfloat16",
         .shape = {extents, 2}},
        {.struct_size = sizeof(vars[0]),
         .name = "",
         .type = "file",
         .size = 4,
         .file_name = "raw.bin"},
    };
    hoist_neff *neff = NULL;
    HOIST_EXPECT_EQ(t, hoist_neff_create(NULL, &neff), HOIST_OK);
    for (size_t i = 0; i < 2; i++) {
        HOIST_EXPECT_EQ(t, hoist_neff_add_subgraph(neff, NULL), HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_neff_add_variable(neff, i, &vars[i]), HOIST_OK);
    }
    HOIST_EXPECT_EQ(t, hoist_neff_add_member(neff, "sg00/raw.bin", (hoist_bytes){raw, 4}),
                    HOIST_OK);
    return neff;
}

static hoist_module *read_file(hoist_test *t, hoist_neff *neff)
{
    hoist_module *module = NULL;
    hoist_bytes bytes;
    const hoist_read_options options = {.alloc = hoist_allocator_system(), .keep = true};
    HOIST_EXPECT_EQ(t, hoist_neff_finish(neff, t->diag, &bytes), HOIST_OK);
    HOIST_EXPECT_EQ(t, neff_read(bytes, &options, t->diag, &module), HOIST_OK);
    return module;
}

HOIST_TEST(names_have_their_subgraph)
{
    hoist_neff *const neff = build_file(t);
    hoist_module *const module = read_file(t, neff);
    seen s = {.answer = HOIST_OK};
    HOIST_EXPECT_EQ(t, recover_from(t, neff_of(module), &s), HOIST_OK);
    HOIST_EXPECT(t, hoist_str_starts_with(s.said,
                                          "sg00/../up: bf16*2 2x1 at sg00/raw.bin+0, 4, def.json, "
                                          "def.json\nno sg01/ at sg01/def.json:"));
    HOIST_EXPECT_EQ(t, s.missing, 1);
    neff_destroy(module);
    hoist_neff_destroy(neff);
}

HOIST_TEST(a_sink_may_stop)
{
    hoist_neff *const neff = build_file(t);
    hoist_module *const module = read_file(t, neff);
    seen s = {.answer = HOIST_CANCELLED};
    HOIST_EXPECT_EQ(t, recover_from(t, neff_of(module), &s), HOIST_CANCELLED);
    HOIST_EXPECT_EQ(t, s.arrays, 1);
    HOIST_EXPECT_EQ(t, s.missing, 0);
    neff_destroy(module);
    hoist_neff_destroy(neff);
}

// Bytes that were put in come out.
typedef struct comparison {
    hoist_bytes expected;
    bool equal;
} comparison;

static hoist_status compare(void *self, const hoist_recovered *array)
{
    comparison *const c = self;
    c->equal = array->bytes.size == c->expected.size &&
               memcmp(array->bytes.data, c->expected.data, c->expected.size) == 0;
    return HOIST_OK;
}

HOIST_TEST(recovers_what_was_built)
{
    uint8_t bytes[1000];
    comparison c = {{bytes, sizeof(bytes)}, false};
    const hoist_recovery_sink sink = {&c, compare, see_missing};
    const hoist_neff_variable var = {.struct_size = sizeof(var),
                                     .name = "w",
                                     .type = "file",
                                     .size = sizeof(bytes),
                                     .file_name = "w.bin"};
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (uint8_t)(i * 7 + i / 256);
    }
    hoist_neff *neff = NULL;
    HOIST_EXPECT_EQ(t, hoist_neff_create(NULL, &neff), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_neff_add_subgraph(neff, NULL), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_neff_add_variable(neff, 0, &var), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_neff_add_member(neff, "sg00/w.bin", c.expected), HOIST_OK);
    hoist_module *const module = read_file(t, neff);
    HOIST_EXPECT_EQ(t, neff_recover(module, &sink), HOIST_OK);
    HOIST_EXPECT(t, c.equal);
    neff_destroy(module);
    hoist_neff_destroy(neff);
}

// Limits -----------------------------------------------------------------------------------------

HOIST_TEST(many_names_of_one_array)
{
    enum { COUNT = 20000 };
    hoist_buffer vars;
    hoist_buffer_init(&vars, hoist_allocator_system());
    for (unsigned i = 0; i < COUNT; i++) {
        hoist_buffer_format(&vars, "%s\"v%u\": {" RAW_KEYS "}", i ? ", " : "", i);
    }
    hoist_buffer_char(&vars, '\0');
    neff_texts neff;
    make_neff(t, &neff, (const char *)vars.data, NULL, 3);
    hoist_buffer_deinit(&vars);
    seen s = {.answer = HOIST_OK};
    neff_module *const module = neff_test_read(t, &neff);
    HOIST_EXPECT_EQ(t, recover_from(t, module, &s), HOIST_OK);
    HOIST_EXPECT_EQ(t, s.arrays, 1);
    HOIST_EXPECT_EQ(t, s.names, COUNT);
    HOIST_EXPECT_STR(t, s.said, "v0,v1,v2,v3: none*1 3 at sg00/w.bin+0, 3, -, -\n");
    neff_test_destroy(module);
}

static hoist_status count_array(void *self, const hoist_recovered *array)
{
    *(size_t *)self += array->name_count;
    return HOIST_OK;
}

static hoist_status count_missing(void *self, const hoist_unrecovered *missing)
{
    *(size_t *)self += missing->name.size;
    return HOIST_OK;
}

static hoist_status recover_starved(hoist_allocator alloc, const void *self)
{
    neff_module starved = *(const neff_module *)self;
    size_t count = 0;
    const hoist_recovery_sink sink = {&count, count_array, count_missing};
    starved.base.alloc = alloc;
    return neff_recover(&starved.base, &sink);
}

HOIST_TEST(survives_every_failed_allocation)
{
    neff_texts neff;
    make_neff(t, &neff,
              "\"x\": {" FILE_KEYS "}, \"y\": {\"type\": \"file\", \"file_name\": \"v.npy\"}",
              DICT("<c8", "False", "(1,)"), 8);
    neff_module *const module = neff_test_read(t, &neff);
    hoist_test_starve(t, recover_starved, module);
    neff_test_destroy(module);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(what_is_known), HOIST_TEST_ROW(names_may_have_a_nul),
                HOIST_TEST_ROW(what_is_missing), HOIST_TEST_ROW(parameters_are_missing),
                HOIST_TEST_ROW(a_broken_definition_leaves_arrays),
                HOIST_TEST_ROW(names_have_their_subgraph), HOIST_TEST_ROW(a_sink_may_stop),
                HOIST_TEST_ROW(recovers_what_was_built), HOIST_TEST_ROW(many_names_of_one_array),
                HOIST_TEST_ROW(survives_every_failed_allocation))
