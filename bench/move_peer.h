// bench/move_peer.h - what move_numpy.py calls.
#ifndef HOIST_BENCH_MOVE_PEER_H
#define HOIST_BENCH_MOVE_PEER_H

#include <stdint.h>

// A numpy array: dtype by hoist's name, sizes in bytes.
typedef struct bench_array {
    const char *dtype;
    void *memory;
    int64_t size;
    int64_t offset; // of the first element
    int64_t rank;
    int64_t shape[8];
    int64_t stride[8];
} bench_array;

// Moves `from` to `to`, whose types may differ, `repeat` times by the kernels of `level`
// (os/cpu.h). 0: done.
__attribute__((visibility("default"))) int bench_move(const char *level, const bench_array *to,
                                                      const bench_array *from, int repeat);

#endif // HOIST_BENCH_MOVE_PEER_H
