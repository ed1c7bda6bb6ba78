// scan/facts.h - versions, chip and what loads a file, out of the summary of its format.
#ifndef HOIST_SRC_SCAN_FACTS_H
#define HOIST_SRC_SCAN_FACTS_H

#include "base/buffer.h"
#include "base/tree.h"

typedef struct hoist_scan_facts {
    hoist_buffer versions; // lines "KEY VALUE", as of hoist_scan_entry
    hoist_buffer loads;    // lines
    hoist_buffer target;   // of formats that have no choice of devices
    unsigned depth;        // open maps and lists
    unsigned skipped;      // of them, in what is nested
    unsigned list_depth;   // of the list of loaders; 0: none is open
    const char *prefix;    // of the loaders
    hoist_buffer item;     // the loader at hand
    bool loads_it;
} hoist_scan_facts;

void hoist_scan_facts_init(hoist_scan_facts *facts, hoist_allocator alloc);
void hoist_scan_facts_deinit(hoist_scan_facts *facts);
// Takes the events of hoist_job_info() or hoist_format.info.
hoist_tree_sink hoist_scan_facts_sink(hoist_scan_facts *facts);

#endif // HOIST_SRC_SCAN_FACTS_H
