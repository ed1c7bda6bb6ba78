// Opening: the job and what can be done with it. In: a path or bytes, and the caller's options.
// Out: a job (job.h) whose module the format has read; formats.c chooses the format, nested.c opens
// what is in it, guess.c words the refusal.
#include "hoist/load.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/assert.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/span.h"
#include "load/guess.h"
#include "load/job.h"
#include "load/load_rules.h"
#include "os/file.h"

// Reports that options->format names no format, and which names there are.
static hoist_status refuse_format(const hoist_open_options *options, hoist_diag *diag)
{
    hoist_buffer names;
    hoist_buffer_init(&names, options->alloc);
    for (size_t i = 0; i < hoist_format_count(); i++) {
        hoist_buffer_format(&names, "%s'%s'", i ? ", " : "", hoist_format_name(i));
    }
    const hoist_status status =
        names.failed
            ? HOIST_NO_MEMORY
            : hoist_fail(diag, HOIST_NOT_FOUND, hoist_load_rule(LOAD_003), hoist_loc_none(),
                         "there is no format '%s', this build knows %.*s", options->format,
                         HOIST_STR_ARGS(hoist_buffer_text(&names)));
    hoist_buffer_deinit(&names);
    return status;
}

hoist_status hoist_load_options(const void *given, void *own, size_t size, const char *type,
                                hoist_diag *diag)
{
    const hoist_status status = hoist_options_read(given, own, size);
    size_t struct_size = 0;
    if (given) {
        memcpy(&struct_size, given, sizeof(struct_size)); // the first member of all of them
    }
    if (status == HOIST_INVALID) {
        return hoist_fail(
            diag, status, hoist_load_rule(LOAD_003), hoist_loc_none(),
            "the caller's options have a struct_size of %zu, expected the size of a %s",
            struct_size, type);
    }
    if (status != HOIST_OK) {
        return hoist_fail(diag, status, hoist_load_rule(LOAD_003), hoist_loc_none(),
                          "the caller's options set a field that this library does not know");
    }
    return HOIST_OK;
}

// For callers that count errors: without a diag of the caller's there is nothing to count.
hoist_status hoist_load_diag(hoist_allocator alloc, hoist_diag **diag, hoist_diag **out_own)
{
    *out_own = NULL;
    if (!*diag) {
        HOIST_TRY(hoist_diag_create(alloc, NULL, out_own));
        *diag = *out_own;
    }
    return HOIST_OK;
}

// The caller's options as this library knows them, with an allocator. HOIST_NOT_FOUND: a format
// that is not there.
static hoist_status read_options(const hoist_open_options *given, hoist_diag *diag,
                                 hoist_open_options *out_options)
{
    HOIST_TRY(
        hoist_load_options(given, out_options, sizeof(*out_options), "hoist_open_options", diag));
    if (!out_options->alloc.resize) {
        out_options->alloc = hoist_allocator_system();
    }
    const char *format = out_options->format;
    return format && !hoist_format_find(hoist_str_from(format)) ? refuse_format(out_options, diag)
                                                                : HOIST_OK;
}

// Copies an option text, since the caller's need not outlive the call; NULL stays without data.
// False when out of memory.
static bool keep_text(hoist_job *job, const char *text, hoist_str *out_text)
{
    *out_text = (hoist_str){NULL, 0};
    if (!text) {
        return true;
    }
    *out_text = hoist_arena_str(&job->arena, hoist_str_from(text));
    return out_text->data != NULL;
}

// Reads a descriptor of the command line (--soc, --cluster) into the job's arena.
static hoist_status keep_file(hoist_job *job, const char *path, hoist_diag *diag,
                              hoist_bytes *out_bytes, hoist_str *out_name)
{
    *out_bytes = (hoist_bytes){NULL, 0};
    if (!path) {
        return HOIST_OK;
    }
    if (!keep_text(job, path, out_name)) {
        return HOIST_NO_MEMORY;
    }
    hoist_diag_source(diag, *out_name, HOIST_STR("")); // findings about it name it
    hoist_mut_bytes bytes = {NULL, 0};
    HOIST_TRY(hoist_file_read(path, HOIST_DEFAULT_MAX_BYTES, job->alloc, diag, &bytes));
    const hoist_str copy =
        hoist_arena_str(&job->arena, (hoist_str){(char *)bytes.data, bytes.size});
    // The arena has the only copy.
    hoist_free(job->alloc, bytes.data, bytes.size);
    *out_bytes = (hoist_bytes){(const uint8_t *)copy.data, copy.size};
    return copy.data ? HOIST_OK : HOIST_NO_MEMORY;
}

// Reports that the file is shorter than it states, once, from what readers have noted on the way
// (hoist_diag_lacks).
static void report_cut(hoist_bytes bytes, hoist_diag *diag)
{
    const uint64_t lack = hoist_diag_take_lack(diag);
    // A reader that only found the end in the middle of something notes one byte more than there
    // are, which is no size to name.
    if (lack > (uint64_t)bytes.size + 1 && lack != UINT64_MAX) {
        hoist_report(diag, hoist_load_rule(LOAD_007), hoist_loc_none(),
                     "the file is cut or damaged: it has %zu %s, expected %" PRIu64 " or more",
                     bytes.size, hoist_plural(bytes.size, "byte", "bytes"), lack);
    } else if (lack > bytes.size) {
        hoist_report(diag, hoist_load_rule(LOAD_007), hoist_loc_none(),
                     "the file is cut, or something in it is not closed: it ends after %zu %s",
                     bytes.size, hoist_plural(bytes.size, "byte", "bytes"));
    }
}

// Reads the module and keeps in mind whether that found errors: lowering must not go on then.
static hoist_status read_module(hoist_job *job, const hoist_format *format, hoist_bytes bytes,
                                const hoist_open_options *given, hoist_diag *diag)
{
    const hoist_read_options options = {.alloc = job->alloc,
                                        .deadline = job->deadline,
                                        .keep = format->keeps_bytes,
                                        .lenient = given->lenient,
                                        .container_only = given->container_only,
                                        .max_expanded = given->max_expanded,
                                        // Rules of formats do not name our limits.
                                        .limit_rule = hoist_load_rule(LOAD_002)};
    hoist_diag *own = NULL;
    HOIST_TRY(hoist_load_diag(job->alloc, &diag, &own));
    const size_t errors = hoist_diag_count(diag, HOIST_ERROR);
    (void)hoist_diag_take_lack(diag); // of an earlier file
    hoist_status status = hoist_format_read(format, bytes, &options, diag, &job->module);
    report_cut(bytes, diag);
    // Errors of a file that was taken by its name alone: perhaps it is something else.
    if (status == HOIST_INVALID && !job->module) {
        hoist_load_doubt_bytes(bytes, diag);
    }
    if (status == HOIST_OK) {
        status = hoist_job_open_held(job, &options, diag);
    }
    // A container alone was asked for: errors of what is nested are not reported.
    if (status == HOIST_OK) {
        status = hoist_job_open_nested(job, &options, given->container_only ? NULL : diag);
    }
    job->has_errors = hoist_diag_count(diag, HOIST_ERROR) > errors;
    hoist_diag_destroy(own);
    return status;
}

// Makes bytes that the caller will take back the job's own, where the format keeps slices of them.
// A mapped file is the job's already.
static hoist_status keep_bytes(hoist_job *job, const hoist_format *format,
                               const hoist_open_options *options, hoist_bytes *bytes)
{
    if (!format->keeps_bytes || options->bytes_stay || job->view.bytes.data || !bytes->size) {
        return HOIST_OK;
    }
    HOIST_ASSERT(bytes->data);
    uint8_t *const copy = hoist_alloc(job->alloc, bytes->size);
    if (!copy) {
        return HOIST_NO_MEMORY;
    }
    memcpy(copy, bytes->data, bytes->size);
    *bytes = (hoist_bytes){copy, bytes->size};
    job->view = (hoist_file_view){.bytes = *bytes, .alloc = job->alloc}; // unmapping frees the copy
    return HOIST_OK;
}

// From bytes to a module: option texts, the format, its limit of size, and reading.
static hoist_status job_read(hoist_job *job, hoist_bytes bytes, const hoist_open_options *options,
                             hoist_diag *diag)
{
    job->options.limit_rule = hoist_load_rule(LOAD_002);
    job->options.all_archs = options->all_archs;
    if (!keep_text(job, options->arch, &job->options.arch) ||
        !keep_text(job, options->arch_fallback, &job->options.arch_fallback)) {
        return HOIST_NO_MEMORY;
    }
    // Descriptors are read before the file, since formats look at them while they check it.
    HOIST_TRY(keep_file(job, options->soc_path, diag, &job->options.soc, &job->options.soc_name));
    HOIST_TRY(keep_file(job, options->cluster_path, diag, &job->options.cluster,
                        &job->options.cluster_name));
    hoist_diag_source(diag, job->name, HOIST_STR(""));
    const hoist_format *const format = hoist_format_choose(options->format, bytes, job->name);
    // No bid, or an empty file: guess.c words the finding.
    if (!format) {
        return hoist_load_refuse_bytes(bytes, diag, job->alloc);
    }
    // Before anything of a file too large is read.
    const size_t most = options->max_bytes ? options->max_bytes : hoist_format_max_bytes(format);
    if (bytes.size > most) {
        return hoist_file_too_large(most, diag);
    }
    HOIST_TRY(keep_bytes(job, format, options, &bytes));
    hoist_frame frame;
    // A frame without text: formats push theirs below it.
    hoist_diag_push(diag, &frame, NULL, HOIST_STR(""), HOIST_STR(""));
    const hoist_status status = read_module(job, format, bytes, options, diag);
    hoist_diag_pop(diag, &frame);
    return status;
}

// Makes the job. `options` are the library's own; `view` (NULL: the bytes are the caller's) becomes
// the job's and is empty then. No job is left after a failure.
static hoist_status open_bytes(hoist_bytes bytes, hoist_file_view *view, const char *name,
                               const hoist_open_options *options, hoist_diag *diag,
                               hoist_job **out_job)
{
    hoist_job *job = hoist_alloc_zero(options->alloc, 1, sizeof(*job));
    if (!job) {
        return HOIST_NO_MEMORY;
    }
    // From here on hoist_job_close() frees whatever the job has got.
    job->alloc = options->alloc;
    job->deadline = options->deadline;
    hoist_arena_init(&job->arena, job->alloc);
    if (view) {
        job->view = *view;
        *view = (hoist_file_view){.alloc = job->alloc};
    }
    hoist_status status = HOIST_NO_MEMORY;
    if (keep_text(job, name, &job->name)) {
        status = job_read(job, bytes, options, diag);
    }
    if (status != HOIST_OK) {
        hoist_job_close(job);
        return status;
    }
    // Text formats copy what they keep: a mapping of the file would only hold it open.
    if (!job->holder && !job->module->format->keeps_bytes) {
        hoist_file_unmap(&job->view);
    }
    *out_job = job;
    return HOIST_OK;
}

// The end of opening: `*out_job` is NULL when it failed, also by the deadline after everything was
// read.
static hoist_status end_opening(const hoist_call *call, hoist_status status, hoist_job **out_job)
{
    const hoist_status ended = hoist_call_end(call, status);
    if (ended != HOIST_OK) {
        hoist_job_close(*out_job);
        *out_job = NULL;
    }
    return ended;
}

hoist_status hoist_job_open_bytes(hoist_bytes bytes, const char *name,
                                  const hoist_open_options *options, hoist_diag *diag,
                                  hoist_job **out_job)
{
    *out_job = NULL;
    hoist_open_options own;
    name = name ? name : "-"; // as tools name standard input
    hoist_call call = hoist_call_begin(hoist_str_from(name), NULL, diag, "reading");
    // Options come first: they have the deadline and the allocator.
    hoist_status status = read_options(options, diag, &own);
    if (status == HOIST_OK) {
        call.deadline = own.deadline;
        hoist_call_stage(&call, HOIST_STAGE_OPENING, 0);
        status = open_bytes(bytes, NULL, name, &own, diag, out_job);
    }
    return end_opening(&call, status, out_job);
}

// The limit here is for a file that has to be read into memory; the format's own comes after.
static hoist_status open_file(const char *path, const hoist_open_options *options, hoist_diag *diag,
                              hoist_job **out_job)
{
    const size_t limit = options->max_bytes ? options->max_bytes : HOIST_DEFAULT_MAX_BYTES;
    hoist_file_view view;
    HOIST_TRY(hoist_file_map(path, limit, options->alloc, diag, &view));
    const hoist_status status = open_bytes(view.bytes, &view, path, options, diag, out_job);
    hoist_file_unmap(&view); // empty when the job has taken it
    return status;
}

hoist_status hoist_job_open(const char *path, const hoist_open_options *options, hoist_diag *diag,
                            hoist_job **out_job)
{
    *out_job = NULL;
    hoist_open_options own;
    hoist_call call = hoist_call_begin(hoist_str_from(path), NULL, diag, "reading");
    hoist_status status = read_options(options, diag, &own);
    if (status == HOIST_OK) {
        call.deadline = own.deadline;
        hoist_call_stage(&call, HOIST_STAGE_OPENING, 0);
        status = open_file(path, &own, diag, out_job);
    }
    return end_opening(&call, status, out_job);
}

void hoist_job_close(hoist_job *job)
{
    if (!job) {
        return;
    }
    // Files are closed in the order in which they came; none refers to another.
    for (size_t i = 0; i < job->other_count; i++) {
        hoist_job_close(job->others[i]);
    }
    hoist_free(job->alloc, job->others, job->other_capacity * sizeof(hoist_job *));
    hoist_job_close_nested(job);
    if (job->module) {
        job->module->format->destroy(job->module);
    }
    if (job->holder) {
        job->holder->format->destroy(job->holder);
    }
    hoist_file_unmap(&job->view);
    hoist_arena_deinit(&job->arena);
    hoist_free(job->alloc, job, sizeof(*job));
}

// One sentence for every capability that a format lacks: LOAD-004.
hoist_status hoist_job_refuse(const hoist_job *job, const char *what, hoist_diag *diag)
{
    const hoist_source before = hoist_diag_enter(diag, job->name);
    hoist_report(diag, hoist_load_rule(LOAD_004), hoist_loc_none(),
                 "files of the format '%s' cannot be %s", job->module->format->name, what);
    hoist_diag_leave(diag, before);
    return HOIST_UNSUPPORTED;
}

const char *hoist_job_format(const hoist_job *job)
{
    return job->module->format->name;
}

const char *hoist_job_format_title(const hoist_job *job)
{
    return job->module->format->title;
}

const char *hoist_job_container(const hoist_job *job)
{
    return job->holder ? job->holder->format->name : NULL;
}

// True when several files of the format may be one job, as the ranks of a world.
bool hoist_job_joins(const hoist_job *job)
{
    return job->module->format->check_job != NULL;
}

// The first module that has a target: of a model with compiled operators that of the package.
hoist_target hoist_job_target(const hoist_job *job)
{
    for (size_t i = 0; i <= job->nested_count; i++) {
        const hoist_module *const module = hoist_job_module(job, i);
        if (module && module->format->target) {
            return module->format->target(module, &job->options);
        }
    }
    return (hoist_target){NULL, NULL};
}

// Rows are the module's and live as long as the job; most formats have none.
size_t hoist_job_verdicts(const hoist_job *job, const hoist_arch_verdict **out_verdicts)
{
    const hoist_format *const format = job->module->format;
    size_t count = 0;
    const hoist_arch_verdict *const rows =
        format->verdicts ? format->verdicts(job->module, &count) : NULL;
    if (out_verdicts) {
        *out_verdicts = rows;
    }
    return count;
}

// Tokens are counted over all modules; `index` becomes less by those that a module has.
uint64_t hoist_job_token(const hoist_job *job, size_t index)
{
    uint64_t token = 0;
    for (size_t i = 0; i <= job->nested_count && !token; i++) {
        const hoist_module *const module = hoist_job_module(job, i);
        // 0: no such token.
        token = module && module->format->token ? module->format->token(module, &index) : 0;
    }
    return token;
}

// After errors most modules lack parts that visitors rely on; `shows_broken` says that they do not.
bool hoist_job_can_show(const hoist_job *job)
{
    return !job->has_errors || job->module->format->shows_broken;
}

// Never NULL: a list that may be empty.
const hoist_diff_rule *hoist_job_diff_rules(const hoist_job *job)
{
    static const hoist_diff_rule none = {NULL, NULL};
    const hoist_diff_rule *const own = job->module->format->diff_rules;
    return job->diff_rules ? job->diff_rules : own ? own : &none;
}

// What was made does not get out of a call that failed.
hoist_status hoist_load_take(hoist_buffer *buffer, hoist_status status, hoist_mut_bytes *out_bytes)
{
    if (status == HOIST_OK) {
        return hoist_buffer_take(buffer, out_bytes);
    }
    hoist_buffer_deinit(buffer);
    return status;
}

hoist_status hoist_job_write(const hoist_job *job, hoist_mut_bytes *out_text)
{
    *out_text = (hoist_mut_bytes){NULL, 0};
    if (!job->module->format->write) {
        return HOIST_UNSUPPORTED;
    }
    hoist_buffer text;
    hoist_buffer_init(&text, job->alloc);
    const hoist_call call = hoist_job_call(job, NULL, NULL, "writing");
    const hoist_status status = job->module->format->write(job->module, &text);
    return hoist_load_take(&text, hoist_call_end(&call, status), out_text);
}

hoist_status hoist_job_convert(const hoist_job *job, const char *dialect, hoist_diag *diag,
                               hoist_mut_bytes *out_text)
{
    const hoist_format *const format = job->module->format;
    *out_text = (hoist_mut_bytes){NULL, 0};
    if (!format->convert) {
        return hoist_job_refuse(job, "converted", diag);
    }
    // The dialects are the format's words; HOIST_NOT_FOUND: none of them.
    size_t i = 0;
    while (format->dialects[i] && strcmp(format->dialects[i], dialect) != 0) {
        i++;
    }
    if (!format->dialects[i]) {
        return HOIST_NOT_FOUND;
    }
    hoist_buffer text;
    hoist_buffer_init(&text, job->alloc);
    const hoist_call call = hoist_job_call(job, diag, NULL, "converting");
    const hoist_status status = format->convert(job->module, format->dialects[i], &text);
    return hoist_load_take(&text, hoist_call_end(&call, status), out_text);
}

// Text of the format's own, in pieces; else the file itself, as one.
hoist_status hoist_job_text(const hoist_job *job, const hoist_piece_sink *sink)
{
    if (job->module->format->text) {
        const hoist_call call = hoist_job_call(job, NULL, NULL, "dumping");
        return hoist_call_end(&call, job->module->format->text(job->module, sink));
    }
    hoist_mut_bytes text;
    HOIST_TRY(hoist_job_write(job, &text));
    const hoist_status status =
        sink->piece(sink->self, (hoist_str){(const char *)text.data, text.size});
    hoist_job_free_text(job, text);
    return status;
}

// The allocator is the job's, which the caller does not have.
void hoist_job_free_text(const hoist_job *job, hoist_mut_bytes text)
{
    hoist_free(job->alloc, text.data, text.size);
}
