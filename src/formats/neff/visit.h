// formats/neff/visit.h - what showing whole members shares: visit.c (a tree), dump.c (text).
#ifndef HOIST_SRC_FORMATS_NEFF_VISIT_H
#define HOIST_SRC_FORMATS_NEFF_VISIT_H

#include "base/tree.h"
#include "formats/neff/show.h"

typedef struct neff_visitor {
    const neff_module *module;
    hoist_tree_sink *sink;
    hoist_arena arena; // decoded strings of the text at hand
    bool positions;
    neff_cursor cursor;  // of the text at hand
    hoist_buffer record; // text of an instruction
    hoist_status status; // sticky, of the visitor itself
} neff_visitor;

// Sends a member that is JSON, as one value under `key`, every key of it. False when it is none:
// nothing was sent then. visit_json.c
bool neff_visit_json(neff_visitor *v, const neff_member *member, hoist_str key);
// Forgets the strings that were decoded. visit_json.c
void neff_visit_forget(neff_visitor *v);

#endif // HOIST_SRC_FORMATS_NEFF_VISIT_H
