// What ark_mpi_bench.py compares with: all-reduces in plain C over MPI, in a process for each rank.
//
// ark_mpi_peer exchange|allreduce COUNT ITERATIONS: float32 elements of each rank; prints the
// seconds of each iteration, the greatest of all ranks, a line for each. `exchange` does what the
// ARK expansion does: whole tensors to every other rank by Isend and Recv, and what arrives is
// added; `allreduce` is MPI_Allreduce.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct peer {
    int rank, world;
    int count;
    float *x, *total, *received;
} peer;

static void exchange(const peer *p)
{
    memcpy(p->total, p->x, (size_t)p->count * sizeof *p->total);
    for (int step = 1; step < p->world; step++) {
        const int to = (p->rank + step) % p->world;
        const int from = (p->rank + p->world - step) % p->world;
        MPI_Request sent;
        MPI_Isend(p->x, p->count, MPI_FLOAT, to, 0, MPI_COMM_WORLD, &sent);
        MPI_Recv(p->received, p->count, MPI_FLOAT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&sent, MPI_STATUS_IGNORE);
        for (int i = 0; i < p->count; i++) {
            p->total[i] += p->received[i];
        }
    }
}

static void allreduce(const peer *p)
{
    MPI_Allreduce(p->x, p->total, p->count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

// The time of an iteration is that of the slowest rank.
static double time_of(const peer *p, void (*work)(const peer *p))
{
    double all = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    work(p);
    const double own = MPI_Wtime() - begin;
    MPI_Reduce(&own, &all, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return all;
}

static int run(peer *p, const char *kind, int iterations)
{
    const size_t bytes = (size_t)p->count * sizeof(float);
    p->x = malloc(bytes);
    p->total = malloc(bytes);
    p->received = malloc(bytes);
    if (!p->x || !p->total || !p->received) {
        return 1;
    }
    for (int i = 0; i < p->count; i++) {
        p->x[i] = (float)(i % 1000 + p->rank);
    }
    for (int i = 0; i <= iterations; i++) {
        const double seconds = time_of(p, strcmp(kind, "exchange") == 0 ? exchange : allreduce);
        if (p->rank == 0 && i > 0) { // the first one touches the memory
            printf("%.9f\n", seconds);
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    peer p = {.world = 1};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p.world);
    p.count = argc == 4 ? (int)strtol(argv[2], NULL, 10) : 0;
    const int iterations = argc == 4 ? (int)strtol(argv[3], NULL, 10) : 0;
    const int failed = p.count < 1 || iterations < 1 || run(&p, argv[1], iterations);
    free(p.x);
    free(p.total);
    free(p.received);
    MPI_Finalize();
    return failed;
}
