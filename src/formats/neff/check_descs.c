// Rules 49 to 57 and 64: the descriptors of blocks, op and both sides (neff reference 4.4, 4.5).
// The rest is in check_extras.c and check_effects.c; pattern.c has the arithmetic of patterns.
//
// A file can have a million of them, so rows are looked at first, and the text only for a finding
// (engine_check.c).
#include <inttypes.h>

#include "base/span.h"
#include "formats/neff/desc_check.h"

enum { USUAL_DIMS = 4 }; // more need feature bit 9

// The keys of a side, so that one function checks `to` and each `from`.
typedef struct side_keys {
    const char *var;
    const char *offset;
    const char *sizes;
    const char *steps;
    const char *dtype;
} side_keys;
static const side_keys to_keys = {"to", "to_off", "to_sizes", "to_steps", "to_dtype"};
static const side_keys from_keys = {"from", "from_off", "from_sizes", "from_steps", "from_dtype"};

// One side of a transfer with all that its checks need; borrowed from the check of the descriptor.
typedef struct side {
    const side_keys *keys;
    const neff_pattern *pattern;
    const neff_access *access;
    neff_engine_spot spot; // of the object that has the keys
    bool wants_var;        // its variable is required: `to`, and items of from_arr
} side;

// The spot of a key of the side's object.
static neff_engine_spot at(const side *s, const char *key)
{
    neff_engine_spot spot = s->spot;
    spot.key = key;
    return spot;
}

static neff_engine_spot at_item(const side *s, const char *key, uint32_t item)
{
    neff_engine_spot spot = at(s, key);
    spot.item = item;
    return spot;
}

// Bytes of an element; 0: not known, which rule 57a reports.
static uint32_t element_of(const neff_pattern *pattern)
{
    return pattern->dtype < 0 ? 0 : neff_dtypes[pattern->dtype].bytes;
}

// What is there: rules 50, 51 and 54 --------------------------------------------------------------

// Absent in the text, too: a value of another kind is no missing key, and was reported.
static void report_missing(neff_desc_check *d, const side *s, neff_rule rule, const char *key)
{
    if (neff_engine_lacks(d->e, at(s, key))) {
        neff_engine_report(d->e, rule, at(s, key), "a %s without '%s'",
                           s->spot.source == NEFF_NONE ? "descriptor" : "source", key);
    }
}

// Rules 50a and 54 of one side. The caller has found that a bit is missing.
static void check_missing(neff_desc_check *d, const side *s)
{
    const uint8_t present = s->pattern->present;
    // A plain `from` depends on the op: check_sources.
    if (s->wants_var && !(present & NEFF_HAS_VAR)) {
        report_missing(d, s, NEFF_050a, s->keys->var);
    }
    if (present == 0) {
        return; // there is no such side
    }
    if (!(present & NEFF_HAS_OFFSET)) {
        report_missing(d, s, NEFF_054, s->keys->offset);
    }
    if (!(present & NEFF_HAS_SIZES)) {
        report_missing(d, s, NEFF_054, s->keys->sizes);
    }
    if (!(present & NEFF_HAS_STEPS)) {
        report_missing(d, s, NEFF_054, s->keys->steps);
    }
}

// Patterns: rules 52, 53, 55 and 64 ---------------------------------------------------------------

// Items of the list at `key`, of which rows count no more than 255; longer lists are counted in the
// text.
static uint32_t length_of(neff_desc_check *d, const side *s, const char *key, uint8_t counted)
{
    const uint32_t items = counted == UINT8_MAX ? neff_engine_items(d->e, at(s, key)) : 0;
    return items > counted ? items : counted;
}

// Rule 52: as many steps as sizes, 1 to 8, more than 4 only with feature bit 9.
static void check_lengths(neff_desc_check *d, const side *s)
{
    const uint32_t sizes = length_of(d, s, s->keys->sizes, s->pattern->size_count);
    const uint32_t steps = length_of(d, s, s->keys->steps, s->pattern->step_count);
    if (sizes != steps) {
        neff_engine_report(d->e, NEFF_052a, at(s, s->keys->steps),
                           "'%s' has %" PRIu32 " %s, '%s' has %" PRIu32 ", expected as many",
                           s->keys->steps, steps, hoist_plural(steps, "item", "items"),
                           s->keys->sizes, sizes);
    } else if (sizes == 0) {
        neff_engine_report(d->e, NEFF_052a, at(s, s->keys->sizes),
                           "'%s' is empty, expected 1 to %d sizes", s->keys->sizes, NEFF_MAX_DIMS);
    } else if (sizes > NEFF_MAX_DIMS) {
        neff_engine_report(d->e, NEFF_052a, at(s, s->keys->sizes),
                           "'%s' has %" PRIu32 " items, expected at most %d", s->keys->sizes, sizes,
                           NEFF_MAX_DIMS);
    } else if (sizes > USUAL_DIMS) {
        neff_engine_report(d->e, NEFF_052b, at(s, s->keys->sizes),
                           "'%s' has %" PRIu32 " items, more than %d need feature bit 9",
                           s->keys->sizes, sizes, USUAL_DIMS);
    }
}

// Rule 53, at the first size that is below 1: loaders refuse 0, which no transfer means.
static void check_sizes(neff_desc_check *d, const side *s)
{
    for (uint32_t i = 0; i < s->pattern->size_count; i++) {
        const int64_t size = d->e->engine->numbers[s->pattern->sizes + i];
        if (size < 1) {
            neff_engine_report(d->e, NEFF_053, at_item(s, s->keys->sizes, i),
                               "item %" PRIu32 " of '%s' is %" PRId64 ", expected 1 or more", i,
                               s->keys->sizes, size);
            return;
        }
    }
}

// Bytes of a variable that descriptors may touch; -1: not known. A state-buffer is the complete
// window, whatever size it has.
static int64_t capacity_of(const neff_desc_check *d, const neff_var *var)
{
    if (var->type == NEFF_VAR_STATE_BUFFER) {
        return NEFF_STATE_BUFFER_SIZE;
    }
    return (var->present & d->e->var_size) && var->size >= 0 ? var->size : -1;
}

// Rules 55 and 64. The finding is at the key that is most likely wrong: an offset outside of the
// variable, else negative steps, else sizes.
static void check_bounds(neff_desc_check *d, const side *s)
{
    const uint32_t at_var = s->pattern->var;
    const neff_var *var = at_var == NEFF_NONE ? NULL : &d->e->subgraph->vars[at_var];
    if (!var) { // undeclared: rule 51
        return;
    }
    const int64_t space = capacity_of(d, var);
    if (s->access->dims > 0 && space >= 0 && !neff_access_within(s->access, space)) {
        const neff_extent extent = neff_access_extent(s->access);
        const int64_t offset = s->access->offset;
        const char *key = offset < 0 || offset >= space ? s->keys->offset
                          : extent.low < 0              ? s->keys->steps
                                                        : s->keys->sizes;
        if (extent.exact) {
            neff_engine_report(d->e, NEFF_055, at(s, key),
                               "bytes %" PRId64 " to %" PRId64 " of '%.*s', which has %" PRId64,
                               extent.low, extent.high - 1, HOIST_STR_ARGS(var->name), space);
        } else {
            neff_engine_report(d->e, NEFF_055, at(s, key),
                               "bytes beyond 64 bits of '%.*s', which has %" PRId64,
                               HOIST_STR_ARGS(var->name), space);
        }
    }
    if (var->type == NEFF_VAR_POINTER && s->pattern->offset != 0) { // its 8 bytes hold one address
        neff_engine_report(d->e, NEFF_064, at(s, s->keys->offset),
                           "'%s' is %" PRId64 " in the pointer '%.*s', expected 0", s->keys->offset,
                           s->pattern->offset, HOIST_STR_ARGS(var->name));
    }
}

// Elements: rule 57 -------------------------------------------------------------------------------

// Rule 57: elements of several bytes have to be complete, and their bytes should lie together.
static void check_elements(neff_desc_check *d, const side *s)
{
    const uint32_t bytes = element_of(s->pattern);
    if (bytes < 2 || s->access->dims == 0) { // single bytes can lie anywhere
        return;
    }
    if (s->access->sizes[0] % bytes != 0) {
        neff_engine_report(
            d->e, NEFF_057a, at_item(s, s->keys->sizes, 0),
            "item 0 of '%s' is %" PRId64 ", expected a multiple of the %" PRIu32 " bytes of %s",
            s->keys->sizes, s->access->sizes[0], bytes, neff_dtypes[s->pattern->dtype].name);
    }
    if (s->access->steps[0] != 1) {
        neff_engine_spot spot = at_item(s, s->keys->steps, 0);
        spot.mild = true; // --strict is about what the loader refuses, and it does not refuse this
        neff_engine_report(d->e, NEFF_057b, spot,
                           "item 0 of '%s' is %" PRId64 ", so the %" PRIu32
                           " bytes of each %s lie apart, expected 1",
                           s->keys->steps, s->access->steps[0], bytes,
                           neff_dtypes[s->pattern->dtype].name);
    }
}

// Rules 57a, 49b and 57b. Without a dtype there is the default uint8, except for fma, add, min and
// max, whose sides the loader refuses then.
static void check_dtype(neff_desc_check *d, const side *s)
{
    const bool there = s->pattern->present & NEFF_HAS_DTYPE;
    // Only for findings: rows have the index of the word.
    const neff_engine_spot spot = at(s, s->keys->dtype);
    if (there && s->pattern->dtype < 0) {
        neff_engine_report(d->e, NEFF_057a, spot,
                           "'%s' '%.*s' is not known, expected one like '%s'", s->keys->dtype,
                           HOIST_STR_ARGS(neff_engine_text(d->e, spot)),
                           neff_dtypes[NEFF_DTYPE_UINT8].name);
    }
    if (there && d->e->c->generation == NEFF_GEN1) {
        neff_engine_report(d->e, NEFF_049b, spot, "'%s' is not there on inf1", s->keys->dtype);
    }
    if (!there && neff_op_computes(d->desc->op) && s->wants_var && s->pattern->present &&
        neff_engine_lacks(d->e, spot)) {
        neff_engine_report(d->e, NEFF_057b, spot,
                           "%s without '%s', expected an explicit one: the loader takes no default",
                           neff_ops.names[d->desc->op], s->keys->dtype);
    }
}

// Rules of one side, from what is there to what it means; each check stays silent where an earlier
// one has reported the same list.
static void check_side(neff_desc_check *d, const side *s)
{
    const uint8_t lists = NEFF_HAS_SIZES | NEFF_HAS_STEPS;
    const uint8_t expected = lists | NEFF_HAS_VAR | NEFF_HAS_OFFSET;
    if ((s->pattern->present & expected) != expected) { // one look for the usual case
        check_missing(d, s);
    }
    if ((s->pattern->present & NEFF_HAS_VAR) && s->pattern->var == NEFF_NONE) {
        neff_engine_report(d->e, NEFF_051, at(s, s->keys->var), "variable '%.*s' is not declared",
                           HOIST_STR_ARGS(neff_engine_text(d->e, at(s, s->keys->var))));
    }
    if ((s->pattern->present & lists) == lists) {
        check_lengths(d, s);
    }
    check_sizes(d, s);
    check_bounds(d, s);
    check_dtype(d, s);
    check_elements(d, s);
}

// Both sides: rules 56 and 57a --------------------------------------------------------------------

// How much a side has of what `op` moves one by one: bytes, or elements where it converts them.
// False when that is no integer; UINT64_MAX when 64 bits do not hold it.
static bool count_of(int op, const neff_access *access, const neff_pattern *pattern,
                     uint64_t *out_count)
{
    const uint32_t element = element_of(pattern);
    const bool bytewise = op == NEFF_OP_COPY || op == NEFF_OP_TRANSPOSE;
    if (!neff_access_bytes(access, out_count)) {
        *out_count = UINT64_MAX;
        return true;
    }
    if (bytewise) {
        return true;
    }
    const bool whole = element > 0 && *out_count % element == 0;
    *out_count = whole ? *out_count / element : 0;
    return whole; // else rule 57 has reported it
}

// Rule 56: shapes may differ, amounts may not.
static void check_counts(neff_desc_check *d, const side *s)
{
    const int8_t op = d->desc->op;
    uint64_t from = 0;
    uint64_t to = 0;
    // Not known: other rules.
    if (op < 0 || !d->to.dims || !s->access->dims || !count_of(op, s->access, s->pattern, &from) ||
        !count_of(op, &d->to, &d->desc->to, &to)) {
        return;
    }
    const char *what = op == NEFF_OP_COPY || op == NEFF_OP_TRANSPOSE ? "bytes" : "elements";
    if (from == UINT64_MAX || to == UINT64_MAX) {
        neff_engine_report(d->e, NEFF_056, at(s, s->keys->sizes),
                           "more %s than 64 bits can count, expected fewer", what);
    } else if (from != to) {
        neff_engine_report(d->e, NEFF_056, at(s, s->keys->sizes),
                           "%" PRIu64 " %s are read and %" PRIu64 " written, expected as many",
                           from, what, to);
    }
}

// Rule 57a of a copy: two types that are stored alike (an alias, a packed type) are one.
static void check_copy(neff_desc_check *d, const side *s)
{
    const neff_pattern *to = &d->desc->to;
    if (d->desc->op == NEFF_OP_COPY && (s->pattern->present & to->present & NEFF_HAS_DTYPE) &&
        s->pattern->dtype >= 0 && to->dtype >= 0 &&
        neff_dtypes[s->pattern->dtype].dtype != neff_dtypes[to->dtype].dtype) {
        neff_engine_report(d->e, NEFF_057a, neff_desc_spot(d, "to_dtype"),
                           "a copy from %s to %s, expected one type or the op cast",
                           neff_dtypes[s->pattern->dtype].name, neff_dtypes[to->dtype].name);
    }
}

// Op and sources: rules 49 and 50 -----------------------------------------------------------------

// Rules 49a and 49b. An unknown op has no further checks of its keys.
static void check_op(neff_desc_check *d)
{
    const int8_t op = d->desc->op;
    const neff_engine_spot spot = neff_desc_spot(d, "op");
    if (op < 0) {
        neff_engine_report(d->e, NEFF_049a, spot,
                           "op '%.*s' is not known, expected copy, cast, fma, add, min, max or "
                           "transpose",
                           HOIST_STR_ARGS(neff_engine_text(d->e, spot)));
        return;
    }
    if (d->e->c->generation == NEFF_GEN1 && op != NEFF_OP_COPY) {
        neff_engine_report(d->e, NEFF_049b, spot, "op %s on inf1, which only copies",
                           neff_ops.names[op]);
    }
}

// Rule 50: fma, add, min and max read `from_arr`, the others `from`. Descriptors that are no
// objects have neither.
static void check_sources(neff_desc_check *d)
{
    const neff_desc *desc = d->desc;
    const bool computes = neff_op_computes(desc->op);
    if (desc->has_from_arr) {
        const neff_engine_spot spot = neff_desc_spot(d, "from_arr");
        const uint32_t count = d->desc->source_count; // as rows have it: at most 65,535
        if (d->desc->has_from) {
            neff_engine_report(d->e, NEFF_050b, neff_desc_spot(d, "from"),
                               "both 'from' and 'from_arr', of which the second one counts");
        }
        if (count == 0 && neff_op_computes(d->desc->op)) { // of other ops it is ignored
            neff_engine_report(d->e, NEFF_050a, spot,
                               "'from_arr' is empty, expected 1 to %d sources", NEFF_MAX_SOURCES);
        }
        if (count > NEFF_MAX_SOURCES) {
            neff_engine_report(d->e, NEFF_050a, spot,
                               "'from_arr' has %" PRIu32 " sources, expected at most %d", count,
                               NEFF_MAX_SOURCES);
        }
        if (d->e->c->generation == NEFF_GEN1) {
            neff_engine_report(d->e, NEFF_049b, spot, "'from_arr' is not there on inf1");
        }
    }
    const char *key = computes ? "from_arr" : "from";
    if (desc->op >= 0 && !(computes ? desc->has_from_arr : desc->has_from) && // -1 knows no keys
        neff_engine_lacks(d->e, neff_desc_spot(d, key))) {
        neff_engine_report(d->e, NEFF_050a, neff_desc_spot(d, key), "%s without '%s'",
                           neff_ops.names[desc->op], key);
    }
}

// Descriptors -------------------------------------------------------------------------------------

// Sets what the checks of one descriptor share. Of too many sources only the first 16 are checked.
static void take_desc(neff_desc_check *d, uint32_t block, uint32_t index)
{
    const neff_engine *engine = d->e->engine;
    d->desc = &engine->descs[index];
    d->spot = (neff_engine_spot){block, index, NEFF_NONE, NULL, NEFF_NONE, false};
    d->to = neff_access_of(engine, &d->desc->to);
    d->source_count =
        d->desc->source_count < NEFF_MAX_SOURCES ? d->desc->source_count : NEFF_MAX_SOURCES;
    for (uint32_t i = 0; i < d->source_count; i++) {
        d->from[i] = neff_access_of(engine, neff_desc_source(d, i));
    }
}

// `to` first, then each source against it; the findings of one descriptor are sorted by place
// later.
static hoist_status check_desc(neff_desc_check *d)
{
    check_op(d);
    check_sources(d);
    const side to = {&to_keys, &d->desc->to, &d->to, d->spot, true};
    check_side(d, &to);
    for (uint32_t i = 0; i < d->source_count; i++) {
        side from = {&from_keys, neff_desc_source(d, i), &d->from[i], d->spot, false};
        from.spot.source = d->desc->has_from_arr ? i : NEFF_NONE; // its path has from_arr/i
        from.wants_var = d->desc->has_from_arr;
        check_side(d, &from);
        check_counts(d, &from);
        check_copy(d, &from);
    }
    neff_check_extras(d);
    return neff_check_effects(d);
}

static hoist_status check_engine(neff_engine_check *e)
{
    neff_desc_check d = {.e = e};
    for (uint32_t i = 0; i < e->engine->block_count; i++) {
        const neff_block *block = &e->engine->blocks[i];
        for (uint32_t k = 0; k < block->desc_count; k++) {
            // A descriptor's checks take bounded time.
            HOIST_TRY(hoist_deadline_look(e->c->module->base.deadline));
            take_desc(&d, i, block->descs + k);
            HOIST_TRY(check_desc(&d));
        }
    }
    return HOIST_OK;
}

hoist_status neff_check_descs(neff_check *c)
{
    return neff_check_each_engine(c, check_engine);
}
