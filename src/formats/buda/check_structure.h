// formats/buda/check_structure.h - the parts of buda_check_structure, one file each, and the index
// of the file's names that they share.
#ifndef HOIST_SRC_FORMATS_BUDA_CHECK_STRUCTURE_H
#define HOIST_SRC_FORMATS_BUDA_CHECK_STRUCTURE_H

#include "base/map.h"
#include "formats/buda/check.h"

// Names as written, without the suffixes of copies; the first of duplicates holds.
typedef struct buda_structure {
    const buda_check *check; // borrowed
    hoist_map queues;        // index into module->queues
    hoist_map graphs;        // index into module->graphs
    hoist_map ops;           // number of the op, counted over all graphs
    size_t *op_graphs;       // by that number: index into module->graphs; scratch
    hoist_map programs;      // index into module->programs
} buda_structure;

// Rules 4a and 20a: fills the index and reports what occurs twice. check_names.c
hoist_status buda_check_names(buda_structure *s);
// Rule 20b: queues and graphs that nothing uses. check_unused.c
hoist_status buda_check_unused(const buda_structure *s);
// Rules 10 to 13, 15, 58, 91: what reads and feeds what. check_links.c
hoist_status buda_check_links(const buda_structure *s);
// Rules 14, 93: the lists of one op. check_op_lists.c
hoist_status buda_check_op_lists(const buda_structure *s);
// Rule 17: cores of the ops of a graph. check_cores.c
hoist_status buda_check_cores(const buda_structure *s);
// Rules 9, 18, 94: buffers of queues. check_buffers.c
void buda_check_buffers(const buda_structure *s);
// Rule 19: queues that share storage. check_alias.c
void buda_check_aliases(const buda_structure *s);

#endif // HOIST_SRC_FORMATS_BUDA_CHECK_STRUCTURE_H
