// Overlap of two tensors (overlap.h): as boxes where both count in the same array, else by their
// runs of bytes. Runs ascend, so each list is searched from the other's next run, and runs that
// cannot meet are never looked at.
#include "formats/ark/overlap.h"

enum { MAX_LEAPS = 1 << 20 }; // steps from run to run; with more the answer is unknown

// A piece of bytes.
typedef struct run {
    uint64_t begin, end;
} run;

// The runs of a tensor: `bytes` at `offset` and a multiple of each stride, strides descending.
typedef struct runs {
    uint64_t offset;
    uint64_t bytes;
    int rank;
    int64_t count[ARK_MAX_RANK];
    uint64_t stride[ARK_MAX_RANK];
} runs;

// Leaves out dimensions of one index, and joins those that follow each other without a gap. All of
// an array is one run; [4,3] of an array [4,6] is four.
static runs runs_of(const ark_value *v)
{
    runs r = {.offset = v->offset, .bytes = (uint64_t)v->stride[v->rank - 1]};
    int64_t count[ARK_MAX_RANK]; // the innermost first
    uint64_t stride[ARK_MAX_RANK];
    for (int k = v->rank - 1; k >= 0; k--) {
        const uint64_t step = (uint64_t)v->stride[k];
        if (v->shape[k] == 1) {
            continue;
        }
        if (r.rank == 0 && step == r.bytes) {
            r.bytes *= (uint64_t)v->shape[k];
        } else if (r.rank && step == stride[r.rank - 1] * (uint64_t)count[r.rank - 1]) {
            count[r.rank - 1] *= v->shape[k];
        } else {
            count[r.rank] = v->shape[k];
            stride[r.rank++] = step;
        }
    }
    for (int k = 0; k < r.rank; k++) {
        r.count[k] = count[r.rank - 1 - k];
        r.stride[k] = stride[r.rank - 1 - k];
    }
    return r;
}

// The first run that ends after `at`; false: all are before it. In mixed radix: each index is the
// quotient by its stride, from the outermost on.
static bool find_run(const runs *r, uint64_t at, run *out)
{
    uint64_t begin = r->offset;
    uint64_t index[ARK_MAX_RANK] = {0};
    // Begin at the last run that does not begin after `at`.
    uint64_t rest = at > begin ? at - begin : 0;
    for (int k = 0; k < r->rank; k++) {
        const uint64_t last = (uint64_t)r->count[k] - 1;
        const uint64_t fit = rest / r->stride[k];
        index[k] = fit < last ? fit : last;
        rest -= index[k] * r->stride[k];
        begin += index[k] * r->stride[k];
    }
    if (begin + r->bytes <= at) { // it is over: the next one
        int k = r->rank - 1;
        while (k >= 0 && index[k] + 1 == (uint64_t)r->count[k]) {
            begin -= index[k] * r->stride[k];
            k--;
        }
        if (k < 0) {
            return false;
        }
        begin += r->stride[k];
    }
    *out = (run){begin, begin + r->bytes};
    return true;
}

// Each step leaps over all runs of one list that end before the next run of the other.
static ark_overlap runs_overlap(const runs *a, const runs *b)
{
    run x;
    run y;
    bool more = find_run(a, 0, &x);
    for (uint32_t i = 0; more && i < MAX_LEAPS; i++) {
        if (!find_run(b, x.begin, &y)) {
            return ARK_APART;
        }
        if (y.begin < x.end) {
            return ARK_OVERLAP;
        }
        more = find_run(a, y.begin, &x);
        if (more && x.begin < y.end) {
            return ARK_OVERLAP;
        }
    }
    return more ? ARK_OVERLAP_UNKNOWN : ARK_APART;
}

// Equal distances: the boxes of both are boxes of one array.
static bool same_array(const ark_value *a, const ark_value *b)
{
    bool same = a->rank == b->rank && a->stride[a->rank - 1] == b->stride[b->rank - 1];
    for (int k = 0; same && k < a->rank; k++) {
        same = a->stride[k] == b->stride[k];
    }
    return same;
}

// Ends first: most tensors of a buffer are apart by these alone.
ark_overlap ark_values_overlap(const ark_value *a, const ark_value *b)
{
    if (a->memory != b->memory || a->end <= b->offset || b->end <= a->offset) {
        return ARK_APART;
    }
    if (!same_array(a, b)) {
        const runs x = runs_of(a);
        const runs y = runs_of(b);
        return runs_overlap(&x, &y);
    }
    bool meet = true;
    for (int k = 0; k < a->rank; k++) {
        meet = meet && a->offsets[k] < b->offsets[k] + b->shape[k] &&
               b->offsets[k] < a->offsets[k] + a->shape[k];
    }
    return meet ? ARK_OVERLAP : ARK_APART;
}

// The runs of both are compared, member by member.
bool ark_values_coincide(const ark_value *a, const ark_value *b)
{
    const runs x = runs_of(a);
    const runs y = runs_of(b);
    bool same = x.offset == y.offset && x.bytes == y.bytes && x.rank == y.rank;
    for (int k = 0; same && k < x.rank; k++) {
        same = x.count[k] == y.count[k] && x.stride[k] == y.stride[k];
    }
    return same;
}
