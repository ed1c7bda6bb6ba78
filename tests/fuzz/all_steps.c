#include "all_steps.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "program/verify.h"
#include "runtime/runtime_fuzz_testing.h"
#include "testing/fuzz.h"

enum {
    ALL_MEMORY = 128 << 20,
    ALL_EXPANDED = 16 << 20, // bytes of an inflated archive
    LOWERED_STEPS = 20000,   // that lowering unrolls
    ORDER_STEPS = 5000,
    ORDER_SCHEDULES = 4,
};

static const fuzz_session_limits small = {.memory = 4 << 20, .steps = 500};

bool all_open(hoist_bytes bytes, const char *format, hoist_allocator alloc, all_file *file)
{
    const hoist_open_options options = {.struct_size = sizeof(options),
                                        .alloc = alloc,
                                        .format = format,
                                        .max_expanded = ALL_EXPANDED};
    *file = (all_file){.alloc = alloc};
    fuzz_require(hoist_diag_create(hoist_allocator_system(), NULL, &file->diag) == HOIST_OK);
    const hoist_status status =
        hoist_job_open_bytes(bytes, "fuzz", &options, file->diag, &file->job);
    fuzz_require((status == HOIST_OK) == (file->job != NULL));
    const bool has_error = hoist_diag_count(file->diag, HOIST_ERROR) > 0;
    fuzz_require(file->job || has_error || status == HOIST_NO_MEMORY || status == HOIST_LIMIT);
    file->is_sound = !has_error;
    return file->job != NULL;
}

void all_close(all_file *file)
{
    hoist_job_close(file->job);
    hoist_diag_destroy(file->diag);
}

static void check(const all_file *file)
{
    bool is_right = false;
    (void)fuzz_came(hoist_job_check(file->job, file->diag));
    const hoist_status status = hoist_job_verify(file->job, file->diag, &is_right);
    fuzz_require(status == HOIST_UNSUPPORTED || fuzz_came(status) || !is_right);
}

// What is not lowered says why, now or when it was opened.
static void lower_and_run(const all_file *file, hoist_unknown on_unknown)
{
    const hoist_lower_options options = {
        .struct_size = sizeof(options), .on_unknown = on_unknown, .max_steps = LOWERED_STEPS};
    const size_t before = hoist_diag_count(file->diag, HOIST_ERROR);
    hoist_program *program = NULL;
    const hoist_status status = hoist_job_lower(file->job, &options, file->diag, &program);
    fuzz_require((status == HOIST_OK) == (program != NULL));
    // HOIST_NOT_FOUND: files of the job are missing, as those of other ranks.
    if (status == HOIST_INVALID || status == HOIST_UNSUPPORTED || status == HOIST_NOT_FOUND) {
        fuzz_require(hoist_diag_count(file->diag, HOIST_ERROR) > before || !file->is_sound);
    } else if (fuzz_came(status) && fuzz_came(hoist_program_verify(program, file->diag))) {
        (void)fuzz_read_again(program, file->alloc, file->diag);
        fuzz_session(program, &small, file->alloc, file->diag);
    }
    hoist_program_destroy(program);
}

static void check_order(const all_file *file)
{
    const hoist_order_check options = {
        .struct_size = sizeof(options), .max_steps = ORDER_STEPS, .max_schedules = ORDER_SCHEDULES};
    hoist_verdict verdict = HOIST_VERDICT_CLEAN;
    const hoist_status status = hoist_job_check_order(file->job, &options, file->diag, &verdict);
    fuzz_require(fuzz_came(status) || verdict == HOIST_VERDICT_NONE);
}

void all_run(const all_file *file)
{
    lower_and_run(file, HOIST_UNKNOWN_STOP);
    lower_and_run(file, HOIST_UNKNOWN_POISON);
    check_order(file);
}

// Adds further files of a job; those that cannot be opened or added are left out, with a reason.
static void add_files(all_file *file, const hoist_bytes *files, size_t count, const char *format)
{
    for (size_t i = 0; i < count; i++) {
        all_file other;
        if (all_open(files[i], format, file->alloc, &other) &&
            fuzz_came(hoist_job_add(file->job, other.job, file->diag))) {
            other.job = NULL;
        }
        file->is_sound = file->is_sound && other.is_sound;
        all_close(&other);
    }
}

void all_steps(const hoist_bytes *files, size_t count, const char *format)
{
    hoist_budget budget = {.parent = hoist_allocator_system(), .limit = ALL_MEMORY};
    all_file file;
    if (all_open(files[0], format, hoist_budget_allocator(&budget), &file)) {
        add_files(&file, files + 1, count - 1, format);
        check(&file);
        if (hoist_job_can_show(file.job)) {
            all_show(&file);
            all_compare(&file);
        }
        all_disassemble(&file);
        all_write_again(&file);
        all_convert(&file);
        all_unpack(&file);
        all_link(&file);
        all_recover(&file);
        all_run(&file);
    }
    all_close(&file);
    fuzz_require(budget.used == 0);
}
