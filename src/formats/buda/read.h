// formats/buda/read.h - the parts of the netlist reader.
//
// A YAML tree becomes the typed model. Each function reports what it finds and goes on; memory
// running out is kept in `status` and ends the reading at the next test.
#ifndef HOIST_SRC_FORMATS_BUDA_READ_H
#define HOIST_SRC_FORMATS_BUDA_READ_H

#include "formats/buda/fields.h"

typedef struct buda_reader {
    hoist_buda_module *module;
    hoist_arena *arena;  // the module's
    hoist_diag *diag;    // may be NULL
    hoist_status status; // HOIST_OK or HOIST_NO_MEMORY, sticky
} buda_reader;

// `count` cleared items of `size` bytes in the module's arena; NULL, with `status` set, when memory
// runs out. Never NULL for a count of 0.
void *buda_reader_array(buda_reader *r, size_t count, size_t size);

// What a node is, for messages: "'abc'", "a list", "a map", "empty". Lives in `text`.
enum { BUDA_SHOWN_SIZE = 96 };
const char *buda_shown(const hoist_yaml_node *node, char text[BUDA_SHOWN_SIZE]);

// The key of a map's entry.
hoist_str buda_key(const hoist_yaml_node *entry);
hoist_pos buda_key_pos(const hoist_yaml_node *entry);
buda_name buda_key_name(const hoist_yaml_node *entry);

// Walks the items of a value that collects over duplicate keys: those of `entry`, then those of
// later entries of the same map with the same key. A scalar has no items (section 1.1); entries
// that are neither list nor scalar are skipped.
typedef struct buda_items {
    const hoist_yaml_node *entry;
    const hoist_yaml_node *item; // NULL at the end
    hoist_yaml_kind kind;        // of collected entries: HOIST_YAML_LIST or HOIST_YAML_MAP
} buda_items;

buda_items buda_items_begin(const hoist_yaml_node *entry, hoist_yaml_kind kind);
void buda_items_next(buda_items *it);
size_t buda_items_count(const hoist_yaml_node *entry, hoist_yaml_kind kind);

// Scalars. Each returns false, having reported `rule`, when the node is no such value.
bool buda_read_text(buda_reader *r, buda_rule rule, const char *what, const hoist_yaml_node *node,
                    hoist_str *out_text);
bool buda_read_integer(buda_reader *r, const buda_field *field, const char *what,
                       const hoist_yaml_node *node, int64_t *out_value);
bool buda_read_number(buda_reader *r, buda_rule rule, const char *what, const hoist_yaml_node *node,
                      double *out_value);

// Reads the value of `entry` into the slot of `field` in `object`.
void buda_read_field(buda_reader *r, const buda_field *field, const hoist_yaml_node *entry,
                     void *object);

// Reports an unknown key of an object and keeps it at `*tail`, which moves on.
void buda_read_unknown(buda_reader *r, const buda_table *table, const hoist_yaml_node *entry,
                       buda_extra ***tail);
// Keeps a key without a finding.
void buda_keep_extra(buda_reader *r, const hoist_yaml_node *entry, buda_extra ***tail);
// Reports BUDA-004b when the entry's key occurred before in its map.
void buda_check_duplicate(buda_reader *r, const hoist_yaml_node *entry);

// Reports the keys that `object` lacks, at `pos`. `needed` says whether a key with a conditional
// need is needed here; NULL: none is.
void buda_report_missing(buda_reader *r, const buda_table *table, const void *object, hoist_pos pos,
                         bool (*needed)(const void *object, buda_need need));

// Reads a map into `object`: known keys into their slots, others to `*extra` with a finding.
// `node` that is no map is reported. Defaults are filled in first; missing keys are not judged.
void buda_read_object(buda_reader *r, const buda_table *table, const hoist_yaml_node *node,
                      void *object, buda_extra **extra);

// The op of a type's name; HOIST_OP_NONE, having reported BUDA-006, when it is unknown. An absent
// name is reported as a missing key already.
hoist_op buda_read_op_type(buda_reader *r, const buda_name *type);

// The keys input_<N>_tms, _pad and _unpad: true when `entry` is one and was read into `*list`.
bool buda_read_input_key(buda_reader *r, const hoist_yaml_node *entry, buda_input_keys **list);

// Values with a grammar of their own, for buda_read_field.
void buda_read_tms(buda_reader *r, const buda_field *field, const hoist_yaml_node *entry,
                   buda_tms *out_tms);
void buda_read_attributes(buda_reader *r, const hoist_yaml_node *entry,
                          buda_attributes *out_attributes);

// Sections: `entry` is the section's entry in the file's map.
void buda_read_devices(buda_reader *r, const hoist_yaml_node *entry);
void buda_read_queues(buda_reader *r, const hoist_yaml_node *entry);
void buda_read_graphs(buda_reader *r, const hoist_yaml_node *entry);
void buda_read_fused_ops(buda_reader *r, const hoist_yaml_node *entry);
void buda_read_programs(buda_reader *r, const hoist_yaml_node *entry);

#endif // HOIST_SRC_FORMATS_BUDA_READ_H
