// hoist bench: how long a file takes here, and where the time goes.
#include "bench.h"

static tool_exit prepare(run *r)
{
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

static tool_exit give_out(run *r)
{
    return bench_report(r->own);
}

static void close_bench(run *r)
{
    if (r->own) {
        bench_close(r->own);
    }
}

tool_exit cmd_bench(tool *t)
{
    static const run_command command = {.otherwise = "random:0",
                                        .makes_once = true,
                                        .warmup = 1,
                                        .prepare = prepare,
                                        .iterate = iterate,
                                        .give_out = give_out,
                                        .close = close_bench};
    return run_files(t, &command);
}
