// The test-config of one queue: the map that is meant (the override of its name, of a pattern, or
// all), and its values, by rows. Keys and kinds of values are those of test_sections.c.
// Out: buda_stimulus or hoist_test_limits; a config that cannot be followed is rule 905.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/span.h"
#include "formats/buda/read.h"
#include "formats/buda/rules.h"
#include "formats/buda/stimulus.h"
#include "formats/buda/test_sections.h"

enum { MAX_PATTERN = 256 }; // parts of an expression; longer ones match themselves only

// Lookup --------------------------------------------------------------------------------------

// An expression, as what each of its parts matches: '\0' any character.
typedef struct pattern {
    size_t count;
    struct {
        char c; // unless `any`
        bool any;
        bool optional; // *
        bool repeats;  // * or +
    } parts[MAX_PATTERN];
} pattern;

// False: it has signs that are not understood, or is too long. "e2e_.*" is understood, "(a|b)" is
// not: then the text matches itself only.
static bool parse_pattern(hoist_str text, pattern *out)
{
    out->count = 0;
    for (size_t i = 0; i < text.size; i++) {
        const char c = text.data[i];
        // A repetition of the part before it; at the very front it is refused below.
        if ((c == '*' || c == '+') && out->count) {
            out->parts[out->count - 1].repeats = true;
            out->parts[out->count - 1].optional = c == '*';
            continue;
        }
        const bool escaped = c == '\\' && i + 1 < text.size;
        // Signs with a meaning in ECMAScript expressions, which the vendor uses.
        if (out->count == MAX_PATTERN || (!escaped && (c == '\0' || strchr("*+?[](){}|^$\\", c)))) {
            return false;
        }
        out->parts[out->count].any = c == '.';
        out->parts[out->count].optional = out->parts[out->count].repeats = false;
        i += escaped;
        out->parts[out->count++].c = text.data[i];
    }
    return true;
}

// Parts that need no character may be passed over.
static void pass_optional(const pattern *p, bool *at)
{
    for (size_t i = 0; i < p->count; i++) {
        at[i + 1] = at[i + 1] || (at[i] && p->parts[i].optional);
    }
}

// Simulates the expression as a nondeterministic automaton (Thompson): all places at once, so that
// no expression takes exponential time.
static bool matches(const pattern *p, hoist_str name)
{
    bool at[MAX_PATTERN + 1] = {true}; // before part i, all before is matched
    pass_optional(p, at);
    for (size_t k = 0; k < name.size; k++) {
        bool next[MAX_PATTERN + 1] = {false};
        for (size_t i = 0; i < p->count; i++) {
            if (at[i] && (p->parts[i].any || p->parts[i].c == name.data[k])) {
                next[i + 1] = true;
                next[i] = next[i] || p->parts[i].repeats; // it may match again
            }
        }
        pass_optional(p, next);
        memcpy(at, next, sizeof at);
    }
    return at[p->count];
}

// Section 3.1: exact name, then pattern, then the map itself.
const hoist_yaml_node *buda_test_config_of(const hoist_buda_module *module, const char *section,
                                           hoist_str name)
{
    const hoist_yaml_node *config = hoist_yaml_find(module->test_config, section);
    const hoist_yaml_node *overrides = hoist_yaml_find(config, "overrides");
    const bool some = overrides && overrides->kind == HOIST_YAML_MAP;
    for (const hoist_yaml_node *e = some ? overrides->first : NULL; e; e = e->next) {
        if (hoist_str_equal(buda_key(e), name)) {
            return e;
        }
    }
    for (const hoist_yaml_node *e = some ? overrides->first : NULL; e; e = e->next) {
        pattern p;
        if (parse_pattern(buda_key(e), &p) && matches(&p, name)) {
            return e;
        }
    }
    return config;
}

// Defaults of keys that the file lacks.
// Values --------------------------------------------------------------------------------------

typedef struct number_row {
    const char *key;
    size_t offset; // of a double
    double absent; // NaN: the types that need the key refuse it
} number_row;

#define ROW(key, member, absent)                                                                   \
    {                                                                                              \
        key, offsetof(buda_stimulus, member), absent                                               \
    }
static const number_row stimulus_rows[] = {
    ROW("uniform_lower_bound", low, (double)NAN),
    ROW("uniform_upper_bound", high, (double)NAN),
    ROW("normal_mean", mean, (double)NAN),
    ROW("normal_stddev", deviation, (double)NAN),
    ROW("constant_value", constant, (double)NAN),
    ROW("debug_tile_id_base", id_base, (double)NAN),
    ROW("debug_tile_id_step", id_step, (double)NAN),
    ROW("step_start", start, (double)NAN),
    ROW("step_increment", increment, (double)NAN),
    ROW("zero_strip_freq", zero_strips, 0),
    ROW("zero_ublock_freq", zero_ublocks, 0),
    ROW("zero_tile_freq", zero_tiles, 0),
    ROW("nz_strips", nz_strips, -1),
    ROW("nz_ublocks", nz_ublocks, -1),
    ROW("nz_tiles", nz_tiles, -1),
    ROW("enc_tile_byte_size", tile_bytes, 4096),
};
#undef ROW

// True without the key, and `*out_value` stays. Infinity and NaN are no numbers of a config.
static bool read_number(const hoist_yaml_node *map, const char *key, double *out_value)
{
    const hoist_yaml_node *node = hoist_yaml_find(map, key);
    return !node || (node->kind == HOIST_YAML_SCALAR && hoist_str_to_f64(node->text, out_value) &&
                     isfinite(*out_value));
}

// [first, last], counted from 1; `out_range` stays where there is none. 32 rows and columns in any
// case; smaller tiles have only the first of them.
static bool read_range(const hoist_yaml_node *map, const char *key, int64_t *out_range)
{
    const hoist_yaml_node *node = hoist_yaml_find(map, key);
    if (!node) {
        return true;
    }
    const bool is_pair = node->kind == HOIST_YAML_LIST && node->count == 2 &&
                         node->first->kind == HOIST_YAML_SCALAR &&
                         hoist_str_to_i64(node->first->text, true, &out_range[0]) &&
                         hoist_str_to_i64(node->first->next->text, true, &out_range[1]);
    out_range[0]--;
    out_range[1]--;
    return is_pair && out_range[0] >= 0 && out_range[0] <= out_range[1] && out_range[1] < 32;
}

// Words of the row in test_sections.c, without regard to case; `*out_word` is the index there,
// which the enum follows.
static bool read_word(const hoist_yaml_node *map, const buda_test_table *table, const char *key,
                      int *out_word)
{
    const hoist_yaml_node *node = hoist_yaml_find(map, key);
    const buda_test_key *row = buda_test_key_find(table, hoist_str_from(key));
    for (int i = 0; node && node->kind == HOIST_YAML_SCALAR && row->words[i]; i++) {
        if (hoist_str_equal_nocase(node->text, hoist_str_from(row->words[i]))) {
            *out_word = i;
            return true;
        }
    }
    return false;
}

// The table of a section of test-config. So that words and keys are in one table for checker and
// reader.
static const buda_test_table *table_of(const char *section)
{
    return buda_test_key_find(&buda_test_config_table, hoist_str_from(section))->table;
}

// At the map, as any of its values may be the reason.
static hoist_status refuse(hoist_diag *diag, const hoist_yaml_node *config, hoist_str queue,
                           const char *what)
{
    buda_report(diag, BUDA_905, config->pos, "the stimulus of '%.*s' %s", HOIST_STR_ARGS(queue),
                what);
    return HOIST_INVALID;
}

// The keys without which a type means nothing. NULL: nothing is missing. The result completes "the
// stimulus of 'q' ...".
static const char *lacks(const buda_stimulus *s)
{
    switch (s->kind) {
    case BUDA_STIMULUS_UNIFORM:
        return isnan(s->low) || isnan(s->high) || s->low > s->high
                   ? "is uniform, expected uniform_lower_bound and uniform_upper_bound, not below "
                     "it"
                   : NULL;
    case BUDA_STIMULUS_NORMAL:
        return isnan(s->mean) || isnan(s->deviation)
                   ? "is normal, expected normal_mean and normal_stddev"
                   : NULL;
    case BUDA_STIMULUS_CONSTANT:
        return isnan(s->constant) ? "is constant, expected constant_value" : NULL;
    case BUDA_STIMULUS_TILE_ID:
        return isnan(s->id_base) || isnan(s->id_step)
                   ? "is of tile numbers, expected debug_tile_id_base and debug_tile_id_step"
                   : NULL;
    case BUDA_STIMULUS_STEP:
    case BUDA_STIMULUS_STEP_ROWWISE:
    case BUDA_STIMULUS_STEP_COLUMNWISE:
        return isnan(s->start) || isnan(s->increment)
                   ? "goes in steps, expected step_start and step_increment"
                   : NULL;
    default: // sparse: the op whose shape the encoding has
        return s->matmul.size ? NULL : "is sparse, expected matmul_ident_name";
    }
}

// Without any config the range is that of the vendor's test of ops (stimulus.h).
hoist_status buda_stimulus_read(const hoist_buda_module *module, hoist_str queue, hoist_diag *diag,
                                buda_stimulus *out_stimulus)
{
    const hoist_yaml_node *config = buda_test_config_of(module, "stimulus-config", queue);
    buda_stimulus *s = out_stimulus;
    // Only as long as there is no config.
    *s = (buda_stimulus){.low = 0.001, .high = 1, .rows = {0, 31}, .cols = {0, 31}};
    if (!config) {
        return HOIST_OK;
    }
    int kind = 0;
    if (!read_word(config, table_of("stimulus-config"), "type", &kind)) {
        return refuse(diag, config, queue, "has no type that is known");
    }
    s->kind = (buda_stimulus_kind)kind; // same order as the words of "type"
    s->pos = config->pos;
    for (size_t i = 0; i < HOIST_COUNT_OF(stimulus_rows); i++) {
        double *const value = (double *)(void *)((char *)s + stimulus_rows[i].offset);
        *value = stimulus_rows[i].absent;
        if (!read_number(config, stimulus_rows[i].key, value)) {
            return refuse(diag, config, queue, "has a value that is no number");
        }
    }
    if (!read_range(config, "set_tile_rows", s->rows) ||
        !read_range(config, "set_tile_cols", s->cols)) {
        return refuse(diag, config, queue, "sets rows or columns that a tile does not have");
    }
    const hoist_yaml_node *matmul = hoist_yaml_find(config, "matmul_ident_name");
    s->matmul = matmul ? matmul->text : s->matmul;
    const char *what = lacks(s);
    return what ? refuse(diag, config, queue, what) : HOIST_OK;
}

// Defaults are those of section 3.2. HOIST_NOT_FOUND: the file has no comparison, and the caller
// takes its own limits.
hoist_status buda_test_limits(const hoist_module *base, hoist_str port, hoist_diag *diag,
                              hoist_test_limits *out_limits)
{
    enum { EXACT, ALL_CLOSE, ALL_CLOSE_HW };
    const hoist_buda_module *module = (const hoist_buda_module *)base;
    const hoist_yaml_node *config = buda_test_config_of(module, "comparison-config", port);
    hoist_test_limits limits = {.atol = 1e-3, .rtol = 1e-4, .share = 1, .pcc = 0.999};
    int kind = EXACT; // order of the words
    if (!config) {
        return HOIST_NOT_FOUND;
    }
    if (!read_word(config, table_of("comparison-config"), "type", &kind) ||
        !read_number(config, "atol", &limits.atol) || !read_number(config, "rtol", &limits.rtol) ||
        !read_number(config, "check_pct", &limits.share) ||
        !read_number(config, "check_pcc", &limits.pcc)) {
        buda_report(diag, BUDA_905, config->pos,
                    "the comparison of '%.*s' has no type that is known, or a limit that is no "
                    "number",
                    HOIST_STR_ARGS(port));
        return HOIST_INVALID;
    }
    // The caller's size survives: the struct may grow.
    limits.struct_size = out_limits->struct_size;
    limits.exact = kind == EXACT;
    // A limit of 0 turns the correlation off.
    limits.by_pcc = kind == ALL_CLOSE_HW && limits.pcc != 0;
    *out_limits = limits;
    return HOIST_OK;
}
