// Pictures as SVG and DOT: well-formed whatever the rows hold, with what each part has to show.
#include <string.h>

#include "base/alloc.h"
#include "base/span.h"
#include "base/utf8.h"
#include "picture/draw_markup.h"
#include "testing/test.h"

enum { LONG_NAME = 1 << 20 };

// A check of XML, as far as drawings use it -------------------------------------------------------

typedef struct xml_check {
    hoist_str text;
    size_t at;
    size_t depth;
    hoist_str open[32];
    const char *fault; // NULL: none
} xml_check;

static size_t find_end(const xml_check *x, const char *end)
{
    size_t at = x->at;
    while (at < x->text.size && !strchr(end, x->text.data[at])) {
        at++;
    }
    return at;
}

static void check_entity(xml_check *x)
{
    static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    for (size_t i = 0; i < HOIST_COUNT_OF(known); i++) {
        if (hoist_str_starts_with(hoist_str_slice(x->text, x->at, x->text.size), known[i])) {
            return;
        }
    }
    x->fault = "an ampersand that begins no entity";
}

// Attributes up to the end of a tag: name="value" each.
static bool check_attributes(xml_check *x)
{
    while (x->at < x->text.size && x->text.data[x->at] == ' ') {
        x->at++;
        x->at = find_end(x, "=<> ");
        if (x->at + 1 >= x->text.size || x->text.data[x->at] != '=' ||
            x->text.data[x->at + 1] != '"') {
            x->fault = "an attribute without a value";
            return false;
        }
        x->at += 2;
        x->at = find_end(x, "\"<") + 1;
        if (x->at > x->text.size || x->text.data[x->at - 1] != '"') {
            x->fault = "a value that does not end";
            return false;
        }
    }
    return true;
}

static void check_tag(xml_check *x)
{
    const bool is_end = x->text.data[++x->at] == '/';
    x->at += is_end;
    const size_t begin = x->at;
    x->at = find_end(x, " />");
    const hoist_str name = hoist_str_slice(x->text, begin, x->at - begin);
    if (is_end) {
        x->fault = x->depth && hoist_str_equal(x->open[x->depth - 1], name) ? NULL : "a wrong end";
        x->depth -= x->depth > 0;
    } else if (check_attributes(x)) {
        const bool is_empty = x->at < x->text.size && x->text.data[x->at] == '/';
        x->at += is_empty;
        if (!is_empty && x->depth < HOIST_COUNT_OF(x->open)) {
            x->open[x->depth++] = name;
        }
    }
    if (!x->fault && (x->at >= x->text.size || x->text.data[x->at] != '>')) {
        x->fault = "a tag that does not end";
    }
}

static const char *fault_of(hoist_str text)
{
    xml_check x = {.text = text};
    for (; x.at < text.size && !x.fault; x.at++) {
        const char c = text.data[x.at];
        if ((uint8_t)c < ' ' && c != '\n') {
            x.fault = "a control character";
        } else if (c == '<') {
            check_tag(&x);
        } else if (c == '&') {
            check_entity(&x);
        }
    }
    return x.fault                     ? x.fault
           : x.depth > 0               ? "an element that does not end"
           : !hoist_utf8_is_text(text) ? "malformed UTF-8"
                                       : NULL;
}

// Pictures ----------------------------------------------------------------------------------------

static size_t add(hoist_picture *p, hoist_picture_node_kind kind, hoist_str name)
{
    const hoist_picture_node node = {.kind = kind, .name = name};
    return hoist_picture_add_node(p, &node);
}

static void begin(hoist_picture *p, const char *name, int rows, int columns)
{
    const hoist_picture_graph graph = {
        .title = "graph", .name = hoist_str_from(name), .rows = rows, .columns = columns};
    hoist_picture_begin_graph(p, &graph);
    hoist_picture_uint(p, "epoch", 3, HOIST_PICTURE_NAMED);
}

static void make_nothing(hoist_picture *p)
{
    (void)p;
}

static void make_empty(hoist_picture *p)
{
    begin(p, "bare", 0, 0);
    hoist_picture_end_graph(p);
}

static void add_step(hoist_picture *p, const char *name, const char *sort, int64_t row)
{
    static const int64_t shape[] = {1, 8};
    const hoist_picture_node node = {
        .kind = HOIST_PICTURE_OP,
        .name = hoist_str_from(name),
        .sort = hoist_str_from(sort),
        .cores = {.is_placed = row >= 0, .row = row, .column = 1, .rows = 1, .columns = 2}};
    (void)hoist_picture_add_node(p, &node);
    hoist_picture_str(p, "type", HOIST_STR("int8"), HOIST_PICTURE_EXTRA);
    hoist_picture_list(p, "shape", shape, 2, HOIST_PICTURE_COLUMN);
    hoist_picture_bytes(p, "size_bytes", 2048, HOIST_PICTURE_COLUMN);
    hoist_picture_null(p, "rate", HOIST_PICTURE_EXTRA);
}

// Steps of two layers on a grid, one of them beyond it, with a cycle, a loop and parallel edges.
static void make_flow(hoist_picture *p)
{
    begin(p, "main", 4, 4);
    add_step(p, "enc.0.up", "matmul", 0);
    add_step(p, "enc.0.down", "matmul", 9);
    add_step(p, "enc.1.up", "add", 2);
    add_step(p, "last", "exp", -1);
    const size_t in = add(p, HOIST_PICTURE_QUEUE, HOIST_STR("input"));
    const size_t lost = add(p, HOIST_PICTURE_UNKNOWN, HOIST_STR("where"));
    hoist_picture_connect(p, HOIST_PICTURE_READS, in, 0);
    hoist_picture_connect(p, HOIST_PICTURE_READS, in, 0);
    hoist_picture_connect(p, HOIST_PICTURE_READS, 0, 1);
    hoist_picture_connect(p, HOIST_PICTURE_READS, 1, 2);
    hoist_picture_connect(p, HOIST_PICTURE_READS, 2, 1);
    hoist_picture_connect(p, HOIST_PICTURE_READS, 2, 2);
    hoist_picture_connect(p, HOIST_PICTURE_READS, lost, 3);
    hoist_picture_connect(p, HOIST_PICTURE_READS, 2, 3);
    hoist_picture_end_graph(p);
}

// Two graphs, the second of which reads what the first writes.
static void make_two(hoist_picture *p)
{
    static const char *const names[] = {"first", "second"};
    for (int i = 0; i < 2; i++) {
        const hoist_picture_node shared = {
            .kind = HOIST_PICTURE_QUEUE, .name = HOIST_STR("between"), .is_shared = true};
        const hoist_picture_node foreign = {.kind = HOIST_PICTURE_OP,
                                            .name = HOIST_STR("work"),
                                            .graph = hoist_str_from(names[0]),
                                            .is_foreign = true};
        begin(p, names[i], 0, 0);
        add_step(p, "work", "matmul", -1);
        const size_t queue = hoist_picture_add_node(p, &shared);
        (void)add(p, HOIST_PICTURE_QUEUE, HOIST_STR("own"));
        if (i == 0) {
            hoist_picture_connect(p, HOIST_PICTURE_WRITES, 0, queue);
        } else {
            hoist_picture_connect(p, HOIST_PICTURE_READS, queue, 0);
            hoist_picture_connect(p, HOIST_PICTURE_READS, hoist_picture_add_node(p, &foreign), 0);
        }
        hoist_picture_end_graph(p);
    }
}

static void make_tiles(hoist_picture *p)
{
    const hoist_picture_graph graph = {
        .title = "package", .name = HOIST_STR("p"), .tile_rows = 2, .tile_columns = 4};
    const hoist_picture_node one = {
        .kind = HOIST_PICTURE_LAYER, .name = HOIST_STR("dense"), .tiles = 0x21};
    const hoist_picture_node all = {
        .kind = HOIST_PICTURE_LAYER, .name = HOIST_STR("add"), .tiles = UINT64_MAX >> 1};
    hoist_picture_begin_graph(p, &graph);
    (void)hoist_picture_add_node(p, &one);
    (void)hoist_picture_add_node(p, &all);
    hoist_picture_end_graph(p);
}

// Tiles whose number does not fit are not drawn.
static void make_many_tiles(hoist_picture *p)
{
    const hoist_picture_graph graph = {
        .title = "package", .name = HOIST_STR("p"), .tile_rows = 13, .tile_columns = 5};
    hoist_picture_begin_graph(p, &graph);
    (void)add(p, HOIST_PICTURE_LAYER, HOIST_STR("dense"));
    hoist_picture_end_graph(p);
}

static void make_lanes(hoist_picture *p)
{
    static const hoist_picture_range slices[] = {{.name = {"slice", 5}, .size = 64},
                                                 {.name = {"other", 5}, .start = 32, .size = 96}};
    static const hoist_picture_pad pads[] = {{{"", 0}, 128, 160, slices, 2}};
    static const hoist_picture_use uses[] = {
        {"a_bytes", "tensors", 3072}, {"b_bytes", "none", 0}, {"c_bytes", "others", 1}};
    begin(p, "sg00", 0, 0);
    const hoist_picture_node engine = {
        .kind = HOIST_PICTURE_ENGINE, .name = HOIST_STR("pool"), .title = "Pool engine"};
    const size_t lane = hoist_picture_add_node(p, &engine);
    const size_t set = add(p, HOIST_PICTURE_QUEUE_SET, HOIST_STR("q_in"));
    hoist_picture_uint(p, "rings", 16, HOIST_PICTURE_COUNT);
    const size_t loose = add(p, HOIST_PICTURE_QUEUE_SET, HOIST_STR("q_loose"));
    const size_t from = add(p, HOIST_PICTURE_VARIABLE, HOIST_STR("x"));
    const size_t to = add(p, HOIST_PICTURE_VARIABLE, HOIST_STR("y"));
    const size_t signal = add(p, HOIST_PICTURE_SEMAPHORE, HOIST_STR("$S[7]"));
    hoist_picture_uint(p, "number", 7, HOIST_PICTURE_HIDDEN);
    const hoist_picture_edge moves = {
        .kind = HOIST_PICTURE_MOVES, .from = from, .to = to, .via = set, .bytes = UINT64_MAX};
    const hoist_picture_edge direct = {
        .kind = HOIST_PICTURE_MOVES, .from = to, .to = from, .via = HOIST_PICTURE_NONE};
    hoist_picture_connect(p, HOIST_PICTURE_OWNS, lane, set);
    hoist_picture_add_edge(p, &moves);
    hoist_picture_add_edge(p, &moves);
    hoist_picture_add_edge(p, &direct);
    hoist_picture_connect(p, HOIST_PICTURE_RAISES, loose, signal);
    hoist_picture_connect(p, HOIST_PICTURE_AWAITED, signal, lane);
    hoist_picture_end_graph(p);
    const hoist_picture_memory memory = {.name = "main",
                                         .graph = HOIST_STR("sg00"),
                                         .uses = uses,
                                         .use_count = HOIST_COUNT_OF(uses),
                                         .capacity = 4096,
                                         .has_pads = true,
                                         .pads = pads,
                                         .pad_count = 1};
    hoist_picture_add_memory(p, &memory);
}

// Channels of two chips; ranges that overlap, that end where numbers do, and that are narrow.
static void make_channels(hoist_picture *p)
{
    static const hoist_picture_range ranges[] = {
        {.name = {"wide", 4}, .type = {"ram", 3}, .start = 1 << 20, .size = 1 << 20},
        {.name = {"over", 4}, .owner = 1, .start = (1 << 20) + 512, .size = 1 << 19},
        {.name = {"thin", 4}, .owner = 2, .start = 3 << 20, .size = 1},
        {.name = {"thin", 4}, .owner = 2, .start = (3 << 20) + 1, .size = 1},
        {.name = {"last", 4}, .owner = 3, .start = 4 << 20, .size = UINT64_MAX},
    };
    for (int i = 0; i < 3; i++) {
        const hoist_picture_memory memory = {.name = i == 2 ? "host" : "dram",
                                             .is_channel = true,
                                             .chip = 1,
                                             .channel = i,
                                             .used = 5,
                                             .end = i == 2 ? 0 : 5 << 20,
                                             .ranges = ranges,
                                             .range_count = i == 2 ? 0 : 5};
        hoist_picture_add_memory(p, &memory);
    }
}

// clang-format off
static const struct {
    const char *name;
    void (*make)(hoist_picture *p);
    flow_view view;
    const char *svg[6]; // what is in it, in this order
    const char *dot[6];
} drawings[] = {
    {"nothing", make_nothing, {.depth = FLOW_NOT_DEEP},
     {">Nothing in this file can be drawn.<"},
     {"nothing [label=\"Nothing"}},
    {"a graph without nodes", make_empty, {.depth = FLOW_NOT_DEEP},
     {">graph bare, epoch 3<", ">No flow of data is known of it.<"},
     {"label=\"graph bare\""}},
    {"flow", make_flow, {.depth = FLOW_NOT_DEEP},
     {">matmul \303\2272<", "class=\"e d\"", "<title>2 edges</title>", ">int8 1\303\2278<", ">placement<",
      "width=\"132\" height=\"34\" rx=\"3\""},
     {"g0n0 [label=\"enc.0.up\\nmatmul\"", "style=dashed", "g0n0 -> g0n1;", "g0n2 -> g0n2;", "g0n4 -> g0n0 [label=\"2\"]"}},
    {"flow, two parts deep", make_flow, {.depth = 2},
     {"<title>enc.0</title>", ">2 nodes<", "<title>enc.1</title>", ">1 node<", "<title>last", ">placement<"},
     {"g0n0 [label=\"enc.0\\n2 nodes\"", "peripheries=2", "g0n0 -> g0n1;", "g0n1 -> g0n0;"}},
    {"flow, one part deep", make_flow, {.depth = 1},
     {"<title>enc</title>", ">3 nodes<"},
     {"label=\"enc\\n3 nodes\"", "label=\"last\\nexp\""}},
    {"graphs as boxes", make_two, {.depth = 0},
     {">graph \303\2272<", ">first<", ">epoch 3, 3 nodes<", ">second<", ">between<"},
     {"label=\"first\\ngraph\"", "label=\"between\"", "g0n0 -> g0n2;", "g0n0 -> g0n1;", "g0n2 -> g0n1;"}},
    {"one of two graphs", make_two, {.depth = FLOW_NOT_DEEP, .graph = "second"},
     {">graph second, epoch 3<", ">of first<"},
     {"cluster_1", "label=\"graph second\""}},
    {"lanes and areas", make_lanes, {.depth = FLOW_NOT_DEEP},
     {"<title>16.0 EiB</title>", ">engines<", ">Pool engine<", ">no known owner<", "<title>awaited by pool</title>",
      ">memory main, 3.0 KiB of 4.0 KiB<"},
     {"-> g0n0 [label=\"16.0 EiB\"]"}},
    {"tiles", make_tiles, {.depth = FLOW_NOT_DEEP},
     {">tile 0<", ">2 steps<", ">tile 1<", ">1 step<", "d=\"M0 0h5v5h-5zM6 6h5v5h-5z\"", ">dense<"},
     {"label=\"dense\""}},
    {"too many tiles", make_many_tiles, {.depth = FLOW_NOT_DEEP},
     {">dense<"},
     {"label=\"dense\""}},
    {"channels", make_channels, {.depth = FLOW_NOT_DEEP},
     {">memory of chip 1, dram<", ">wide<", ">over<", ">0x100000<", ">0x500000<", ">memory of chip 1, host<"},
     {NULL}},
};
// clang-format on

static void expect_pieces(hoist_test *t, hoist_str text, const char *const *pieces)
{
    size_t at = 0;
    for (size_t i = 0; i < 6 && pieces[i]; i++) {
        const hoist_str left = hoist_str_slice(text, at, text.size);
        const size_t size = strlen(pieces[i]);
        size_t found = 0;
        while (found + size <= left.size && memcmp(left.data + found, pieces[i], size) != 0) {
            found++;
        }
        if (found + size > left.size) {
            HOIST_EXPECT_STR(t, text, pieces[i]);
        }
        at += found;
    }
}

typedef hoist_status drawing(const hoist_picture *picture, const flow_view *view,
                             hoist_buffer *out);

HOIST_TEST_TABLE(pictures_in_markup, drawings)
{
    static drawing *const both[] = {hoist_picture_svg, hoist_picture_dot};
    hoist_picture p;
    hoist_picture_init(&p, hoist_allocator_system());
    row->make(&p);
    HOIST_EXPECT_EQ(t, hoist_picture_status(&p), HOIST_OK);
    for (int i = 0; i < 2; i++) {
        hoist_buffer out;
        hoist_buffer again;
        hoist_buffer_init(&out, hoist_allocator_system());
        hoist_buffer_init(&again, hoist_allocator_system());
        HOIST_EXPECT_EQ(t, both[i](&p, &row->view, &out), HOIST_OK);
        HOIST_EXPECT_EQ(t, both[i](&p, &row->view, &again), HOIST_OK);
        HOIST_EXPECT(t, hoist_str_equal(hoist_buffer_text(&out), hoist_buffer_text(&again)));
        expect_pieces(t, hoist_buffer_text(&out), i ? row->dot : row->svg);
        if (i == 0) {
            const char *const fault = fault_of(hoist_buffer_text(&out));
            HOIST_EXPECT_STR(t, hoist_str_from(fault ? fault : ""), "");
        }
        hoist_buffer_deinit(&out);
        hoist_buffer_deinit(&again);
    }
    hoist_picture_deinit(&p);
}

// No machine, and no change of the code that is not meant to, draws other documents.
HOIST_TEST(documents_are_the_same_everywhere)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < HOIST_COUNT_OF(drawings); i++) {
        hoist_picture p;
        hoist_buffer out;
        hoist_picture_init(&p, hoist_allocator_system());
        hoist_buffer_init(&out, hoist_allocator_system());
        drawings[i].make(&p);
        HOIST_EXPECT_EQ(t, hoist_picture_svg(&p, &drawings[i].view, &out), HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_picture_dot(&p, &drawings[i].view, &out), HOIST_OK);
        hash = hoist_str_hash(hoist_buffer_text(&out), hash);
        hoist_buffer_deinit(&out);
        hoist_picture_deinit(&p);
    }
    HOIST_EXPECT_EQ(t, hash, INT64_C(3839658595601270373));
}

// The check itself notices what it is for.
HOIST_TEST(faults_of_xml_are_found)
{
    static const char *const texts[] = {"<a>",      "<a></b>", "<a b></a>",   "<a b=\"></a>",
                                        "<a>&</a>", "<a",      "<a>\x01</a>", "<a>\xff</a>"};
    for (size_t i = 0; i < HOIST_COUNT_OF(texts); i++) {
        HOIST_EXPECT(t, fault_of(hoist_str_from(texts[i])) != NULL);
    }
    HOIST_EXPECT(t, fault_of(HOIST_STR("<a b=\"&lt;\">x<c/></a>\n")) == NULL);
}

// Hostile rows ------------------------------------------------------------------------------------

HOIST_TEST(names_are_never_obeyed)
{
    static const char *const names[] = {"</script><script>alert(1)</script>",
                                        "\"'<>&",
                                        "]]>",
                                        "\xe2\x80\xaegnp.exe",
                                        "\xff\xfe\x80",
                                        "\x1b[2J\x07\n\r",
                                        "\xef\xbf\xbf",
                                        ""};
    static const char *const never[] = {"<script", "\xe2\x80\xae", "\x1b", "\r", "NaN"};
    const flow_view view = {.depth = 1};
    hoist_picture p;
    hoist_buffer name;
    hoist_buffer out;
    hoist_picture_init(&p, hoist_allocator_system());
    hoist_buffer_init(&name, hoist_allocator_system());
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_buffer_fill(&name, '<', LONG_NAME);
    begin(&p, names[0], 0, 0);
    for (size_t i = 0; i < HOIST_COUNT_OF(names); i++) {
        add_step(&p, names[i], names[i], -1);
        hoist_picture_str(&p, "text", hoist_str_from(names[i]), HOIST_PICTURE_VALUE);
    }
    const size_t big = add(&p, HOIST_PICTURE_QUEUE, hoist_buffer_text(&name));
    hoist_picture_connect(&p, HOIST_PICTURE_READS, big, 0);
    hoist_picture_end_graph(&p);
    HOIST_EXPECT_EQ(t, hoist_picture_svg(&p, &view, &out), HOIST_OK);
    const char *const fault = fault_of(hoist_buffer_text(&out));
    HOIST_EXPECT_STR(t, hoist_str_from(fault ? fault : ""), "");
    for (size_t i = 0; i < HOIST_COUNT_OF(never); i++) {
        HOIST_EXPECT(t, !hoist_str_contains(hoist_buffer_text(&out), never[i]));
    }
    HOIST_EXPECT(t, hoist_str_contains(hoist_buffer_text(&out), "(a name of 1.0 MiB)"));
    HOIST_EXPECT(t, out.size < 32768);
    out.size = 0;
    HOIST_EXPECT_EQ(t, hoist_picture_dot(&p, &view, &out), HOIST_OK);
    HOIST_EXPECT(t, hoist_str_contains(hoist_buffer_text(&out), "label=\"\\\"'<>&amp;\""));
    HOIST_EXPECT(t, out.size < 16384);
    hoist_picture_deinit(&p);
    hoist_buffer_deinit(&name);
    hoist_buffer_deinit(&out);
}

// Limits ------------------------------------------------------------------------------------------

typedef struct starved {
    const hoist_picture *picture;
    flow_view view;
    drawing *draw;
} starved;

static hoist_status draw_with(hoist_allocator alloc, const void *self)
{
    const starved *const s = self;
    hoist_buffer out;
    hoist_buffer_init(&out, alloc);
    const hoist_status status = s->draw(s->picture, &s->view, &out);
    hoist_buffer_deinit(&out);
    return status;
}

HOIST_TEST(memory_and_time_may_run_out)
{
    static drawing *const both[] = {hoist_picture_svg, hoist_picture_dot};
    hoist_picture p;
    hoist_deadline *deadline = NULL;
    hoist_picture_init(&p, hoist_allocator_system());
    make_flow(&p);
    make_lanes(&p);
    make_channels(&p);
    HOIST_EXPECT_EQ(t, hoist_deadline_create(hoist_allocator_system(), 0, &deadline), HOIST_OK);
    for (int i = 0; i < 2; i++) {
        for (int depth = FLOW_NOT_DEEP; depth < 2; depth++) {
            starved s = {&p, {.depth = depth}, both[i]};
            hoist_test_starve(t, draw_with, &s);
            s.view.deadline = deadline;
            HOIST_EXPECT_EQ(t, draw_with(hoist_allocator_system(), &s), HOIST_LIMIT);
        }
    }
    hoist_deadline_destroy(deadline);
    hoist_picture_deinit(&p);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(pictures_in_markup),
                HOIST_TEST_ROW(documents_are_the_same_everywhere),
                HOIST_TEST_ROW(faults_of_xml_are_found), HOIST_TEST_ROW(names_are_never_obeyed),
                HOIST_TEST_ROW(memory_and_time_may_run_out))
