// The entry of one file of a format (contents.c): opened, checked and summed up, and one for each
// file that is nested in it. In: bytes; out: an entry of hoist_scan_found.
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "base/span.h"
#include "load/job.h"
#include "scan/contents_internal.h"
#include "scan/facts.h"

// A file that claims millions of tokens would fill the database.
enum { MOST_TOKENS = 64 }; // of a file that are looked at

// Copies into the arena of what was found: files and jobs go before the entries do. False: no
// memory.
static bool keep(hoist_scan_reader *r, hoist_str text, hoist_str *out)
{
    *out = hoist_arena_str(&r->found->arena, text);
    return out->data != NULL;
}

// "outer.tgz!inner.zip!model.neff".
hoist_str hoist_scan_join(hoist_scan_reader *r, hoist_str archive, hoist_str name)
{
    const hoist_str joined =
        archive.size ? hoist_arena_format(&r->found->arena, "%.*s!", HOIST_STR_ARGS(archive))
                     : (hoist_str){"", 0};
    hoist_buffer text;
    hoist_buffer_init(&text, r->alloc);
    hoist_buffer_str(&text, joined);
    hoist_buffer_str(&text, name);
    const hoist_str all = text.failed || !joined.data
                              ? (hoist_str){NULL, 0}
                              : hoist_arena_str(&r->found->arena, hoist_buffer_text(&text));
    hoist_buffer_deinit(&text);
    return all;
}

// The innermost folder of a path that is one of the Neuron compile cache.
static hoist_str cache_of(hoist_str path)
{
    // A cache may lie in a folder of another one: the last counts.
    hoist_str found = {"", 0};
    size_t start = 0;
    for (size_t i = 0; i < path.size; i++) {
        if (path.data[i] == '/') {
            const hoist_str step = hoist_str_slice(path, start, i - start);
            found = hoist_str_starts_with(step, "MODULE_") ? step : found;
            start = i + 1;
        }
    }
    return found;
}

// An entry without any text; NULL: no memory. Entries move as the list grows, so that callers keep
// its index.
static hoist_scan_entry *add(hoist_scan_reader *r)
{
    hoist_scan_found *const found = r->found;
    if (!hoist_grow(found->alloc, (void **)&found->entries, &found->capacity, found->count + 1,
                    sizeof(found->entries[0]))) {
        return NULL;
    }
    const hoist_str none = {"", 0};
    hoist_scan_entry *const entry = &found->entries[found->count++];
    *entry = (hoist_scan_entry){.file = none,
                                .member = none,
                                .format = none,
                                .title = none,
                                .target = none,
                                .container = none,
                                .content = none,
                                .versions = none,
                                .loads = none,
                                .rules = none,
                                .cache = none};
    return entry;
}

// Findings --------------------------------------------------------------------------------------

// Findings of a nested file have an object that begins with its path.
static bool is_about(const hoist_finding *finding, hoist_str object)
{
    return object.size == 0 || (finding->object.size >= object.size &&
                                memcmp(finding->object.data, object.data, object.size) == 0);
}

static int compare_ids(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Counts the findings that are about an object, and lists their rules.
static hoist_status count_findings(hoist_scan_reader *r, const hoist_diag *diag, hoist_str object,
                                   hoist_scan_entry *entry)
{
    const size_t kept = hoist_diag_kept(diag);
    // One more, for no findings.
    const char **const ids = hoist_alloc_zero(r->alloc, kept + 1, sizeof(ids[0]));
    size_t count = 0;
    if (!ids) {
        return HOIST_NO_MEMORY;
    }
    uint64_t *const counts[] = {[HOIST_ERROR] = &entry->errors,
                                [HOIST_WARNING] = &entry->warnings,
                                [HOIST_NOTE] = &entry->notes};
    for (size_t i = 0; i < kept; i++) {
        const hoist_finding *const finding = hoist_diag_at(diag, i);
        if (is_about(finding, object)) {
            (*counts[finding->severity])++;
            ids[count++] = finding->rule->id;
        }
    }
    // Sorted, equal ids are neighbours: each run of them is a line, "ID COUNT".
    qsort(ids, count, sizeof(ids[0]), compare_ids);
    hoist_buffer text;
    hoist_buffer_init(&text, r->alloc);
    for (size_t i = 0, run = 1; i < count; i++, run++) {
        if (i + 1 == count || strcmp(ids[i], ids[i + 1]) != 0) {
            hoist_buffer_format(&text, "%s %zu\n", ids[i], run);
            run = 0;
        }
    }
    const bool done = !text.failed && keep(r, hoist_buffer_text(&text), &entry->rules);
    hoist_buffer_deinit(&text);
    hoist_free(r->alloc, ids, (kept + 1) * sizeof(ids[0]));
    return done ? HOIST_OK : HOIST_NO_MEMORY;
}

// Files of one job are checked each for itself: which of them there are is not known here.
static hoist_status check(hoist_job *job, hoist_diag *diag)
{
    hoist_module *const module = job->module;
    if (!hoist_job_joins(job)) {
        return hoist_job_check(job, diag);
    }
    return module->format->check ? module->format->check(module, &job->options, diag) : HOIST_OK;
}

// Facts -----------------------------------------------------------------------------------------

static hoist_status send_summary(const hoist_job *job, size_t index, hoist_diag *diag,
                                 hoist_tree_sink *sink)
{
    const hoist_module *const module = hoist_job_module(job, index);
    // The file's own summary is the job's, which names what is nested; others have that of their
    // format.
    if (index == 0) {
        return hoist_job_info(job, false, diag, sink);
    }
    return module && module->format->info ? module->format->info(module, &job->options, diag, sink)
                                          : HOIST_OK;
}

static hoist_status add_facts(hoist_scan_reader *r, const hoist_job *job, size_t index,
                              hoist_scan_entry *entry)
{
    const hoist_module *const module = hoist_job_module(job, index);
    hoist_scan_facts facts;
    hoist_scan_facts_init(&facts, r->alloc);
    hoist_tree_sink sink = hoist_scan_facts_sink(&facts);
    hoist_status status =
        hoist_job_can_show(job) ? send_summary(job, index, NULL, &sink) : HOIST_OK;
    // The format's target where it has one, else the chip that the summary names.
    const hoist_target target = module && module->format->target
                                    ? module->format->target(module, &job->options)
                                    : (hoist_target){NULL, NULL};
    const hoist_str name =
        target.arch ? hoist_str_from(target.arch) : hoist_buffer_text(&facts.target);
    if (status == HOIST_OK && (!keep(r, hoist_buffer_text(&facts.versions), &entry->versions) ||
                               !keep(r, hoist_buffer_text(&facts.loads), &entry->loads) ||
                               !keep(r, name, &entry->target))) {
        status = HOIST_NO_MEMORY;
    }
    hoist_scan_facts_deinit(&facts);
    return status == HOIST_UNSUPPORTED ? HOIST_OK : status; // a format without a summary
}

static hoist_status add_digests(hoist_scan_reader *r, const hoist_job *job, size_t index,
                                hoist_bytes bytes, hoist_scan_entry *entry)
{
    hoist_scan_digest container = {""};
    hoist_scan_digest content = {""};
    HOIST_TRY(hoist_scan_container(bytes, r->deadline, &container));
    // NULL: the file could not be opened, and has a digest of its bytes only.
    if (job) {
        HOIST_TRY(hoist_scan_content(job, index, r->deadline, r->alloc, &content));
    }
    return keep(r, hoist_str_from(container.text), &entry->container) &&
                   keep(r, hoist_str_from(content.text), &entry->content)
               ? HOIST_OK
               : HOIST_NO_MEMORY;
}

static hoist_status add_tokens(hoist_scan_reader *r, const hoist_job *job, size_t entry)
{
    hoist_scan_found *const found = r->found;
    for (size_t i = 0; i < MOST_TOKENS; i++) {
        const uint64_t token = hoist_job_token(job, i);
        if (token == 0) {
            break; // the end of the list: tokens are not 0
        }
        if (!hoist_grow(found->alloc, (void **)&found->tokens, &found->token_capacity,
                        found->token_count + 1, sizeof(found->tokens[0]))) {
            return HOIST_NO_MEMORY;
        }
        found->tokens[found->token_count++] = (hoist_scan_token){token, entry};
    }
    return HOIST_OK;
}

// Entries ---------------------------------------------------------------------------------------

static hoist_status begin_entry(hoist_scan_reader *r, hoist_str member, hoist_bytes bytes,
                                const hoist_format *format, hoist_scan_entry **out)
{
    hoist_scan_entry *const entry = add(r);
    *out = entry;
    if (!entry) {
        return HOIST_NO_MEMORY;
    }
    entry->member = member;
    entry->size = bytes.size;
    if (format) {
        entry->format = hoist_str_from(format->name);
        entry->title = hoist_str_from(format->title);
    }
    const hoist_str path = hoist_str_from(r->path);
    return keep(r, path, &entry->file) && keep(r, cache_of(path), &entry->cache) ? HOIST_OK
                                                                                 : HOIST_NO_MEMORY;
}

static hoist_status add_nested(hoist_scan_reader *r, const hoist_job *job, const hoist_diag *diag,
                               size_t index, hoist_str member)
{
    const hoist_nested *const nested = &job->nested[index - 1]; // 0 is the file itself
    const hoist_payload *const payload = &nested->payload;
    const hoist_str name = hoist_scan_join(r, member, payload->path);
    hoist_scan_entry *entry = NULL;
    if (!name.data) {
        return HOIST_NO_MEMORY;
    }
    HOIST_TRY(begin_entry(r, name, payload->bytes, nested->module ? nested->module->format : NULL,
                          &entry));
    HOIST_TRY(add_digests(r, job, index, payload->bytes, entry));
    HOIST_TRY(add_facts(r, job, index, entry));
    return count_findings(r, diag, payload->path, entry);
}

static hoist_status add_opened(hoist_scan_reader *r, hoist_job *job, hoist_diag *diag,
                               hoist_bytes bytes, hoist_str member, size_t own)
{
    HOIST_TRY(check(job, diag));
    // By index each time: add_nested() below lets the list grow.
    HOIST_TRY(count_findings(r, diag, HOIST_STR(""), &r->found->entries[own]));
    HOIST_TRY(add_digests(r, job, 0, bytes, &r->found->entries[own]));
    HOIST_TRY(add_facts(r, job, 0, &r->found->entries[own]));
    HOIST_TRY(add_tokens(r, job, own));
    for (size_t i = 1; i <= job->nested_count; i++) {
        HOIST_TRY(add_nested(r, job, diag, i, member));
    }
    return HOIST_OK;
}

hoist_status hoist_scan_add(hoist_scan_reader *r, hoist_bytes bytes, hoist_str member,
                            const char *format)
{
    const hoist_open_options options = {.struct_size = sizeof(options),
                                        .alloc = r->alloc,
                                        .format = format,
                                        // In memory of contents.c for longer than the job is open.
                                        .bytes_stay = true,
                                        .deadline = r->deadline};
    const size_t own = r->found->count;
    hoist_scan_entry *entry = NULL;
    hoist_diag *diag = NULL;
    hoist_job *job = NULL;
    // Before the file is opened: one that fails has an entry as well, with the findings of why.
    HOIST_TRY(begin_entry(r, member, bytes, hoist_format_find(hoist_str_from(format)), &entry));
    HOIST_TRY(hoist_diag_create(r->alloc, NULL, &diag));
    const hoist_status opened = hoist_job_open_bytes(bytes, r->path, &options, diag, &job);
    hoist_status status = opened;
    if (opened == HOIST_OK) {
        status = add_opened(r, job, diag, bytes, member, own);
    } else if (opened != HOIST_NO_MEMORY && hoist_deadline_look(r->deadline) == HOIST_OK) {
        // A failure of the file, not of the scan: it becomes part of the entry.
        status = add_digests(r, NULL, 0, bytes, &r->found->entries[own]);
        status = status == HOIST_OK
                     ? count_findings(r, diag, HOIST_STR(""), &r->found->entries[own])
                     : status;
    }
    hoist_job_close(job);
    hoist_diag_destroy(diag);
    return status;
}
