// Digests of an opened file (digest.h). The content is what its format's `visit` sends, without
// what the rules of comparisons leave out; report/content.c hashes it.
#include "scan/digest.h"

#include "load/job.h"
#include "report/content.h"

hoist_status hoist_scan_container(hoist_bytes bytes, hoist_deadline *deadline,
                                  hoist_scan_digest *out_digest)
{
    return hoist_hash_text(HOIST_HASH_SHA256, bytes, deadline, out_digest->text);
}

hoist_status hoist_scan_content(const hoist_job *job, size_t index, hoist_deadline *deadline,
                                hoist_allocator alloc, hoist_scan_digest *out_digest)
{
    const hoist_module *const module = hoist_job_module(job, index);
    *out_digest = (hoist_scan_digest){""};
    // Without `visit` there is no content that could be compared.
    if (!module || !module->format->visit || !hoist_job_can_show(job)) {
        return HOIST_OK;
    }
    const hoist_format *const format = module->format;
    const hoist_dump_options options = {.key = NULL};
    hoist_content content;
    // Where a format has rules for its content apart from comparisons, these count.
    hoist_content_init(&content, format->content_rules ? format->content_rules : format->diff_rules,
                       deadline, alloc);
    hoist_tree_sink sink = hoist_content_sink(&content);
    hoist_status status = format->visit(module, &options, &sink);
    status = status == HOIST_OK ? sink.status : status;
    if (status == HOIST_OK) {
        status = hoist_content_text(&content, format->name, out_digest->text);
    }
    hoist_content_deinit(&content);
    return status;
}
