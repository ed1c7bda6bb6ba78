// Moves against copying by hand and, through move_numpy.py, against numpy: move_bench [LEVEL].
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/span.h"
#include "bench/bench.h"
#include "kernels/move.h"

#define MIB ((size_t)1 << 20)

typedef struct job {
    const hoist_move_kernels *kernels;
    hoist_view from;
    hoist_view to;
    size_t repeat;
} job;

static void require(bool condition, const char *what)
{
    if (!condition) {
        (void)fprintf(stderr, "move_bench: %s failed\n", what);
        exit(2);
    }
}

static void run_move(void *self)
{
    job *j = self;
    const hoist_view_move move = {.destination = j->to, .sources = &j->from, .source_count = 1};
    for (size_t i = 0; i < j->repeat; i++) {
        require(hoist_move_views(j->kernels, &move, hoist_allocator_system()) == HOIST_OK,
                "a move");
        hoist_bench_use(j->to.memory.data);
    }
}

// Bare C: a loop over the rows.
static void run_rows(void *self)
{
    const job *j = self;
    const bool rows = j->to.shape.rank == 2;
    const size_t size = (size_t)j->to.shape.dim[rows ? 1 : 0];
    for (size_t i = 0; i < j->repeat; i++) {
        for (int64_t row = 0; row < (rows ? j->to.shape.dim[0] : 1); row++) {
            memcpy(j->to.memory.data + row * j->to.stride[0],
                   j->from.memory.data + row * j->from.stride[0], size);
        }
        hoist_bench_use(j->to.memory.data);
    }
}

static uint8_t *new_memory(size_t size)
{
    uint8_t *memory = malloc(size);
    require(memory != NULL, "an allocation");
    memset(memory, 1, size);
    return memory;
}

static void set_view(uint8_t *memory, size_t size, int64_t rows, int64_t row, int64_t stride,
                     hoist_view *out_view)
{
    const hoist_shape line = {1, {row}};
    const hoist_shape shape = {2, {rows, row}};
    const int64_t strides[] = {stride, 1};
    require(hoist_view_init((hoist_mut_bytes){memory, size}, HOIST_DTYPE_U8,
                            rows == 1 ? &line : &shape, 0, rows == 1 ? NULL : strides,
                            out_view) == HOIST_OK,
            "a view");
}

static const struct {
    const char *what;
    int64_t rows;
    int64_t row;     // bytes
    int64_t from_by; // bytes from row to row
    int64_t to_by;
    size_t repeat;
    double want;
} copies[] = {
    {"64 MiB vs memcpy", 1, 64 << 20, 0, 0, 1, 0.9},
    {"256 KiB vs memcpy", 1, 256 << 10, 0, 0, 400, 0.9},
    {"4 KiB, half of it preparing, vs memcpy", 1, 4 << 10, 0, 0, 20000, 0},
    {"128 rows of 512 bytes at 256 KiB, both sides, vs rows", 128, 512, 256 << 10, 256 << 10, 400,
     0.9},
    {"128 rows of 512 bytes to 256 KiB apart vs rows", 128, 512, 512, 256 << 10, 400, 0.9},
    {"128 rows of 512 bytes from 256 KiB apart vs rows", 128, 512, 256 << 10, 512, 400, 0.9},
    {"128 rows of 64 KiB at 256 KiB vs rows", 128, 64 << 10, 256 << 10, 256 << 10, 4, 0.9},
};

static bool bench_copies(const hoist_move_kernels *kernels)
{
    const size_t size = 64 * MIB;
    uint8_t *from = new_memory(size);
    uint8_t *to = new_memory(size);
    bool ok = true;
    for (size_t i = 0; i < sizeof copies / sizeof copies[0]; i++) {
        job j = {.kernels = kernels, .repeat = copies[i].repeat};
        set_view(from, size, copies[i].rows, copies[i].row, copies[i].from_by, &j.from);
        set_view(to, size, copies[i].rows, copies[i].row, copies[i].to_by, &j.to);
        ok &= hoist_bench_compare(&(hoist_bench_pair){copies[i].what, run_move, run_rows, &j,
                                                      .want = copies[i].want, .rounds = 21});
    }
    free(from);
    free(to);
    return ok;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    hoist_cpu_level level = HOIST_CPU_BASELINE;
    if (!hoist_cpu_level_find(hoist_str_from(name), &level)) {
        level = hoist_cpu_detect();
    }
    bool ok = bench_copies(hoist_move_kernels_at(level));
    char command[1024];
    (void)snprintf(command, sizeof command, "%s %s %s %s", HOIST_BENCH_PYTHON, HOIST_BENCH_SCRIPT,
                   HOIST_BENCH_PEER, hoist_cpu_level_name(level));
    ok &= system(command) == 0;
    return ok ? 0 : 1;
}
