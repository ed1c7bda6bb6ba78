// A SARIF log (sarif.h). Input: findings, file after file. Output: tree events; results are sent as
// they come, so the rules that they refer to by id follow at the end, with the tool.
#include "report/sarif.h"

#include <string.h>

#include "base/alloc.h"
#include "base/span.h"
#include "report/rules.h"
#include "report/source_line.h"

void hoist_sarif_begin(hoist_sarif *sarif, hoist_allocator alloc, hoist_tree_sink *sink)
{
    *sarif = (hoist_sarif){.sink = sink};
    hoist_fingerprints_init(&sarif->fingerprints, alloc);
    hoist_map_init(&sarif->rules, alloc);
    hoist_tree_c(sink, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    hoist_tree_c(sink, "version", "2.1.0");
    hoist_tree_list(sink, "runs");
    hoist_tree_map(sink, "");
    hoist_tree_c(sink, "columnKind", "unicodeCodePoints");
    hoist_tree_list(sink, "results");
}

// A path as a URI reference: what is no part of a path there is written as %XX.
static void add_uri(hoist_buffer *out, hoist_str path)
{
    static const char kept[] = "-._~!$&'()*+,;=@/"; // RFC 3986, but for a colon in the first part
    if (path.size && path.data[0] == '/') {
        hoist_buffer_c(out, "file://");
    }
    for (size_t i = 0; i < path.size; i++) {
        const char c = path.data[i];
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                              (c >= '0' && c <= '9') || (c && strchr(kept, c));
        if (is_plain) {
            hoist_buffer_char(out, c);
        } else {
            hoist_buffer_format(out, "%%%02X", (unsigned)(uint8_t)c);
        }
    }
}

static hoist_status send_artifact(hoist_sarif *sarif, const hoist_finding *f)
{
    hoist_buffer uri;
    hoist_buffer_init(&uri, sarif->rules.alloc);
    add_uri(&uri, f->file);
    hoist_tree_map(sarif->sink, "artifactLocation");
    hoist_tree_str(sarif->sink, "uri", hoist_buffer_text(&uri));
    hoist_tree_end(sarif->sink);
    const bool failed = uri.failed;
    hoist_buffer_deinit(&uri);
    return failed ? HOIST_NO_MEMORY : HOIST_OK;
}

// The place in the file; of a member only its name, which is a logical location.
static void send_region(hoist_sarif *sarif, const hoist_finding *f, hoist_source_cursor *cursor)
{
    hoist_tree_sink *const sink = sarif->sink;
    if (f->member.size || f->loc.kind == HOIST_LOC_NONE) {
        return;
    }
    hoist_tree_map(sink, "region");
    if (f->loc.kind == HOIST_LOC_BYTE) {
        hoist_tree_uint(sink, "byteOffset", f->loc.offset, HOIST_UNIT_NONE);
        hoist_tree_uint(sink, "byteLength", 0, HOIST_UNIT_NONE);
        hoist_tree_end(sink);
        return;
    }
    const uint32_t character = hoist_source_character(cursor, f->loc.pos);
    hoist_tree_uint(sink, "startLine", f->loc.pos.line, HOIST_UNIT_NONE);
    if (character) {
        hoist_tree_uint(sink, "startColumn", character, HOIST_UNIT_NONE);
    }
    hoist_tree_end(sink);
}

static void send_logical(hoist_tree_sink *sink, const char *kind, hoist_str name)
{
    if (name.size) {
        hoist_tree_map(sink, "");
        hoist_tree_str(sink, "fullyQualifiedName", name);
        hoist_tree_c(sink, "kind", kind);
        hoist_tree_end(sink);
    }
}

static hoist_status send_location(hoist_sarif *sarif, const hoist_finding *f,
                                  hoist_source_cursor *cursor)
{
    hoist_tree_sink *const sink = sarif->sink;
    hoist_tree_list(sink, "locations");
    hoist_tree_map(sink, "");
    hoist_tree_map(sink, "physicalLocation");
    HOIST_TRY(send_artifact(sarif, f));
    send_region(sarif, f, cursor);
    hoist_tree_end(sink);
    if (f->member.size || f->object.size) {
        hoist_tree_list(sink, "logicalLocations");
        send_logical(sink, "member", f->member);
        send_logical(sink, "object", f->object);
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
    hoist_tree_end(sink);
    return HOIST_OK;
}

// Keeps the rule for the list at the end.
static hoist_status note_rule(hoist_sarif *sarif, const hoist_rule *rule)
{
    size_t at = 0;
    if (hoist_map_find(&sarif->rules, hoist_str_from(rule->id), &at)) {
        return HOIST_OK;
    }
    at = sarif->rules.count;
    if (!hoist_grow(sarif->rules.alloc, (void **)&sarif->list, &sarif->list_capacity, at + 1,
                    sizeof(const hoist_rule *))) {
        return HOIST_NO_MEMORY;
    }
    sarif->list[at] = rule;
    return hoist_map_add(&sarif->rules, hoist_str_from(rule->id), at, NULL);
}

static hoist_status send_result(hoist_sarif *sarif, const hoist_finding *f,
                                hoist_source_cursor *cursor)
{
    hoist_tree_sink *const sink = sarif->sink;
    hoist_fingerprint fingerprint;
    HOIST_TRY(note_rule(sarif, f->rule));
    HOIST_TRY(hoist_fingerprint_next(&sarif->fingerprints, f, &fingerprint));
    hoist_tree_map(sink, "");
    hoist_tree_c(sink, "ruleId", f->rule->id);
    hoist_tree_c(sink, "level", hoist_severity_name(f->severity)); // the same words
    hoist_tree_map(sink, "message");
    hoist_tree_str(sink, "text", f->message);
    hoist_tree_end(sink);
    HOIST_TRY(send_location(sarif, f, cursor));
    hoist_tree_map(sink, "partialFingerprints");
    hoist_tree_c(sink, "hoist/v1", fingerprint.text);
    hoist_tree_end(sink);
    hoist_tree_end(sink);
    return HOIST_OK;
}

void hoist_sarif_add(hoist_sarif *sarif, const hoist_diag *diag,
                     const hoist_findings_options *options)
{
    hoist_source_cursor text = {options->source, 1, 0};
    for (size_t i = 0; sarif->status == HOIST_OK && i < hoist_diag_kept(diag); i++) {
        const hoist_finding *f = hoist_diag_at(diag, i);
        hoist_source_cursor none = {.line = 1};
        const bool is_at_hand = hoist_str_equal(f->file, options->source_file);
        if (f->severity == HOIST_NOTE && options->quiet) {
            continue;
        }
        if (sarif->results == HOIST_SARIF_MOST) {
            sarif->left_out++;
            continue;
        }
        sarif->results++;
        sarif->status = send_result(sarif, f, is_at_hand ? &text : &none);
    }
}

static void send_text(hoist_tree_sink *sink, const char *key, const char *text)
{
    hoist_tree_map(sink, key);
    hoist_tree_c(sink, "text", text);
    hoist_tree_end(sink);
}

static void send_rules(const hoist_sarif *sarif)
{
    hoist_tree_sink *const sink = sarif->sink;
    hoist_tree_list(sink, "rules");
    for (size_t i = 0; i < sarif->rules.count; i++) {
        const hoist_rule *rule = sarif->list[i];
        hoist_tree_map(sink, "");
        hoist_tree_c(sink, "id", rule->id);
        send_text(sink, "shortDescription", rule->title);
        send_text(sink, "help", *rule->detail ? rule->detail : rule->title);
        hoist_tree_map(sink, "defaultConfiguration");
        hoist_tree_c(sink, "level", hoist_severity_name(rule->severity));
        hoist_tree_end(sink);
        if (rule->refused_by) {
            hoist_tree_map(sink, "properties");
            hoist_refusers_tree(rule, sink);
            hoist_tree_end(sink);
        }
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
}

hoist_status hoist_sarif_end(hoist_sarif *sarif, const char *version)
{
    hoist_tree_sink *const sink = sarif->sink;
    if (sarif->status == HOIST_OK) {
        hoist_tree_end(sink);
        hoist_tree_map(sink, "tool");
        hoist_tree_map(sink, "driver");
        hoist_tree_c(sink, "name", "hoist");
        hoist_tree_c(sink, "version", version);
        send_rules(sarif);
        hoist_tree_end(sink);
        hoist_tree_end(sink);
        if (sarif->left_out) {
            hoist_tree_map(sink, "properties");
            hoist_tree_uint(sink, "resultsLeftOut", sarif->left_out, HOIST_UNIT_NONE);
            hoist_tree_end(sink);
        }
        hoist_tree_end(sink);
        hoist_tree_end(sink);
    }
    hoist_free(sarif->rules.alloc, (void *)sarif->list,
               sarif->list_capacity * sizeof(const hoist_rule *));
    hoist_map_deinit(&sarif->rules);
    hoist_fingerprints_deinit(&sarif->fingerprints);
    return sarif->status;
}
