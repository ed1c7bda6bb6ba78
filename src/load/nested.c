// Files in files: opens the payloads of a module that another format recognises, and calls
// functions for each of them. In: a job whose module was read. Out: job->nested, one row for each
// payload, with a module where it could be opened. A payload's own payloads are not opened: one
// level.
#include "base/assert.h"
#include "base/diag.h"
#include "base/span.h"
#include "base/tree.h"
#include "load/job.h"

// A payload of no known format, or one that cannot be read, stays bytes: the outer file is good
// without it.
static hoist_status open_one(hoist_nested *nested, const hoist_read_options *options,
                             hoist_diag *diag)
{
    const hoist_payload *const payload = &nested->payload;
    const hoist_format *const format = hoist_format_sniff(payload->bytes, payload->kind);
    if (!format || !format->keeps_bytes) { // slices of the outer file's bytes
        return HOIST_OK;
    }
    hoist_read_options own = *options;
    // The outer file's bytes stay as long as the job, so its payloads may be slices.
    own.keep = true;
    own.payload = payload;
    hoist_frame frame;
    hoist_diag_push(diag, &frame, NULL, HOIST_STR(""), payload->path);
    const hoist_status status =
        hoist_format_read(format, payload->bytes, &own, diag, &nested->module);
    hoist_diag_pop(diag, &frame);
    return status == HOIST_NO_MEMORY || status == HOIST_LIMIT ? status : HOIST_OK;
}

static size_t count_rules(const hoist_diff_rule *rules) // a list ends with a NULL path
{
    size_t count = 0;
    while (rules && rules[count].path) {
        count++;
    }
    return count;
}

// Adds rules to those of the job, with `prefix` before their paths:
// "payloads/*/module/header/uuid". False: out of memory.
static bool add_rules(hoist_job *job, const hoist_diff_rule *rules, const char *prefix,
                      hoist_diff_rule *all, size_t *count)
{
    for (; rules && rules->path; rules++) {
        const hoist_str path = hoist_arena_format(&job->arena, "%s%s", prefix, rules->path);
        all[(*count)++] = (hoist_diff_rule){path.data, rules->key};
        if (!path.data) {
            return false;
        }
    }
    return true;
}

// Rules of comparison for a file with nested ones: its own, places of payloads (which move when
// anything before them changes), and the nested format's, below "module".
static hoist_status join_diff_rules(hoist_job *job)
{
    static const hoist_diff_rule places[] = {{"offset", NULL}, {"size_bytes", NULL}, {NULL, NULL}};
    const hoist_format *nested = NULL; // one format only: a path cannot depend on the format
    for (size_t i = 0; i < job->nested_count && !nested; i++) {
        nested = job->nested[i].module ? job->nested[i].module->format : NULL;
    }
    if (!nested) {
        return HOIST_OK;
    }
    const hoist_format *const own = job->module->format;
    // Holder: rules that hold only when there is something nested.
    const size_t most = count_rules(own->diff_rules) + count_rules(own->holder_diff_rules) +
                        count_rules(places) + count_rules(nested->diff_rules);
    hoist_diff_rule *const rules = hoist_arena_array(&job->arena, most + 1, sizeof(*rules));
    size_t count = 0;
    if (!rules || !add_rules(job, own->diff_rules, "", rules, &count) ||
        !add_rules(job, own->holder_diff_rules, "", rules, &count) ||
        !add_rules(job, places, "payloads/*/", rules, &count) ||
        !add_rules(job, nested->diff_rules, "payloads/*/module/", rules, &count)) {
        return HOIST_NO_MEMORY;
    }
    HOIST_ASSERT(count == most);
    job->diff_rules = rules;
    return HOIST_OK;
}

// The same for a file in a container: its own, and the container's, below "container".
static hoist_status join_holder_rules(hoist_job *job)
{
    const hoist_diff_rule *const own = job->module->format->diff_rules;
    const hoist_diff_rule *const holder = job->holder->format->diff_rules;
    const size_t most = count_rules(own) + count_rules(holder);
    hoist_diff_rule *const rules = hoist_arena_array(&job->arena, most + 1, sizeof(*rules));
    size_t count = 0;
    if (!rules || !add_rules(job, own, "", rules, &count) ||
        !add_rules(job, holder, "container/", rules, &count)) {
        return HOIST_NO_MEMORY;
    }
    job->diff_rules = rules;
    return HOIST_OK;
}

hoist_status hoist_job_open_nested(hoist_job *job, const hoist_read_options *options,
                                   hoist_diag *diag)
{
    const hoist_format *const format = job->module->format;
    hoist_payload *payloads = NULL;
    size_t count = 0;
    if (job->holder) { // one level
        return join_holder_rules(job);
    }
    if (!format->payloads) { // most formats have none
        return HOIST_OK;
    }
    HOIST_TRY(format->payloads(job->module, &job->arena, &payloads, &count));
    job->nested = hoist_arena_array(&job->arena, count, sizeof(*job->nested));
    if (!job->nested) {
        return HOIST_NO_MEMORY;
    }
    job->nested_count = count;
    for (size_t i = 0; i < count; i++) {
        job->nested[i].payload = payloads[i];
        HOIST_TRY(open_one(&job->nested[i], options, diag));
    }
    return join_diff_rules(job);
}

// Rows and payloads are in the job's arena.
void hoist_job_close_nested(hoist_job *job)
{
    for (size_t i = 0; i < job->nested_count; i++) {
        if (job->nested[i].module) {
            job->nested[i].module->format->destroy(job->nested[i].module);
        }
    }
}

// A frame is pushed for the file itself, too, so that every caller may pop.
void hoist_job_enter(const hoist_job *job, size_t index, hoist_diag *diag, hoist_frame *frame)
{
    hoist_diag_push(diag, frame, NULL, HOIST_STR(""),
                    index ? job->nested[index - 1].payload.path : HOIST_STR(""));
}

// Payloads are slices, so their place in a copy of the file is the same.
hoist_mut_bytes hoist_job_part(const hoist_job *job, size_t index, hoist_mut_bytes bytes)
{
    if (!index) {
        return bytes;
    }
    const hoist_payload *const payload = &job->nested[index - 1].payload;
    return (hoist_mut_bytes){bytes.data + payload->offset, payload->bytes.size};
}

// *out_last stays unset when the count is 0.
size_t hoist_job_count(const hoist_job *job, bool (*has)(const hoist_format *format),
                       size_t *out_last)
{
    size_t count = 0;
    for (size_t i = 0; i <= job->nested_count; i++) {
        const hoist_module *const module = hoist_job_module(job, i);
        if (module && has(module->format)) {
            *out_last = i;
            count++;
        }
    }
    return count;
}

hoist_status hoist_job_each_nested(const hoist_job *job, hoist_nested_member *member, void *self,
                                   hoist_diag *diag, hoist_tree_sink *sink)
{
    const bool sends = sink && job->nested_count; // no empty list
    if (sends) {
        hoist_tree_list(sink, "payloads");
    }
    for (size_t i = 0; i < job->nested_count; i++) {
        const hoist_nested *const nested = &job->nested[i];
        if (sends) {
            // Opens the map of a payload: where it is and of which format.
            hoist_tree_map(sink, "");
            hoist_tree_str(sink, "path", nested->payload.path);
            hoist_tree_str(sink, "kind", nested->payload.kind);
            hoist_tree_uint(sink, "offset", nested->payload.offset, HOIST_UNIT_NONE);
            hoist_tree_uint(sink, "size_bytes", nested->payload.bytes.size, HOIST_UNIT_BYTES);
            hoist_tree_maybe_c(sink, "format",
                               nested->module ? nested->module->format->name : NULL);
        }
        HOIST_TRY(nested->module ? member(job, nested, self, diag, sink) : HOIST_OK);
        if (sends) {
            hoist_tree_end(sink);
        }
    }
    if (sends) {
        hoist_tree_end(sink);
    }
    return sink ? sink->status : HOIST_OK;
}
