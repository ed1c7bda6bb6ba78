// Single mistakes in generated netlists: each is reported under its rule, on the line where it was
// made.
//
// A row picks at random one of the objects that its conditions describe, in as many netlists as
// have one, and changes one key. Mistakes that take more than that are functions.
#include <inttypes.h>

#include "formats/buda/netlist_testing.h"
#include "testing/netlist_generator.h"

enum {
    SEEDS = 40,                    // netlists that are tried
    ENOUGH = HOIST_TEST_ROUNDS(6), // of them that are changed per mistake
    MOST_TARGETS = 512,
};

typedef struct target {
    hoist_text_node *parent;
    hoist_text_node *node;
    hoist_text_node *list; // of an instruction: the program that it is in
} target;

typedef struct netlist {
    hoist_test *t;
    hoist_text_node *root;
    uint64_t random;
    target targets[MOST_TARGETS];
    size_t count;
} netlist;

// What a mistake is made in.
typedef enum place {
    TOP,
    DEVICES,
    QUEUE,
    GRAPH,
    OP,
    FUSED,
    SETTING, // of a queue in an execute
    EXECUTE,
    INSTR, // the map of one instruction
    PLACES,
} place;

static void found(netlist *n, hoist_text_node *parent, hoist_text_node *node, hoist_text_node *list)
{
    if (n->count < MOST_TARGETS) {
        n->targets[n->count++] = (target){parent, node, list};
    }
}

static void find_children(netlist *n, hoist_text_node *parent)
{
    for (hoist_text_node *node = parent ? parent->first : NULL; node; node = node->next) {
        found(n, parent, node, NULL);
    }
}

static void find_ops(netlist *n)
{
    hoist_text_node *graphs = hoist_text_find(n->root, "graphs");
    for (hoist_text_node *graph = graphs->first; graph; graph = graph->next) {
        for (hoist_text_node *op = graph->first; op; op = op->next) {
            if (op->kind == HOIST_TEXT_FLOW_MAP) {
                found(n, graph, op, NULL);
            }
        }
    }
}

static void find_in_execute(netlist *n, hoist_text_node *instr, place where)
{
    hoist_text_node *execute = hoist_text_find(instr, "execute");
    if (execute && where == EXECUTE) {
        found(n, instr, execute, NULL);
    } else if (execute) {
        find_children(n, hoist_text_find(execute, "queue_settings"));
    }
}

static void find_in_programs(netlist *n, place where)
{
    hoist_text_node *programs = hoist_text_find(n->root, "programs");
    for (hoist_text_node *item = programs->first; item; item = item->next) {
        hoist_text_node *list = item->first;
        for (hoist_text_node *instr = list->first; instr; instr = instr->next) {
            if (where == INSTR) {
                found(n, list, instr, list);
            } else {
                find_in_execute(n, instr, where);
            }
        }
    }
}

// Lists all objects of a kind in n->targets.
static void find_all(netlist *n, place where)
{
    static const char *const sections[PLACES] = {
        [QUEUE] = "queues", [GRAPH] = "graphs", [FUSED] = "fused_ops"};
    n->count = 0;
    if (where == TOP) {
        found(n, NULL, n->root, NULL);
    } else if (where == DEVICES) {
        found(n, n->root, hoist_text_find(n->root, "devices"), NULL);
    } else if (where == OP) {
        find_ops(n);
    } else if (sections[where]) {
        find_children(n, hoist_text_find(n->root, sections[where]));
    } else {
        find_in_programs(n, where);
    }
}

// One condition: "key" is there, "!key" is not, "key=text", "key!=text", "key~part".
static bool meets_one(const hoist_text_node *node, hoist_str condition)
{
    size_t end = 0;
    const bool absent = condition.data[0] == '!';
    while (end < condition.size && (end == 0 || !strchr("=!~", condition.data[end]))) {
        end++;
    }
    char key[64] = "";
    memcpy(key, condition.data + absent, end - absent);
    const hoist_text_node *member = hoist_text_find(node, key);
    if (absent || !member || end == condition.size) {
        return absent ? !member : member && end == condition.size;
    }
    const bool unequal = condition.data[end] == '!';
    const hoist_str text = hoist_str_slice(condition, end + 1 + unequal, condition.size);
    if (condition.data[end] == '~') {
        return memmem(member->value.data, member->value.size, text.data, text.size) != NULL;
    }
    return hoist_str_equal(member->value, text) != unequal;
}

// All of "a & b & @c", where @ asks the queue that a setting is for.
static bool meets(const netlist *n, const hoist_text_node *node, const char *conditions)
{
    const hoist_text_node *queue =
        hoist_text_find(hoist_text_find(n->root, "queues"), node->key.data);
    while (conditions && *conditions) {
        const char *const end = strstr(conditions, " & ");
        const size_t size = end ? (size_t)(end - conditions) : strlen(conditions);
        const bool at_queue = conditions[0] == '@';
        if (!meets_one(at_queue ? queue : node,
                       (hoist_str){conditions + at_queue, size - at_queue})) {
            return false;
        }
        conditions = end ? end + 3 : NULL;
    }
    return true;
}

// A random object that meets the conditions; node NULL when there is none.
static target choose(netlist *n, place where, const char *conditions)
{
    find_all(n, where);
    size_t kept = 0;
    for (size_t i = 0; i < n->count; i++) {
        if (meets(n, n->targets[i].node, conditions)) {
            n->targets[kept++] = n->targets[i];
        }
    }
    return kept ? n->targets[hoist_netlist_pick(&n->random, kept)] : (target){NULL, NULL, NULL};
}

static const char *arch_of(const netlist *n)
{
    const hoist_text_node *arch = hoist_text_find(hoist_text_find(n->root, "devices"), "arch");
    const size_t skip = arch->value.data[0] == '[';
    return hoist_arena_format(&n->t->arena, "%.*s", (int)strcspn(arch->value.data + skip, ",]"),
                              arch->value.data + skip)
        .data;
}

// Mistakes of one key --------------------------------------------------------------------------

typedef enum change {
    SET,    // the key to a text, added when it is not there
    DROP,   // the key
    INSERT, // a text before the closing bracket of the value
    SWAP,   // the text `value` for `with` inside the value
    AGAIN,  // the key a second time, with a text
} change;

typedef struct mistake {
    const char *name;
    const char *arch; // NULL: any; "!x": not x
    place where;
    const char *conditions;
    change change;
    const char *key;
    const char *value;
    const char *with;
    const char *rule;
    bool elsewhere; // the finding is on another line
} mistake;

// clang-format off
#define ANY NULL
#define NOT_GS "!grayskull"
#define ELSEWHERE true
static const mistake mistakes[] = {
    {"no queues", ANY, TOP, "", DROP, "queues", NULL, NULL, "BUDA-002", ELSEWHERE},
    {"no graphs", ANY, TOP, "", DROP, "graphs", NULL, NULL, "BUDA-002", ELSEWHERE},
    {"no programs", ANY, TOP, "", DROP, "programs", NULL, NULL, "BUDA-002", ELSEWHERE},
    {"no devices", ANY, TOP, "", DROP, "devices", NULL, NULL, "BUDA-003a", ELSEWHERE},
    {"unknown arch", ANY, DEVICES, "", SET, "arch", "tpu", NULL, "BUDA-003a", false},
    {"key of devices", ANY, DEVICES, "", SET, "count", "2", NULL, "BUDA-003a", false},
    {"old arch name", "wormhole_b0", DEVICES, "", SET, "arch", "wormhole_b", NULL, "BUDA-003b", false},
    {"template text", ANY, QUEUE, "", SET, "entries", "$TEMPLATE_entries", NULL, "BUDA-001", ELSEWHERE},

    {"queue key twice", ANY, QUEUE, "", AGAIN, "entries", "4", NULL, "BUDA-004b", false},
    {"op key twice", ANY, OP, "", AGAIN, "t", "1", NULL, "BUDA-004b", false},
    {"unknown queue key", ANY, QUEUE, "", SET, "colour", "red", NULL, "BUDA-005", false},
    {"queue without type", ANY, QUEUE, "", DROP, "type", NULL, NULL, "BUDA-005", false},
    {"queue without input", ANY, QUEUE, "", DROP, "input", NULL, NULL, "BUDA-005", false},
    {"queue without entries", ANY, QUEUE, "", DROP, "entries", NULL, NULL, "BUDA-005", false},
    {"queue without grid_size", ANY, QUEUE, "", DROP, "grid_size", NULL, NULL, "BUDA-005", false},
    {"queue without t", ANY, QUEUE, "", DROP, "t", NULL, NULL, "BUDA-005", false},
    {"queue without mblock", ANY, QUEUE, "", DROP, "mblock", NULL, NULL, "BUDA-005", false},
    {"queue without ublock", ANY, QUEUE, "", DROP, "ublock", NULL, NULL, "BUDA-005", false},
    {"queue without df", ANY, QUEUE, "", DROP, "df", NULL, NULL, "BUDA-005", false},
    {"queue without device", ANY, QUEUE, "", DROP, "target_device", NULL, NULL, "BUDA-005", false},
    {"queue without loc", ANY, QUEUE, "", DROP, "loc", NULL, NULL, "BUDA-005", false},
    {"queue without places", ANY, QUEUE, "loc=dram", DROP, "dram", NULL, NULL, "BUDA-005", false},
    {"unknown op key", ANY, OP, "", SET, "colour", "red", NULL, "BUDA-006", false},
    {"unknown op type", ANY, OP, "", SET, "type", "conv", NULL, "BUDA-006", false},
    {"op without type", ANY, OP, "", DROP, "type", NULL, NULL, "BUDA-006", false},
    {"op without grid_loc", ANY, OP, "", DROP, "grid_loc", NULL, NULL, "BUDA-006", false},
    {"op without grid_size", ANY, OP, "", DROP, "grid_size", NULL, NULL, "BUDA-006", false},
    {"op without inputs", ANY, OP, "", DROP, "inputs", NULL, NULL, "BUDA-006", false},
    {"op without in_df", ANY, OP, "", DROP, "in_df", NULL, NULL, "BUDA-006", false},
    {"op without out_df", ANY, OP, "", DROP, "out_df", NULL, NULL, "BUDA-006", false},
    {"op without acc_df", ANY, OP, "", DROP, "acc_df", NULL, NULL, "BUDA-006", false},
    {"op without intermed_df", ANY, OP, "", DROP, "intermed_df", NULL, NULL, "BUDA-006", false},
    {"op without fidelity", ANY, OP, "", DROP, "math_fidelity", NULL, NULL, "BUDA-006", false},
    {"op without t", ANY, OP, "", DROP, "t", NULL, NULL, "BUDA-006", false},
    {"op without mblock", ANY, OP, "", DROP, "mblock", NULL, NULL, "BUDA-006", false},
    {"op without ublock", ANY, OP, "", DROP, "ublock", NULL, NULL, "BUDA-006", false},
    {"graph without device", ANY, GRAPH, "", DROP, "target_device", NULL, NULL, "BUDA-006", ELSEWHERE},
    {"graph without input_count", ANY, GRAPH, "", DROP, "input_count", NULL, NULL, "BUDA-006", ELSEWHERE},
    {"queue t of 0", ANY, QUEUE, "", SET, "t", "0", NULL, "BUDA-007", false},
    {"queue entries of 0", ANY, QUEUE, "", SET, "entries", "0", NULL, "BUDA-007", false},
    {"queue device below 0", ANY, QUEUE, "", SET, "target_device", "-1", NULL, "BUDA-007", false},
    {"queue ublock of 0", ANY, QUEUE, "", SET, "ublock", "[0, 1]", NULL, "BUDA-007", false},
    {"unknown format", ANY, QUEUE, "", SET, "df", "bf16", NULL, "BUDA-008", false},
    {"unknown loc", ANY, QUEUE, "", SET, "loc", "sram", NULL, "BUDA-008", false},
    {"unknown queue type", ANY, QUEUE, "", SET, "type", "fifo", NULL, "BUDA-008", false},
    {"unknown layout", ANY, QUEUE, "", SET, "layout", "blocked", NULL, "BUDA-008", false},
    {"unknown order", ANY, OP, "", SET, "ublock_order", "rc", NULL, "BUDA-008", false},
    {"unknown fidelity", ANY, OP, "", SET, "math_fidelity", "HiFi5", NULL, "BUDA-008", false},
    {"unknown tile", ANY, OP, "", SET, "tile_dim", "[31, 32]", NULL, "BUDA-008", false},
    {"one place too many", ANY, QUEUE, "dram", INSERT, "dram", "[0, 0x20000000]", NULL, "BUDA-009", false},
    {"queue of nobody", ANY, QUEUE, "input!=HOST", SET, "input", "nobody", NULL, "BUDA-010", false},
    {"input of nobody", ANY, OP, "", SWAP, "inputs", "[", "[nobody", "BUDA-011", false},
    {"one format too many", ANY, OP, "", INSERT, "in_df", "Float16", NULL, "BUDA-014", false},
    {"no input_count", ANY, GRAPH, "", SET, "input_count", "0", NULL, "BUDA-015", false},
    {"op mblock of 0", ANY, OP, "", SET, "mblock", "[0, 1]", NULL, "BUDA-016a", false},
    {"op grid of 0", ANY, OP, "", SET, "grid_size", "[1, 0]", NULL, "BUDA-016a", false},
    {"op buffers below 0", ANY, OP, "", SET, "buf_size_mb", "-1", NULL, "BUDA-016a", false},
    {"grid_loc of one", ANY, OP, "", SET, "grid_loc", "[1]", NULL, "BUDA-016a", false},
    {"no buf_size_mb", ANY, OP, "", DROP, "buf_size_mb", NULL, NULL, "BUDA-016b", false},
    {"op beside the grid", ANY, OP, "", SET, "grid_loc", "[3, 200]", NULL, "BUDA-017", false},
    {"blackhole address", "blackhole", QUEUE, "dram", SWAP, "dram", "0]", "0], [0, 0x20000020]", "BUDA-018", false},
    {"alias of itself", ANY, QUEUE, "type=queue", SET, "alias", "nobody", NULL, "BUDA-019", false},

    {"instruction of nobody", ANY, INSTR, "varinst", SET, "halt", "now", NULL, "BUDA-021", ELSEWHERE},
    {"unknown operation", ANY, INSTR, "varinst", SWAP, "varinst", "incwrap", "decwrap", "BUDA-023", false},
    {"one operand too many", ANY, INSTR, "varinst", INSERT, "varinst", "7", NULL, "BUDA-023", false},
    {"graph of nobody", ANY, EXECUTE, "", SET, "graph_name", "nobody", NULL, "BUDA-024", false},
    {"key of execute", ANY, EXECUTE, "", SET, "colour", "red", NULL, "BUDA-024", false},
    {"no rd_ptr_global", ANY, SETTING, "", DROP, "rd_ptr_global", NULL, NULL, "BUDA-025", false},
    {"no rd_ptr_local", ANY, SETTING, "@type=queue", DROP, "rd_ptr_local", NULL, NULL, "BUDA-025", false},
    {"no wr_ptr_global", ANY, SETTING, "@type=ram", DROP, "wr_ptr_global", NULL, NULL, "BUDA-025", false},
    {"wr_ptr_global of a queue", ANY, SETTING, "@type=queue", SET, "wr_ptr_global", "0", NULL, "BUDA-025", false},
    {"rd_ptr_local of a ram", ANY, SETTING, "@type=ram", SET, "rd_ptr_local", "0", NULL, "BUDA-025", false},
    {"unknown setting", ANY, SETTING, "", SET, "colour", "red", NULL, "BUDA-025", false},
    {"epilogue of a fed queue", ANY, SETTING, "@type=queue & @input!=HOST", SET, "epilogue", "true", NULL, "BUDA-026", false},
    {"unequal steps", ANY, SETTING, "@type=queue", SET, "global_rdptr_autoinc", "2", NULL, "BUDA-027", false},
    {"allocates nobody", ANY, INSTR, "allocate_queue", SET, "allocate_queue", "[nobody]", NULL, "BUDA-029a", false},
    {"zero without prologue", ANY, SETTING, "@type=queue", SET, "zero", "true", NULL, "BUDA-030c", false},
    {"no turn", ANY, INSTR, "loop", SET, "loop", "0", NULL, "BUDA-031a", false},
    {"pointer of nobody", ANY, SETTING, "rd_ptr_local", SET, "rd_ptr_local", "$nobody", NULL, "BUDA-031b", false},
    {"pointer that is a word", ANY, SETTING, "rd_ptr_local", SET, "rd_ptr_local", "first", NULL, "BUDA-031c", false},
    {"undeclared destination", ANY, INSTR, "varinst", SWAP, "varinst", "[", "[$new", "BUDA-031d", false},
    {"declared twice", ANY, INSTR, "var~{", SET, "var", "{$a: 0, $a: 0}", NULL, "BUDA-031e", false},
    {"wraps at 0", ANY, INSTR, "varinst", SET, "varinst", "[$a, incwrap, 1, 0]", NULL, "BUDA-031g", false},
    {"fewer entries than inputs", ANY, QUEUE, "type=queue & input=HOST & entries!=1 & entries!=2 & entries!=4", SET, "entries", "1", NULL, "BUDA-032a", ELSEWHERE},
    {"entries no multiple", ANY, QUEUE, "type=queue & input=HOST & entries!=1 & entries!=2 & entries!=4", SET, "entries", "31", NULL, "BUDA-032b", ELSEWHERE},
    {"ram that steps and has a prologue", ANY, SETTING, "@type=ram", SET, "global_wrptr_autoinc", "1", NULL, "BUDA-033", false},
    {"epilogue of an input", ANY, SETTING, "@input=HOST", SET, "epilogue", "true", NULL, "BUDA-034a", false},
    {"parameter on another chip", ANY, QUEUE, "type=ram & input=HOST & target_device=0", SET, "target_device", "1", NULL, "BUDA-034e", ELSEWHERE},
    {"hexadecimal in a program", ANY, INSTR, "varinst", SWAP, "varinst", "incwrap, ", "incwrap, 0x", "BUDA-036b", false},

    {"ublock beyond DEST", "!wormhole", OP, "", SET, "ublock", "[3, 4]", NULL, "BUDA-037", false},
    {"ublock beyond four times DEST", ANY, OP, "", SET, "ublock", "[6, 6]", NULL, "BUDA-037", false},
    {"column order of matmul", ANY, OP, "type=matmul", SET, "ublock_order", "c", NULL, "BUDA-038", false},
    {"matmul m_k of 0", ANY, OP, "type=matmul", SWAP, "attributes", "m_k: ", "m_k: -", "BUDA-038", false},
    {"transposed matmul input 0", ANY, OP, "type=matmul", SET, "input_0_tms", "[transpose]", NULL, "BUDA-038", false},
    {"block floats untilized", ANY, OP, "untilize_output", SWAP, "out_df", "Float16", "Bfp8", "BUDA-039a", false},
    {"columns untilized", ANY, OP, "untilize_output", SET, "ublock_order", "c", NULL, "BUDA-039a", false},
    {"reduce without dim", ANY, OP, "type=reduce", SWAP, "attributes", "dim: ", "z: 1, x: ", "BUDA-040a", false},
    {"reduce of rc", ANY, OP, "type=reduce", SWAP, "attributes", "dim: ", "dim: rc, x: ", "BUDA-040b", false},
    {"unknown vector", ANY, OP, "!attributes", SET, "attributes", "{vector: z}", NULL, "BUDA-041", false},
    {"32-bit DEST", "grayskull", OP, "", SET, "acc_df", "Float32", NULL, "BUDA-042", false},
    {"small tiles", "grayskull", OP, "", SET, "tile_dim", "[16, 32]", NULL, "BUDA-042", false},
    {"tiny intermediates", ANY, OP, "gradient_op", SWAP, "intermed_df", "Float16", "Bfp4", "BUDA-044", false},
    {"unequal gradient formats", ANY, OP, "gradient_op", SWAP, "intermed_df", "Float16", "Bfp8", "BUDA-046a", false},
    {"gradient without epilogue", ANY, SETTING, "epilogue=true", SET, "epilogue", "false", NULL, "BUDA-046b", ELSEWHERE},
    {"gradient into a queue", ANY, QUEUE, "type=ram & input!=HOST", SET, "type", "queue", NULL, "BUDA-046b", ELSEWHERE},
    {"l1_acc of a copy", NOT_GS, OP, "!attributes", SET, "attributes", "{l1_acc: true}", NULL, "BUDA-085", false},
    {"integer intermediates", ANY, OP, "type=add", SET, "acc_df", "Int32", NULL, "BUDA-053", false},
    {"input of another format", ANY, OP, "", SWAP, "in_df", "[", "[Lf8, ", "BUDA-059a", false},
    {"queue of another format", ANY, QUEUE, "input!=HOST", SET, "df", "Lf8", NULL, "BUDA-059b", false},
    {"odd buffers", ANY, OP, "", SET, "buf_size_mb", "3", NULL, "BUDA-060a", false},
    {"unused third input", ANY, OP, "type=matmul & attributes~bias", SWAP, "attributes", "bias: true", "bias: false", "BUDA-061", false},
    {"slice that does not divide", ANY, OP, "!input_0_tms", SET, "input_0_tms", "[hslice: 997]", NULL, "BUDA-063a", false},
    {"op of another shape", ANY, OP, "", SET, "t", "17", NULL, "BUDA-063b", false},
    {"ram of another shape", ANY, QUEUE, "type=ram & input!=HOST", SET, "t", "17", NULL, "BUDA-063b", false},
    {"parameter of another shape", ANY, QUEUE, "type=ram & input=HOST", SET, "mblock", "[17, 17]", NULL, "BUDA-063b", ELSEWHERE},
    {"TMs of no input", ANY, OP, "", SET, "input_7_tms", "[hslice: 1]", NULL, "BUDA-063b", false},

    {"unknown fused op", ANY, OP, "type=fused_op", SET, "attributes", "{fused_op_id: nobody}", NULL, "BUDA-064", false},
    {"other number of inputs", ANY, FUSED, "", SET, "inputs", "3", NULL, "BUDA-064", ELSEWHERE},
    {"no schedule", ANY, FUSED, "", SET, "schedules", "[]", NULL, "BUDA-064", false},
    {"dest at first", ANY, FUSED, "", SWAP, "schedules", "[input0", "[dest", "BUDA-068", false},
    {"pop of no input", ANY, FUSED, "", SWAP, "schedules", "output: dest", "pop: [intermed0], output: dest", "BUDA-069", false},
    {"intermediate never written", ANY, FUSED, "", SWAP, "schedules", "[input0", "[intermed0", "BUDA-070", false},
    {"transposed in a fused op", ANY, FUSED, "", SWAP, "schedules", "output: dest", "input_0_tms: [transpose], output: dest", "BUDA-072", false},
    {"sub-ops of one name", ANY, FUSED, "", SWAP, "schedules", "b: {", "a: {", "BUDA-086", false},
    {"too many intermediates", ANY, FUSED, "", SET, "intermediates", "9", NULL, "BUDA-064", ELSEWHERE},

    {"beyond the channel", ANY, QUEUE, "dram", SWAP, "dram", "0x", "0xf", "BUDA-079c", false},
    {"reserved memory", ANY, QUEUE, "dram", SWAP, "dram", "0x1", "0x0", "BUDA-079d", false},
    {"no such channel", ANY, QUEUE, "dram", SWAP, "dram", "[[", "[[9", "BUDA-080", false},
    {"beyond the host's window", ANY, QUEUE, "host", SWAP, "host", "0x", "0x4000000", "BUDA-078b", false},

    {"no attributes", ANY, OP, "!attributes", SET, "attributes", "{}", NULL, "BUDA-085", false},
    {"unknown attribute", ANY, OP, "attributes", INSERT, "attributes", "colour: red", NULL, "BUDA-085", false},
    {"attribute of another type", ANY, OP, "attributes", INSERT, "attributes", "num_indices: 32", NULL, "BUDA-085", false},
    {"attribute of the wrong kind", ANY, OP, "type=matmul", SWAP, "attributes", "u_kt: ", "u_kt: x", "BUDA-085", false},
    {"binary of one", ANY, OP, "type=add", SWAP, "inputs", ", ", "_", "BUDA-087", false},
    {"kernel_broadcast of no input", ANY, OP, "attributes", INSERT, "attributes", "kernel_broadcast: {input_9: 1}", NULL, "BUDA-092", false},
    {"fork of nobody", ANY, OP, "", SET, "forked_dram_inputs", "[nobody: nobody]", NULL, "BUDA-093", false},
    {"port that is none", NOT_GS, QUEUE, "", SET, "read_ports", "[3]", NULL, "BUDA-094", false},
    {"broadcast of two axes", ANY, OP, "!input_0_tms", SET, "input_0_tms", "[broadcast: {r: 2, c: 2}]", NULL, "BUDA-096", false},
    {"ram pointer beyond", ANY, SETTING, "@type=ram", SET, "wr_ptr_global", "1", NULL, "BUDA-100a", false},
    {"gradient never zeroed", ANY, SETTING, "zero=true", SET, "zero", "false", NULL, "BUDA-106", ELSEWHERE},
};
// clang-format on

// The text with the first `from` replaced; NULL data when it does not occur.
static hoist_str replaced(netlist *n, hoist_str text, const char *from, const char *to)
{
    const char *const at = strstr(text.data, from);
    return at ? hoist_arena_format(&n->t->arena, "%.*s%s%s", (int)(at - text.data), text.data, to,
                                   at + strlen(from))
              : (hoist_str){NULL, 0};
}

static bool change_text(netlist *n, const target *at, const mistake *m)
{
    hoist_arena *arena = &n->t->arena;
    hoist_text_node *member = hoist_text_find(at->node, m->key);
    switch (m->change) {
    case SET:
        hoist_text_set(arena, at->node, m->key, "%s", m->value);
        return true;
    case DROP:
        hoist_text_remove(at->node, member);
        return member != NULL;
    case AGAIN:
        hoist_text_add(arena, at->node, HOIST_TEXT_SCALAR, hoist_str_from(m->key))->value =
            hoist_str_from(m->value);
        return true;
    case INSERT:
        member->value =
            hoist_arena_format(arena, "%.*s, %s%c", (int)member->value.size - 1, member->value.data,
                               m->value, member->value.data[member->value.size - 1]);
        return true;
    case SWAP: {
        const hoist_str text = replaced(n, member->value, m->value, m->with);
        member->value = text.data ? text : member->value;
        return text.data != NULL;
    }
    }
    return false;
}

static bool fits_arch(const netlist *n, const char *arch)
{
    const bool not = arch && arch[0] == '!';
    return !arch || (strcmp(arch_of(n), arch + not ) == 0) != not ;
}

// Number of the first line that differs, from 1.
static uint32_t changed_line(hoist_bytes before, hoist_bytes after)
{
    uint32_t line = 1;
    for (size_t i = 0; i < before.size && i < after.size && before.data[i] == after.data[i]; i++) {
        line += before.data[i] == '\n';
    }
    return line;
}

// Expects a finding of `rule`, on `line` unless that is 0.
static void expect(netlist *n, const char *rule, uint32_t line)
{
    hoist_test *t = n->t;
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        const hoist_finding *f = hoist_diag_at(t->diag, i);
        if (strcmp(f->rule->id, rule) == 0 && (line == 0 || f->loc.pos.line == line)) {
            return;
        }
    }
    const hoist_str all = hoist_test_findings(t);
    hoist_test_fail(t, __FILE__, __LINE__, "expected %s on line %u, got\n%.*s", rule, line,
                    HOIST_STR_ARGS(all));
}

static void begin(hoist_test *t, netlist *n, const char *name, uint64_t seed)
{
    hoist_test_row(t, hoist_arena_format(&t->arena, "%s, seed %" PRIu64, name, seed).data);
    n->t = t;
    n->random = seed;
    n->root = hoist_netlist_generate(&t->arena, &(hoist_netlist_options){.seed = seed});
}

HOIST_TEST(each_wrong_key_is_reported)
{
    static netlist n;
    for (size_t i = 0; i < HOIST_COUNT_OF(mistakes); i++) {
        const mistake *m = &mistakes[i];
        size_t made = 0;
        for (uint64_t seed = i; seed < i + SEEDS && made < ENOUGH; seed++) {
            begin(t, &n, m->name, seed);
            const target at =
                fits_arch(&n, m->arch) ? choose(&n, m->where, m->conditions) : (target){0};
            const hoist_bytes before = buda_test_written(t, n.root);
            if (at.node && change_text(&n, &at, m)) {
                const hoist_bytes after = buda_test_written(t, n.root);
                buda_test_check(t, after, NULL);
                expect(&n, m->rule, m->elsewhere ? 0 : changed_line(before, after));
                made++;
            }
        }
        if (made == 0) {
            hoist_test_fail(t, __FILE__, __LINE__, "no netlist could be changed so");
        }
    }
}

// Mistakes of structure ------------------------------------------------------------------------

static bool same_name(netlist *n, place where)
{
    const target at = choose(n, where, "");
    (void)hoist_text_copy(&n->t->arena, at.parent, at.node, at.node->key);
    return true;
}

static bool queue_twice(netlist *n)
{
    return same_name(n, QUEUE);
}

static bool op_twice(netlist *n)
{
    return same_name(n, OP);
}

static bool program_twice(netlist *n)
{
    hoist_text_node *programs = hoist_text_find(n->root, "programs");
    (void)hoist_text_copy(&n->t->arena, programs, programs->first, HOIST_STR(""));
    return true;
}

// Also a queue that is never read, in the place of another.
static bool queue_copied(netlist *n)
{
    const target at = choose(n, QUEUE, "input=HOST");
    if (at.node) {
        (void)hoist_text_copy(&n->t->arena, at.parent, at.node, HOIST_STR("copy"));
    }
    return at.node != NULL;
}

static bool op_named_as_a_queue(netlist *n)
{
    const target queue = choose(n, QUEUE, "");
    const target op = choose(n, OP, "");
    op.node->key = queue.node->key;
    return true;
}

static bool ops_on_one_core(netlist *n)
{
    const target a = choose(n, OP, "");
    const target b = choose(n, OP, "");
    if (a.parent != b.parent || a.node == b.node) {
        return false;
    }
    hoist_text_set(&n->t->arena, a.node, "grid_loc", "%s",
                   hoist_text_find(b.node, "grid_loc")->value.data);
    return true;
}

static bool graphs_before_queues(netlist *n)
{
    hoist_text_node *queues = hoist_text_find(n->root, "queues");
    hoist_text_remove(n->root, queues);
    (void)hoist_text_copy(&n->t->arena, n->root, queues, queues->key);
    return true;
}

static bool reads_another_graph(netlist *n)
{
    const target reader = choose(n, OP, "");
    const target other = choose(n, OP, "!gradient_op & !untilize_output");
    if (!other.node || reader.parent == other.parent) {
        return false;
    }
    hoist_text_node *inputs = hoist_text_find(reader.node, "inputs");
    inputs->value = hoist_arena_format(&n->t->arena, "[%s%s", other.node->key.data,
                                       inputs->value.data + strcspn(inputs->value.data, ",]"));
    return true;
}

// The instruction of `list` that has `key`; NULL when there is none.
static hoist_text_node *instr_of(const hoist_text_node *list, const char *key)
{
    hoist_text_node *instr = list ? list->first : NULL;
    while (instr && !hoist_text_find(instr, key)) {
        instr = instr->next;
    }
    return instr;
}

static bool without_instr(netlist *n, const char *key)
{
    const target at = choose(n, INSTR, key);
    if (at.node) {
        hoist_text_remove(at.list, at.node);
    }
    return at.node != NULL;
}

static bool never_executed(netlist *n)
{
    return without_instr(n, "execute");
}

static bool never_allocated(netlist *n)
{
    return without_instr(n, "allocate_queue");
}

static bool never_deallocated(netlist *n)
{
    return without_instr(n, "deallocate_queue");
}

static bool allocated_twice(netlist *n)
{
    const target at = choose(n, INSTR, "allocate_queue");
    if (at.node) {
        hoist_text_node *again = hoist_text_copy(&n->t->arena, at.list, at.node, at.node->key);
        hoist_text_remove(at.list, again);
        again->next = at.node->next;
        at.node->next = again;
    }
    return at.node != NULL;
}

static bool loop_left_open(netlist *n)
{
    const target at = choose(n, INSTR, "loop");
    hoist_text_node *word = at.list ? at.list->first : NULL;
    while (word && word->kind != HOIST_TEXT_SCALAR) {
        word = word->next;
    }
    if (word) {
        hoist_text_remove(at.list, word);
    }
    return word != NULL;
}

static void add_word(netlist *n, const char *word)
{
    const target at = choose(n, INSTR, "");
    hoist_text_node *node = hoist_text_add(&n->t->arena, at.list, HOIST_TEXT_SCALAR, HOIST_STR(""));
    node->value = hoist_str_from(word);
}

static bool loop_closed_twice(netlist *n)
{
    add_word(n, "endloop");
    return true;
}

static bool ends_in_endprogram(netlist *n)
{
    add_word(n, "endprogram");
    return true;
}

static bool endprogram_in_the_middle(netlist *n)
{
    add_word(n, "endprogram");
    return loop_closed_twice(n) && hoist_text_count(hoist_text_find(n->root, "programs")) == 1;
}

static bool late_param(netlist *n)
{
    const target at = choose(n, INSTR, "");
    hoist_text_node *instr = hoist_text_add(&n->t->arena, at.list, HOIST_TEXT_MAP, HOIST_STR(""));
    hoist_text_set(&n->t->arena, instr, "param", "[$p_late]");
    return true;
}

static bool no_setting(netlist *n)
{
    const target at = choose(n, SETTING, "@type=queue & @input=HOST");
    if (at.node) {
        hoist_text_remove(at.parent, at.node);
    }
    return at.node != NULL;
}

static bool prologue_by_param(netlist *n)
{
    const target at = choose(n, INSTR, "execute");
    hoist_text_node *settings =
        hoist_text_find(hoist_text_find(at.node, "execute"), "queue_settings");
    if (!instr_of(at.list, "param") || !settings->first) {
        return false;
    }
    hoist_text_set(&n->t->arena, settings->first, "prologue", "$p_loop_count");
    return true;
}

// The execute of a reader before that of its producer.
static bool read_before_written(netlist *n)
{
    const target at = choose(n, INSTR, "execute");
    const hoist_text_node *settings =
        hoist_text_find(hoist_text_find(at.node, "execute"), "queue_settings");
    bool reads = false;
    for (const hoist_text_node *s = settings->first; s; s = s->next) {
        const hoist_text_node *queue =
            hoist_text_find(hoist_text_find(n->root, "queues"), s->key.data);
        reads = reads || (meets_one(queue, HOIST_STR("type=queue")) &&
                          meets_one(queue, HOIST_STR("input!=HOST")));
    }
    hoist_text_node *first = instr_of(at.list, "execute");
    if (!reads || first == at.node) {
        return false;
    }
    // The two instructions change places by their contents.
    hoist_text_node *const execute = at.node->first;
    at.node->first = first->first;
    first->first = execute;
    return true;
}

// One entry per iteration, of two or three that the iteration pushes.
static bool popped_too_slowly(netlist *n)
{
    const target at = choose(n, INSTR, "varinst~$gptr_out");
    hoist_text_node *varinst = hoist_text_find(at.node, "varinst");
    if (!varinst || !instr_of(at.list, "loop") || strstr(varinst->value.data, "incwrap, 1,")) {
        return false;
    }
    hoist_str text = replaced(n, varinst->value, "incwrap, 2", "incwrap, 1");
    text = text.data ? text : replaced(n, varinst->value, "incwrap, 3", "incwrap, 1");
    varinst->value = text;
    return text.data != NULL;
}

static const struct {
    const char *name;
    bool (*make)(netlist *n); // false: not in this netlist
    const char *rule;
    bool elsewhere;
} structural[] = {
    {"queue twice", queue_twice, "BUDA-004a", false},
    {"op twice", op_twice, "BUDA-004a", false},
    {"program twice", program_twice, "BUDA-004a", ELSEWHERE},
    {"op named as a queue", op_named_as_a_queue, "BUDA-020a", ELSEWHERE},
    {"ops on one core", ops_on_one_core, "BUDA-017", ELSEWHERE},
    {"unused queue", queue_copied, "BUDA-020b", false},
    {"queues in one place", queue_copied, "BUDA-079a", ELSEWHERE},
    {"graph never executed", never_executed, "BUDA-020b", ELSEWHERE},
    {"graphs before queues", graphs_before_queues, "BUDA-105", ELSEWHERE},
    {"op of another graph", reads_another_graph, "BUDA-058", false},
    {"late param", late_param, "BUDA-022", ELSEWHERE},
    {"endprogram at the end", ends_in_endprogram, "BUDA-036a", false},
    {"endprogram in the middle", endprogram_in_the_middle, "BUDA-021", false},
    {"no setting of a host queue", no_setting, "BUDA-028", ELSEWHERE},
    {"never allocated", never_allocated, "BUDA-029c", ELSEWHERE},
    {"never deallocated", never_deallocated, "BUDA-029d", ELSEWHERE},
    {"allocated twice", allocated_twice, "BUDA-029b", ELSEWHERE},
    {"loop left open", loop_left_open, "BUDA-031h", ELSEWHERE},
    {"loop closed twice", loop_closed_twice, "BUDA-031h", false},
    {"prologue bound to a param", prologue_by_param, "BUDA-034c", false},
    {"popped too slowly", popped_too_slowly, "BUDA-036d", ELSEWHERE},
    {"read before written", read_before_written, "BUDA-097", ELSEWHERE},
};

HOIST_TEST_TABLE(each_wrong_structure_is_reported, structural)
{
    static netlist n;
    size_t made = 0;
    for (uint64_t seed = 0; seed < SEEDS && made < ENOUGH; seed++) {
        begin(t, &n, row->name, seed);
        const hoist_bytes before = buda_test_written(t, n.root);
        if (row->make(&n)) {
            const hoist_bytes after = buda_test_written(t, n.root);
            buda_test_check(t, after, NULL);
            expect(&n, row->rule, row->elsewhere ? 0 : changed_line(before, after));
            made++;
        }
    }
    if (made == 0) {
        hoist_test_fail(t, __FILE__, __LINE__, "no netlist could be changed so");
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(each_wrong_key_is_reported),
                HOIST_TEST_ROW(each_wrong_structure_is_reported))
