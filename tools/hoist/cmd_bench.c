// hoist bench: how long a file takes here, and where the time goes. This file joins the driver of
// run_files.c with bench.c (measuring) and bench_report.c (reporting).
#include "bench.h"
#include "ranks.h"

// Processes of several ranks cannot agree on "until 1.5 seconds have passed": a rank that stops
// earlier would leave the others waiting for its messages.
static tool_exit prepare(run *r)
{
    if (r->t->ranks->comm && !tool_given(r->t, OPT_ITERATIONS)) {
        tool_complain(r->t, "ranks in processes of their own need --iterations, the same for all");
        return TOOL_USAGE;
    }
    bench *b = hoist_arena_alloc(&r->arena, sizeof(*b));
    if (!b) {
        return TOOL_LIMIT;
    }
    b->r = r;
    r->own = b;
    return tool_exit_of(bench_open(b));
}

static hoist_status iterate(run *r)
{
    return bench_iterate(r->own);
}

// Under a launcher rank 0 reports for all.
static tool_exit give_out(run *r)
{
    return ranks_have(r->t->ranks, 0) ? bench_report(r->own) : TOOL_OK;
}

static void close_bench(run *r)
{
    if (r->own) {
        bench_close(r->own);
    }
}

tool_exit cmd_bench(tool *t)
{
    // random:0 for inputs without --input: two runs of `hoist bench` compute the same.
    static const run_command command = {.otherwise = "random:0",
                                        .makes_once = true,
                                        .warmup = 1,
                                        .prepare = prepare,
                                        .iterate = iterate,
                                        .give_out = give_out,
                                        .close = close_bench};
    return run_files(t, &command);
}
