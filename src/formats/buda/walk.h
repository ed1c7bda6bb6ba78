// formats/buda/walk.h - one walk over the complete model, in the shape of the file, for all who
// show it: visit.c sends it as a document, write.c as a netlist.
#ifndef HOIST_SRC_FORMATS_BUDA_WALK_H
#define HOIST_SRC_FORMATS_BUDA_WALK_H

#include "formats/buda/fields.h"

extern hoist_rec_send_slot *const buda_senders[]; // of own kinds. walk_value.c

// Sends the sections of the module, as members of a map that is open. Values that the file does not
// have are not sent. Attributes come in the order of their table, which is one that the
// reference reads (section 8.5); everything else in the order of the tables of fields.c. Failures
// stay in the sink.
void buda_walk_sections(const hoist_rec_walk *walk, const hoist_buda_module *module);

#endif // HOIST_SRC_FORMATS_BUDA_WALK_H
