// The reader of netlists: text to YAML tree (codec/yaml.h) to typed model (module.h). Sections:
// buda-netlist reference 1.2. Reads on after errors and reports all; read_queue.c, read_graph.c,
// read_fused.c and read_program.c have the sections.
// In: bytes. Out: hoist_buda_module, whose tree stays alive in its arena (unknown keys,
// test-config). next: net.c.
#include "formats/buda/read.h"

#include <string.h>

#include "base/alloc.h"
#include "base/span.h"
#include "formats/buda/buda.h"

// One row per section that has a reader; test-config and performance-check are kept as trees.
// A section at the top of a file.
typedef struct section_row {
    const char *key;
    void (*read)(buda_reader *r, const hoist_yaml_node *entry);
    hoist_yaml_kind kind; // of a required section
    bool required;        // rule 2
} section_row;

static const section_row sections[] = {
    {"devices", buda_read_devices, HOIST_YAML_MAP, false},
    {"queues", buda_read_queues, HOIST_YAML_MAP, true},
    {"graphs", buda_read_graphs, HOIST_YAML_MAP, true},
    {"fused_ops", buda_read_fused_ops, HOIST_YAML_MAP, false},
    {"programs", buda_read_programs, HOIST_YAML_LIST, true},
};

// NULL for any other key, which the module keeps as `extra`.
static const section_row *find_section(hoist_str key)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(sections); i++) {
        if (hoist_str_equal_c(key, sections[i].key)) {
            return &sections[i];
        }
    }
    return NULL;
}

// Required sections: present, of the right kind, not empty. Whatever kind is there, its reader has
// reported items.
static void check_section(buda_reader *r, const section_row *row, const hoist_yaml_node *root)
{
    char shown[BUDA_SHOWN_SIZE];
    const hoist_yaml_node *const entry = hoist_yaml_find(root, row->key);
    if (!row->required) {
        return;
    }
    if (!entry) {
        buda_report(r->diag, BUDA_002, root->pos, "the file has no section %s", row->key);
    } else if (entry->kind != row->kind) {
        buda_report(r->diag, BUDA_002, entry->pos, "%s is %s, expected a %s", row->key,
                    buda_shown(entry, shown), row->kind == HOIST_YAML_MAP ? "map" : "list");
    } else if (hoist_yaml_items_count(entry, row->kind) == 0) {
        buda_report(r->diag, BUDA_002, entry->pos, "%s is empty", row->key);
    }
}

// Trees that are kept as they are: section 3.
static bool keep_tree(hoist_buda_module *m, const hoist_yaml_node *entry)
{
    const hoist_yaml_node **slot = NULL;
    if (hoist_str_equal_c(buda_key(entry), "test-config")) {
        slot = &m->test_config;
    } else if (hoist_str_equal_c(buda_key(entry), "performance-check")) {
        slot = &m->performance_check;
    }
    if (slot) {
        *slot = entry;
    }
    return slot != NULL;
}

// At the tail: extra keys are written in the order of the file.
static void keep_extra(buda_reader *r, const hoist_yaml_node *entry, hoist_rec_extra ***tail)
{
    hoist_rec_extra *const extra = hoist_rec_array(r, 1, sizeof(*extra));
    if (extra) {
        extra->node = hoist_rec_yaml(entry);
        **tail = extra;
        *tail = &extra->next;
    }
}

// Sections that occur twice are read once, at the first: the iteration over items covers equal
// keys. `devices` overwrites instead.
static void read_root(buda_reader *r, const hoist_yaml_node *root)
{
    hoist_buda_module *const m = buda_reader_module(r);
    hoist_rec_extra **tail = &m->extra;
    // The reader's status ends the loop when memory or time runs out; findings never do.
    for (const hoist_yaml_node *e = root->first; e && r->status == HOIST_OK; e = e->next) {
        const section_row *const row = find_section(buda_key(e));
        buda_check_duplicate(r, e);
        if (row && (!e->duplicate || row->read == buda_read_devices)) {
            row->read(r, e);
        } else if (!row && !keep_tree(m, e)) {
            keep_extra(r, e, &tail); // ignored silently, as by the parser
        }
    }
    for (size_t i = 0; i < HOIST_COUNT_OF(sections); i++) {
        check_section(r, &sections[i], root);
    }
    if (!buda_has(m->devices_pos)) {
        buda_report(r->diag, BUDA_003a, root->pos, "the file has no section devices");
    }
    // The vendor's parser asks for queues while it reads graphs. By line: in a file on one line
    // the order is not seen.
    if (buda_has(m->queues_pos) && buda_has(m->graphs_pos) &&
        m->graphs_pos.line < m->queues_pos.line) {
        buda_report(r->diag, BUDA_105, m->graphs_pos,
                    "graphs is before queues, expected queues first as the reference requires");
    }
}

// Records ----------------------------------------------------------------------------------------

// Readers of the own kinds, in the order of buda_kind.
// clang-format off
#define OWN(kind) [BUDA_KIND_##kind - HOIST_REC_OWN]
static hoist_rec_read_value *const readers[] = {
    OWN(OPERAND) = buda_read_operand,       OWN(TOKEN) = buda_read_token,
    OWN(PAIR) = buda_read_pair,             OWN(GRID_LOC) = buda_read_grid_loc,
    OWN(TILE_DIM) = buda_read_tile_dim,     OWN(DEVICES) = buda_read_target_device,
    OWN(OPERANDS) = buda_read_operands,     OWN(PLACES) = buda_read_places,
    OWN(HOST_PLACES) = buda_read_places,    OWN(TMS) = buda_read_tms,
    OWN(ATTRIBUTES) = buda_read_attributes, OWN(FORKS) = buda_read_forks,
};
// clang-format on

static const hoist_rec_hooks *const hooks[] = {
    [BUDA_HOOKS_QUEUE] = &buda_queue_hooks,     [BUDA_HOOKS_GRAPH] = &buda_graph_hooks,
    [BUDA_HOOKS_OP] = &buda_op_hooks,           [BUDA_HOOKS_FUSED] = &buda_fused_hooks,
    [BUDA_HOOKS_SUB_OP] = &buda_sub_op_hooks,   [BUDA_HOOKS_SETTING] = &buda_setting_hooks,
    [BUDA_HOOKS_EXECUTE] = &buda_execute_hooks,
};

// How records of netlists differ from those of other formats: wrong items keep their slot in a
// list, keys are written without quotes.
static const hoist_rec_style style = {
    .own = buda_kinds,
    .readers = readers,
    .hooks = hooks,
    .expected = {[HOIST_REC_INT] = "an integer",
                 [HOIST_REC_FLOAT] = "a number",
                 [HOIST_REC_BOOL] = "true or false",
                 [HOIST_REC_STR] = "a name"},
    .quote = "",
    .keeps_wrong = true, // a list keeps its length, so that indices of inputs stay right
    .report = buda_report_node,
    .shown = buda_shown_node,
    .missing = buda_report_missing,
    .unknown = buda_report_unknown,
    .twice = buda_report_twice,
};

// The file ---------------------------------------------------------------------------------------

// A generator's template has placeholders where values belong, and often is no YAML (section 1.1).
static bool report_template(hoist_bytes bytes, hoist_diag *diag)
{
    static const char mark[] = "$TEMPLATE_";
    // Raw bytes and not lines: the placeholder may be anywhere, also in a quoted scalar.
    const uint8_t *const found =
        bytes.size ? memmem(bytes.data, bytes.size, mark, sizeof(mark) - 1) : NULL;
    if (!found) {
        return false;
    }
    // Locations count bytes from 1, as everywhere; a template is refused before YAML gives any.
    hoist_pos pos = {1, 1};
    for (const uint8_t *p = bytes.data; p < found; p++) {
        pos.line += *p == '\n' ? 1 : 0;
        pos.column = *p == '\n' ? 1 : pos.column + 1;
    }
    buda_report(diag, BUDA_001, pos,
                "this is an unfilled template: a generator replaces the $TEMPLATE_ placeholders");
    return true;
}

static hoist_status read_module(hoist_bytes bytes, const hoist_read_options *options,
                                hoist_diag *diag, hoist_buda_module *module)
{
    const hoist_pos start = {0, 0};
    const hoist_yaml_limits limits = {.max_nodes = options->max_nodes,
                                      .deadline = options->deadline};
    // Before the YAML reader, whose error in such a file would be about a brace or a colon.
    if (report_template(bytes, diag)) {
        return HOIST_INVALID;
    }
    const hoist_status status =
        hoist_yaml_read(bytes, &limits, false, &module->arena, diag, &module->root);
    if (status == HOIST_INVALID) {
        // The YAML reader has reported the error itself with its line; this one has the id that
        // expectations name (BUDA-001).
        buda_report(diag, BUDA_001, start, "the file is not readable as YAML");
    }
    HOIST_TRY(status);
    if (!module->root || module->root->kind != HOIST_YAML_MAP) {
        buda_report(diag, BUDA_001, module->root ? module->root->pos : start,
                    "the file is %s, expected a map",
                    !module->root                           ? "empty"
                    : module->root->kind == HOIST_YAML_LIST ? "a list"
                                                            : "a scalar");
        return HOIST_INVALID;
    }
    buda_reader r = {.style = &style,
                     .self = module,
                     .arena = &module->arena,
                     .diag = diag,
                     .deadline = options->deadline,
                     // Nothing is excluded: netlists have one spelling of each key.
                     .forms = UINT8_MAX};
    read_root(&r, module->root);
    return r.status;
}

hoist_status buda_read(hoist_bytes bytes, const hoist_read_options *options, hoist_diag *diag,
                       hoist_module **out_module)
{
    *out_module = NULL;
    hoist_buda_module *const module = buda_module_create(options->alloc);
    HOIST_TRY_MEMORY(module);
    module->base.deadline = options->deadline;
    // An error in the content is HOIST_OK with findings: the module is there for check, dump and
    // info.
    const hoist_status status = read_module(bytes, options, diag, module);
    if (status != HOIST_OK) {
        buda_module_destroy(&module->base);
        return status;
    }
    *out_module = &module->base;
    return HOIST_OK;
}
