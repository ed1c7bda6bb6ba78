// formats/buda/read.h - the parts of the netlist reader.
//
// A YAML tree becomes the typed model, by the rows of fields.h where there are any. Each function
// reports what it finds and goes on; memory running out is kept in the reader's status and ends the
// reading at the next test. read.c puts the parts together; read_report.c is below all of them.
#ifndef HOIST_SRC_FORMATS_BUDA_READ_H
#define HOIST_SRC_FORMATS_BUDA_READ_H

#include "formats/buda/fields.h"

typedef hoist_rec_reader buda_reader; // `self` is the module

static inline hoist_buda_module *buda_reader_module(buda_reader *r)
{
    return r->self;
}

// The key of a map's entry.
static inline hoist_str buda_key(const hoist_yaml_node *entry)
{
    return entry->key->text;
}
static inline hoist_pos buda_key_pos(const hoist_yaml_node *entry)
{
    return entry->key->pos;
}
static inline buda_name buda_key_name(const hoist_yaml_node *entry)
{
    return (buda_name){entry->key->text, entry->key->pos};
}

// The kind or text of a node, for messages: "'abc'", "a list", "a map", "empty". Lives in `text`.
enum { BUDA_SHOWN_SIZE = HOIST_REC_SHOWN_SIZE };
const char *buda_shown(const hoist_yaml_node *node, char text[BUDA_SHOWN_SIZE]);

// Reports that `what` is not what was expected.
void buda_report_kind(buda_reader *r, buda_rule rule, const char *what, const hoist_yaml_node *node,
                      const char *expected);
// Reports BUDA-004b when the entry's key occurred before in its map.
void buda_check_duplicate(buda_reader *r, const hoist_yaml_node *entry);
// An integer in the range of the field, as hoist_rec_integer().
bool buda_read_integer(buda_reader *r, const hoist_rec_field *field, const char *what,
                       const hoist_yaml_node *node, int64_t *out_value);
// The op of a type's name; HOIST_OP_NONE, having reported BUDA-006, when it is unknown. An absent
// name is reported as a missing key.
hoist_op buda_read_op_type(buda_reader *r, const buda_name *type);

// How the records of netlists are reported; the readers of own kinds and the hooks are read.c's.
void buda_report_node(buda_reader *r, uint16_t rule, const hoist_rec_node *node, const char *format,
                      ...) HOIST_PRINTF(4, 5);
hoist_str buda_shown_node(const hoist_rec_node *node, char text[BUDA_SHOWN_SIZE]);
void buda_report_missing(buda_reader *r, const hoist_rec_table *table, const hoist_rec_field *field,
                         const hoist_rec_node *node);
void buda_report_unknown(buda_reader *r, const hoist_rec_table *table, const hoist_rec_node *node);
void buda_report_twice(buda_reader *r, const hoist_rec_node *node);

// Readers of own kinds. read_value.c, read_tms.c, read_attributes.c
bool buda_read_operand(buda_reader *r, const hoist_rec_field *field, const hoist_rec_node *node,
                       void *slot);
bool buda_read_token(buda_reader *r, const hoist_rec_field *field, const hoist_rec_node *node,
                     void *slot);
bool buda_read_pair(buda_reader *r, const hoist_rec_field *field, const hoist_rec_node *node,
                    void *slot);
bool buda_read_grid_loc(buda_reader *r, const hoist_rec_field *field, const hoist_rec_node *node,
                        void *slot);
bool buda_read_tile_dim(buda_reader *r, const hoist_rec_field *field, const hoist_rec_node *node,
                        void *slot);
bool buda_read_target_device(buda_reader *r, const hoist_rec_field *field,
                             const hoist_rec_node *node, void *slot);
bool buda_read_operands(buda_reader *r, const hoist_rec_field *field, const hoist_rec_node *node,
                        void *slot);
bool buda_read_places(buda_reader *r, const hoist_rec_field *field, const hoist_rec_node *node,
                      void *slot);
bool buda_read_forks(buda_reader *r, const hoist_rec_field *field, const hoist_rec_node *node,
                     void *slot);
bool buda_read_tms(buda_reader *r, const hoist_rec_field *field, const hoist_rec_node *node,
                   void *slot);
bool buda_read_attributes(buda_reader *r, const hoist_rec_field *field, const hoist_rec_node *node,
                          void *slot);

// The keys input_<N>_tms, _pad and _unpad: true when `entry` is one and was read into `*list`.
// read_input_keys.c
bool buda_read_input_key(buda_reader *r, const hoist_yaml_node *entry, buda_input_keys **list);

// Sections: `entry` is the section's entry in the file's map. The hooks of their
// records are in the same files.
void buda_read_devices(buda_reader *r, const hoist_yaml_node *entry);
void buda_read_queues(buda_reader *r, const hoist_yaml_node *entry);
void buda_read_graphs(buda_reader *r, const hoist_yaml_node *entry);
void buda_read_fused_ops(buda_reader *r, const hoist_yaml_node *entry);
void buda_read_programs(buda_reader *r, const hoist_yaml_node *entry);
extern const hoist_rec_hooks buda_queue_hooks;
extern const hoist_rec_hooks buda_graph_hooks;
extern const hoist_rec_hooks buda_op_hooks;
extern const hoist_rec_hooks buda_fused_hooks;
extern const hoist_rec_hooks buda_sub_op_hooks;
extern const hoist_rec_hooks buda_setting_hooks;
extern const hoist_rec_hooks buda_execute_hooks;

#endif // HOIST_SRC_FORMATS_BUDA_READ_H
