// Files in files: what a module holds that is of another format.
#include "base/assert.h"
#include "base/diag.h"
#include "base/span.h"
#include "base/tree.h"
#include "load/job.h"

static hoist_status open_one(hoist_nested *nested, const hoist_read_options *options,
                             hoist_diag *diag)
{
    const hoist_payload *const payload = &nested->payload;
    const hoist_format *const format = hoist_format_sniff(payload->bytes, payload->kind);
    if (!format || !format->keeps_bytes) {
        return HOIST_OK;
    }
    hoist_read_options own = *options;
    own.keep = true;
    own.payload = payload;
    hoist_frame frame;
    hoist_diag_push(diag, &frame, NULL, payload->kind, payload->path);
    const hoist_status status = format->read(payload->bytes, &own, diag, &nested->module);
    hoist_diag_pop(diag, &frame);
    return status == HOIST_NO_MEMORY || status == HOIST_LIMIT ? status : HOIST_OK;
}

static size_t count_rules(const hoist_diff_rule *rules)
{
    size_t count = 0;
    while (rules && rules[count].path) {
        count++;
    }
    return count;
}

// Adds the rules of a nested format, whose dump stands below that of the file.
static hoist_status add_nested_rules(hoist_job *job, const hoist_format *format,
                                     hoist_diff_rule *rules, size_t *count)
{
    for (size_t i = 0; i < count_rules(format->diff_rules); i++) {
        const hoist_diff_rule *const rule = &format->diff_rules[i];
        const hoist_str path = hoist_arena_format(&job->arena, "payloads/*/module/%s", rule->path);
        if (!path.data) {
            return HOIST_NO_MEMORY;
        }
        rules[(*count)++] = (hoist_diff_rule){path.data, rule->key};
        HOIST_ASSERT(rule->path);
    }
    return HOIST_OK;
}

// Where what is nested stands in the file does not count, nor what its own format says, nor digests
// of options: hoist_job_compare() has those of other operators.
static hoist_status join_diff_rules(hoist_job *job)
{
    static const hoist_diff_rule places[] = {{"payloads/*/offset", NULL},
                                             {"payloads/*/size_bytes", NULL},
                                             {"subgraphs/*/operators/*/custom_options", NULL}};
    const hoist_format *nested = NULL; // one format only: rules are told by paths
    for (size_t i = 0; i < job->nested_count && !nested; i++) {
        nested = job->nested[i].module ? job->nested[i].module->format : NULL;
    }
    if (!nested) {
        return HOIST_OK;
    }
    const hoist_diff_rule *const own = job->module->format->diff_rules;
    size_t count = count_rules(own);
    hoist_diff_rule *const rules = hoist_arena_array(
        &job->arena, count + HOIST_COUNT_OF(places) + 1 + count_rules(nested->diff_rules),
        sizeof(*rules));
    if (!rules) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        rules[i] = own[i];
    }
    for (size_t i = 0; i < HOIST_COUNT_OF(places); i++) {
        rules[count++] = places[i];
    }
    job->diff_rules = rules;
    return add_nested_rules(job, nested, rules, &count);
}

hoist_status hoist_job_open_nested(hoist_job *job, const hoist_read_options *options,
                                   hoist_diag *diag)
{
    const hoist_format *const format = job->module->format;
    hoist_payload *payloads = NULL;
    size_t count = 0;
    if (!format->payloads) {
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

void hoist_job_close_nested(hoist_job *job)
{
    for (size_t i = 0; i < job->nested_count; i++) {
        if (job->nested[i].module) {
            job->nested[i].module->format->destroy(job->nested[i].module);
        }
    }
}

hoist_status hoist_job_check_nested(const hoist_job *job, hoist_diag *diag)
{
    for (size_t i = 0; i < job->nested_count; i++) {
        const hoist_nested *const nested = &job->nested[i];
        if (nested->module && nested->module->format->check) {
            hoist_frame frame;
            hoist_diag_push(diag, &frame, NULL, nested->payload.kind, nested->payload.path);
            const hoist_status status =
                nested->module->format->check(nested->module, &job->options, diag);
            hoist_diag_pop(diag, &frame);
            HOIST_TRY(status);
        }
    }
    return HOIST_OK;
}

// Opens the map of a payload and says what it is.
static void send_head(const hoist_nested *nested, hoist_tree_sink *sink)
{
    hoist_tree_map(sink, "");
    hoist_tree_str(sink, "path", nested->payload.path);
    hoist_tree_str(sink, "kind", nested->payload.kind);
    hoist_tree_uint(sink, "offset", nested->payload.offset, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "size_bytes", nested->payload.bytes.size, HOIST_UNIT_BYTES);
    if (nested->module) {
        hoist_tree_c(sink, "format", nested->module->format->name);
    } else {
        hoist_tree_null(sink, "format");
    }
}

hoist_status hoist_job_each_nested(const hoist_job *job, hoist_nested_member *member, void *self,
                                   hoist_diag *diag, hoist_tree_sink *sink)
{
    const bool sends = sink && job->nested_count;
    if (sends) {
        hoist_tree_list(sink, "payloads");
    }
    for (size_t i = 0; i < job->nested_count; i++) {
        const hoist_nested *const nested = &job->nested[i];
        if (sends) {
            send_head(nested, sink);
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
