// Estimates for bench/tensix_bench.py. In: a line for each op: device, type, traits as a number,
// phases, t, mblock_m, mblock_n, ublock_rt, ublock_ct, mblock_k, ublock_kt, z, whether it is
// sparse, and its tiles, ublocks and strips. Out: a line for each: cycles, and the row of weights
// with its type and traits; "-" where there are none.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/span.h"
#include "cost/tensix.h"

enum { NAME = 40 };

static int read_op(FILE *in, char *device, char *type, hoist_tensix_op *op)
{
    int is_sparse = 0;
    *op = (hoist_tensix_op){.phases = 1};
    const int got =
        fscanf(in,
               "%39s %39s %u %" SCNu32 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
               " %" SCNu64 " %" SCNu64 " %" SCNu64 " %d %" SCNu64 " %" SCNu64 " %" SCNu64,
               device, type, &op->traits, &op->phases, &op->t, &op->mblock_m, &op->mblock_n,
               &op->ublock_rt, &op->ublock_ct, &op->mblock_k, &op->ublock_kt, &op->z, &is_sparse,
               &op->nz_tiles, &op->nz_ublocks, &op->nz_strips);
    op->type = hoist_str_from(type);
    op->is_sparse = is_sparse != 0;
    return got == 16;
}

int main(void)
{
    char device[NAME];
    char type[NAME];
    hoist_tensix_op op;
    while (read_op(stdin, device, type, &op)) {
        hoist_tensix_cycles cycles;
        if (hoist_tensix_estimate(hoist_str_from(device), &op, &cycles)) {
            (void)printf("%.17g %s %u %.17g %.17g\n", cycles.cycles, cycles.row->type,
                         cycles.row->traits, cycles.row->low, cycles.row->high);
        } else {
            (void)printf("-\n");
        }
    }
    return ferror(stdin) || fflush(stdout) != 0;
}
