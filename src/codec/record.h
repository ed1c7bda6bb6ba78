// codec/record.h - records: C structs and the maps of a text that say the same, by one row per
// field.
//
// A row has the key, the kind of the value and the place of its slot in the struct. From rows a map
// of a YAML tree or a JSON tape is read (record_read.c), what it lacks or has in the wrong kind is
// reported under the rules of the rows, and a struct is sent as tree events again (record_visit.c):
// into a writer that is the file, into any other sink what `dump` shows. Schemas take their
// sentences from the rows, too. Row order is the order of sending, unless a record keeps its own.
//
// A format gives a style: how findings are worded, and functions for its own kinds of values (a
// list of tensor manipulations, a name that is an index). Structs keep values in one of two forms:
// with the place of each (`places` of the row; the types hoist_rec_int ... below), or bare, with a
// bit of `present` per row. Formats whose writers spell keys in different ways have a row for each
// spelling with the same slot, and `forms` says which spelling is whose.
//
// Three other engines are separate. FlatBuffers (codec/flatbuffer.h) find fields by slot and not by
// key, have scalars of all widths, tables that are shared, and are changed in place, so of these
// rows they would use the summary alone. The text form of programs (program/fields.h) has lines of
// operands in a fixed order with a grammar for each, and no keys at all.
// SoC and cluster descriptors (formats/buda/soc_internal.h) are read in the order of their rows, as
// the arch gives defaults and the grid the bounds of later keys, and are never sent.
#ifndef HOIST_SRC_CODEC_RECORD_H
#define HOIST_SRC_CODEC_RECORD_H

#include "base/buffer.h"
#include "base/tree.h"
#include "codec/json.h"
#include "codec/yaml.h"

// Slots ------------------------------------------------------------------------------------------

// Values with their places; line 0: absent.
typedef struct hoist_rec_int {
    int64_t value;
    hoist_pos pos;
} hoist_rec_int;

typedef struct hoist_rec_float {
    double value;
    hoist_pos pos;
} hoist_rec_float;

typedef struct hoist_rec_bool {
    bool value;
    hoist_pos pos;
} hoist_rec_bool;

typedef struct hoist_rec_str {
    hoist_str text;
    hoist_pos pos;
} hoist_rec_str;

// A word of a closed set: `value` is its index, -1 when the spelling is unknown (which the reader
// reported); `text` always holds it as written.
typedef struct hoist_rec_word {
    int value;
    hoist_str text;
    hoist_pos pos;
} hoist_rec_word;

// A list of T. Bare lists have the first two members only: HOIST_REC_BARE_LIST.
#define HOIST_REC_LIST(T)                                                                          \
    struct {                                                                                       \
        const T *items; /* arena */                                                                \
        size_t count;                                                                              \
        hoist_pos pos;                                                                             \
        bool scalar; /* written without brackets */                                                \
    }
#define HOIST_REC_BARE_LIST(T)                                                                     \
    struct {                                                                                       \
        const T *items; /* arena */                                                                \
        size_t count;                                                                              \
    }
typedef HOIST_REC_LIST(hoist_rec_int) hoist_rec_ints;
typedef HOIST_REC_LIST(hoist_rec_str) hoist_rec_strs;
typedef HOIST_REC_LIST(hoist_rec_word) hoist_rec_word_items;

// A value of a text.
typedef struct hoist_rec_node {
    const hoist_yaml_node *yaml; // NULL: a value of `json`
    const hoist_json *json;
    hoist_json_index at;
    hoist_json_index key; // of a member of an object
} hoist_rec_node;

// A key that has no row, kept with its value.
typedef struct hoist_rec_extra {
    hoist_rec_node node;
    struct hoist_rec_extra *next;
} hoist_rec_extra;

// The keys of a record in the order of the file: rows, and HOIST_REC_EXTRA_ROW for a key without
// one.
typedef struct hoist_rec_order {
    uint32_t count;
    uint8_t rows[];
} hoist_rec_order;
enum { HOIST_REC_EXTRA_ROW = UINT8_MAX };

// Words ------------------------------------------------------------------------------------------

// A set of words. The spelling of value i is `stride * i` bytes after `names`, so that a set may
// live inside a table of larger rows.
typedef struct hoist_rec_words {
    const char *what; // for messages: "data format"; NULL: other words are no findings
    const char *const *names;
    size_t stride; // bytes from one spelling to the next
    size_t count;
    bool any_case;               // spellings compare without case
    bool (*accepted)(int value); // NULL: all are
} hoist_rec_words;

// The spelling of `value`; NULL when out of range.
const char *hoist_rec_word_name(const hoist_rec_words *words, int value);
// The value that `text` spells, or -1.
int hoist_rec_word_find(const hoist_rec_words *words, hoist_str text);
// Appends the accepted words to `out`: "r, c".
void hoist_rec_word_list(const hoist_rec_words *words, hoist_buffer *out);

// Rows -------------------------------------------------------------------------------------------

// What a value is, and so what its slot holds: with places, and bare.
typedef enum hoist_rec_kind {
    HOIST_REC_INT = 0,    // hoist_rec_int, int64_t
    HOIST_REC_FLOAT,      // hoist_rec_float, double
    HOIST_REC_BOOL,       // hoist_rec_bool, bool
    HOIST_REC_STR,        // hoist_rec_str, hoist_str
    HOIST_REC_WORD,       // hoist_rec_word, int32_t (its text goes to text_at)
    HOIST_REC_SMALL_WORD, // bare only: int8_t
    HOIST_REC_INTS,   // hoist_rec_ints, bare list of int64_t; lists collect over equal keys of YAML
    HOIST_REC_STRS,   // hoist_rec_strs, bare list of hoist_str
    HOIST_REC_WORDS,  // hoist_rec_word_items; with places only
    HOIST_REC_TABLE,  // the struct of `table`
    HOIST_REC_TABLES, // HOIST_REC_BARE_LIST of structs of `table`: a list of maps
    HOIST_REC_NAMED,  // the same for a map of maps; each struct begins with its key
    HOIST_REC_ANY,    // no slot: looked up in the text when it is needed
    HOIST_REC_OWN,    // this and above: own[kind - HOIST_REC_OWN] of the style
} hoist_rec_kind;

// When a key has to be there. Numbers above are the format's own conditions.
typedef enum hoist_rec_need {
    HOIST_REC_OPTIONAL = 0,
    HOIST_REC_REQUIRED,
    HOIST_REC_NEEDS, // the first that `needed` of the table checks
} hoist_rec_need;

#define HOIST_REC_NONE UINT16_MAX // no slot; no rule

struct hoist_rec_table;

typedef struct hoist_rec_field {
    const char *key;
    uint8_t key_size;    // bytes of it
    uint8_t kind;        // hoist_rec_kind, or the format's own
    uint8_t need;        // hoist_rec_need, or the format's own
    uint8_t since;       // the format's: where the key is documented
    uint8_t has;         // the format's: a bit
    uint8_t forms;       // spellings of the file that have this row, a bit each; 0: all
    bool places;         // the slot has its place
    uint16_t at;         // offset of the slot
    uint16_t text_at;    // bare WORD: offset of a hoist_str for the text
    uint16_t wrong;      // rule of a value of another kind or out of range; NONE: not reported
    uint16_t item_wrong; // the same of an item of a list; 0: `wrong`
    uint16_t missing;    // rule when a required key is absent, where the table has none for all
    int64_t min;         // range of each integer; both 0: any
    int64_t max;
    int64_t fallback; // of an absent INT, FLOAT, BOOL, WORD; own kinds may use it
    const hoist_rec_words *words;
    const struct hoist_rec_table *table;
    const char *summary; // one line for documents: meaning, unit, range
} hoist_rec_field;

// The members of a row that say what key and slot it has.
#define HOIST_REC_KEY(text) .key = (text), .key_size = sizeof(text) - 1
#define HOIST_REC_AT(type, member) .at = offsetof(type, member), .text_at = HOIST_REC_NONE
#define HOIST_REC_NO_SLOT .at = HOIST_REC_NONE, .text_at = HOIST_REC_NONE

typedef struct hoist_rec_table {
    const char *what; // "a variable", for messages
    const hoist_rec_field *fields;
    uint16_t count;      // at most 64
    uint16_t rule;       // of a value that is no map, of unknown and missing keys; NONE: see rows
    uint16_t other_rule; // the format's own
    uint16_t size;       // of the struct: TABLES, NAMED
    uint16_t place_at;   // offset of the hoist_pos of the whole map; NONE: not kept
    uint16_t present_at; // bare: offset of a uint64_t whose bit i is row i; NONE
    uint16_t extra_at;   // offset of a hoist_rec_extra *; NONE: unknown keys are not kept
    uint16_t order_at;   // 1 + offset of a hoist_rec_order *; 0: the order of keys is not kept
    uint8_t hooks;       // of the style's; 0 has none
    bool lenient;        // keys without a row are no findings
    bool one_line;       // the map is sent with inline_hint
    // Tables whose keys are looked up for nearly every byte of large files say where: 1 + the row
    // of the key that has this slot, or 0, HOIST_REC_SLOTS of them. NULL: keys are compared in
    // turn.
    const uint8_t *slots;
    uint32_t multiplier; // of hoist_rec_slot, by which no two keys share a slot
} hoist_rec_table;

enum { HOIST_REC_SLOTS = 64 };

// The slot of a key: nearly all keys are distinguished by their size and three of their bytes.
static inline unsigned hoist_rec_slot(hoist_str key, uint32_t multiplier)
{
    if (key.size == 0) {
        return 0;
    }
    const uint32_t word =
        (uint32_t)(uint8_t)key.data[0] | (uint32_t)(uint8_t)key.data[key.size - 1] << 8 |
        (uint32_t)(uint8_t)key.data[key.size * 3 / 4] << 16 | (uint32_t)(key.size & 255) << 24;
    return word * multiplier >> 26;
}

// The row of `key` as an index, -1: there is none. Without slots it is looked for from `first` on
// and then before it: texts have keys mostly in one order, so the row after the last is a good
// guess.
int hoist_rec_find(const hoist_rec_table *table, hoist_str key, unsigned first);

// Bytes of the slot of a kind of records; and where in it the place is, also of own kinds.
struct hoist_rec_own;
size_t hoist_rec_slot_size(const hoist_rec_field *field);
size_t hoist_rec_place_at(const struct hoist_rec_own *own, const hoist_rec_field *field);

// A kind of values that only one format has; how it is read and sent is the style's and the walk's.
typedef struct hoist_rec_own {
    const char *expected; // "the name of a variable", for a read that gives false
    void (*clear)(const hoist_rec_field *field, void *slot); // sets the fallback; NULL: zeros do
    uint16_t place_at;                                       // offset of the hoist_pos in the slot
    bool collects; // over equal keys of a YAML map: read as a whole at the first
    bool ints;     // a list of integers: a finding names the first item that is none
} hoist_rec_own;

// Reading ----------------------------------------------------------------------------------------

typedef struct hoist_rec_reader hoist_rec_reader;

// Reads a value into its slot. True also for what was reported; false: of another kind.
typedef bool hoist_rec_read_value(hoist_rec_reader *r, const hoist_rec_field *field,
                                  const hoist_rec_node *node, void *slot);

// What reading a record does besides its rows, in this order; each may be NULL.
typedef struct hoist_rec_hooks {
    // Before the keys, where findings are outside the record.
    void (*begin)(hoist_rec_reader *r, const hoist_rec_node *node, void *record);
    // A key that has no row, and whether it occurs again; false when it is unknown.
    bool (*other)(hoist_rec_reader *r, const hoist_rec_node *node, void *record);
    // Behind the keys of a map, before what is missing is reported.
    void (*settle)(hoist_rec_reader *r, const hoist_rec_node *node, void *record);
    // Whether a key whose need is the format's own has to be there.
    bool (*needed)(const void *record, const hoist_rec_field *field);
    void (*end)(hoist_rec_reader *r, const hoist_rec_node *node, void *record);
} hoist_rec_hooks;

enum { HOIST_REC_SHOWN_SIZE = 96 };

// What the records of a format have in common.
typedef struct hoist_rec_style {
    const hoist_rule_set
        *rules;               // of hoist_rec_report(); a style with functions of its own has none
    const hoist_rec_own *own; // by kind - HOIST_REC_OWN, as the next; NULL: none
    hoist_rec_read_value *const *readers; // of own kinds
    const hoist_rec_hooks *const *hooks;  // by `hooks` of tables
    const char *expected[HOIST_REC_OWN];  // each kind in words: "an integer"
    const char *quote;                    // around keys in messages: "'", ""
    // Lists with a wrong item keep it, and a scalar is an empty list; else the whole value is
    // wrong.
    bool keeps_wrong;
    void (*report)(hoist_rec_reader *r, uint16_t rule, const hoist_rec_node *node,
                   const char *format, ...) HOIST_PRINTF(4, 5);
    // A value in words: "a list", "'abc'"; may live in `text`.
    hoist_str (*shown)(const hoist_rec_node *node, char text[HOIST_REC_SHOWN_SIZE]);
    void (*missing)(hoist_rec_reader *r, const hoist_rec_table *table, const hoist_rec_field *field,
                    const hoist_rec_node *node);
    // A key without a row, and a key that occurs again; NULL: no findings.
    void (*unknown)(hoist_rec_reader *r, const hoist_rec_table *table, const hoist_rec_node *node);
    void (*twice)(hoist_rec_reader *r, const hoist_rec_node *node);
} hoist_rec_style;

// The functions of a style whose findings are by its rules and whose texts are JSON: a finding, a
// value as it is written, and "an object without 'key'".
void hoist_rec_report(hoist_rec_reader *r, uint16_t rule, const hoist_rec_node *node,
                      const char *format, ...) HOIST_PRINTF(4, 5);
hoist_str hoist_rec_shown_json(const hoist_rec_node *node, char text[HOIST_REC_SHOWN_SIZE]);
void hoist_rec_report_missing(hoist_rec_reader *r, const hoist_rec_table *table,
                              const hoist_rec_field *field, const hoist_rec_node *node);

struct hoist_rec_reader {
    const hoist_rec_style *style;
    void *self; // the format's
    hoist_arena *arena;
    hoist_diag *diag;         // may be NULL
    hoist_deadline *deadline; // looked at for each record; NULL: none
    hoist_status status;      // HOIST_OK until memory or time runs out, which ends the reading
    uint8_t forms;            // spellings that the rows read so far leave possible; begin with 255
    hoist_json_cursor cursor; // of the last place in a JSON text
};

static inline hoist_rec_node hoist_rec_yaml(const hoist_yaml_node *node)
{
    return (hoist_rec_node){.yaml = node};
}
static inline hoist_rec_node hoist_rec_json(const hoist_json *json, hoist_json_index at)
{
    return (hoist_rec_node){.json = json, .at = at};
}

bool hoist_rec_is_map(const hoist_rec_node *node);
bool hoist_rec_is_list(const hoist_rec_node *node);
// The place of the value.
hoist_pos hoist_rec_pos(hoist_rec_reader *r, const hoist_rec_node *node);
// Text and place of the key of a map's entry.
hoist_str hoist_rec_key(hoist_rec_reader *r, const hoist_rec_node *node);
hoist_pos hoist_rec_key_pos(hoist_rec_reader *r, const hoist_rec_node *node);

// `count` zeroed items of `size` bytes in the arena; NULL, with the status set, when memory runs
// out. Never NULL for a count of 0.
void *hoist_rec_array(hoist_rec_reader *r, size_t count, size_t size);

// Reads a map into `record`, which is zeroed: slots get their fallbacks first. Reports what is
// wrong, unknown or missing. Gives the rows that are there with a value of their kind, a bit each.
// A value that is no map is reported when the table has a rule for it, and else has no members.
uint64_t hoist_rec_read(hoist_rec_reader *r, const hoist_rec_table *table,
                        const hoist_rec_node *node, void *record);

// Reads the records of a list of maps, or of a map of maps when they are `named`. With `path` the
// names, or the indexes in a list, are parts of the object path of findings, after `path`.
typedef struct hoist_rec_list {
    void *items;
    size_t count;
} hoist_rec_list;
hoist_rec_list hoist_rec_read_records(hoist_rec_reader *r, const hoist_rec_table *table,
                                      const hoist_rec_node *node, bool named, const char *path);

// Reports the keys that have to be there and whose row is not in `seen`.
void hoist_rec_missing(hoist_rec_reader *r, const hoist_rec_table *table,
                       const hoist_rec_node *node, const void *record, uint64_t seen);

// Reads one value into its slot of `record`. False: it is of another kind, which is not reported
// yet (hoist_rec_wrong), or the status is set; the slot has its fallback then.
bool hoist_rec_value(hoist_rec_reader *r, const hoist_rec_field *field, const hoist_rec_node *node,
                     void *record);
// The same, reporting what is wrong; duplicates of what collects are passed over.
bool hoist_rec_read_field(hoist_rec_reader *r, const hoist_rec_field *field,
                          const hoist_rec_node *node, void *record);
// Reads a list of an own kind: each item by `read_item`, which reports what is wrong itself, into
// `item_size` bytes. The slot is a HOIST_REC_LIST, or a bare one where the row has no places.
void hoist_rec_read_list(hoist_rec_reader *r, const hoist_rec_field *field,
                         const hoist_rec_node *node, size_t item_size,
                         hoist_rec_read_value *read_item, void *slot);
// Reports the value, or the first item of the list, that is of another kind than the field's.
void hoist_rec_wrong(hoist_rec_reader *r, const hoist_rec_field *field, const hoist_rec_node *node);
// Reports that `what` is not what was expected, by the field's rule.
void hoist_rec_expected(hoist_rec_reader *r, uint16_t rule, const char *what,
                        const hoist_rec_node *node, const char *expected);
// An integer for `what` in the range of the field. False, and reported, when it is none; one out
// of range is reported and given.
bool hoist_rec_integer(hoist_rec_reader *r, const hoist_rec_field *field, const char *what,
                       const hoist_rec_node *node, int64_t *out_value);

// Sets a slot to what an absent key means; of a record, all of whose bytes are zero, the slots.
void hoist_rec_clear_field(const hoist_rec_own *own, const hoist_rec_field *field, void *record);
void hoist_rec_clear(const hoist_rec_own *own, const hoist_rec_table *table, void *record);

// Sending ----------------------------------------------------------------------------------------

typedef struct hoist_rec_walk hoist_rec_walk;
typedef void hoist_rec_send_slot(const hoist_rec_walk *walk, const hoist_rec_field *field,
                                 hoist_str key, const void *slot);

struct hoist_rec_walk {
    const hoist_rec_own *own;            // by kind - HOIST_REC_OWN, as the next
    hoist_rec_send_slot *const *senders; // of own kinds
    hoist_tree_sink *sink;
    void *self;       // the format's
    uint8_t forms;    // the spelling of keys: one bit; 0: there is one only
    bool positions;   // events have the places of their values
    bool object_line; // records are inline_hint where the format says so
    bool extra_apart; // unknown keys are in a map "extra", not among the known ones
    // Sends a value that is kept as a node: with its key when it is a map's entry.
    void (*tree)(const hoist_rec_walk *walk, const hoist_rec_node *node);
};

// Whether a row has a value in `record`.
bool hoist_rec_has(const hoist_rec_own *own, const hoist_rec_table *table, unsigned row,
                   const void *record);
// The present fields of `record`, each key after `prefix`.
void hoist_rec_send(const hoist_rec_walk *walk, const hoist_rec_table *table, hoist_str prefix,
                    const void *record);
// All that the record has: the same and its unknown keys, without prefix, in the order that the
// record keeps; of one that keeps none in that of the rows.
void hoist_rec_send_all(const hoist_rec_walk *walk, const hoist_rec_table *table,
                        const void *record);
// What a record keeps of unknown keys.
void hoist_rec_send_extra(const hoist_rec_walk *walk, const hoist_rec_extra *extra);

// Single events, with their places when the walk shows them; `key` is empty in a list.
void hoist_rec_open(const hoist_rec_walk *walk, hoist_tree_kind kind, hoist_str key, hoist_pos pos,
                    bool one_line);
void hoist_rec_send_event(const hoist_rec_walk *walk, hoist_tree_event event, hoist_str key,
                          hoist_pos pos);
void hoist_rec_send_str(const hoist_rec_walk *walk, hoist_str key, hoist_str text, hoist_pos pos);
void hoist_rec_send_int(const hoist_rec_walk *walk, hoist_str key, int64_t value, hoist_pos pos);
void hoist_rec_send_float(const hoist_rec_walk *walk, hoist_str key, double value, hoist_pos pos);
void hoist_rec_send_bool(const hoist_rec_walk *walk, hoist_str key, bool value, hoist_pos pos);
// The value of a slot.
void hoist_rec_send_value(const hoist_rec_walk *walk, const hoist_rec_field *field, hoist_str key,
                          const void *slot);

#endif // HOIST_SRC_CODEC_RECORD_H
