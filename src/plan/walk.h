// plan/walk.h - where the elements of a view lie in the memory of its buffer, and which parts of
// two views may share bytes. Dimensions of one index say nothing and are left out.
#ifndef HOIST_SRC_PLAN_WALK_H
#define HOIST_SRC_PLAN_WALK_H

#include "program/program.h"

typedef struct hoist_walk {
    hoist_ref root; // the buffer with memory of its own; HOIST_NO_REF: the slot that is read
    int64_t offset; // bytes from its start to the first element
    int64_t low;    // first byte of all elements
    int64_t high;   // behind the last
    int64_t size;   // of an element, bytes
    int rank;
    uint64_t count[HOIST_MAX_RANK]; // 2 or more
    int64_t stride[HOIST_MAX_RANK]; // bytes
    bool written;
} hoist_walk;

// The bytes [low, high) that the elements with index 0 in the first `lead` dimensions span.
typedef struct hoist_walk_part {
    int64_t low;
    int64_t high;
} hoist_walk_part;

// Of a view of a program that passed hoist_program_verify(). False: it is not one of evenly spaced
// elements at a fixed place of a buffer, or it has no elements.
bool hoist_walk_init(const hoist_program *program, hoist_ref view, bool written,
                     hoist_walk *out_walk);

// The same of a view of the slot that is read.
bool hoist_walk_init_slot(const hoist_program *program, hoist_ref view, hoist_walk *out_walk);

// The number of the walk's dimensions among the first `lead` of the view's shape.
int hoist_walk_lead(const hoist_program *program, hoist_ref view, int lead);

hoist_walk_part hoist_walk_part_of(const hoist_walk *walk, int lead);

// Whether the elements of a part fill the bytes that they span, in their order.
bool hoist_walk_is_dense(const hoist_walk *walk, int lead);

// The bytes of the values in a part, at index 0 of the first `lead` dimensions.
uint64_t hoist_walk_part_bytes(const hoist_walk *walk, int lead);

// Whether the walks have no byte in common: other memory, or other parts of it.
bool hoist_walks_disjoint(const hoist_walk *a, const hoist_walk *b);

// Whether no byte belongs to part i of one and part k of the other with i != k; parts have equal
// indices in the first `lead` dimensions, whose extents both have. False: that is not certain.
bool hoist_walks_apart(const hoist_walk *a, const hoist_walk *b, int lead);

#endif // HOIST_SRC_PLAN_WALK_H
