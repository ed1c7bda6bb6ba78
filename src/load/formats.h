// load/formats.h - the table of formats, for the sources of load/.
#ifndef HOIST_SRC_LOAD_FORMATS_H
#define HOIST_SRC_LOAD_FORMATS_H

#include "hoist/lower.h"

#include "formats/format.h"
#include "program/rules.h"

// Of a file whose format names no limit, and of what is read before the format is known.
#define HOIST_DEFAULT_MAX_BYTES ((size_t)256 << 20)

// A format that is built in, and what layers above formats/ know of it.
typedef struct hoist_format_row {
    const hoist_format *format;
    const hoist_family *family; // what it belongs to with other formats; NULL: nothing
    // Statuses as hoist_job_lower(); NULL: its files are not run, and the rest means nothing.
    hoist_status (*lower)(const hoist_file *files, size_t count, const hoist_check_options *check,
                          const hoist_lower_options *options, hoist_diag *diag,
                          hoist_program **out_program);
    uint32_t numerics;    // besides the reference's: the sum of 1 << hoist_numerics
    bool several;         // files make one job
    bool checks_orders;   // its check includes the orders of its program
    bool counts_commands; // its units are chips behind queues of commands: summaries count them
    // Whose rates steps have that carry no work of a device (cost/rates.h); NULL: the job's target.
    const char *device;
    // The format's rule for one of programs; NULL: it has none of its own.
    const hoist_rule *(*rule)(hoist_program_rule rule);
} hoist_format_row;

const hoist_format_row *hoist_format_row_of(const hoist_format *format); // one of those built in
const hoist_format *hoist_format_find(hoist_str name);                   // NULL: there is none
// The highest bidder; NULL when no format bids.
const hoist_format *hoist_format_sniff(hoist_bytes bytes, hoist_str name);
// By name when `format` is not NULL, else by sniffing, which has no answer for an empty file.
const hoist_format *hoist_format_choose(const char *format, hoist_bytes bytes, hoist_str name);
size_t hoist_format_max_bytes(const hoist_format *format);

#endif // HOIST_SRC_LOAD_FORMATS_H
