// The rules of the files of one job together (check_job.h): which files there are (X01), and how
// many barriers each rank has (X08). Messages are in check_pairs.c, deadlocks in check_deadlock.c.
#include "formats/ark/check_job.h"

#include <inttypes.h>

#include "base/buffer.h"
#include "base/span.h"
#include "formats/ark/ark.h"
#include "formats/ark/rules.h"

enum { MAX_NAMED = 8 }; // ranks in a message

// Files -------------------------------------------------------------------------------------------

// X01 of one file: its rank is that of another, or its world is. True when it belongs to the job.
// A model and a plan of one rank are no repetition: P15 compares them.
static bool check_file(const ark_job_check *c, uint32_t index)
{
    const ark_job_file *const file = &c->job->files[index];
    const hoist_rec_int *const world = &file->module->world_size;
    // A file without WorldSize is no foreigner: M01 or P01 is about it.
    const bool is_foreign = world->pos.line && world->value != c->job->world;
    const hoist_source before = hoist_diag_enter(c->diag, c->files[index].name);
    if (file->is_repeated) {
        const uint32_t other = c->job->ranks[file->rank].file;
        ark_report(c->diag, ARK_X01, file->module->rank.pos,
                   "'%.*s' is a file of rank %" PRId64 ", too, expected each rank once",
                   HOIST_STR_ARGS(c->files[other].name), file->module->rank.value);
    }
    if (is_foreign) {
        ark_report(c->diag, ARK_X01, world->pos,
                   "WorldSize is %" PRId64 ", expected %" PRId64 " as in '%.*s'", world->value,
                   c->job->world, HOIST_STR_ARGS(c->files[0].name));
    }
    hoist_diag_leave(c->diag, before);
    return !file->is_repeated && !is_foreign;
}

// X01 of the job: "1, 2 and 3 others". HOIST_OK, HOIST_NOT_FOUND, HOIST_NO_MEMORY. A world may be
// larger than any list, so numbers are counted and only a few are named.
static hoist_status check_missing(const ark_job_check *c)
{
    const ark_job *const job = c->job;
    int64_t missing = job->world;
    for (uint32_t r = 0; r < job->rank_count; r++) {
        // A rank that is not below WorldSize fills no gap.
        missing -= job->ranks[r].number < job->world;
    }
    if (missing <= 0) {
        return HOIST_OK;
    }
    hoist_buffer text;
    hoist_buffer_init(&text, c->arena->alloc);
    int64_t named = 0;
    for (int64_t number = 0, r = 0; named < missing && named < MAX_NAMED; number++) {
        if (r < job->rank_count && job->ranks[r].number == number) {
            r++;
        } else {
            hoist_buffer_format(&text, "%s%" PRId64, named ? ", " : "", number);
            named++;
        }
    }
    if (missing > named) {
        hoist_buffer_format(&text, " and %" PRId64 " %s", missing - named,
                            missing - named == 1 ? "other" : "others");
    }
    // At the first file, whose WorldSize is that of the job.
    const hoist_source before = hoist_diag_enter(c->diag, c->files[0].name);
    ark_report(c->diag, ARK_X01, job->files[0].module->world_size.pos,
               "WorldSize is %" PRId64 ", and there is no file of %s %.*s", job->world,
               missing == 1 ? "rank" : "ranks", HOIST_STR_ARGS(hoist_buffer_text(&text)));
    hoist_diag_leave(c->diag, before);
    const bool complete = !text.failed;
    hoist_buffer_deinit(&text);
    return complete ? HOIST_NOT_FOUND : HOIST_NO_MEMORY;
}

// Barriers ----------------------------------------------------------------------------------------

// The event of the rank's barrier of that number. The rank has it.
static uint32_t find_barrier(const ark_rank *rank, uint32_t number)
{
    uint32_t i = 0;
    while (rank->events[i].kind != ARK_EVENT_BARRIER || rank->events[i].barrier != number) {
        i++;
    }
    return i;
}

// X08: at the first barrier that not all ranks have. Ranks with more than the least are reported,
// each once.
static void check_barriers(const ark_job_check *c)
{
    const ark_job *const job = c->job;
    const ark_rank *least = job->ranks;
    for (uint32_t r = 1; r < job->rank_count; r++) {
        least = job->ranks[r].barrier_count < least->barrier_count ? &job->ranks[r] : least;
    }
    for (uint32_t r = 0; r < job->rank_count; r++) {
        const ark_rank *const rank = &job->ranks[r];
        if (rank->barrier_count > least->barrier_count) {
            const uint32_t event = find_barrier(rank, least->barrier_count);
            ark_event_place place;
            ark_event_enter(c, rank, event, &place);
            ark_report(c->diag, ARK_X08, ark_event_step(rank, event)->op->pos,
                       "%.*s: rank %" PRId64 " has %" PRIu32 " %s and rank %" PRId64 " has %" PRIu32
                       ", so this one waits forever",
                       HOIST_STR_ARGS(ark_event_title(c, rank, event)), rank->number,
                       rank->barrier_count,
                       hoist_plural(rank->barrier_count, "DeviceSync", "DeviceSyncs"),
                       least->number, least->barrier_count);
            ark_event_leave(c, &place);
        }
    }
}

// All ---------------------------------------------------------------------------------------------

// All rules are looked at, even when a file is missing: each one leaves out what it cannot know.
static hoist_status check(ark_job_check *c, size_t count)
{
    bool belong = true;
    for (uint32_t i = 0; i < count; i++) {
        belong = check_file(c, i) && belong;
    }
    // NOT_FOUND is a result of the job, not a failure.
    const hoist_status missing = check_missing(c);
    if (missing != HOIST_NOT_FOUND) {
        HOIST_TRY(missing);
    }
    check_barriers(c);
    HOIST_TRY(ark_check_pairs(c));
    HOIST_TRY(ark_check_models(c));
    HOIST_TRY(ark_check_deadlock(c));
    // A job with these files cannot be run.
    return belong ? missing : HOIST_NOT_FOUND;
}

hoist_status ark_check_job(const hoist_file *files, size_t count,
                           const hoist_check_options *options, hoist_diag *diag)
{
    (void)options;
    hoist_arena arena;
    hoist_arena_init(&arena, files[0].module->alloc);
    ark_job job;
    hoist_status status = ark_job_build(files, count, &arena, &job);
    ark_job_check c = {.job = &job, .files = files, .arena = &arena, .diag = diag};
    if (status == HOIST_OK) {
        status = hoist_arena_status(&arena, check(&c, count));
    }
    hoist_arena_deinit(&arena);
    return status;
}
