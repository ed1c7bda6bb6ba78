// report/findings.h - the findings of a hoist_diag for people and for programs.
//
//     net.yaml:12:9: error: queue 'q1' has 3 dram items, its grid [2, 2] needs 4 [BUDA-016]
//         while reading queue 'q1'
//        12 | q1: {type: queue, dram: [...]}
//           |                         ^
#ifndef HOIST_SRC_REPORT_FINDINGS_H
#define HOIST_SRC_REPORT_FINDINGS_H

#include "base/buffer.h"
#include "base/diag.h"
#include "base/tree.h"

typedef struct hoist_findings_options {
    bool color;
    bool quiet;                  // notes are left out, of the summary too
    const hoist_rule_set *notes; // of notes only those by its rules are shown; NULL: all
    hoist_str source_file;       // excerpts are shown of findings in this file ...
    hoist_bytes source;          // ... whose text this is; empty: no excerpts. Borrowed
    bool grouped;                // of findings that say the same only the first and their number
    bool explain;                // the rule's title and detail follow
    size_t width;                // columns of excerpts and rules; 0: no limit
} hoist_findings_options;

// Appends every kept finding in the order of the diag, the object's path in parentheses after
// sentences that do not name it, then a line that counts those not kept and
// one that says so when memory ran out while findings were stored. Long lines of an excerpt are
// cut around the column.
void hoist_findings_text(const hoist_diag *diag, const hoist_findings_options *options,
                         hoist_buffer *out);

// Appends "2 errors, 1 warning" or `good`, such as "clean", and a line break; with notes "clean, 1
// note"; with the architecture, unless that is NULL, "clean (wormhole_b0)".
void hoist_findings_summary(const hoist_arch_verdict *counts, bool quiet, const char *good,
                            hoist_buffer *out);

// Sends a map of rule, severity, refused_by?, file, member?, line?, column?, offset?, object?,
// message, context? in this order.
void hoist_finding_tree(const hoist_finding *finding, hoist_tree_sink *sink);

// Appends the same as JSON on one line, without a line break. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_finding_json(const hoist_finding *finding, hoist_buffer *out);

// Sends the list of findings under `key`, each as hoist_finding_tree() has it. Of the options
// `quiet` and `notes` say which.
void hoist_findings_tree(const hoist_diag *diag, const char *key,
                         const hoist_findings_options *options, hoist_tree_sink *sink);

#endif // HOIST_SRC_REPORT_FINDINGS_H
