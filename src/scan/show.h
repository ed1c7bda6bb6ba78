// scan/show.h - an inventory as text, as JSON lines, and as a bill of materials.
#ifndef HOIST_SRC_SCAN_SHOW_H
#define HOIST_SRC_SCAN_SHOW_H

#include "os/output.h"
#include "scan/scan.h"

// Each sends the inventory to `out` entry by entry, whatever its size. HOIST_OK, HOIST_IO,
// HOIST_NO_MEMORY; failures of the output stay in it.

// A line for each entry, one for each token that several entries have, and a summary. Lines have at
// most `width` columns (0: no limit): narrow tables lack columns, long paths their beginnings.
HOIST_NODISCARD hoist_status hoist_scan_table(hoist_scan *scan, const hoist_scan_counts *counts,
                                              size_t width, hoist_output *out);
// An object for each entry on a line of its own (docs/scan.md).
HOIST_NODISCARD hoist_status hoist_scan_lines(hoist_scan *scan, hoist_output *out);
// A machine-learning bill of materials, CycloneDX 1.6, a component for each entry.
HOIST_NODISCARD hoist_status hoist_scan_bom(hoist_scan *scan, hoist_output *out);

#endif // HOIST_SRC_SCAN_SHOW_H
