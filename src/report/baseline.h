// report/baseline.h - the findings that are known: of a SARIF log that hoist wrote before.
#ifndef HOIST_SRC_REPORT_BASELINE_H
#define HOIST_SRC_REPORT_BASELINE_H

#include "report/fingerprint.h"

typedef struct hoist_baseline {
    hoist_arena arena;         // fingerprints
    hoist_map known;           // fingerprints of the log
    hoist_fingerprints counts; // of the findings that are compared
} hoist_baseline;

// Reads the log. HOIST_OK; HOIST_INVALID and HOIST_TRUNCATED: it is no JSON, which `diag` gets;
// HOIST_UNSUPPORTED: it is JSON, but no SARIF log; HOIST_LIMIT, HOIST_NO_MEMORY. Call
// hoist_baseline_deinit() in every case.
HOIST_NODISCARD hoist_status hoist_baseline_read(hoist_bytes log, hoist_allocator alloc,
                                                 hoist_diag *diag, hoist_baseline *out_baseline);
void hoist_baseline_deinit(hoist_baseline *baseline);

// Appends the findings of `from` that are not known to `to`, and counts those that are. HOIST_OK or
// as hoist_fingerprint_next().
HOIST_NODISCARD hoist_status hoist_baseline_split(hoist_baseline *baseline, const hoist_diag *from,
                                                  hoist_diag *to, size_t *out_known);

#endif // HOIST_SRC_REPORT_BASELINE_H
