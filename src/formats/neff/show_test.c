// What documents of a NEFF are made of: scratchpads, traffic, trees, drawings.
#include <string.h>

#include "base/buffer.h"
#include "base/span.h"
#include "codec/json_writer.h"
#include "formats/neff/neff_testing.h"
#include "formats/neff/show.h"
#include "testing/drawing.h"
#include "testing/trace.h"

// Scratchpads
// --------------------------------------------------------------------------------------

#define VIRTUAL(id, off, size, more)                                                               \
    ", \"v" #id "\": {\"type\": \"virtual\", \"var_id\": " #id ", \"size\": " #size                \
    ", \"backing_variable_off\": " #off more "}"
#define OUTPUT_VAR "\"output\": {\"type\": \"output\", \"var_id\": 1, \"size\": 64}"

// clang-format off
static const struct {
    const char *name;
    const char *vars; // after the output
    const char *want; // "fabric/buffer: slices extent sum covered, first slice"
} pads[] = {
    {"none", "", ""},
    {"one", VIRTUAL(2, 16, 64, ""), "main/: 1 80 64 64 v2; "},
    {"apart", VIRTUAL(2, 128, 64, "") VIRTUAL(3, 0, 64, ""), "main/: 2 192 128 128 v3; "},
    {"the same bytes", VIRTUAL(2, 0, 64, "") VIRTUAL(3, 0, 64, ""), "main/: 2 64 128 64 v2; "},
    {"in a chain", VIRTUAL(2, 0, 64, "") VIRTUAL(3, 32, 64, "") VIRTUAL(4, 64, 64, ""),
                   "main/: 3 128 192 128 v2; "},
    {"one in another", VIRTUAL(2, 0, 100, "") VIRTUAL(3, 10, 10, "") VIRTUAL(4, 90, 20, ""),
                       "main/: 3 110 130 110 v2; "},
    {"areas", VIRTUAL(2, 0, 64, ", \"fabric_path\": \"alt\"") VIRTUAL(3, 0, 64, "") VIRTUAL(4, 0, 8, ", \"backing_buf\": \"local\""),
              "main/: 1 64 64 64 v3; main/local: 1 8 8 8 v4; alt/: 1 64 64 64 v2; "},
    {"of no size", VIRTUAL(2, 7, 0, ""), "main/: 1 7 0 0 v2; "},
    {"below 0", VIRTUAL(2, -1, 64, "") VIRTUAL(3, 0, -64, ""), ""},
    {"beyond 63 bits", VIRTUAL(2, 9223372036854775807, 1, "") VIRTUAL(3, 0, 9223372036854775807, ""),
                       "main/: 1 9223372036854775807 9223372036854775807 9223372036854775807 v3; "},
    {"an unknown area", VIRTUAL(2, 0, 64, ", \"fabric_path\": \"far\""), ""},
};
// clang-format on

static neff_module *read_with_vars(hoist_test *t, const char *vars, neff_texts *neff)
{
    neff_test_base(t, NEFF_TEST_COPY, "sunda", neff);
    neff_test_edit(t, neff, "sg00/def.json", OUTPUT_VAR,
                   hoist_arena_format(&t->arena, OUTPUT_VAR "%s", vars).data);
    return neff_test_read(t, neff);
}

HOIST_TEST_TABLE(scratchpads, pads)
{
    neff_texts neff;
    neff_module *const module = read_with_vars(t, row->vars, &neff);
    const neff_subgraph *const s = &module->subgraphs[0];
    const neff_scratchpad *found = NULL;
    uint32_t count = 0;
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, neff_scratchpads(s, &t->arena, &found, &count), HOIST_OK);
    for (uint32_t i = 0; i < count; i++) {
        const neff_scratchpad *const pad = &found[i];
        hoist_buffer_format(&out, "%s/%.*s: %u %llu %llu %llu %.*s; ",
                            neff_fabrics.names[pad->fabric], HOIST_STR_ARGS(pad->buffer),
                            pad->count, (unsigned long long)pad->extent,
                            (unsigned long long)pad->sum, (unsigned long long)pad->covered,
                            HOIST_STR_ARGS(s->vars[pad->vars[0]].name));
    }
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->want);
    hoist_buffer_deinit(&out);
    neff_test_destroy(module);
}

// Traffic
// ------------------------------------------------------------------------------------------

#define SIDE(what, var, sizes, steps)                                                              \
    "\"" what "\": \"" var "\", \"" what "_off\": 0, \"" what "_sizes\": " sizes ", \"" what       \
    "_steps\": " steps
#define COPY(from, to, sizes)                                                                      \
    "{" SIDE("from", from, sizes, "[1, 8]") ", " SIDE("to", to, sizes, "[1, 8]") "}"
#define BLOCK(queue, descs) "{\"id\": 0, \"queue\": \"" queue "\", \"desc\": [" descs "]}"

// clang-format off
static const struct {
    const char *name;
    const char *blocks; // of sp
    const char *want;   // "blocks descs bytes ring_bytes of q0; flows of all: from>to descs bytes"
} flows[] = {
    {"nothing", "", "0 0 0 0; "},
    {"a copy", BLOCK("q0", COPY("input", "output", "[8, 2]")), "1 1 16 576; input>output 1 16 "},
    {"twice", BLOCK("q0", COPY("input", "output", "[8, 2]") ", " COPY("input", "output", "[4, 1]")),
              "1 2 20 1120; input>output 2 20 "},
    {"the most first", BLOCK("q0", COPY("input", "output", "[2, 1]") ", " COPY("output", "input", "[4, 1]")),
              "1 2 6 1088; output>input 1 4 input>output 1 2 "},
    {"an undeclared queue", BLOCK("q7", COPY("input", "output", "[8, 2]")), "0 0 0 0; input>output 1 16 "},
    {"an undeclared variable", BLOCK("q0", COPY("x", "output", "[8, 2]")), "1 1 16 576; ?>output 1 16 "},
    {"two sources", BLOCK("q0", "{\"op\": \"add\", \"from_arr\": [{" SIDE("from", "input", "[8]", "[1]") "}, {"
                    SIDE("from", "output", "[8]", "[1]") "}], " SIDE("to", "output", "[8]", "[1]") "}"),
                    "1 1 8 816; input>output 1 8 output>output 1 8 "},
    {"no pattern", BLOCK("q0", COPY("input", "output", "[0, 2]")), "1 1 0 0; input>output 1 0 "},
    {"beyond 64 bits", BLOCK("q0", COPY("input", "output", "[4294967296, 4294967297]")),
                       "1 1 18446744073709551615 137438954016; input>output 1 18446744073709551615 "},
};
// clang-format on

HOIST_TEST_TABLE(traffic, flows)
{
    neff_texts neff;
    neff_traffic found;
    hoist_buffer out;
    neff_test_base(t, NEFF_TEST_COPY, "sunda", &neff);
    neff_test_put(
        t, &neff, "sg00/sp.json",
        hoist_arena_format(&t->arena, "{\"instr\": \"sp.bin\", \"dma\": [%s]}", row->blocks));
    neff_module *const module = neff_test_read(t, &neff);
    const neff_subgraph *const s = &module->subgraphs[0];
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, neff_traffic_read(s, false, module->base.alloc, &t->arena, &found),
                    HOIST_OK);
    const neff_moved *const q0 = &found.queues[0].moved;
    hoist_buffer_format(&out, "%llu %llu %llu %llu; ", (unsigned long long)q0->blocks,
                        (unsigned long long)q0->descs, (unsigned long long)q0->bytes,
                        (unsigned long long)q0->ring_bytes);
    for (uint32_t i = 0; i < found.flow_count; i++) {
        const neff_flow *const flow = found.flows[i];
        const hoist_str from = flow->from == NEFF_NONE ? HOIST_STR("?") : s->vars[flow->from].name;
        hoist_buffer_format(&out, "%.*s>%.*s %llu %llu ", HOIST_STR_ARGS(from),
                            HOIST_STR_ARGS(s->vars[flow->to].name), (unsigned long long)flow->descs,
                            (unsigned long long)flow->bytes);
    }
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->want);
    hoist_buffer_deinit(&out);
    neff_test_destroy(module);
}

// Trees
// --------------------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    const char *text; // of the member
    const char *want; // in the tree, compact
} members[] = {
    {"an object", "{\"a\": [1, -2, 1.5, true, null, \"x\"]}", "\"json\":{\"a\":[1,-2,1.5,true,null,\"x\"]}"},
    {"a list", "[{}, []]", "\"json\":[{},[]]"},
    {"a scalar", "7", "\"json\":7"},
    {"comments", "{\"#c\": {\"#d\": 1}}", "\"json\":{\"#c\":{\"#d\":1}}"},
    {"escapes", "{\"\\u0061\\n\": \"\\u00e4\"}", "\"json\":{\"a\\n\":\"\xc3\xa4\"}"},
    {"keys twice", "{\"a\": 1, \"a\": 2}", "\"json\":{\"a\":1,\"a\":2}"},
    {"wide integers", "[18446744073709551615, -9223372036854775808]", "\"json\":[18446744073709551615,-9223372036854775808]"},
    {"integers beyond 64 bits", "[18446744073709551617, 18446744073709551616e0, -9223372036854775809]",
                                "\"json\":[18446744073709551617,1.8446744073709552e+19,-9223372036854775809]"},
    {"in dma", "{\"dma\": [{\"x\": 18446744073709551618}]}", "\"json\":{\"dma\":[{\"x\":18446744073709551618}]}"},
    {"not a number", "[NaN]", "\"json\":[\"NaN\"]"},
    {"dma", "{\"dma\": [{\"x\": [1]} , 2,\n\"]\", [3]\t], \"z\": 0}", "\"json\":{\"dma\":[{\"x\":[1]},2,\"]\",[3]],\"z\":0}"},
    {"dma of nothing", "{\"dma\": [ ]}", "\"json\":{\"dma\":[]}"},
    {"dma twice", "{\"dma\": [1], \"dma\": [2]}", "\"json\":{\"dma\":[1],\"dma\":[2]}"},
    {"dma that is no list", "{\"dma\": {\"a\": 1}}", "\"json\":{\"dma\":{\"a\":1}}"},
    {"dma deeper", "{\"a\": {\"dma\": [1, 2]}}", "\"json\":{\"a\":{\"dma\":[1,2]}}"},
    {"no JSON", "{\"a\": ", "\"size_bytes\":6,\"digest\":\"sha256:"},
    {"nothing", "", "\"size_bytes\":0,\"digest\":\"sha256:e3b0c44298fc1c14"},
};
// clang-format on

static bool contains(const hoist_buffer *text, const char *part)
{
    const size_t size = strlen(part);
    for (size_t i = 0; i + size <= text->size; i++) {
        if (memcmp(text->data + i, part, size) == 0) {
            return true;
        }
    }
    return false;
}

HOIST_TEST_TABLE(visits, members)
{
    neff_texts neff;
    hoist_buffer out;
    hoist_json_writer writer;
    neff_test_base(t, NEFF_TEST_COPY, "sunda", &neff);
    neff_test_put(t, &neff, "sg00/x.json", hoist_str_from(row->text));
    neff_module *const module = neff_test_read(t, &neff);
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_json_writer_init(&writer, &out, false, false);
    writer.wide = true;
    hoist_tree_sink sink = hoist_json_writer_sink(&writer);
    HOIST_EXPECT_EQ(t, neff_visit(&module->base, NULL, &sink), HOIST_OK);
    HOIST_EXPECT(t, contains(&out, row->want));
    hoist_json_writer_deinit(&writer);
    hoist_buffer_deinit(&out);
    neff_test_destroy(module);
}

// Drawings
// -----------------------------------------------------------------------------------------

static size_t widest_line(const hoist_buffer *text)
{
    size_t widest = 0;
    size_t column = 0;
    for (size_t i = 0; i < text->size; i++) {
        column = text->data[i] == '\n' ? 0 : column + 1;
        widest = column > widest ? column : widest;
    }
    return widest;
}

HOIST_TEST(drawings_keep_their_width)
{
    neff_texts neff;
    neff_module *const module = read_with_vars(
        t,
        VIRTUAL(2, 0, 64, "") VIRTUAL(3, 32, 9000000000, "")
            VIRTUAL(4, 0, 9223372036854775807, ", \"fabric_path\": \"alt\"") VIRTUAL(5, 100, 0, ""),
        &neff);
    for (size_t width = 0; width < 130; width++) {
        const size_t most = width == 0 ? 80 : width < 40 ? 40 : width;
        hoist_buffer out;
        hoist_buffer_init(&out, hoist_allocator_system());
        HOIST_EXPECT_EQ(
            t, hoist_drawing_text(&hoist_neff_format, &module->base, NULL, NULL, width, &out),
            HOIST_OK);
        HOIST_EXPECT(t, widest_line(&out) <= most);
        HOIST_EXPECT(t, contains(&out, "q0") && contains(&out, "scratchpad alt"));
        hoist_buffer_deinit(&out);
    }
    neff_test_destroy(module);
}

// clang-format off
static const struct {
    const char *name;
    const char *key;    // of the block of sg00
    bool alone;         // sg00 is the only subgraph
    const char *raisers[2]; // of semaphore 1 in sg00 and sg01, which both await
} remotes[] = {
    {"none", "", .raisers = {"q0", "q0"}},
    {"of the other core", ", \"remote_semaphores\": [1]", .raisers = {"q0", "q0, sg00/q0"}},
    {"twice", ", \"remote_semaphores\": [1, 1]", .raisers = {"q0", "q0, sg00/q0"}},
    {"of no number", ", \"remote_semaphores\": [-1, 256, 4294967297]", .raisers = {"q0", "q0"}},
    {"of nobody", ", \"remote_semaphores\": [1]", true, {"q0"}},
};
// clang-format on

// As the second of two cores, sg01 is what sg00 is without the key.
HOIST_TEST_TABLE(raisers, remotes)
{
    enum { RAISERS = 55 };
    static const char *const files[] = {"def.json", "sp.json", "sp.bin"};
    neff_texts neff;
    hoist_buffer out;
    neff_test_base(t, NEFF_TEST_COPY, "cayman", &neff);
    for (size_t i = 0; i < HOIST_COUNT_OF(files); i++) {
        const char *const name = hoist_arena_format(&t->arena, "sg01/%s", files[i]).data;
        const char *const first = hoist_arena_format(&t->arena, "sg00/%s", files[i]).data;
        neff_test_put(t, &neff, name, neff_test_text(t, &neff, first));
    }
    neff_test_edit(t, &neff, "sg00/sp.json", "\"queue\": \"q0\"",
                   hoist_arena_format(&t->arena, "\"queue\": \"q0\"%s", row->key).data);
    if (!row->alone) {
        neff_test_edit(t, &neff, "kelf-0.json", "\"graphs\": [",
                       "\"graphs\": [{\"definition\": \"sg01/def.json\", \"name\": \"sg01\"}, ");
    }
    neff_module *const module = neff_test_read(t, &neff);
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_drawing_text(&hoist_neff_format, &module->base, NULL, NULL, 0, &out),
                    HOIST_OK);
    for (size_t i = 0; i < HOIST_COUNT_OF(row->raisers) && row->raisers[i]; i++) {
        const hoist_str line =
            hoist_arena_format(&t->arena, "\n      1  %-*s -> sp\n", RAISERS, row->raisers[i]);
        HOIST_EXPECT(t, contains(&out, line.data));
    }
    HOIST_EXPECT_EQ(t, contains(&out, "sg00/q0"),
                    row->raisers[1] && strcmp(row->raisers[1], "q0") != 0);
    hoist_buffer_deinit(&out);
    neff_test_destroy(module);
}

// Memory
// -------------------------------------------------------------------------------------------

typedef enum shown { SHOWN_INFO, SHOWN_TREE, SHOWN_TEXT, SHOWN_DRAWING, SHOWN_COUNT } shown;

typedef struct starving {
    hoist_test *t;
    const neff_texts *neff;
    shown what;
} starving;

static hoist_status show(const hoist_module *module, shown what)
{
    const hoist_piece_sink pieces = hoist_dropping_sink();
    size_t depth = 0;
    hoist_tree_sink sink = hoist_depth_sink(&depth);
    hoist_buffer out;
    hoist_buffer_init(&out, module->alloc);
    hoist_status status = HOIST_OK;
    if (what == SHOWN_INFO) {
        status = neff_info(module, NULL, NULL, &sink);
    } else if (what == SHOWN_TREE) {
        status = neff_visit(module, NULL, &sink);
    } else if (what == SHOWN_TEXT) {
        status = neff_dump(module, &pieces);
    } else {
        status = hoist_drawing_text(&hoist_neff_format, module, NULL, NULL, 80, &out);
    }
    hoist_buffer_deinit(&out);
    return status;
}

static hoist_status read_and_show(hoist_allocator alloc, const void *self)
{
    const starving *const s = self;
    neff_module *const module = neff_test_module(s->t, s->neff, alloc);
    if (!module) {
        return HOIST_NO_MEMORY;
    }
    const hoist_read_options options = {.alloc = alloc, .keep = true};
    neff_reader r = {.module = module, .options = &options, .arena = &module->arena};
    hoist_status status = neff_read_members(&r);
    status = status == HOIST_OK ? show(&module->base, s->what) : status;
    neff_test_destroy(module);
    return status;
}

HOIST_TEST(every_request_for_memory_may_fail)
{
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_COPY, "sunda", &neff);
    neff_test_put(t, &neff, "sg00/x.json", HOIST_STR("{\"\\u0061\": \"\\u0062\"}"));
    for (shown what = SHOWN_INFO; what < SHOWN_COUNT; what++) {
        const starving s = {t, &neff, what};
        hoist_test_starve(t, read_and_show, &s);
    }
}

// Pieces
// --------------------------------------------------------------------------------------------

typedef struct pieces {
    size_t count;
    size_t most;  // bytes of one
    size_t total; // bytes
    size_t left;  // until the sink refuses
} pieces;

static hoist_status count_piece(void *self, hoist_str text)
{
    pieces *const p = self;
    p->count++;
    p->total += text.size;
    p->most = text.size > p->most ? text.size : p->most;
    return p->left && --p->left ? HOIST_OK : HOIST_IO;
}

// Text that has to be sent while it is written: JSON, and a stream of as much.
static neff_module *read_large(hoist_test *t, neff_texts *neff)
{
    enum { RECORDS = 10 * 1000, RECORD = 64 };
    static const size_t digits = (size_t)200 * 1000;
    uint8_t *const code = hoist_arena_alloc(&t->arena, (size_t)RECORDS * RECORD);
    char *const json = hoist_arena_alloc(&t->arena, digits + 2);
    for (size_t i = 0; i < digits; i++) {
        json[i] = i % 2 ? '7' : ',';
    }
    json[0] = '[';
    json[digits] = ']';
    memset(code, 0, (size_t)RECORDS * RECORD);
    neff_test_base(t, NEFF_TEST_COPY, "sunda", neff);
    neff_test_put(t, neff, "sg00/x.json", (hoist_str){json, digits + 1});
    neff_test_put(t, neff, "sg00/sp.bin",
                  (hoist_str){(const char *)code, (size_t)RECORDS * RECORD});
    return neff_test_read(t, neff);
}

HOIST_TEST(dumps_come_in_pieces)
{
    neff_texts neff;
    neff_module *const module = read_large(t, &neff);
    pieces whole = {.left = SIZE_MAX};
    const hoist_piece_sink sink = {&whole, count_piece};
    HOIST_EXPECT_EQ(t, neff_dump(&module->base, &sink), HOIST_OK);
    HOIST_EXPECT(t, whole.total > 1000000U);
    HOIST_EXPECT(t, whole.most < 67584U);
    for (size_t left = 1; left <= whole.count; left++) {
        pieces some = {.left = left};
        const hoist_piece_sink refusing = {&some, count_piece};
        HOIST_EXPECT_EQ(t, neff_dump(&module->base, &refusing), HOIST_IO);
        HOIST_EXPECT_EQ(t, some.count, left);
    }
    neff_test_destroy(module);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(scratchpads), HOIST_TEST_ROW(traffic), HOIST_TEST_ROW(visits),
                HOIST_TEST_ROW(drawings_keep_their_width), HOIST_TEST_ROW(raisers),
                HOIST_TEST_ROW(every_request_for_memory_may_fail),
                HOIST_TEST_ROW(dumps_come_in_pieces))
