// Containers: as parts, from parts, what they hold, and their digests.
#include "base/alloc.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/span.h"
#include "load/job.h"
#include "load/load_rules.h"

hoist_status hoist_job_unpack(const hoist_job *job, const hoist_unpack_options *options,
                              hoist_diag *diag, hoist_part_sink *sink)
{
    hoist_unpack_options own;
    HOIST_TRY(hoist_judge_options(hoist_options_read(options, &own, sizeof(own)),
                                  options ? options->struct_size : 0, "hoist_unpack_options",
                                  diag));
    if (!job->module->format->unpack) {
        return hoist_job_refuse(job, "unpacked", diag);
    }
    hoist_diag_source(diag, job->name, HOIST_STR(""));
    return job->module->format->unpack(job->module, &own, diag, sink);
}

hoist_status hoist_job_recover(const hoist_job *job, hoist_diag *diag,
                               const hoist_recovery_sink *sink)
{
    if (!job->module->format->recover) {
        return hoist_job_refuse(job, "recovered from", diag);
    }
    return job->module->format->recover(job->module, sink);
}

hoist_status hoist_job_verify(const hoist_job *job, hoist_diag *diag, bool *out_right)
{
    *out_right = false;
    if (!job->module->format->verify) {
        return hoist_job_refuse(job, "verified", diag);
    }
    hoist_diag_source(diag, job->name, HOIST_STR(""));
    return job->module->format->verify(job->module, diag, out_right);
}

// The named format, else the first that packs; NULL when there is none.
static const hoist_format *choose_packer(const char *name)
{
    if (name) {
        return hoist_format_find(hoist_str_from(name));
    }
    for (size_t i = 0; i < hoist_format_count(); i++) {
        const hoist_format *const format = hoist_format_find(hoist_str_from(hoist_format_name(i)));
        if (format->pack) {
            return format;
        }
    }
    return NULL;
}

hoist_status hoist_pack(const hoist_part *parts, size_t count, const hoist_pack_options *options,
                        hoist_diag *diag, hoist_mut_bytes *out_bytes)
{
    *out_bytes = (hoist_mut_bytes){NULL, 0};
    hoist_pack_options own;
    HOIST_TRY(hoist_judge_options(hoist_options_read(options, &own, sizeof(own)),
                                  options ? options->struct_size : 0, "hoist_pack_options", diag));
    if (!own.alloc.resize) {
        own.alloc = hoist_allocator_system();
    }
    const hoist_format *const format = choose_packer(own.format);
    if (!format) {
        return hoist_fail(diag, HOIST_NOT_FOUND, hoist_load_rule(LOAD_003), hoist_loc_none(),
                          "there is no format '%s'", own.format ? own.format : "");
    }
    if (!format->pack) {
        return hoist_fail(diag, HOIST_UNSUPPORTED, hoist_load_rule(LOAD_004), hoist_loc_none(),
                          "files of the format '%s' cannot be packed", format->name);
    }
    hoist_diag *mine = NULL;
    if (!diag) {
        HOIST_TRY(hoist_diag_create(own.alloc, NULL, &mine));
    }
    hoist_buffer out;
    hoist_buffer_init(&out, own.alloc);
    const hoist_status status = format->pack(parts, count, &own, diag ? diag : mine, &out);
    hoist_diag_destroy(mine);
    return hoist_load_take(&out, status, out_bytes);
}

void hoist_pack_free(hoist_allocator alloc, hoist_mut_bytes bytes)
{
    hoist_free(alloc.resize ? alloc : hoist_allocator_system(), bytes.data, bytes.size);
}
