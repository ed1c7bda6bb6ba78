// formats/buda/soc_internal.h - what the readers of SoC and cluster descriptors share.
#ifndef HOIST_SRC_FORMATS_BUDA_SOC_INTERNAL_H
#define HOIST_SRC_FORMATS_BUDA_SOC_INTERNAL_H

#include "base/diag.h"
#include "codec/yaml.h"
#include "formats/buda/soc.h"

// SOC_001 and so on.
typedef enum buda_soc_rule {
#define SOC_RULE(number, ...) SOC_##number,
#include "formats/buda/soc_rules.inc"
    SOC_RULE_COUNT,
} buda_soc_rule;

typedef struct buda_soc_key buda_soc_key;

typedef struct buda_soc_reader {
    hoist_arena *arena;
    hoist_diag *diag;
    bool failed;             // an error was reported
    const buda_soc_key *key; // that is read
    buda_soc *soc;
    buda_cluster *cluster;
} buda_soc_reader;

// One key of a descriptor. `read` (NULL: known, not looked into) reports what is wrong itself and
// fails only for lack of memory.
struct buda_soc_key {
    const char *name;
    bool required;
    hoist_status (*read)(buda_soc_reader *r, const hoist_yaml_node *value);
    size_t at;   // of a size in bytes: offset of the member in buda_soc; 0: not kept
    int64_t min; // of a size in bytes
};

// Reports a finding and remembers errors.
void buda_soc_report(buda_soc_reader *r, buda_soc_rule rule, hoist_pos pos, const char *format, ...)
    HOIST_PRINTF(4, 5);

// Reads `text` as a map and hands the values to the keys in the order of the table. HOIST_OK only
// without errors; HOIST_INVALID, HOIST_LIMIT, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status buda_soc_read_keys(buda_soc_reader *r, hoist_bytes text,
                                                const buda_soc_key *keys, size_t key_count);

// A number in [min, max]; reports and gives false otherwise.
bool buda_soc_number(buda_soc_reader *r, const hoist_yaml_node *node, int64_t min, int64_t max,
                     int64_t *out_value);

#endif // HOIST_SRC_FORMATS_BUDA_SOC_INTERNAL_H
