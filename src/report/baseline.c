// A baseline (baseline.h). Input: a SARIF log, runs/*/results/*/partialFingerprints/"hoist/v1", and
// findings in the order in which they were when the log was written. Output: those not in it.
#include "report/baseline.h"

#include "base/diag.h"
#include "base/span.h"
#include "codec/json.h"

// The member of an object when it is of that kind. False: none, another kind, or no object at all.
static bool find(const hoist_json *json, hoist_json_index object, const char *key,
                 hoist_json_kind kind, hoist_json_index *out)
{
    return hoist_json_kind_of(json, object) == HOIST_JSON_OBJECT &&
           hoist_json_find(json, object, hoist_str_from(key), out) &&
           hoist_json_kind_of(json, *out) == kind;
}

// Calls `take` for each item of an array.
static hoist_status each(hoist_baseline *b, const hoist_json *json, hoist_json_index array,
                         hoist_status (*take)(hoist_baseline *b, const hoist_json *json,
                                              hoist_json_index item))
{
    const uint32_t count = hoist_json_size(json, array);
    hoist_json_index at = count ? hoist_json_first(json, array) : 0;
    for (uint32_t i = 0; i < count; i++) {
        HOIST_TRY(take(b, json, at));
        at = hoist_json_next(json, at);
    }
    return HOIST_OK;
}

// Keeps the fingerprint of one result of the log.
static hoist_status read_result(hoist_baseline *b, const hoist_json *json, hoist_json_index result)
{
    hoist_json_index prints = 0;
    hoist_json_index text = 0;
    if (!find(json, result, "partialFingerprints", HOIST_JSON_OBJECT, &prints) ||
        !find(json, prints, "hoist/v1", HOIST_JSON_STRING, &text)) {
        return HOIST_OK; // of another tool
    }
    // A string without escapes is part of the log, which the caller may free: it is copied.
    const hoist_str slice = hoist_json_string(json, text, &b->arena);
    const hoist_str own = hoist_arena_str(&b->arena, slice);
    if (!slice.data || !own.data) {
        return HOIST_NO_MEMORY;
    }
    const hoist_status status = hoist_map_add(&b->known, own, 0, NULL);
    // The same fingerprint in two runs of a log is known all the same.
    return status == HOIST_BUSY ? HOIST_OK : status;
}

// A log may have several runs, of several tools; one without results has found nothing.
static hoist_status read_run(hoist_baseline *b, const hoist_json *json, hoist_json_index run)
{
    hoist_json_index results = 0;
    return find(json, run, "results", HOIST_JSON_ARRAY, &results)
               ? each(b, json, results, read_result)
               : HOIST_OK;
}

static hoist_status read_log(hoist_baseline *b, const hoist_json *json)
{
    hoist_json_index runs = 0;
    return find(json, 0, "runs", HOIST_JSON_ARRAY, &runs) ? each(b, json, runs, read_run)
                                                          : HOIST_UNSUPPORTED;
}

hoist_status hoist_baseline_read(hoist_bytes log, hoist_allocator alloc, hoist_diag *diag,
                                 hoist_baseline *out_baseline)
{
    hoist_arena_init(&out_baseline->arena, alloc);
    hoist_map_init(&out_baseline->known, alloc);
    hoist_fingerprints_init(&out_baseline->counts, alloc);
    hoist_json json;
    HOIST_TRY(hoist_json_read(log, NULL, alloc, diag, &json));
    const hoist_status status = read_log(out_baseline, &json);
    hoist_json_free(&json);
    return status;
}

void hoist_baseline_deinit(hoist_baseline *baseline)
{
    hoist_fingerprints_deinit(&baseline->counts);
    hoist_map_deinit(&baseline->known);
    hoist_arena_deinit(&baseline->arena);
}

hoist_status hoist_baseline_split(hoist_baseline *baseline, const hoist_diag *from, hoist_diag *to,
                                  size_t *out_known)
{
    *out_known = 0;
    for (size_t i = 0; i < hoist_diag_kept(from); i++) {
        const hoist_finding *f = hoist_diag_at(from, i);
        hoist_fingerprint fingerprint;
        size_t at = 0;
        // Of equal findings each has its number, so that one more than the log has is new.
        HOIST_TRY(hoist_fingerprint_next(&baseline->counts, f, &fingerprint));
        if (hoist_map_find(&baseline->known, hoist_str_from(fingerprint.text), &at)) {
            (*out_known)++;
        } else {
            hoist_diag_add(to, f);
        }
    }
    return hoist_diag_incomplete(to) ? HOIST_NO_MEMORY : HOIST_OK;
}
