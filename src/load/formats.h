// load/formats.h - the table of formats, for the sources of load/.
#ifndef HOIST_SRC_LOAD_FORMATS_H
#define HOIST_SRC_LOAD_FORMATS_H

#include "formats/format.h"

// Of a file whose format names no limit, and of what is read before the format is known.
#define HOIST_DEFAULT_MAX_BYTES ((size_t)256 << 20)

const hoist_format *hoist_format_find(hoist_str name); // NULL: there is none
// The highest bidder; NULL when nobody bids.
const hoist_format *hoist_format_sniff(hoist_bytes bytes, hoist_str name);
// By name when `format` is not NULL, else by sniffing.
const hoist_format *hoist_format_choose(const char *format, hoist_bytes bytes, hoist_str name);
size_t hoist_format_max_bytes(const hoist_format *format);

#endif // HOIST_SRC_LOAD_FORMATS_H
