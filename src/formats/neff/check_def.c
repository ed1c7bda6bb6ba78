// Rules 26 to 30, 33 to 35 and 43: variables and engines of def.json (neff reference 3.3, 4.1). In
// go the rows of def_read.c, and the tape for places; out come findings. What concerns their memory
// is in files of its own: check_memory.h. check_queues.c has the queue sets.
#include <inttypes.h>

#include "base/span.h"
#include "formats/neff/check_memory.h"
#include "formats/neff/def_check.h"

// True when the key has a value of its kind; neff_def_there() is true for any value.
static bool has(const neff_var *var, const char *key)
{
    return neff_has(&neff_var_table, var->present, key);
}

// Rules 26, 27 and 29 to 30: what every variable has ---------------------------------------------

// Rule 26a. A state-buffer names the complete window, and real files give it no size.
static void check_size(neff_def_check *d, const neff_var *var)
{
    if (has(var, "size") && var->size < 0) {
        neff_report(d->c->diag, NEFF_026a, neff_def_at(d, var->at, "size"),
                    "'size' is %" PRId64 ", expected 0 or more bytes", var->size);
    } else if (!neff_def_there(d, var->at, "size") && var->type != NEFF_VAR_STATE_BUFFER) {
        neff_report(d->c->diag, NEFF_026a, neff_def_at(d, var->at, "size"),
                    "a variable without 'size', which only a state-buffer may lack");
    }
}

// Rule 27. Types found in the loader are accepted with a warning: their files exist.
static void check_type(neff_def_check *d, const neff_var *var)
{
    if (!has(var, "type")) { // missing or no word: reported by reading
        return;
    }
    if (var->type < 0) {
        neff_report(d->c->diag, NEFF_027a, neff_def_at(d, var->at, "type"),
                    "type '%.*s' is not known, expected one like 'input' or 'tmp-buf'",
                    HOIST_STR_ARGS(var->type_text));
    } else if (var->type >= NEFF_VAR_DOCUMENTED) {
        neff_report(d->c->diag, NEFF_027b, neff_def_at(d, var->at, "type"),
                    "type '%.*s' is known to the loader, but what it means is not public",
                    HOIST_STR_ARGS(var->type_text));
    }
}

// Rules 31b to 34b: keys of one type only ---------------------------------------------------------

static void check_foreign_keys(neff_def_check *d, const neff_var *var)
{
    static const struct {
        const char *key;
        neff_var_type type;
        neff_rule rule;
    } keys[] = {
        {"file_name", NEFF_VAR_FILE, NEFF_031b},
        {"backing_variable_off", NEFF_VAR_VIRTUAL, NEFF_032b},
        {"referenced_var_id", NEFF_VAR_POINTER, NEFF_033b},
        {"list", NEFF_VAR_DGE_TABLE, NEFF_034b},
    };
    // The keys of an undocumented type are not public, and an unknown one has its finding.
    for (size_t i = 0; i < HOIST_COUNT_OF(keys) && var->type >= 0; i++) {
        if (var->type != (int32_t)keys[i].type && var->type < NEFF_VAR_DOCUMENTED &&
            neff_def_there(d, var->at, keys[i].key)) {
            neff_report(d->c->diag, keys[i].rule, neff_def_at(d, var->at, keys[i].key),
                        "'%s' on a variable of type '%.*s', expected on '%s' only", keys[i].key,
                        HOIST_STR_ARGS(var->type_text), neff_var_types.names[keys[i].type]);
        }
    }
}

// Rule 33: 8 bytes that hold the address of another variable. A pointer to a pointer works, but no
// compiler is known to make one.
static void check_pointer(neff_def_check *d, const neff_var *var)
{
    hoist_diag *const diag = d->c->diag;
    if (has(var, "size") && var->size != 8) {
        neff_report(diag, NEFF_033a, neff_def_at(d, var->at, "size"),
                    "'size' of a pointer is %" PRId64 ", expected 8 bytes", var->size);
    }
    const hoist_loc loc = neff_def_at(d, var->at, "referenced_var_id");
    if (!neff_def_there(d, var->at, "referenced_var_id")) {
        neff_report(diag, NEFF_033a, loc, "a pointer without 'referenced_var_id'");
        // A value of another kind is there and not `present`: reading has reported it.
    } else if (has(var, "referenced_var_id") && var->referenced == NEFF_NONE) {
        neff_report(diag, NEFF_033a, loc,
                    "'referenced_var_id' is %" PRId64 ", which no variable has",
                    var->referenced_var_id);
    } else if (var->referenced != NEFF_NONE &&
               d->subgraph->vars[var->referenced].type == NEFF_VAR_POINTER) {
        neff_report(diag, NEFF_033b, loc, "a pointer to '%.*s', which is a pointer itself",
                    HOIST_STR_ARGS(d->subgraph->vars[var->referenced].name));
    }
}

// Rule 34: 8 bytes for each entry [inferred], which are var_ids in the order of the table.
static void check_table(neff_def_check *d, const neff_var *var)
{
    hoist_diag *const diag = d->c->diag;
    if (!neff_def_there(d, var->at, "list")) {
        neff_report(diag, NEFF_034a, neff_def_at(d, var->at, "list"), "a dge-table without 'list'");
    }
    // Walked in step with the row's list, for the place of each item.
    const hoist_json_index list = neff_tape_find(d->json, neff_tape_at(d->json, var->at), "list");
    hoist_json_index item = list + 1;
    for (uint32_t i = 0; i < var->list.count; i++) {
        if (neff_var_by_id(d->subgraph, var->list.items[i]) == NEFF_NONE) {
            neff_report(diag, NEFF_034a, neff_tape_loc(&d->cursor, d->json, item),
                        "item %" PRIu32 " of 'list' is %" PRId64 ", which no variable has", i,
                        var->list.items[i]);
        }
        item = hoist_json_next(d->json, item);
    }
    if (has(var, "size") && var->size >= 0 && (uint64_t)var->size < 8 * (uint64_t)var->list.count) {
        neff_report(diag, NEFF_034a, neff_def_at(d, var->at, "size"),
                    "'size' is %" PRId64 ", the list of %zu needs %" PRIu64 " bytes", var->size,
                    var->list.count, 8 * (uint64_t)var->list.count);
    }
}

// Rules 28 and 35: all variables together ---------------------------------------------------------

// Rule 28b: the loader makes a table of max(var_id) + 1 and expects no gap. Duplicates are 28a's,
// so comparing the ends with the count is enough.
static void check_dense(neff_def_check *d)
{
    const neff_subgraph *const s = d->subgraph;
    int64_t least = 0;
    int64_t most = -1;
    for (uint32_t i = 0; i < s->var_count; i++) {
        const int64_t id = s->vars[i].var_id;
        if (!has(&s->vars[i], "var_id")) {
            return; // its own finding is enough
        }
        least = id < least ? id : least;
        most = id > most ? id : most;
    }
    // Least is 0 at most.
    if (s->var_count > 0 && (least < 0 || most != (int64_t)s->var_count - 1)) {
        neff_report(d->c->diag, NEFF_028b, neff_def_loc(d, "var"),
                    "%" PRIu32 " %s var_ids from %" PRId64 " to %" PRId64
                    ", expected 0 to %" PRId64,
                    s->var_count, hoist_plural(s->var_count, "variable has", "variables have"),
                    least, most, (int64_t)s->var_count - 1);
    }
}

static hoist_status check_vars(neff_def_check *d)
{
    for (uint32_t i = 0; i < d->subgraph->var_count; i++) {
        const neff_var *const var = &d->subgraph->vars[i];
        neff_def_path path;
        neff_def_push(d, &path, "var", var->name);
        check_size(d, var);
        check_type(d, var);
        // The first of equal ids is found; every later one is reported against it.
        const uint32_t first = has(var, "var_id") ? neff_var_by_id(d->subgraph, var->var_id) : i;
        if (first != i) {
            neff_report(d->c->diag, NEFF_028a, neff_def_at(d, var->at, "var_id"),
                        "'var_id' is %" PRId64 ", as of '%.*s'", var->var_id,
                        HOIST_STR_ARGS(d->subgraph->vars[first].name));
        }
        const uint64_t alignment = (uint64_t)var->alignment;
        // A power of two has one bit.
        if (var->alignment < 0 || (alignment & (alignment - 1)) != 0) {
            neff_report(d->c->diag, NEFF_029, neff_def_at(d, var->at, "alignment"),
                        "'alignment' is %" PRId64 ", expected 0 or a power of two", var->alignment);
        }
        if (var->fabric < 0) {
            neff_report(d->c->diag, NEFF_030, neff_def_at(d, var->at, "fabric_path"),
                        "'fabric_path' is neither 'main' nor 'alt'");
        }
        check_foreign_keys(d, var);
        if (var->type == NEFF_VAR_POINTER) {
            check_pointer(d, var);
        } else if (var->type == NEFF_VAR_DGE_TABLE) {
            check_table(d, var);
        }
        neff_def_pop(d, &path);
    }
    // Rules 28b and 35 are about all variables: they have no meaning when `var` is no object.
    if (neff_tape_is(d->json, neff_tape_find(d->json, 0, "var"), HOIST_JSON_OBJECT)) {
        check_dense(d);
        bool has_input = false;
        bool has_output = false;
        for (uint32_t i = 0; i < d->subgraph->var_count; i++) {
            has_input = has_input || d->subgraph->vars[i].type == NEFF_VAR_INPUT;
            has_output = has_output || d->subgraph->vars[i].type == NEFF_VAR_OUTPUT;
        }
        if (!has_output) {
            neff_report(d->c->diag, NEFF_035a, neff_def_loc(d, "var"),
                        "no variable is an output, expected at least one");
        }
        if (!has_input) {
            neff_report(d->c->diag, NEFF_035b, neff_def_loc(d, "var"), "no variable is an input");
        }
    }
    return HOIST_OK;
}

// Rule 43 -----------------------------------------------------------------------------------------

// Rule 43: an engine without a file has an empty program, with a file that is missing none that can
// be loaded.
static void check_engines(neff_def_check *d)
{
    hoist_diag *const diag = d->c->diag;
    const hoist_loc whole = neff_tape_loc(&d->cursor, d->json, 0);
    uint32_t named = 0;
    for (int i = 0; i < NEFF_ENGINE_COUNT; i++) {
        named += neff_tape_find(d->json, 0, neff_engines[i].key) != 0;
    }
    // One finding instead of five when no engine is named.
    if (named == 0) {
        neff_report(diag, NEFF_043b, whole, "no engine has a file, nothing will run");
    }
    for (int i = 0; i < NEFF_ENGINE_COUNT; i++) {
        const char *const key = neff_engines[i].key;
        const hoist_json_index file = neff_tape_find(d->json, 0, key);
        if (!file && named > 0) { // the document: there is no value
            neff_report(diag, NEFF_043b, whole, "engine '%s' has no file, its program is empty",
                        key);
            // A value of another kind was reported by reading.
        } else if (neff_tape_is(d->json, file, HOIST_JSON_STRING) &&
                   d->subgraph->engines[i].text.member == NEFF_NONE) {
            neff_report(diag, NEFF_043a, neff_tape_loc(&d->cursor, d->json, file),
                        "the file of engine '%s', %.*s, is not in the archive", key,
                        HOIST_STR_ARGS(hoist_json_text(d->json, file)));
        }
    }
}

static hoist_status check_def(neff_def_check *d)
{
    HOIST_TRY(check_vars(d));
    HOIST_TRY(neff_check_constants(d));
    HOIST_TRY(neff_check_scratchpad(d));
    // The order of findings is that of the parts of def.json; sorting by place follows.
    check_engines(d);
    return neff_check_reservations(d);
}

hoist_status neff_check_def(neff_check *c)
{
    return neff_check_each_def(c, check_def);
}
