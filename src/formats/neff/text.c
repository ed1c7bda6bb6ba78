// JSON members as tapes, the fields of their objects by table, and places in their texts. In goes a
// member, out come a tape (codec/json.h) or a filled struct (codec/record.h with the tables of
// fields.c), and findings; all readers of JSON members are on top of it.
#include "formats/neff/text.h"

#include "base/span.h"
#include "formats/neff/neff.h"

// Texts ------------------------------------------------------------------------------------------

// Passes on what the codec found as findings of NEFF: `text` is no JSON (021a), or has keys twice
// (021b). The finding that ended the reading is the last one.
static void report_codec(hoist_diag *diag, const hoist_diag *found, hoist_status status)
{
    const size_t count = hoist_diag_kept(found);
    for (size_t i = 0; i < count; i++) {
        const hoist_finding *f = hoist_diag_at(found, i);
        if (status == HOIST_OK || i + 1 < count) {
            neff_report(diag, NEFF_021b, f->loc, "%.*s; the last one counts",
                        HOIST_STR_ARGS(f->message));
            // A limit keeps the codec's rule: nothing is wrong with the file.
        } else if (status == HOIST_LIMIT) {
            hoist_report(diag, f->rule, f->loc, "%.*s", HOIST_STR_ARGS(f->message));
        } else {
            neff_report(diag, NEFF_021a, f->loc, "no JSON: %.*s (%s)", HOIST_STR_ARGS(f->message),
                        f->rule->id);
        }
    }
}

hoist_status neff_json_read(neff_reader *r, uint32_t member, const hoist_json_stream *stream,
                            hoist_json *out_json)
{
    const hoist_allocator alloc = r->module->base.alloc;
    // NaN and infinities, as Python's json writes them, are numbers.
    const hoist_json_limits limits = {.max_tokens = r->options ? r->options->max_nodes : 0,
                                      .nonfinite = true,
                                      .stream = stream,
                                      .deadline = r->module->base.deadline};
    *out_json = (hoist_json){.alloc = alloc};
    // A collector of its own, because the codec's rule ids become ours.
    hoist_diag *found = NULL;
    HOIST_TRY(hoist_diag_create(alloc, NULL, &found));
    neff_enter(r->module, r->diag, member);
    const hoist_bytes text = r->module->members[member].bytes;
    hoist_status status = hoist_json_read(text, &limits, alloc, found, out_json);
    if (hoist_diag_incomplete(found)) { // a finding was lost: no way to report it
        hoist_json_free(out_json);
        status = HOIST_NO_MEMORY;
    }
    if (status != HOIST_NO_MEMORY) {
        report_codec(r->diag, found, status);
    }
    hoist_diag_destroy(found);
    return status;
}

hoist_status neff_text_read(neff_reader *r, uint32_t member, neff_role role, neff_text *out_text)
{
    *out_text = (neff_text){.member = member}; // whatever is in it: something refers to it
    r->module->members[member].role = role;
    return neff_json_read(r, member, NULL, &out_text->json);
}

hoist_status neff_text_try(neff_reader *r, uint32_t member, neff_role role, neff_text *out_text)
{
    const hoist_status status = neff_text_read(r, member, role, out_text);
    return status == HOIST_INVALID || status == HOIST_TRUNCATED ? HOIST_OK : status;
}

void neff_text_free(neff_text *text)
{
    hoist_json_free(&text->json);
}

// No limit on tokens: the value is part of a text that was read within them.
hoist_status neff_engine_fragment(const neff_module *module, const neff_engine *engine, uint32_t at,
                                  hoist_json *out_json)
{
    const hoist_bytes text = module->members[engine->text.member].bytes;
    const hoist_json_limits limits = {.nonfinite = true};
    return hoist_json_read_at(text, at, &limits, module->base.alloc, NULL, out_json);
}

// Places -----------------------------------------------------------------------------------------

hoist_pos neff_place(neff_cursor *cursor, hoist_bytes text, size_t at)
{
    return hoist_json_place(cursor, text, at);
}

hoist_loc neff_token_loc(neff_reader *r, const hoist_json *json, hoist_json_index at)
{
    return hoist_loc_pos(neff_place(&r->cursor, json->text, json->tokens[at].start));
}

// Fields -----------------------------------------------------------------------------------------

// How records are read here: texts are bare (no places per value), so findings look places up.
static const hoist_rec_style style = {
    .rules = &hoist_neff_rules,
    .own = neff_kinds,
    .expected = {[HOIST_REC_INT] = "an integer of 64 bits",
                 [HOIST_REC_FLOAT] = "a number",
                 [HOIST_REC_BOOL] = "true or false",
                 [HOIST_REC_STR] = "a string",
                 [HOIST_REC_WORD] = "a string",
                 [HOIST_REC_SMALL_WORD] = "a string",
                 [HOIST_REC_INTS] = "a list of integers of 64 bits",
                 [HOIST_REC_STRS] = "a list of strings"},
    .quote = "'",
    .report = hoist_rec_report,
    .shown = hoist_rec_shown_json,
    .missing = hoist_rec_report_missing,
};

// A reader of records for one call. Its place in the text goes back to `r` afterwards, so that the
// next one near by is found quickly.
static hoist_rec_reader records(const neff_reader *r)
{
    return (hoist_rec_reader){
        .style = &style, .arena = r->arena, .diag = r->diag, .cursor = r->cursor};
}

void neff_report_value(neff_reader *r, uint16_t rule, const hoist_json *json, hoist_json_index at,
                       const char *key, const char *expected)
{
    hoist_rec_reader rec = records(r);
    const hoist_rec_node node = hoist_rec_json(json, at);
    hoist_rec_expected(&rec, rule, key, &node, expected);
    r->cursor = rec.cursor;
}

void neff_report_wrong(neff_reader *r, const hoist_rec_field *field, const hoist_json *json,
                       hoist_json_index at)
{
    hoist_rec_reader rec = records(r);
    const hoist_rec_node node = hoist_rec_json(json, at);
    hoist_rec_wrong(&rec, field, &node);
    r->cursor = rec.cursor;
}

void neff_report_missing(neff_reader *r, const hoist_rec_table *table, const hoist_json *json,
                         hoist_json_index at, uint64_t seen)
{
    hoist_rec_reader rec = records(r);
    const hoist_rec_node node = hoist_rec_json(json, at);
    hoist_rec_missing(&rec, table, &node, NULL, seen);
    r->cursor = rec.cursor;
}

hoist_status neff_read_value(neff_reader *r, const hoist_rec_field *field, const hoist_json *json,
                             hoist_json_index at, void *object)
{
    hoist_rec_reader rec = records(r);
    const hoist_rec_node node = hoist_rec_json(json, at);
    const bool right = hoist_rec_value(&rec, field, &node, object);
    // A value of another kind; or memory ran out.
    return rec.status == HOIST_OK && !right ? HOIST_INVALID : rec.status;
}

hoist_status neff_read_fields(neff_reader *r, const hoist_rec_table *table, const hoist_json *json,
                              hoist_json_index at, void *object, uint64_t *out_present)
{
    hoist_rec_reader rec = records(r);
    const hoist_rec_node node = hoist_rec_json(json, at);
    *out_present = hoist_rec_read(&rec, table, &node, object);
    r->cursor = rec.cursor;
    return rec.status;
}
