// The section programs: buda-netlist reference section 2.
//
//     programs:
//       - run_fwd:
//           - param: [$p_loop_count]
//           - loop: $p_loop_count
//           - execute: {graph_name: fwd, queue_settings: {q: {rd_ptr_global: $g, ...}}}
//           - varinst: [$g, incwrap, 1, 4]
//           - endloop
//
// Values in programs are text here: what they mean is section 2.2, and the checker's business.
#include <inttypes.h>
#include <stdio.h>

#include "base/span.h"
#include "formats/buda/read.h"

// One instruction being read.
typedef struct instr_reader {
    buda_reader *r;
    const hoist_yaml_node *value; // the value of the word
    buda_instr *out;
    size_t index; // of the instruction in its program
    bool last;
} instr_reader;

// A scalar as it is; a list or map is reported under `rule` and gives an empty token that is
// marked.
static buda_token token_of(const instr_reader *in, buda_rule rule, const hoist_yaml_node *node)
{
    buda_token token = {.text = {"", 0}, .pos = node->pos};
    if (node->kind == HOIST_YAML_SCALAR) {
        token.text = node->text;
    } else {
        token.refused = true;
        char shown[BUDA_SHOWN_SIZE];
        buda_report(in->r->diag, rule, node->pos, "%.*s holds %s, expected a value or a variable",
                    HOIST_STR_ARGS(in->out->word), buda_shown(node, shown));
    }
    return token;
}

// A scalar or nothing where names are listed: the vendor's parser refuses those, too.
static bool is_listing(const instr_reader *in, buda_rule rule, const char *expected)
{
    if (in->value->kind == HOIST_YAML_SCALAR) {
        char shown[BUDA_SHOWN_SIZE];
        buda_report(in->r->diag, rule, in->value->pos, "%.*s is %s, expected %s",
                    HOIST_STR_ARGS(in->out->word), buda_shown(in->value, shown), expected);
    }
    return in->value->kind != HOIST_YAML_SCALAR;
}

// [$a, $b] or {$a: 1, $b: 2}.
static void read_decls(const instr_reader *in)
{
    // Param has a rule of its own; maps give it values, which only the caller of a run may do.
    const bool param = in->out->kind == BUDA_I_PARAM;
    const buda_rule rule = param ? BUDA_022 : BUDA_021;
    const bool map = in->value->kind == HOIST_YAML_MAP;
    if (!is_listing(in, rule, param ? "a list" : "a list or a map")) {
        return;
    }
    in->out->decls_as_map = map;
    buda_decl *const decls = hoist_rec_array(in->r, in->value->count, sizeof(*decls));
    size_t count = 0;
    for (const hoist_yaml_node *n = in->value->first; n && decls; n = n->next) {
        buda_decl *const decl = &decls[count++];
        if (map) {
            decl->name = (buda_token){.text = buda_key(n), .pos = buda_key_pos(n)};
            decl->value = token_of(in, rule, n);
        } else {
            decl->name = token_of(in, rule, n);
        }
    }
    in->out->decls = decls;
    in->out->decl_count = count;
}

// `param` sets values from outside, before anything else runs: section 2.3.
static void read_param(const instr_reader *in)
{
    if (in->index != 0) {
        buda_report(in->r->diag, BUDA_022, in->out->pos,
                    "param is instruction %zu, expected it as the first", in->index);
    }
    if (in->value->kind == HOIST_YAML_MAP) {
        buda_report(in->r->diag, BUDA_022, in->value->pos, "param is a map, expected a list");
    }
    read_decls(in);
}

// The count is a token: `$n` or 4; whether it is 1 or more is rule 31a, in the simulation.
static void read_loop(const instr_reader *in)
{
    in->out->count = token_of(in, BUDA_021, in->value);
}

// `endloop:` has null, which is the other common spelling of the bare word.
static void report_argument(const instr_reader *in)
{
    char shown[BUDA_SHOWN_SIZE];
    if (!hoist_yaml_is_null(in->value)) {
        buda_report(in->r->diag, BUDA_021, in->value->pos, "%.*s takes no argument, and has %s",
                    HOIST_STR_ARGS(in->out->word), buda_shown(in->value, shown));
    }
}

// The vendor appends the end itself and refuses the word; the specification has it as optional
// (section 2.1).
static void check_endprogram(const instr_reader *in)
{
    if (in->last) {
        buda_report(in->r->diag, BUDA_036a, in->out->pos,
                    "endprogram is not needed, and the reference refuses it");
    } else {
        buda_report(in->r->diag, BUDA_021, in->out->pos,
                    "endprogram is instruction %zu, expected it as the last", in->index);
    }
}

// As the key of a map: `endprogram:`.
static void read_endprogram(const instr_reader *in)
{
    report_argument(in);
    check_endprogram(in);
}

// Operands are counted here, once, so that nothing behind the reader indexes beyond them:
// program_code.c looks at `var_op` first.
static void check_var_op(const instr_reader *in)
{
    const buda_instr *const out = in->out;
    const buda_var_op_row *const row = buda_var_op_get(out->var_op);
    if (!row) {
        buda_report(in->r->diag, BUDA_023, out->var_op_text.pos,
                    "there is no varinst operation '%.*s'", HOIST_STR_ARGS(out->var_op_text.text));
    } else if (out->operand_count != row->operands) {
        buda_report(in->r->diag, BUDA_023, out->var_op_text.pos, "%s has %zu %s, expected %zu",
                    row->name, out->operand_count,
                    hoist_plural(out->operand_count, "operand", "operands"), row->operands);
    }
}

// [$dst, op, a] or [$dst, op, a, b].
static void read_varinst(const instr_reader *in)
{
    buda_instr *const out = in->out;
    const hoist_yaml_node *const list = in->value;
    out->var_op = BUDA_V_UNKNOWN;
    // Fewer than two items have no operation to look up.
    if (list->kind != HOIST_YAML_LIST || list->count < 2) {
        char shown[BUDA_SHOWN_SIZE];
        buda_report(in->r->diag, BUDA_023, list->pos,
                    "varinst is %s, expected [destination, operation, operands]",
                    list->kind == HOIST_YAML_LIST ? "too short" : buda_shown(list, shown));
        return;
    }
    const hoist_yaml_node *node = list->first;
    out->destination = token_of(in, BUDA_023, node);
    node = node->next;
    out->var_op_text = token_of(in, BUDA_023, node);
    out->var_op = buda_var_op_find(out->var_op_text.text);
    buda_token *const operands = hoist_rec_array(in->r, list->count - 2, sizeof(*operands));
    for (node = node->next; node && operands; node = node->next) {
        operands[out->operand_count++] = token_of(in, BUDA_023, node);
    }
    out->operands = operands;
    check_var_op(in);
}

// Called before the keys of a setting: its name may occur again, its value may be no map.
static void begin_setting(buda_reader *r, const hoist_rec_node *node, void *object)
{
    buda_check_duplicate(r, node->yaml);
    ((buda_setting *)object)->refused = !hoist_rec_is_map(node);
}

const hoist_rec_hooks buda_setting_hooks = {.begin = begin_setting};

// Named records, `queue: {key: value}`, with the settings of equal keys in one list.
static void read_settings(buda_reader *r, const hoist_rec_node *node, buda_instr *out)
{
    out->settings_pos = node->yaml->pos;
    if (hoist_rec_is_list(node)) {
        buda_report(r->diag, BUDA_024, node->yaml->pos, "queue_settings is a list, expected a map");
        out->settings_refused = true;
    }
    const hoist_rec_list list = hoist_rec_read_records(r, &buda_setting_table, node, true, NULL);
    out->settings = list.items;
    out->setting_count = list.count;
}

// The only key of an execute that has no row.
static bool read_execute_key(buda_reader *r, const hoist_rec_node *node, void *object)
{
    if (!hoist_str_equal_c(buda_key(node->yaml), "queue_settings")) {
        return false;
    }
    buda_check_duplicate(r, node->yaml);
    // The first entry has the items of all equal keys.
    if (!node->yaml->duplicate) {
        read_settings(r, node, object);
    }
    return true;
}

const hoist_rec_hooks buda_execute_hooks = {.other = read_execute_key};

// An execute that is no map is reported by the record reader under rule 24.
static void read_execute(const instr_reader *in)
{
    const hoist_rec_node node = hoist_rec_yaml(in->value);
    (void)hoist_rec_read(in->r, &buda_execute_table, &node, in->out);
}

// `allocate_queue: [q0, q1]`.
static void read_queue_list(const instr_reader *in)
{
    // A row for the reader of names; no other field has this form.
    const hoist_rec_field field = {.key = buda_instr_name(in->out->kind),
                                   .kind = HOIST_REC_STRS,
                                   .places = true,
                                   HOIST_REC_AT(buda_instr, queues),
                                   .wrong = BUDA_021};
    const hoist_rec_node node = hoist_rec_yaml(in->value);
    if (is_listing(in, BUDA_021, "a list of queues")) {
        (void)hoist_rec_read_field(in->r, &field, &node, in->out);
    }
}

// By the kind of the instruction; bare words are read_bare()'s.
static void (*const readers[])(const instr_reader *in) = {
    [BUDA_I_VAR] = read_decls,
    [BUDA_I_STATICVAR] = read_decls,
    [BUDA_I_PARAM] = read_param,
    [BUDA_I_LOOP] = read_loop,
    [BUDA_I_ENDLOOP] = report_argument,
    [BUDA_I_VARINST] = read_varinst,
    [BUDA_I_EXECUTE] = read_execute,
    [BUDA_I_ALLOCATE] = read_queue_list,
    [BUDA_I_DEALLOCATE] = read_queue_list,
    [BUDA_I_ENDPROGRAM] = read_endprogram,
};

// A bare word: `endloop`, or `endprogram`; any other, known or not, needs an argument.
static void read_bare(const instr_reader *in)
{
    buda_instr *const out = in->out;
    out->word = out->node->text;
    out->kind = buda_instr_find(out->word);
    if (out->kind == BUDA_I_ENDPROGRAM) {
        check_endprogram(in);
    } else if (out->kind != BUDA_I_ENDLOOP) {
        char shown[BUDA_SHOWN_SIZE];
        out->kind = BUDA_I_UNKNOWN;
        buda_report(in->r->diag, BUDA_021, out->pos, "instruction is %s, expected a map or endloop",
                    buda_shown(out->node, shown));
    }
}

// One item of a program. What is refused stays BUDA_I_UNKNOWN with its node, and is written as it
// was.
static void read_instr(buda_reader *r, const hoist_yaml_node *node, size_t index, buda_instr *out)
{
    *out = (buda_instr){.kind = BUDA_I_UNKNOWN,
                        .pos = node->pos,
                        .word = {"", 0},
                        .var_op = BUDA_V_UNKNOWN,
                        .node = node};
    // `first` is the entry of a map; NULL for a scalar, which read_bare() does not look at.
    instr_reader in = {r, node->first, out, index, node->next == NULL};
    if (node->kind == HOIST_YAML_SCALAR) {
        read_bare(&in);
        return;
    }
    if (node->kind != HOIST_YAML_MAP || node->count != 1) {
        buda_report(r->diag, BUDA_021, node->pos,
                    "instruction is a %s of %" PRIu32 " %s, expected a map of one",
                    node->kind == HOIST_YAML_MAP ? "map" : "list", node->count,
                    hoist_plural(node->count, "item", "items"));
        return;
    }
    out->word = buda_key(node->first);
    out->pos = buda_key_pos(node->first);
    out->kind = buda_instr_find(out->word);
    if (out->kind == BUDA_I_UNKNOWN) {
        buda_report(r->diag, BUDA_021, out->pos, "there is no instruction '%.*s'",
                    HOIST_STR_ARGS(out->word));
        return;
    }
    readers[out->kind](&in);
}

// A program without instructions may be null: `- idle:`.
static void read_program(buda_reader *r, const hoist_yaml_node *entry, buda_program *program)
{
    program->name = buda_key_name(entry);
    hoist_frame frame;
    hoist_diag_push(r->diag, &frame, NULL, HOIST_STR(""), program->name.text);
    if (entry->kind != HOIST_YAML_LIST && !hoist_yaml_is_null(entry)) {
        buda_report_kind(r, BUDA_021, "a program", entry, "a list");
    }
    const size_t count = entry->kind == HOIST_YAML_LIST ? entry->count : 0;
    program->instrs = hoist_rec_array(r, count, sizeof(program->instrs[0]));
    const hoist_yaml_node *node = count ? entry->first : NULL;
    for (; node && program->instrs && r->status == HOIST_OK; node = node->next) {
        char number[24]; // 20 digits of a size_t, and the end
        const int size = snprintf(number, sizeof(number), "%zu", program->count);
        hoist_frame instr;
        hoist_diag_push(r->diag, &instr, NULL, HOIST_STR(""), (hoist_str){number, (size_t)size});
        read_instr(r, node, program->count, &program->instrs[program->count]);
        // After the read, so that the frame's number is the index of the instruction.
        program->count++;
        hoist_diag_pop(r->diag, &instr);
    }
    hoist_diag_pop(r->diag, &frame);
}

// An item of the list is a map with one program; more are read one after the other.
static void read_item(buda_reader *r, const hoist_yaml_node *node)
{
    hoist_buda_module *const m = buda_reader_module(r);
    if (node->kind != HOIST_YAML_MAP || node->count != 1) {
        char shown[BUDA_SHOWN_SIZE];
        buda_report(r->diag, BUDA_021, node->pos, "programs holds %s, expected one name: list",
                    buda_shown(node, shown));
    }
    const hoist_yaml_node *e = node->kind == HOIST_YAML_MAP ? node->first : NULL;
    for (; e && r->status == HOIST_OK; e = e->next) {
        read_program(r, e, &m->programs[m->program_count++]);
    }
}

// As schedules: counts the programs of all items, then fills.
void buda_read_programs(buda_reader *r, const hoist_yaml_node *entry)
{
    hoist_buda_module *const m = buda_reader_module(r);
    m->programs_pos = buda_key_pos(entry);
    size_t count = 0;
    hoist_yaml_items it = hoist_yaml_items_begin(entry, HOIST_YAML_LIST);
    for (; it.item; hoist_yaml_items_next(&it)) {
        count += it.item->kind == HOIST_YAML_MAP ? it.item->count : 0;
    }
    m->programs = hoist_rec_array(r, count, sizeof(m->programs[0]));
    hoist_frame section;
    hoist_diag_push(r->diag, &section, NULL, HOIST_STR(""), HOIST_STR("programs"));
    it = hoist_yaml_items_begin(entry, HOIST_YAML_LIST);
    for (; it.item && m->programs && r->status == HOIST_OK; hoist_yaml_items_next(&it)) {
        read_item(r, it.item);
    }
    hoist_diag_pop(r->diag, &section);
}
