// base/picture.h - what `hoist graph` draws, as data: graphs of nodes and edges, the grid on which
// nodes are placed, and memory. Formats add rows with the functions below; src/picture draws them
// as text and as tree events, and knows no format.
//
// Rows are added in the order in which they are shown, the steps of a graph first. Attributes
// belong to the row that was added last: a graph, or a node of it. Failures are sticky:
// hoist_picture_status() reports them once.
#ifndef HOIST_SRC_BASE_PICTURE_H
#define HOIST_SRC_BASE_PICTURE_H

#include "base/arena.h"

#define HOIST_PICTURE_NONE SIZE_MAX // no node, edge or number

// What a node is in a text.
typedef enum hoist_picture_role {
    HOIST_PICTURE_STEP,   // a computation: has a layer, reads nodes and writes nodes
    HOIST_PICTURE_PLACE,  // what holds data
    HOIST_PICTURE_LOST,   // what no name of the file leads to
    HOIST_PICTURE_LANE,   // runs in parallel with others, and owns items
    HOIST_PICTURE_ITEM,   // moves data
    HOIST_PICTURE_SIGNAL, // is raised and awaited
} hoist_picture_role;

typedef enum hoist_picture_node_kind {
    HOIST_PICTURE_OP,
    HOIST_PICTURE_OPERATOR,
    HOIST_PICTURE_LAYER,
    HOIST_PICTURE_QUEUE,
    HOIST_PICTURE_VARIABLE,
    HOIST_PICTURE_TENSOR,
    HOIST_PICTURE_UNKNOWN,
    HOIST_PICTURE_ENGINE,
    HOIST_PICTURE_QUEUE_SET,
    HOIST_PICTURE_SEMAPHORE,
    HOIST_PICTURE_GROUP, // of a part by depth: of steps, with what belongs to them
    HOIST_PICTURE_GROUP_OF_PLACES,
} hoist_picture_node_kind;

typedef struct hoist_picture_node_row {
    const char *name; // in data
    const char *many; // in texts
    hoist_picture_role role;
} hoist_picture_node_row;
extern const hoist_picture_node_row hoist_picture_node_rows[];

typedef enum hoist_picture_edge_kind {
    HOIST_PICTURE_READS,
    HOIST_PICTURE_WRITES,
    HOIST_PICTURE_OWNS,
    HOIST_PICTURE_MOVES,
    HOIST_PICTURE_RAISES,
    HOIST_PICTURE_AWAITED,
} hoist_picture_edge_kind;

// The keys in data of what edges of a kind have; NULL: they do not have it.
typedef struct hoist_picture_edge_row {
    const char *name;
    const char *number;
    const char *via;
    const char *bytes;
} hoist_picture_edge_row;
extern const hoist_picture_edge_row hoist_picture_edge_rows[];

// How a text has an attribute.
typedef enum hoist_picture_show {
    HOIST_PICTURE_HIDDEN, // not at all
    HOIST_PICTURE_VALUE,  // "ram"; a bool by its key, when true
    HOIST_PICTURE_NAMED,  // "epoch 0"
    HOIST_PICTURE_COUNT,  // "3 rings": the key is a plural, or "ring_count"
    HOIST_PICTURE_SOME,   // the same, left out when 0
    HOIST_PICTURE_COLUMN, // of the table of steps
    HOIST_PICTURE_EXTRA,  // of the same, where lines are long
} hoist_picture_show;

typedef struct hoist_picture_attr {
    const char *key;      // static
    hoist_tree_kind kind; // STR, INT, UINT, FLOAT, BOOL, NULL, or LIST of integers
    hoist_tree_unit unit;
    hoist_picture_show show;
    bool starts_line; // of a text
    union {
        hoist_str str; // borrowed from the module, or in the picture's arena
        uint64_t uinteger;
        int64_t integer;
        bool boolean;
        double number;
        struct {
            const int64_t *items; // the picture's arena
            size_t count;
        } list;
    } value;
} hoist_picture_attr;

// The rectangle of the grid that a step takes.
typedef struct hoist_picture_cores {
    bool is_placed;
    bool is_transposed; // texts show its size as before that
    int64_t row, column;
    int64_t rows, columns;
} hoist_picture_cores;

typedef struct hoist_picture_node {
    hoist_picture_node_kind kind;
    hoist_str name;     // borrowed from the module, or in the picture's arena
    const char *title;  // of a lane, for people; static; NULL: none
    hoist_str graph;    // that has it; data NULL: not shown
    bool is_foreign;    // of another graph than the one that it is drawn in
    bool is_for_people; // not in data; comes after all that are
    bool is_asked;      // has the name that a part was chosen by (picture/choose.h)
    bool is_shared;     // nodes of that kind and name in other graphs are the same thing
    hoist_str sort;     // of a step: those of a sort have a color; empty: its name
    hoist_str path;     // the name by which nodes are grouped, of parts; empty: its name
    hoist_str object;   // where the file has it: keys and items of its dump, by '/'; empty: not one
    size_t layer; // of a step: one more than that of the deepest one that it reads; 0: a cycle
    hoist_picture_cores cores;
    uint64_t tiles;    // of a step, those that take part: bit row * tile_columns + column
    size_t first_attr; // of the graph's
    size_t attr_count;
} hoist_picture_node;

typedef struct hoist_picture_edge {
    hoist_picture_edge_kind kind;
    bool is_for_people; // not in data
    size_t from;        // nodes of the graph
    size_t to;
    size_t via;      // the node that moves; HOIST_PICTURE_NONE
    uint64_t number; // which input; of moves the descriptors
    uint64_t bytes;
} hoist_picture_edge;

typedef struct hoist_picture_graph {
    const char *title; // of its heading: "graph"
    hoist_str name;
    int rows, columns;           // of its grid; 0: there is none
    int tile_rows, tile_columns; // of tiles, of which steps take any; 0: there are none; 64 at most
    bool is_list;                // texts list its steps as a table instead of drawing the flow
    size_t attr_count;           // its own: the first ones
    size_t step_count;           // of its own: the first nodes
    size_t *order;               // of them, by layer; arena
    // Owned: nodes by id, edges, and attributes of all of them.
    hoist_picture_node *nodes;
    hoist_picture_edge *edges;
    hoist_picture_attr *attrs;
    size_t node_count, edge_count, all_attr_count;
    size_t node_capacity, edge_capacity, attr_capacity;
} hoist_picture_graph;

// Bytes of something in a memory.
typedef struct hoist_picture_range {
    hoist_str name;
    hoist_str type; // of whose range it is; empty: not shown
    size_t owner;   // ranges with the same number are of the same thing
    uint64_t start;
    uint64_t size;
    uint64_t total; // bytes of all that the owner has
} hoist_picture_range;

// Ranges that overlap on purpose.
typedef struct hoist_picture_pad {
    hoist_str name; // may be empty
    uint64_t extent;
    uint64_t sum;
    const hoist_picture_range *ranges; // arena
    size_t count;
} hoist_picture_pad;

// Bytes of an area for one purpose.
typedef struct hoist_picture_use {
    const char *key;   // in data: "tensor_bytes"
    const char *title; // for people: "tensors"
    uint64_t bytes;
} hoist_picture_use;

// A memory: an area, of which it is known what takes how much, or a channel, of which it is known
// what lies where.
typedef struct hoist_picture_memory {
    const char *name; // "main"; of a channel the kind: "dram"
    bool is_channel;
    // Of an area.
    hoist_str graph; // whose it is
    size_t graph_index;
    const hoist_picture_use *uses; // arena
    size_t use_count;
    uint64_t capacity; // bytes; 0: unknown
    bool has_pads;
    const hoist_picture_pad *pads; // arena
    size_t pad_count;
    // Of a channel.
    int64_t chip;
    int64_t channel;
    uint64_t used;                     // bytes that are in a range
    uint64_t end;                      // of the last range
    const hoist_picture_range *ranges; // arena; by start
    size_t range_count;
} hoist_picture_memory;

// Bytes of something in a memory that is used again and again, and when.
typedef struct hoist_picture_life {
    hoist_str name;
    uint64_t offset; // in that memory
    uint64_t size;
    double begin, end;
} hoist_picture_life;

// Memory that the steps of a thread or function share, over time.
typedef struct hoist_picture_sharing {
    hoist_str name; // of the thread or function
    uint64_t size;
    bool is_timed; // begins and ends are seconds, else numbers of steps
    double begin, end;
    const hoist_picture_life *lives; // arena
    size_t count;
} hoist_picture_sharing;

typedef struct hoist_picture {
    hoist_arena arena;
    hoist_picture_graph *graphs; // owned
    size_t graph_count, graph_capacity;
    hoist_picture_memory *memories; // owned
    size_t memory_count, memory_capacity;
    hoist_picture_sharing *sharings; // owned
    size_t sharing_count, sharing_capacity;
    bool failed; // memory ran out
} hoist_picture;

void hoist_picture_init(hoist_picture *p, hoist_allocator alloc);
void hoist_picture_deinit(hoist_picture *p);
// HOIST_OK, or HOIST_NO_MEMORY: rows are missing.
HOIST_NODISCARD hoist_status hoist_picture_status(const hoist_picture *p);

// Begins a graph that has the title, name, grid and way of `graph`; its rows follow until
// hoist_picture_end_graph(), which works out layers and order of its steps.
void hoist_picture_begin_graph(hoist_picture *p, const hoist_picture_graph *graph);
void hoist_picture_end_graph(hoist_picture *p);

// Adds a node of the graph; its attributes follow. The id: how many there were.
size_t hoist_picture_add_node(hoist_picture *p, const hoist_picture_node *node);
void hoist_picture_add_edge(hoist_picture *p, const hoist_picture_edge *edge);
// An edge that has nothing but its ends.
void hoist_picture_connect(hoist_picture *p, hoist_picture_edge_kind kind, size_t from, size_t to);

// An attribute of any kind, and the common ones; a text with data NULL is null.
void hoist_picture_add_attr(hoist_picture *p, const hoist_picture_attr *attr);
void hoist_picture_str(hoist_picture *p, const char *key, hoist_str value, hoist_picture_show show);
void hoist_picture_uint(hoist_picture *p, const char *key, uint64_t value, hoist_picture_show show);
void hoist_picture_bytes(hoist_picture *p, const char *key, uint64_t value,
                         hoist_picture_show show);
void hoist_picture_null(hoist_picture *p, const char *key, hoist_picture_show show);
// `items` is not copied; NULL is null.
void hoist_picture_list(hoist_picture *p, const char *key, const int64_t *items, size_t count,
                        hoist_picture_show show);

// Adds an attribute to a node of a graph that has ended.
void hoist_picture_append_attr(hoist_picture *p, size_t graph, size_t node,
                               const hoist_picture_attr *attr);

// `memory` is copied, what it refers to is not.
void hoist_picture_add_memory(hoist_picture *p, const hoist_picture_memory *memory);

// The same of memory that steps share.
void hoist_picture_add_sharing(hoist_picture *p, const hoist_picture_sharing *sharing);

// The edges of a graph by a node that each has: of node i the edges edges[first[i]] up to
// edges[first[i + 1]], in the graph's order.
typedef struct hoist_picture_index {
    size_t *first; // arena
    size_t *edges; // arena; indices
} hoist_picture_index;
// `node_of`: the node under which an edge goes; HOIST_PICTURE_NONE: none. HOIST_OK,
// HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_picture_index_edges(
    const hoist_picture_graph *graph, size_t (*node_of)(const hoist_picture_edge *edge),
    hoist_arena *arena, hoist_picture_index *out_index);
static inline size_t hoist_picture_edges_of(const hoist_picture_index *index, size_t node)
{
    return index->first[node + 1] - index->first[node];
}
// Of an edge that reads the node that does, and the one that is read; else HOIST_PICTURE_NONE.
size_t hoist_picture_reader(const hoist_picture_edge *edge);
size_t hoist_picture_read_node(const hoist_picture_edge *edge);
// Bytes of all uses of an area; UINT64_MAX: there are more.
uint64_t hoist_picture_total(const hoist_picture_memory *memory);

#endif // HOIST_SRC_BASE_PICTURE_H
