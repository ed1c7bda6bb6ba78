// formats/darwinn/hints.h - the DMA hints of an executable as a plain list (darwinn reference
// section 4).
#ifndef HOIST_SRC_FORMATS_DARWINN_HINTS_H
#define HOIST_SRC_FORMATS_DARWINN_HINTS_H

#include "formats/darwinn/module.h"

// The stored hints, one for one. `*out_hints` in the arena; none when there are no dma_hints.
// HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status dwn_hints_of(const dwn_executable *executable, hoist_arena *arena,
                                          dwn_hint **out_hints, size_t *out_count);

// The buffers of an executable in the order of hints and links: DWN_PLACE_PARAMETERS,
// DWN_PLACE_SCRATCH, from DWN_PLACE_LAYERS on the input layers, then the output layers.
// `*out_count` of them in the arena, without addresses; a batch_size below 1 counts as 1. NULL: out
// of memory.
enum { DWN_PLACE_PARAMETERS = 0, DWN_PLACE_SCRATCH, DWN_PLACE_LAYERS };
dwn_place *dwn_places_of(const dwn_executable *executable, hoist_arena *arena, size_t *out_count);

// The hints that an executable's instructions call for: all of them where there is no branch
// (`*out_whole`), else those before the first one. Everything is in the arena, names are those of
// the links. HOIST_OK; HOIST_INVALID: there are no instructions, the run does not come to their
// end, or sends what is of no known buffer (out_run->run.end, out_run->unknown); HOIST_LIMIT as
// dwn_program_execute(); HOIST_NO_MEMORY. hints_make.c
HOIST_NODISCARD hoist_status dwn_hints_make(const dwn_image *image, hoist_arena *arena,
                                            dwn_program_run *out_run, bool *out_whole);
// The same as rows of the schema, with names borrowed. HOIST_OK; HOIST_INVALID: a number does not
// fit its field; HOIST_NO_MEMORY. hints_make.c
HOIST_NODISCARD hoist_status dwn_hints_store(const dwn_hint *hints, size_t count, bool is_whole,
                                             hoist_arena *arena, dwn_hints **out_rows);

#endif // HOIST_SRC_FORMATS_DARWINN_HINTS_H
