// Opening: the table of formats, sniffing by bids, and the job.
#include "hoist/load.h"

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "base/span.h"
#include "codec/json.h"
#include "codec/yaml.h"
#include "formats/buda/module.h"
#include "formats/format.h"
#include "os/file.h"

// Bytes of the file that formats see when they bid for it.
enum { SNIFF_BYTES = 64 * 1024 };

static const size_t DEFAULT_MAX_BYTES = (size_t)256 << 20;

static const hoist_format *const formats[] = {&hoist_buda_format};
