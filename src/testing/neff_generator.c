// The order of things in a generated NEFF, its header, the style of its JSON and its graph.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/span.h"
#include "testing/neff_gen.h"
#include "testing/test.h"

// Cells ------------------------------------------------------------------------------------------

typedef struct cell_row {
    neff_cell first;
    size_t count;
    const char *area;
    const char *value;
} cell_row;
static const cell_row cell_rows[] = {
#define CELL(id, area, value) {id, 1, area, value},
#define RANGE(id, cells, area, value) {id, cells, area, value},
#include "testing/neff_cells.inc"
#undef CELL
#undef RANGE
};

void neff_cell_name(neff_cell cell, char *out, size_t size)
{
    const cell_row *row = cell_rows;
    while (cell >= row->first + row->count) {
        row++;
    }
    const size_t number = (size_t)(cell - row->first);
    if (row->count > 1) {
        (void)snprintf(out, size, "%s: %s %zu", row->area, row->value, number);
    } else {
        (void)snprintf(out, size, "%s: %s", row->area, row->value);
    }
}

// Draws ------------------------------------------------------------------------------------------

size_t gen_pick(neff_gen *g, size_t count)
{
    return (size_t)(hoist_test_random(&g->random) % count);
}

bool gen_chance(neff_gen *g, size_t percent)
{
    return gen_pick(g, 100) < percent;
}

void gen_mark(neff_gen *g, size_t cell)
{
    g->file->cells[cell] = true;
}

size_t gen_draw(neff_gen *g, size_t first, size_t count)
{
    const size_t chosen = gen_pick(g, count);
    gen_mark(g, first + chosen);
    return chosen;
}

size_t gen_draw_first(neff_gen *g, size_t first, size_t count, size_t percent)
{
    const size_t chosen = gen_chance(g, percent) ? 0 : 1 + gen_pick(g, count - 1);
    gen_mark(g, first + chosen);
    return chosen;
}

_Noreturn void gen_fail(hoist_status status)
{
    (void)fprintf(stderr, "the generator failed: %s\n", hoist_status_name(status));
    abort();
}

const char *gen_text(neff_gen *g, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const hoist_str text = hoist_arena_vformat(&g->arena, format, args);
    va_end(args);
    gen_do(text.data ? HOIST_OK : HOIST_NO_MEMORY);
    return text.data;
}

hoist_neff_ints gen_ints(neff_gen *g, const int64_t *items, size_t count)
{
    int64_t *const own = hoist_arena_array(&g->arena, count, sizeof(own[0]));
    gen_do(own ? HOIST_OK : HOIST_NO_MEMORY);
    memcpy(own, items, count * sizeof(own[0]));
    return (hoist_neff_ints){own, count};
}

uint8_t *gen_bytes(neff_gen *g, size_t size)
{
    uint8_t *const bytes = hoist_arena_alloc(&g->arena, size);
    gen_do(bytes ? HOIST_OK : HOIST_NO_MEMORY);
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)hoist_test_random(&g->random);
    }
    return bytes;
}

const char *gen_path(neff_gen *g, const char *name)
{
    return gen_text(g, "sg%02zu/%s", g->subgraph, name);
}

// JSON -------------------------------------------------------------------------------------------

hoist_neff_keys gen_keys(neff_gen *g, size_t level)
{
    enum { PERCENT = 12 };
    hoist_neff_key *const keys = hoist_arena_array(&g->arena, 2, sizeof(keys[0]));
    size_t count = 0;
    gen_do(keys ? HOIST_OK : HOIST_NO_MEMORY);
    if (gen_chance(g, PERCENT)) {
        gen_mark(g, CELL_COMMENT_KEY + level);
        keys[count++] = (hoist_neff_key){"#comment", "\"of people\""};
    }
    if (gen_chance(g, PERCENT)) {
        static const char *const values[] = {"9007199254740993", "\"\\\"\\u00e9\\n\\\\\"",
                                             "{\"deep\": [1, null, true]}"};
        const size_t value = gen_pick(g, HOIST_COUNT_OF(values));
        gen_mark(g, CELL_UNKNOWN_KEY + level);
        if (value == 0) {
            gen_mark(g, CELL_JSON_LARGE);
        } else if (value == 1) {
            gen_mark(g, CELL_JSON_ESCAPES);
        }
        keys[count++] = (hoist_neff_key){"x_unknown", values[value]};
    }
    return (hoist_neff_keys){keys, count};
}

static void draw_json(neff_gen *g)
{
    hoist_neff_options *const o = &g->options;
    // An archive of two subgraphs as it is would not be small with indented texts.
    const bool long_texts = g->subgraphs == 2 && (o->pkg_version == 1 || o->level == 0);
    o->compact = gen_draw(g, CELL_JSON_COMPACT, long_texts ? 1 : 2) == 0;
    o->order = (hoist_neff_order)gen_draw(g, CELL_JSON_OWN, 3);
    o->output_key = gen_draw(g, CELL_OUTPUT_NAMES, 2) == 1;
    o->output_list = gen_draw(g, CELL_OUTPUT_TEXT, 2) == 1;
    o->wrapped = gen_draw(g, CELL_GRAPH_PLAIN, 2) == 1;
}

// Python, which reads these files too, takes the last of two.
static void duplicate_key(neff_gen *g)
{
    hoist_bytes text;
    if (!gen_chance(g, 10)) {
        return;
    }
    gen_mark(g, CELL_JSON_DUPLICATE);
    gen_do(hoist_neff_member(g->neff, "kelf-0.json", &text));
    const char *const fresh =
        gen_text(g, "{\"#twice\": 1, \"#twice\": 2,%.*s", (int)text.size - 1, text.data + 1);
    gen_do(hoist_neff_set_member(g->neff, "kelf-0.json",
                                 (hoist_bytes){(const uint8_t *)fresh, strlen(fresh)}));
}

// Header -----------------------------------------------------------------------------------------

static void draw_texts(neff_gen *g)
{
    hoist_neff_options *const o = &g->options;
    char full[256];
    memset(full, 'b', sizeof(full));
    switch (gen_draw(g, CELL_BUILD_USUAL, 3)) {
    case 1:
        o->build_version = "";
        break;
    case 2:
        o->build_version = gen_text(g, "%.128s", full);
        break;
    default:
        break;
    }
    switch (gen_draw(g, CELL_NAME_USUAL, 5)) {
    case 1:
        o->name = "";
        break;
    case 2:
        o->name = "x";
        break;
    case 3:
        o->name = gen_text(g, "%.255s", full);
        break;
    case 4:
        o->name = "mod\xc3\xa8le-\xe6\xa8\xa1.neff";
        break;
    default:
        break;
    }
}

static void draw_uuid(neff_gen *g)
{
    enum { UUID_SIZE = 16 };
    uint8_t *const uuid = gen_bytes(g, UUID_SIZE);
    switch (gen_draw(g, CELL_UUID_DIGEST, 3)) {
    case 1:
        uuid[6] = (uint8_t)((uuid[6] & 0x0f) | 0x40);
        uuid[8] = (uint8_t)((uuid[8] & 0x3f) | 0x80);
        g->options.uuid = uuid;
        break;
    case 2:
        memset(uuid, 0, UUID_SIZE);
        g->options.uuid = uuid;
        break;
    default:
        break;
    }
}

static void draw_counts(neff_gen *g)
{
    enum { NODES = 64 };
    hoist_neff_options *const o = &g->options;
    if (gen_draw(g, CELL_TPB_1, 2)) {
        o->num_tpb = 2 + (uint32_t)gen_pick(g, 6);
        o->requested_tpb_count = o->num_tpb;
    }
    if (gen_draw(g, CELL_NODES_ZERO, 2)) {
        uint8_t *const nodes = hoist_arena_alloc(&g->arena, NODES);
        gen_do(nodes ? HOIST_OK : HOIST_NO_MEMORY);
        nodes[gen_pick(g, NODES)] = o->num_tpb ? (uint8_t)o->num_tpb : 1;
        o->tpb_per_node = nodes;
    }
    const uint32_t major[] = {1, 1, 2};
    const size_t version = gen_draw(g, CELL_VERSION_1_0, 3);
    o->version_major = major[version];
    o->version_minor = version == 1;
}

// Bits that have a name, or a meaning that is known (neff reference 1.5).
static void draw_features(neff_gen *g)
{
    static const uint8_t named[GEN_FEATURES] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                                12, 13, 14, 15, 16, 17, 20, 21, 22, 24, 25};
    const size_t kind = gen_draw(g, CELL_FEATURES_FOLLOW, 3);
    if (kind == 1) {
        g->options.feature_bits = UINT64_C(1) << named[gen_draw(g, CELL_FEATURE, GEN_FEATURES)];
    } else if (kind == 2) {
        g->options.feature_bits = UINT64_C(1) << (27 + gen_pick(g, 36));
        g->options.version_major = 1;
    }
}

static void draw_header(neff_gen *g)
{
    hoist_neff_options *const o = &g->options;
    o->pkg_version = 1 + (uint32_t)gen_draw(g, CELL_PKG_1, 2);
    static const int levels[] = {0, 1, 9};
    if (o->pkg_version == 1) {
        gen_mark(g, CELL_GZIP_RAW);
    } else {
        o->has_level = true;
        o->level = levels[gen_draw(g, CELL_GZIP_0, 3)];
    }
    draw_counts(g);
    draw_texts(g);
    draw_uuid(g);
    draw_features(g);
    o->has_lnc_size = true;
    if (g->subgraphs == 2 && g->generation != 1) {
        gen_mark(g, CELL_LNC_2);
        o->lnc_size = 2;
    } else {
        o->lnc_size = (uint32_t)gen_draw(g, CELL_LNC_0, 2);
    }
}

// Target -----------------------------------------------------------------------------------------

static void draw_target(neff_gen *g)
{
    enum { EMPTY = 10, MISSING, COUNT };
    static const struct {
        const char *spelling;
        int generation;
        const char *arch;
    } targets[COUNT] = {
        {"*", 0, NULL},        {"tonga", 1, "inf1"},      {"inf1", 1, "inf1"},
        {"v1", 1, "inf1"},     {"sunda", 2, "trn1"},      {"v2", 2, "inf2"},
        {"cayman", 3, "trn2"}, {"v3", 3, "trn2"},         {"mariana", 4, "trn3"},
        {"v4", 4, "trn3"},     [EMPTY] = {"", 2, "trn1"}, [MISSING] = {"", 2, "trn1"},
    };
    const size_t target = gen_draw(g, CELL_TARGET, COUNT);
    g->options.target = targets[target].spelling;
    g->generation = targets[target].generation;
    if (gen_draw(g, CELL_ASKED_NOTHING, 2)) {
        g->file->arch = targets[target].arch ? targets[target].arch : "trn2";
    }
    g->subgraphs = 1 + gen_draw_first(g, CELL_SUBGRAPHS_1, 2, 70);
}

static void finish_target(neff_gen *g)
{
    enum { MISSING = 11 };
    gen_mark(g, CELL_GENERATION + (size_t)g->generation);
    gen_do(hoist_neff_add_keys(g->neff, "kelf-0.json", gen_keys(g, LEVEL_KELF)));
    gen_do(hoist_neff_add_keys(g->neff, "neff.json", gen_keys(g, LEVEL_GRAPH)));
    if (g->file->cells[CELL_TARGET + MISSING] && g->options.target[0] == '\0') {
        const hoist_neff_key key = {"target", NULL};
        gen_do(hoist_neff_add_keys(g->neff, "kelf-0.json", (hoist_neff_keys){&key, 1}));
    }
}

// All together -----------------------------------------------------------------------------------

static void begin_subgraph(neff_gen *g, size_t index)
{
    g->subgraph = index;
    g->vars = 0;
    g->blocks = 0;
    g->semaphore = 0;
    g->instance = NULL;
    for (size_t i = 0; i < HOIST_NEFF_ENGINE_COUNT; i++) {
        hoist_buffer_init(&g->code[i], hoist_allocator_system());
        hoist_buffer_init(&g->functions[i], hoist_allocator_system());
    }
    gen_do(hoist_neff_add_subgraph(g->neff, NULL));
    gen_do(hoist_neff_add_keys(g->neff, gen_path(g, "def.json"), gen_keys(g, LEVEL_DEF)));
    gen_do(hoist_neff_add_keys(g->neff, gen_path(g, "act.json"), gen_keys(g, LEVEL_ENGINE)));
}

static void end_subgraph(neff_gen *g)
{
    if (g->subgraph == 0) {
        gen_mutate_content(g);
    }
    gen_close_streams(g);
    for (size_t i = 0; i < HOIST_NEFF_ENGINE_COUNT; i++) {
        hoist_buffer_deinit(&g->code[i]);
        hoist_buffer_deinit(&g->functions[i]);
    }
}

static void fill_subgraph(neff_gen *g, size_t index)
{
    begin_subgraph(g, index);
    gen_variables(g);
    gen_constants(g);
    gen_queue_sets(g);
    gen_streams(g);
    end_subgraph(g);
}

void neff_file_generate(const neff_file_options *options, neff_file *out_file)
{
    uint64_t state = options->seed;
    // Mixed, because the states of the sequence of a seed are not far from those of the next.
    neff_gen g = {.random = hoist_test_random(&state),
                  .file = out_file,
                  .mutation = options->mutation,
                  .size = options->size,
                  .options = {.struct_size = sizeof(hoist_neff_options)}};
    hoist_bytes built;
    memset(out_file, 0, sizeof(*out_file));
    hoist_buffer_init(&out_file->bytes, hoist_allocator_system());
    hoist_arena_init(&g.arena, hoist_allocator_system());
    draw_target(&g);
    draw_header(&g);
    draw_json(&g);
    gen_mutate_options(&g);
    gen_do(hoist_neff_create(&g.options, &g.neff));
    finish_target(&g);
    for (size_t i = 0; i < g.subgraphs; i++) {
        fill_subgraph(&g, i);
    }
    duplicate_key(&g);
    gen_mutate_members(&g);
    gen_do(hoist_neff_finish(g.neff, NULL, &built));
    gen_container(&g, built);
    gen_mutate_bytes(&g);
    hoist_neff_destroy(g.neff);
    hoist_arena_deinit(&g.arena);
}

void neff_file_deinit(neff_file *file)
{
    hoist_buffer_deinit(&file->bytes);
}
