// formats/darwinn/recover_memory.h - the memories of tiles, for the sources that follow words
// through them (recover_trace.h).
#ifndef HOIST_SRC_FORMATS_DARWINN_RECOVER_MEMORY_H
#define HOIST_SRC_FORMATS_DARWINN_RECOVER_MEMORY_H

#include "formats/darwinn/recover_steps.h"
#include "formats/darwinn/recover_trace.h"

#define DWN_MIXED UINT32_MAX // in place of a value: the word is an index of a mixed one

// Addresses of a tile that are one after the other.
typedef struct run {
    uint32_t tile;
    int64_t at;
    uint64_t count;
} dwn_memory_run;

// Outside of the memory, in a page that was never written, and after the last step that may be
// followed: unknown. Mixed words have DWN_MIXED as their value. recover_memory.c
dwn_held dwn_memory_at(const dwn_walk *w, uint32_t tile, int64_t address);
const dwn_mixed *dwn_memory_mixed(const dwn_trace *t, uint32_t index);
// Writes words of a value that are one after the other, `held` the first; and one word. HOIST_OK,
// HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status dwn_memory_put(dwn_walk *w, const dwn_memory_run *r, dwn_held held);
HOIST_NODISCARD hoist_status dwn_memory_put_word(dwn_walk *w, uint32_t tile, int64_t address,
                                                 dwn_held held);

// What words of a value become where a layer computes each number alone.
typedef struct dwn_naming {
    uint32_t input, output; // values
    bool is_joined;         // the input was, or it was cut, and its words may have other names
} dwn_naming;
// What a word that is read is called where it is written; unknown if it is not of the input.
// recover_words.c
dwn_held dwn_named(const dwn_walk *w, const dwn_naming *as, dwn_held held);
// Whether a value is made of words of others, which were joined or cut: they have the names of
// these.
bool dwn_has_other_names(const dwn_walk *w, uint32_t value);

// Copies words of a tile, as many as `to` has and one after the other; `as` NULL: they keep their
// names. HOIST_OK, HOIST_NO_MEMORY. recover_memory.c
HOIST_NODISCARD hoist_status dwn_memory_copy_run(dwn_walk *w, uint32_t tile, int64_t from,
                                                 const dwn_memory_run *to, const dwn_naming *as);
// The same step by step, of one tile to another; both sides have as many steps.
HOIST_NODISCARD hoist_status dwn_memory_copy(dwn_walk *w, uint32_t source, dwn_steps from,
                                             uint32_t tile, dwn_steps to, const dwn_naming *as);
// How many steps of both go through addresses one after the other: one run on both sides.
uint64_t dwn_memory_common_run(const dwn_steps *a, const dwn_steps *b);
// Whether so many more steps may be followed; else nothing is known from here on.
bool dwn_trace_go(dwn_trace *t, uint64_t steps);
// How many of the steps of a run, from `step` on, a cut treats alike: all of them, or those of the
// row of the innermost loop; and how many of these it does not leave out. `cut` NULL: there is
// none.
uint64_t dwn_cut_alike(const dwn_loop *loops, const dwn_cut *cut, uint64_t step, uint64_t count);
uint64_t dwn_cut_kept(const dwn_loop *loops, const dwn_cut *cut, uint64_t step, uint64_t count);
// Forgets the words that loops write, but for those that the cut leaves out, which stay as they
// were; or all of them.
void dwn_memory_forget_but(dwn_walk *w, uint32_t tile, int64_t base, const dwn_loop *loops,
                           size_t count, const dwn_cut *cut);
void dwn_memory_forget(dwn_walk *w, uint32_t tile, int64_t base, const dwn_loop *loops,
                       size_t count);

// All that the mesh sends and writes, and copies into memory, before an operation. HOIST_OK,
// HOIST_NO_MEMORY. recover_sending.c
HOIST_NODISCARD hoist_status dwn_follow_mesh(dwn_walk *w, uint32_t operation);
// What is on its way before an operation writes: where it writes what is sent nothing is known any
// more.
void dwn_keep_pending(dwn_walk *w, const dwn_operation *op);

#endif // HOIST_SRC_FORMATS_DARWINN_RECOVER_MEMORY_H
