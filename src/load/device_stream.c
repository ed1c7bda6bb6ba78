// The transfers that a run of a file sends to a device, for hoist/load.h's hoist_stream: finds the
// one module whose format has them, and owns the bytes and steps until hoist_stream_destroy(). In:
// a job. Out: a stream; the format (formats/darwinn) makes its steps.
#include "base/alloc.h"
#include "base/diag.h"
#include "load/job.h"
#include "load/load_rules.h"

// The public part first, so that both have one address: callers hold a hoist_stream.
typedef struct owned_stream {
    hoist_stream stream;
    hoist_allocator alloc;
    hoist_arena arena; // of the steps
    hoist_buffer bytes;
} owned_stream;

// For hoist_job_count().
static bool streams(const hoist_format *format)
{
    return format->stream != NULL;
}

// Of the one module that can be sent; with several it would be a guess which one is meant.
static hoist_status fill(const hoist_job *job, const hoist_stream_options *options,
                         hoist_diag *diag, owned_stream *s)
{
    size_t index = 0;
    if (hoist_job_count(job, streams, &index) != 1) {
        return hoist_job_refuse(job, "sent to a device", diag);
    }
    const hoist_module *const module = hoist_job_module(job, index);
    hoist_frame frame;
    hoist_job_enter(job, index, diag, &frame);
    const hoist_status status =
        module->format->stream(module, options, diag, &s->arena, &s->bytes, &s->stream);
    hoist_diag_pop(diag, &frame);
    s->stream.bytes = hoist_buffer_bytes(&s->bytes); // the buffer has its last place now
    return status;
}

hoist_status hoist_job_stream(const hoist_job *job, const hoist_stream_options *options,
                              hoist_diag *diag, hoist_stream **out_stream)
{
    *out_stream = NULL;
    hoist_stream_options own;
    HOIST_TRY(hoist_load_options(options, &own, sizeof(own), "hoist_stream_options", diag));
    owned_stream *const s = hoist_alloc_zero(job->alloc, 1, sizeof(*s));
    if (!s) {
        return HOIST_NO_MEMORY;
    }
    s->alloc = job->alloc;
    hoist_arena_init(&s->arena, job->alloc);
    hoist_buffer_init(&s->bytes, job->alloc);
    const hoist_call call = hoist_job_call(job, diag, NULL, "making the stream of");
    const hoist_status status = hoist_call_end(&call, fill(job, &own, diag, s));
    if (status == HOIST_OK) {
        *out_stream = &s->stream;
    } else {
        hoist_stream_destroy(&s->stream); // takes a half-made one
    }
    return status;
}

void hoist_stream_destroy(hoist_stream *stream)
{
    owned_stream *const s = (owned_stream *)stream;
    if (s) {
        const hoist_allocator alloc = s->alloc;
        hoist_buffer_deinit(&s->bytes);
        hoist_arena_deinit(&s->arena);
        hoist_free(alloc, s, sizeof(*s));
    }
}
