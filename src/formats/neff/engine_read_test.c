// Engine files into rows: what each key becomes, what is reported where, and that only the values
// count, not how the text is laid out.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "formats/neff/neff_testing.h"

// Rows as text -----------------------------------------------------------------------------------

static void show_numbers(hoist_buffer *out, const neff_engine *engine, uint32_t at, unsigned count)
{
    hoist_buffer_char(out, '[');
    for (unsigned i = 0; i < count && i < 10; i++) {
        hoist_buffer_format(out, i ? " %" PRId64 : "%" PRId64, engine->numbers[at + i]);
    }
    hoist_buffer_format(out, count > 10 ? " ...%u]" : "]", count);
}

static void show_ints(hoist_buffer *out, const char *key, neff_ints ints)
{
    for (uint32_t i = 0; i < ints.count; i++) {
        hoist_buffer_format(out, " %s=%" PRId64, key, ints.items[i]);
    }
}

// A pattern, with a letter for each key that is there: vozsdS.
static void show_pattern(hoist_buffer *out, const neff_engine *engine, const neff_pattern *p)
{
    hoist_buffer_format(out, "%d+%" PRId64, (int)p->var, p->offset);
    show_numbers(out, engine, p->sizes, p->size_count);
    show_numbers(out, engine, p->steps, p->step_count);
    hoist_buffer_format(out, "%d", p->dtype);
    for (unsigned i = 0; i < 6; i++) {
        if (p->present >> i & 1) {
            hoist_buffer_char(out, "vozsdS"[i]);
        }
    }
}

static void show_extra(hoist_buffer *out, const neff_desc_extra *x)
{
    hoist_buffer_format(out, " {%" PRIx64 " %.*s %g %.*s %g", x->present,
                        HOIST_STR_ARGS(x->scale_dtype), x->scale, HOIST_STR_ARGS(x->constant_dtype),
                        x->constant);
    show_ints(out, "shape", x->transpose_shape);
    hoist_buffer_format(out, " %" PRId64 " %" PRId64 " %.*s}", x->transpose_element_size,
                        x->num_tiling_dimensions, HOIST_STR_ARGS(x->transpose_op));
}

static void show_desc(hoist_buffer *out, const neff_engine *engine, const neff_desc *d)
{
    hoist_buffer_format(out, "  op %d%s%s", d->op, d->has_from ? " from" : "",
                        d->has_from_arr ? " from_arr" : "");
    for (unsigned i = 0; i < d->source_count; i++) {
        const neff_source *source = &engine->sources[d->sources + i];
        hoist_buffer_c(out, " ");
        show_pattern(out, engine, &source->from);
        hoist_buffer_format(out, "*%g", source->scale);
    }
    hoist_buffer_c(out, " to ");
    show_pattern(out, engine, &d->to);
    if (d->extra != NEFF_NONE) {
        show_extra(out, &engine->extras[d->extra]);
    }
    hoist_buffer_char(out, '\n');
}

static void show_block(hoist_buffer *out, const neff_engine *engine, const neff_block *b)
{
    hoist_buffer_format(out, "%" PRId64 " q%d i%d f%d", b->id, (int)b->queue, (int)b->instance,
                        (int)b->function);
    hoist_buffer_format(out, " e%" PRId64 " s%" PRId64, b->event, b->semaphore);
    show_ints(out, "remote", b->remote_semaphores);
    hoist_buffer_c(out, b->section_start ? " start" : "");
    hoist_buffer_c(out, b->desc_is_object ? " object" : "");
    hoist_buffer_format(out, " %x\n", b->present);
    for (uint32_t i = 0; i < b->desc_count; i++) {
        show_desc(out, engine, &engine->descs[b->descs + i]);
    }
}

// All rows of an engine, in the test's arena.
static hoist_str show_engine(hoist_test *t, const neff_engine *engine)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    for (size_t i = 0; i < engine->block_count; i++) {
        show_block(&out, engine, &engine->blocks[i]);
    }
    for (size_t i = 0; i < engine->function_count; i++) {
        hoist_buffer_format(&out, "f%zu %.*s\n", i, HOIST_STR_ARGS(engine->functions[i]));
    }
    const hoist_str shown = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    return shown;
}

// Reading ----------------------------------------------------------------------------------------

static const char *const member = "sg00/sp.json";

// The copy program with queue sets q0, and q1 of the instances i0 and i1, and `engine` as sp.json.
static neff_module *read_text(hoist_test *t, neff_texts *neff, hoist_str engine)
{
    neff_test_base(t, NEFF_TEST_COPY, NULL, neff);
    neff_test_edit(t, neff, "sg00/def.json", "\"semaphore\": 1}",
                   "\"semaphore\": 1},\n\"q1\": {\"type\": \"data\", \"owner\": \"sp\",\n"
                   "\"queue_instances\": [\"i0\", \"i1\"]}");
    neff_test_put(t, neff, member, engine);
    return neff_test_read(t, neff);
}

static const neff_engine *sp_of(const neff_module *module)
{
    return &module->subgraphs[0].engines[NEFF_SP];
}

#define SIDE(side, var)                                                                            \
    "\"" side "\": \"" var "\", \"" side "_off\": 0, \"" side "_sizes\": [4, 2], \"" side          \
    "_steps\": [1, -8]"
#define DESC "{" SIDE("from", "input") ", " SIDE("to", "output") "}"
#define BLOCK(keys) "{" keys ", \"desc\": []}"
#define DMA(blocks) "{\"dma\": [" blocks "]}"

// clang-format off
static const struct {
    const char *name;
    const char *text;
    const char *rows;
} reads[] = {
    {"nothing", "{}", ""},
    {"no blocks", DMA(""), ""},
    {"a block", DMA("{\"id\": 3, \"queue\": \"q0\", \"desc\": [" DESC "]}"),
     "3 q0 i-1 f-1 e-1 s-1 103\n"
     "  op 0 from 0+0[4 2][1 -8]2vozs*1 to 1+0[4 2][1 -8]2vozs\n"},
    {"desc is an object", DMA("{\"id\": 3, \"queue\": \"q0\", \"desc\": {\"op\": \"cast\", \"to\": \"input\"}}"),
     "3 q0 i-1 f-1 e-1 s-1 object 103\n  op 1 to 0+0[][]2v\n"},
    {"event, semaphores, section", DMA(BLOCK("\"id\": -4, \"queue\": \"q1\", \"event\": 7, \"semaphore\": 300,"
     " \"remote_semaphores\": [5, 6], \"section_start_desc\": true")),
     "-4 q1 i-1 f-1 e7 s300 remote=5 remote=6 start 1f3\n"},
    {"an instance", DMA(BLOCK("\"id\": 0, \"instance_name\": \"i1\"")), "0 q1 i1 f-1 e-1 s-1 105\n"},
    {"an instance before a queue", DMA(BLOCK("\"id\": 0, \"instance_name\": \"i1\", \"queue\": \"q0\"")),
     "0 q1 i1 f-1 e-1 s-1 107\n"},
    {"an unknown instance", DMA(BLOCK("\"id\": 0, \"instance_name\": \"i2\", \"queue\": \"q0\"")),
     "0 q-1 i-1 f-1 e-1 s-1 107\n"},
    {"an unknown queue", DMA(BLOCK("\"id\": 0, \"queue\": \"q9\"")), "0 q-1 i-1 f-1 e-1 s-1 103\n"},
    {"no queue", DMA(BLOCK("\"id\": 0")), "0 q-1 i-1 f-1 e-1 s-1 101\n"},
    {"functions by queue set", DMA(BLOCK("\"id\": 0, \"queue\": \"q0\"") ","
      BLOCK("\"id\": 1, \"queue\": \"q0\", \"function_start\": \"f\"") ","
      BLOCK("\"id\": 2, \"queue\": \"q1\"") "," BLOCK("\"id\": 3, \"queue\": \"q0\"") ","
      BLOCK("\"id\": 4, \"instance_name\": \"i0\", \"function_start\": \"g\"") ","
      BLOCK("\"id\": 5, \"queue\": \"q1\"") ","
      BLOCK("\"id\": 6, \"queue\": \"q1\", \"function_start\": \"f\"") ","
      BLOCK("\"id\": 7, \"queue\": \"q0\", \"function_start\": \"\"") ","
      BLOCK("\"id\": 8, \"queue\": \"q0\"")),
     "0 q0 i-1 f-1 e-1 s-1 103\n1 q0 i-1 f0 e-1 s-1 10b\n2 q1 i-1 f-1 e-1 s-1 103\n"
     "3 q0 i-1 f0 e-1 s-1 103\n4 q1 i0 f1 e-1 s-1 10d\n5 q1 i-1 f1 e-1 s-1 103\n"
     "6 q1 i-1 f0 e-1 s-1 10b\n7 q0 i-1 f-1 e-1 s-1 10b\n8 q0 i-1 f-1 e-1 s-1 103\n"
     "f0 f\nf1 g\n"},
    {"a function of no queue", DMA(BLOCK("\"id\": 0, \"function_start\": \"f\"") "," BLOCK("\"id\": 1")),
     "0 q-1 i-1 f0 e-1 s-1 109\n1 q-1 i-1 f-1 e-1 s-1 101\nf0 f\n"},
    {"an unknown variable", DMA("{\"id\": 0, \"desc\": [{\"from\": \"x\", \"to\": \"y\"}]}"),
     "0 q-1 i-1 f-1 e-1 s-1 101\n  op 0 from -1+0[][]2v*1 to -1+0[][]2v\n"},
    {"dtypes", DMA("{\"id\": 0, \"desc\": [{\"op\": \"cast\", \"from_dtype\": \"float32\", \"to_dtype\": \"uint64\"},"
     "{\"from_dtype\": \"x\", \"to_dtype\": \"uint64\"}, {\"op\": \"X\"}]}"),
     "0 q-1 i-1 f-1 e-1 s-1 101\n  op 1 -1+0[][]9d*1 to -1+0[][]0d\n"
     "  op 0 -1+0[][]-1d*1 to -1+0[][]0d\n  op -1 to -1+0[][]2\n"},
    {"long lists", DMA("{\"id\": 0, \"desc\": [{\"to_sizes\": [1,2,3,4,5,6,7,8,9,10,11]}]}"),
     "0 q-1 i-1 f-1 e-1 s-1 101\n  op 0 to -1+0[1 2 3 4 5 6 7 8 9 10 ...11][]2z\n"},
    {"an empty list", DMA("{\"id\": 0, \"desc\": [{\"to_steps\": []}]}"),
     "0 q-1 i-1 f-1 e-1 s-1 101\n  op 0 to -1+0[][]2s\n"},
    {"integers of 64 bits", DMA("{\"id\": -9223372036854775808, \"desc\": [{\"to_off\": 9223372036854775807}]}"),
     "-9223372036854775808 q-1 i-1 f-1 e-1 s-1 101\n  op 0 to -1+9223372036854775807[][]2o\n"},
    {"from_arr", DMA("{\"id\": 0, \"desc\": [{\"op\": \"fma\", \"scale_dtype\": \"float32\", \"from_arr\": ["
     "{\"from\": \"input\", \"from_off\": 1, \"scale\": 0.5}, {\"from_sizes\": [3], \"to\": \"input\"}, {}]}]}"),
     "0 q-1 i-1 f-1 e-1 s-1 101\n  op 2 from_arr 0+1[][]2voS*0.5 -1+0[3][]2z*1 -1+0[][]2*1"
     " to -1+0[][]2 {1 float32 1  0 0 0 }\n"},
    {"from beside from_arr", DMA("{\"id\": 0, \"desc\": [{\"from\": \"input\", \"from_arr\": [{}], \"from_off\": 3}]}"),
     "0 q-1 i-1 f-1 e-1 s-1 101\n  op 0 from from_arr -1+0[][]2*1 to -1+0[][]2\n"},
    {"an empty from_arr", DMA("{\"id\": 0, \"desc\": [{\"from_arr\": []}]}"),
     "0 q-1 i-1 f-1 e-1 s-1 101\n  op 0 from_arr to -1+0[][]2\n"},
    {"rare keys", DMA("{\"id\": 0, \"desc\": [{\"op\": \"min\", \"scale\": 2, \"constant\": -1.5, \"constant_dtype\": \"int32\","
     " \"num_tiling_dimensions\": 2}, {\"op\": \"transpose\", \"transpose_shape\": [1, 2, 3, 4],"
     " \"transpose_element_size\": 2, \"transpose_op\": \"WZXY\"}]}"),
     "0 q-1 i-1 f-1 e-1 s-1 101\n  op 4 to -1+0[][]2 {4e  2 int32 -1.5 0 2 }\n"
     "  op 6 to -1+0[][]2 {b0  1  0 shape=1 shape=2 shape=3 shape=4 2 0 WZXY}\n"},
    {"numbers that are not finite", DMA("{\"id\": 0, \"desc\": [{\"constant\": Infinity, \"scale\": -Infinity}]}"),
     "0 q-1 i-1 f-1 e-1 s-1 101\n  op 0 to -1+0[][]2 {a  -inf  inf 0 0 }\n"},
    {"unknown keys", DMA("{\"#comment\": [1], \"id\": 0, \"x\": {\"id\": 1}, \"priority_class\": 1, \"desc\":"
     " [{\"#c\": 1, \"y\": [2], \"from_arr\": [{\"#d\": 0, \"z\": {}}]}]}"),
     "0 q-1 i-1 f-1 e-1 s-1 301\n  op 0 from_arr -1+0[][]2*1 to -1+0[][]2\n"},
    {"escaped keys and names", DMA("{\"\\u0069d\": 5, \"queu\\u0065\": \"\\u00710\", \"desc\": [{\"\\u0074o\": \"o\\u0075tput\","
     " \"\\u006fp\": \"\\u0063ast\", \"scal\\u0065\": 3}]}"),
     "5 q0 i-1 f-1 e-1 s-1 103\n  op 1 to 1+0[][]2v {2  3  0 0 0 }\n"},
    {"dma behind other keys", "{\"name\": \"x\", \"y\": [[]], \"dma\": [" BLOCK("\"id\": 0") "], \"z\": 1}",
     "0 q-1 i-1 f-1 e-1 s-1 101\n"},
};
// clang-format on

HOIST_TEST_TABLE(keys_become_rows, reads)
{
    neff_texts neff;
    neff_module *module = read_text(t, &neff, hoist_str_from(row->text));
    HOIST_EXPECT_STR(t, show_engine(t, sp_of(module)), row->rows);
    HOIST_EXPECT_RULE(t, NULL);
    neff_test_destroy(module);
}

// clang-format off
// Of equal keys the last wins, which NEFF-021b reports.
static const struct {
    const char *name;
    const char *text;
    const char *rows;
} twice[] = {
    {"dma", "{\"dma\": [" BLOCK("\"id\": 0, \"queue\": \"q0\", \"function_start\": \"f\"") "," BLOCK("\"id\": 1") "], \"dma\": ["
     BLOCK("\"id\": 2, \"queue\": \"q0\"") "]}", "2 q0 i-1 f-1 e-1 s-1 103\n"},
    {"dma, then empty", "{\"dma\": [" BLOCK("\"id\": 0") "], \"dma\": []}", ""},
    {"desc", DMA("{\"id\": 0, \"desc\": [" DESC ", {\"op\": \"min\", \"scale\": 1}], \"desc\": [{\"op\": \"max\"}]}"),
     "0 q-1 i-1 f-1 e-1 s-1 101\n  op 5 to -1+0[][]2\n"},
    {"from_arr", DMA("{\"id\": 0, \"desc\": [{\"from_arr\": [{}, {}], \"from_arr\": [{\"from_off\": 1}]}]}"),
     "0 q-1 i-1 f-1 e-1 s-1 101\n  op 0 from_arr -1+1[][]2o*1 to -1+0[][]2\n"},
    {"values", DMA("{\"id\": 0, \"id\": 1, \"queue\": \"q9\", \"queue\": \"q0\", \"desc\": [{\"to\": \"input\", \"to\": \"output\","
     " \"to_sizes\": [1], \"to_sizes\": [2, 3], \"scale\": 1, \"scale\": 2}]}"),
     "1 q0 i-1 f-1 e-1 s-1 103\n  op 0 to 1+0[2 3][]2vz {2  2  0 0 0 }\n"},
};
// clang-format on

HOIST_TEST_TABLE(of_equal_keys_the_last_wins, twice)
{
    neff_texts neff;
    neff_module *module = read_text(t, &neff, hoist_str_from(row->text));
    HOIST_EXPECT_STR(t, show_engine(t, sp_of(module)), row->rows);
    HOIST_EXPECT(t, neff_test_count(t->diag, "NEFF-021b") > 0);
    HOIST_EXPECT_EQ(t, neff_test_count(t->diag, "NEFF-021b"), hoist_diag_kept(t->diag));
    neff_test_destroy(module);
}

// Findings ---------------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    const char *text;
    const char *rule;
    const char *at; // as of neff_test_place
    const char *object;
    const char *says;
} bad[] = {
    {"no JSON", "{\"dma\": [" BLOCK("\"id\": 0") ", }", "NEFF-021a", ", ^}", "",
     "no JSON: found '}', expected a value (JSON-009)"},
    {"cut", "{\"dma\": [\n  {\"id\"", "NEFF-021a", "  {\"id\"^", "", "the text ends inside an object"},
    {"empty", "", "NEFF-021a", "^", "", "the text holds no value"},
    {"a key twice", "{\"dma\": [{\"id\": 0, \"desc\": [],\n \"id\": 1}]}", "NEFF-021b", " ^\"id\": 1", "",
     "key \"id\" occurs twice in its object; the last one counts"},
    {"a list", "[1]", "NEFF-045", "^[1]", "", "'dma' is a list, expected an object with it"},
    {"dma is an object", "{\"dma\": {}}", "NEFF-045", "^{}", "", "'dma' is an object, expected a list of objects"},
    {"dma is null", "{\"dma\": null}", "NEFF-045", "^null", "", "'dma' is null"},
    {"a block is a number", DMA(BLOCK("\"id\": 0") ",\n 5"), "NEFF-045", " ^5", "dma/1", "'dma' is 5, expected objects"},
    {"no id", DMA("\n {\"desc\": []}"), "NEFF-045", " ^{\"desc\"", "dma/0", "a descriptor block without 'id'"},
    {"no desc", DMA("\n {\"id\": 0}"), "NEFF-045", " ^{\"id\"", "dma/0", "a descriptor block without 'desc'"},
    {"desc is a string", DMA("{\"id\": 0, \"desc\": \"x\"}"), "NEFF-045", "^\"x\"", "dma/0", "'desc' is \"x\", expected a list of objects"},
    {"a descriptor is a list", DMA("{\"id\": 0, \"desc\": [{}, []]}"), "NEFF-045", ", ^[]", "dma/0/desc/1", "'desc' is a list, expected objects"},
    {"from_arr is a string", DMA("{\"id\": 0, \"desc\": [{\"from_arr\": \"x\"}]}"), "NEFF-050a", "^\"x\"", "dma/0/desc/0",
     "'from_arr' is \"x\", expected a list of objects"},
    {"a source is null", DMA("{\"id\": 0, \"desc\": [{\"from_arr\": [{}, null]}]}"), "NEFF-050a", "^null", "dma/0/desc/0/from_arr/1",
     "'from_arr' is null, expected objects"},
    {"in a source", DMA("{\"id\": 0, \"desc\": [{\"from_arr\": [{}, {\"from_off\": \"1\"}]}]}"), "NEFF-052a", "^\"1\"",
     "dma/0/desc/0/from_arr/1/from_off", "'from_off' is \"1\", expected an integer of 64 bits"},
    {"the scale of a source", DMA("{\"id\": 0, \"desc\": [{\"from_arr\": [{\"scale\": \"1\"}]}]}"), "NEFF-058a", "^\"1\"",
     "dma/0/desc/0/from_arr/0/scale", "'scale' is \"1\", expected a number"},
    {"a size", DMA("{\"id\": 0, \"desc\": [{\"to_sizes\": [1, 2.5]}]}"), "NEFF-052a", "^2.5", "dma/0/desc/0/to_sizes",
     "'to_sizes[1]' is 2.5, expected an integer of 64 bits"},
    {"a large integer", DMA("{\"id\": 9223372036854775808, \"desc\": []}"), "NEFF-045", "^9223372036854775808", "dma/0/id",
     "'id' is 9223372036854775808, expected an integer of 64 bits"},
    {"instr", "{\"instr\": 5}", "NEFF-066", "^5", "", "'instr' is 5, expected a string"},
    {"activation_function_sets", "{\"activation_function_sets\": [\"a\", {}]}", "NEFF-074a", "^{}", "",
     "'activation_function_sets[1]' is an object, expected a string"},
};
// clang-format on

// Expects the only finding there is at a place with an object path.
static void expect_only(hoist_test *t, const char *rule, const char *object)
{
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 1);
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        const hoist_finding *f = hoist_diag_at(t->diag, i);
        HOIST_EXPECT_STR(t, hoist_str_from(f->rule->id), rule);
        HOIST_EXPECT_STR(t, f->object, object);
    }
}

HOIST_TEST_TABLE(wrong_texts_are_found, bad)
{
    neff_texts neff;
    neff_module *module = read_text(t, &neff, hoist_str_from(row->text));
    neff_test_expect(t, &neff, row->rule, member, row->at, row->says);
    expect_only(t, row->rule, row->object);
    neff_test_destroy(module);
}

HOIST_TEST(text_that_is_no_json_has_no_rows)
{
    neff_texts neff;
    neff_module *module = read_text(
        t, &neff, HOIST_STR("{\"dma\": [" BLOCK("\"id\": 0, \"function_start\": \"f\"") ", x"));
    const neff_engine *engine = sp_of(module);
    HOIST_EXPECT_EQ(t, engine->block_count + engine->desc_count + engine->function_count, 0);
    HOIST_EXPECT_EQ(t, engine->text.json.count, 0);
    HOIST_EXPECT_EQ(t, engine->text.member, neff_member_find(module, hoist_str_from(member)));
    neff_test_destroy(module);
}

// Where the rows of a table are in an engine's file: %s is `"key": value`.
// clang-format off
static const struct {
    const char *name;
    const hoist_rec_table *table;
    const char *text;
    const char *object;
    bool sources; // only rows of from_arr's items
} places[] = {
    {"engine", &neff_engine_table, "{%s}", "", false},
    {"block", &neff_block_table, "{\"dma\": [{\"desc\": [], \"id\": 0}, {%s, \"#\": 0}]}", "dma/1/", false},
    {"desc", &neff_desc_table, "{\"dma\": [{\"id\": 0, \"desc\": [{}, {%s}]}]}", "dma/0/desc/1/", false},
    {"desc alone", &neff_desc_table, "{\"dma\": [{\"id\": 0, \"desc\": {%s}}]}", "dma/0/desc/0/", false},
    {"extra", &neff_extra_table, "{\"dma\": [{\"id\": 0, \"desc\": [{%s}]}]}", "dma/0/desc/0/", false},
    {"source", &neff_desc_table, "{\"dma\": [{\"id\": 0, \"desc\": [{\"from_arr\": [{%s}]}]}]}",
     "dma/0/desc/0/from_arr/0/", true},
};

// One value of each kind, and the kinds of rows that take it.
static const struct {
    const char *text;
    uint32_t kinds;
} values[] = {
    {"null", 0},
    {"true", 1u << HOIST_REC_BOOL},
    {"17", 1u << HOIST_REC_INT | 1u << HOIST_REC_FLOAT},
    {"1.5", 1u << HOIST_REC_FLOAT},
    {"NaN", 1u << HOIST_REC_FLOAT},
    {"\"text\"", 1u << HOIST_REC_STR | 1u << HOIST_REC_SMALL_WORD | 1u << NEFF_KIND_VAR},
    {"[]", 1u << HOIST_REC_INTS | 1u << HOIST_REC_STRS | 1u << NEFF_KIND_SIZES},
    {"[1, 2]", 1u << HOIST_REC_INTS | 1u << NEFF_KIND_SIZES},
    {"[\"a\"]", 1u << HOIST_REC_STRS},
    {"[[]]", 0},
    {"{}", 0},
};
// clang-format on

static hoist_str filled_place(hoist_test *t, const char *text, const char *key, const char *value)
{
    const char *mark = strstr(text, "%s");
    return hoist_arena_format(&t->arena, "%.*s\"%s\": %s%s", (int)(mark - text), text, key, value,
                              mark + 2);
}

// Where the value of the wrong kind is: the first item of a list where a list is expected.
static const char *wrong_place(hoist_test *t, const hoist_rec_field *field, const char *value)
{
    const bool list = field->kind == HOIST_REC_INTS || field->kind == HOIST_REC_STRS ||
                      field->kind == NEFF_KIND_SIZES;
    const bool item = list && value[0] == '[';
    return hoist_arena_format(&t->arena, "\"%s\": %s^%s", field->key, item ? "[" : "",
                              value + (item ? 1 : 0))
        .data;
}

static bool has_object(const hoist_diag *diag, const char *start, const char *end)
{
    bool met = false;
    for (size_t i = 0; i < hoist_diag_kept(diag); i++) {
        const hoist_str object = hoist_diag_at(diag, i)->object;
        met = met || (hoist_str_starts_with(object, start) && hoist_str_ends_with(object, end));
    }
    return met;
}

// Reads one value of a row and expects the finding of its kind, or none but of the block's own.
static void try_value(hoist_test *t, size_t place, const hoist_rec_field *field, size_t value)
{
    const hoist_str text = filled_place(t, places[place].text, field->key, values[value].text);
    const bool right = values[value].kinds >> field->kind & 1;
    neff_texts neff;
    neff_module *module = read_text(t, &neff, text);
    if (right || field->wrong == HOIST_REC_NONE) {
        HOIST_EXPECT_EQ(t, neff_test_count(t->diag, "NEFF-045"), hoist_diag_kept(t->diag));
    } else {
        const char *id = neff_rule_row((neff_rule)field->wrong)->id;
        const char *object = places[place].object;
        neff_test_expect(t, &neff, id, member, wrong_place(t, field, values[value].text),
                         field->key);
        HOIST_EXPECT(t, has_object(t->diag, object, object[0] ? field->key : ""));
    }
    neff_test_destroy(module);
}

HOIST_TEST(every_row_refuses_other_kinds)
{
    for (size_t p = 0; p < HOIST_COUNT_OF(places); p++) {
        for (size_t i = 0; i < places[p].table->count; i++) {
            const hoist_rec_field *field = &places[p].table->fields[i];
            const bool source = hoist_str_starts_with(hoist_str_from(field->key), "from");
            if (field->kind == HOIST_REC_ANY || (places[p].sources && !source)) {
                continue;
            }
            for (size_t v = 0; v < HOIST_COUNT_OF(values); v++) {
                hoist_test_row(t, field->key);
                try_value(t, p, field, v);
            }
        }
    }
}

// A value of another kind is absent, also after a good one of the same key.
HOIST_TEST(wrong_values_are_absent)
{
    static const char text[] = DMA(
        "{\"id\": 5, \"id\": {}, \"queue\": \"q0\", \"queue\": 1, \"semaphore\": 3, \"semaphore\": "
        "null, \"desc\": [{\"op\": \"add\", \"op\": 1, \"to\": \"output\", \"to\": 0, "
        "\"to_off\": 9, \"to_off\": \"\", \"to_sizes\": [1], \"to_sizes\": [null], "
        "\"from_dtype\": \"int8\", \"from_dtype\": 0, \"scale\": 4, \"scale\": []}]}");
    neff_texts neff;
    neff_module *module = read_text(t, &neff, hoist_str_from(text));
    HOIST_EXPECT_STR(
        t, show_engine(t, sp_of(module)),
        "-1 q-1 i-1 f-1 e-1 s-1 100\n  op 0 -1+0[][]2*1 to -1+0[][]2 {0  1  0 0 0 }\n");
    neff_test_destroy(module);
}

// Members ----------------------------------------------------------------------------------------

HOIST_TEST(members_have_roles)
{
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_COPY, NULL, &neff);
    neff_test_put(t, &neff, "sg00/info.json", HOIST_STR("{}"));
    neff_test_put(t, &neff, "sg00/control.bin", HOIST_STR("c"));
    neff_test_edit(t, &neff, "sg00/act.json", "\"dma\"",
                   "\"act_info\": \"info.json\", \"act_semaphore\": 9, \"dma\"");
    neff_test_edit(
        t, &neff, "sg00/dve.json", "\"dma\"",
        "\"dve_tables\": [{\"control_table\": \"control.bin\", \"opcode_table\": \"x\"}], "
        "\"dma\"");
    neff_test_edit(t, &neff, "sg00/pe.json", "\"instr\"", "\"#instr\"");
    neff_test_edit(t, &neff, "sg00/def.json", "\"pe\":", "\"pe_instr\": \"pe.bin\", \"pe\":");
    neff_module *module = neff_test_read(t, &neff);
    const neff_engine *engines = module->subgraphs[0].engines;
    for (unsigned i = 0; i < NEFF_ENGINE_COUNT; i++) {
        HOIST_EXPECT_EQ(t, engines[i].id, i);
        HOIST_EXPECT_EQ(t, module->members[engines[i].text.member].role, NEFF_ROLE_ENGINE);
        HOIST_EXPECT_EQ(t, module->members[engines[i].instr].role, NEFF_ROLE_STREAM);
    }
    HOIST_EXPECT_STR(t, engines[NEFF_PE].instr_name, "pe.bin");
    HOIST_EXPECT_STR(t, engines[NEFF_ACT].act_info, "info.json");
    HOIST_EXPECT_EQ(t, engines[NEFF_ACT].act_semaphore, 9);
    HOIST_EXPECT_EQ(t, engines[NEFF_SP].act_semaphore, -1);
    HOIST_EXPECT_EQ(t, module->members[neff_member_find(module, HOIST_STR("sg00/info.json"))].role,
                    NEFF_ROLE_TABLE);
    HOIST_EXPECT_EQ(t,
                    module->members[neff_member_find(module, HOIST_STR("sg00/control.bin"))].role,
                    NEFF_ROLE_TABLE);
    neff_test_destroy(module);
}

HOIST_TEST(engines_that_are_not_there)
{
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_COPY, NULL, &neff);
    neff_test_drop(t, &neff, "sg00/pe.json");
    neff_test_drop(t, &neff, "sg00/act.bin");
    neff_test_edit(t, &neff, "sg00/def.json", "\"dve\": \"dve.json\",", "");
    neff_module *module = neff_test_read(t, &neff);
    const neff_engine *engines = module->subgraphs[0].engines;
    HOIST_EXPECT_EQ(t, engines[NEFF_PE].text.member, NEFF_NONE);
    HOIST_EXPECT_EQ(t, engines[NEFF_PE].instr, NEFF_NONE);
    HOIST_EXPECT_EQ(t, engines[NEFF_ACT].instr, NEFF_NONE);
    HOIST_EXPECT_STR(t, engines[NEFF_ACT].instr_name, "act.bin");
    HOIST_EXPECT_EQ(t, engines[NEFF_DVE].text.member, NEFF_NONE);
    neff_test_destroy(module);
}

// Layouts ----------------------------------------------------------------------------------------

static void add_random_side(hoist_buffer *out, const char *side, uint64_t *state)
{
    static const char *const names[] = {"input", "output", "nobody", "\\u0069nput"};
    static const char *const dtypes[] = {"uint8", "float32", "bfloat16", "none"};
    const uint64_t bits = hoist_test_random(state);
    const unsigned dims = (unsigned)(bits >> 8 & 3);
    hoist_buffer_format(out, "\"%s\":\"%s\"", side, names[bits & 3]);
    hoist_buffer_format(out, ",\"%s_off\":%" PRIu64, side, bits >> 40);
    for (unsigned k = 0; k < 2; k++) {
        hoist_buffer_format(out, ",\"%s_%s\":[", side, k ? "steps" : "sizes");
        for (unsigned i = 0; i < dims; i++) {
            hoist_buffer_format(out, i ? ",%d" : "%d", (int)(bits >> (12 + i) & 255) - 100);
        }
        hoist_buffer_char(out, ']');
    }
    if (bits >> 11 & 1) {
        hoist_buffer_format(out, ",\"%s_dtype\":\"%s\"", side, dtypes[bits >> 4 & 3]);
    }
}

static void add_random_desc(hoist_buffer *out, uint64_t *state)
{
    static const char *const ops[] = {"copy", "fma", "max", "none"};
    const uint64_t bits = hoist_test_random(state);
    hoist_buffer_format(out, "{\"op\":\"%s\",", ops[bits & 3]);
    if (bits & 4) {
        hoist_buffer_c(out, "\"from_arr\":[");
        for (unsigned i = 0; i < 1 + (bits >> 8 & 3); i++) {
            hoist_buffer_c(out, i ? ",{" : "{");
            add_random_side(out, "from", state);
            hoist_buffer_format(out, ",\"scale\":0.%u}", (unsigned)(bits >> 16 & 255));
        }
        hoist_buffer_c(out, "],");
    } else {
        add_random_side(out, "from", state);
        hoist_buffer_c(out, ",");
    }
    add_random_side(out, "to", state);
    hoist_buffer_c(out, bits & 8 ? ",\"#x, [\":\"a { \\\"b\",\"constant\":2}" : "}");
}

static void add_random_block(hoist_buffer *out, uint64_t *state)
{
    static const char *const functions[] = {"", ",\"function_start\":\"f\"",
                                            ",\"function_start\":\"g\"", ",\"event\":3"};
    static const char *const queues[] = {"\"queue\":\"q0\"", "\"instance_name\":\"i1\"",
                                         "\"queue\":\"q1\"", "\"queue\":\"q7\""};
    const uint64_t bits = hoist_test_random(state);
    hoist_buffer_format(out, "{\"id\":%d,%s%s,\"desc\":[", (int)(bits >> 8 & 255), queues[bits & 3],
                        functions[bits >> 2 & 3]);
    for (unsigned i = 0; i < (bits >> 4 & 3); i++) {
        hoist_buffer_c(out, i ? "," : "");
        add_random_desc(out, state);
    }
    hoist_buffer_c(out, "]}");
}

static hoist_str random_engine(hoist_test *t, uint64_t *state)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_buffer_c(&out, "{\"instr\":\"sp.bin\",\"dma\":[");
    const unsigned blocks = (unsigned)(hoist_test_random(state) % 12);
    for (unsigned i = 0; i < blocks; i++) {
        hoist_buffer_c(&out, i ? "," : "");
        add_random_block(&out, state);
    }
    hoist_buffer_c(&out, "]}");
    const hoist_str text = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    return text;
}

// The same values with white space between tokens.
static hoist_str spread(hoist_test *t, hoist_str text, uint64_t *state)
{
    static const char *const spaces[] = {"", " ", "\n  ", "\r\n\t", "\r"};
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    bool quoted = false;
    for (size_t i = 0; i < text.size; i++) {
        const char c = text.data[i];
        quoted ^= c == '"' && (i == 0 || text.data[i - 1] != '\\');
        const bool mark = !quoted && c && strchr("{}[],:", c);
        hoist_buffer_c(&out, mark ? spaces[hoist_test_random(state) % 5] : "");
        hoist_buffer_char(&out, c);
        hoist_buffer_c(&out, mark ? spaces[hoist_test_random(state) % 5] : "");
    }
    const hoist_str result = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    return result;
}

HOIST_TEST(layout_does_not_matter)
{
    uint64_t state = 20;
    for (unsigned round = 0; round < HOIST_TEST_ROUNDS(120); round++) {
        char name[32];
        (void)snprintf(name, sizeof(name), "round %u", round);
        hoist_test_row(t, name);
        const hoist_str compact = random_engine(t, &state);
        neff_texts neff;
        neff_module *one = read_text(t, &neff, compact);
        neff_module *two = read_text(t, &neff, spread(t, compact, &state));
        HOIST_EXPECT_STR(t, show_engine(t, sp_of(one)), show_engine(t, sp_of(two)).data);
        HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 0);
        neff_test_destroy(one);
        neff_test_destroy(two);
    }
}

// Each row's place is where its text can be read again, with the places of the whole text.
HOIST_TEST(rows_are_found_again_in_the_text)
{
    uint64_t state = 7;
    neff_texts neff;
    neff_module *module = read_text(t, &neff, spread(t, random_engine(t, &state), &state));
    const neff_engine *engine = sp_of(module);
    hoist_json all;
    HOIST_EXPECT_EQ(t,
                    hoist_json_read(module->members[engine->text.member].bytes, NULL,
                                    module->base.alloc, t->diag, &all),
                    HOIST_OK);
    hoist_json_index dma = 0;
    HOIST_EXPECT(t, hoist_json_find(&all, 0, HOIST_STR("dma"), &dma));
    HOIST_EXPECT(t, engine->block_count > 0);
    hoist_json_index item = dma + 1;
    for (size_t i = 0; i < engine->block_count; i++) {
        hoist_json block;
        HOIST_EXPECT_EQ(t, neff_engine_fragment(module, engine, engine->blocks[i].at, &block),
                        HOIST_OK);
        HOIST_EXPECT_EQ(t, block.count, hoist_json_next(&all, item) - item);
        HOIST_EXPECT_EQ(t, hoist_json_pos(&block, 0).line, hoist_json_pos(&all, item).line);
        HOIST_EXPECT_EQ(t, hoist_json_pos(&block, 0).column, hoist_json_pos(&all, item).column);
        hoist_json_free(&block);
        item = hoist_json_next(&all, item);
    }
    hoist_json_free(&all);
    neff_test_destroy(module);
}

// Memory -----------------------------------------------------------------------------------------

typedef struct starved {
    hoist_test *t;
    neff_texts neff;
} starved;

static hoist_status read_starved(hoist_allocator alloc, const void *self)
{
    const starved *s = self;
    const hoist_read_options options = {.alloc = alloc, .keep = true};
    neff_module *module = neff_test_module(s->t, &s->neff, alloc);
    if (!module) {
        return HOIST_NO_MEMORY;
    }
    neff_reader reader = {.module = module, .options = &options, .arena = &module->arena};
    const hoist_status status = neff_read_members(&reader);
    neff_test_destroy(module);
    return status;
}

HOIST_TEST(reads_without_memory)
{
    starved s = {.t = t};
    neff_test_base(t, NEFF_TEST_COPY, NULL, &s.neff);
    neff_test_put(
        t, &s.neff, member,
        HOIST_STR(
            "{\"activation_function_sets\": [\"\\u0061\"], \"dma\": ["
            "{\"id\": 0, \"i\\u0064\": 0, \"queue\": \"\\u00710\", \"function_start\": \"f\", "
            "\"remote_semaphores\": [1], \"desc\": [" DESC ", {\"op\": \"\\u0061dd\", "
            "\"from_arr\": [{\"from\": \"\\u0069nput\", \"scal\\u0065\": 1}], "
            "\"transpose_shape\": [1]}]}]}"));
    hoist_test_starve(t, read_starved, &s);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(keys_become_rows), HOIST_TEST_ROW(of_equal_keys_the_last_wins),
                HOIST_TEST_ROW(wrong_texts_are_found),
                HOIST_TEST_ROW(text_that_is_no_json_has_no_rows),
                HOIST_TEST_ROW(every_row_refuses_other_kinds),
                HOIST_TEST_ROW(wrong_values_are_absent), HOIST_TEST_ROW(members_have_roles),
                HOIST_TEST_ROW(engines_that_are_not_there), HOIST_TEST_ROW(layout_does_not_matter),
                HOIST_TEST_ROW(rows_are_found_again_in_the_text),
                HOIST_TEST_ROW(reads_without_memory))
