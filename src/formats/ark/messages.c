// The communication of a job (messages.h): the files in, their graphs and the ranks out. Which file
// stands for a rank is decided here; messages_events.c and messages_pairs.c fill in the rest.
#include "formats/ark/messages.h"

#include <stdlib.h>

#include "base/order.h"
#include "formats/ark/messages_build.h"

// Ranks -------------------------------------------------------------------------------------------

// A file in the order in which files are chosen for ranks.
typedef struct candidate {
    int64_t rank;
    bool is_model;
    uint32_t file;
} candidate;

// Ranks, then plans before models, then the order in which files were given.
static int by_rank(const void *a, const void *b)
{
    const candidate *const x = a;
    const candidate *const y = b;
    const int ranks = hoist_order_i64(x->rank, y->rank);
    const int kinds = ranks ? ranks : (int)x->is_model - (int)y->is_model;
    return kinds ? kinds : hoist_order_u64(x->file, y->file);
}

// Gives each rank the first of its plans, or else the first of its models. The others are repeated
// files, or models that are compared with their plan (P15).
static hoist_status choose_files(ark_job_work *w, ark_job_file *files, uint32_t count)
{
    candidate *const order = hoist_arena_array(w->arena, count, sizeof *order);
    w->ranks = hoist_arena_array(w->arena, count, sizeof *w->ranks);
    HOIST_TRY_MEMORY(order && w->ranks);
    uint32_t known = 0;
    for (uint32_t i = 0; i < count; i++) {
        const ark_module *const m = files[i].module;
        files[i].rank = ARK_NONE;
        const bool valid =
            m->rank.pos.line && m->rank.value >= 0 && m->rank.value < m->world_size.value;
        if (valid) {
            order[known++] = (candidate){m->rank.value, !m->is_plan, i};
        }
    }
    qsort(order, known, sizeof *order, by_rank);
    for (uint32_t i = 0; i < known; i++) {
        ark_job_file *const file = &files[order[i].file];
        // The files of a rank are next to each other.
        const bool same = i > 0 && order[i - 1].rank == order[i].rank;
        if (!same) {
            w->ranks[w->rank_count++] =
                (ark_rank){.number = order[i].rank, .file = order[i].file, .graph = &file->graph};
        }
        file->rank = w->rank_count - 1;
        file->is_used = !same;
        // Two plans, or two models.
        file->is_repeated = same && order[i - 1].is_model == order[i].is_model;
    }
    return HOIST_OK;
}

// Whether there is one used file for each rank of one world, and nothing unresolved in any. False
// means that no sequence of events is executed: check_deadlock.c and progress.h.
static bool is_complete(const ark_job_work *w, const ark_job_file *files, uint32_t count)
{
    bool complete = w->rank_count == (uint64_t)w->world;
    for (uint32_t i = 0; i < w->rank_count; i++) {
        complete = complete && w->ranks[i].resolved;
    }
    for (uint32_t i = 0; i < count; i++) {
        complete = complete && files[i].module->world_size.value == w->world;
    }
    return complete;
}

// Builds the job of files whose graphs are there. A world is what the first file says; files of
// another world are X01.
static hoist_status build(ark_job_file *files, uint32_t count, hoist_arena *arena, ark_job *out_job)
{
    ark_job_work w = {.arena = arena,
                      .deadline = files[0].module->base.deadline,
                      .world = files[0].module->world_size.value};
    HOIST_TRY(choose_files(&w, files, count));
    HOIST_TRY(ark_job_find_events(&w));
    HOIST_TRY(ark_job_find_pairs(&w));
    *out_job = (ark_job){.world = w.world,
                         .files = files,
                         .file_count = count,
                         .ranks = w.ranks,
                         .rank_count = w.rank_count,
                         .puts = w.puts,
                         .put_count = (uint32_t)w.put_count,
                         .receipts = w.receipts,
                         .receipt_count = (uint32_t)w.receipt_count,
                         .key_count = w.key_count,
                         .complete = is_complete(&w, files, count)};
    return HOIST_OK;
}

// Graphs are built without findings: each file has been checked alone.
hoist_status ark_job_build(const hoist_file *files, size_t count, hoist_arena *arena,
                           ark_job *out_job)
{
    *out_job = (ark_job){.file_count = 0};
    if (count == 0 || count >= ARK_NONE) {
        return count ? HOIST_LIMIT : HOIST_OK;
    }
    ark_job_file *const own = hoist_arena_array(arena, count, sizeof *own);
    HOIST_TRY_MEMORY(own);
    for (size_t i = 0; i < count; i++) {
        own[i].module = ark_module_of(files[i].module);
        HOIST_TRY(ark_graph_build(own[i].module, arena, NULL, &own[i].graph));
    }
    return build(own, (uint32_t)count, arena, out_job);
}

// Peers are ranks without a file here, so no message has its other end.
hoist_status ark_job_build_alone(const ark_graph *graph, hoist_arena *arena, ark_job *out_job)
{
    *out_job = (ark_job){.file_count = 0};
    ark_job_file *const own = hoist_arena_array(arena, 1, sizeof *own);
    HOIST_TRY_MEMORY(own);
    *own = (ark_job_file){.module = graph->module, .graph = *graph};
    return build(own, 1, arena, out_job);
}
