// Object paths of findings in ARK files, and lists of numbers as text.
#include "formats/ark/places.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/span.h"

// Parts of object paths, and the keys of the file.
static const struct {
    const char *path, *key;
} roles[ARK_ROLE_COUNT] = {
    [ARK_READS] = {"read", "ReadTensors"},
    [ARK_WRITES] = {"write", "WriteTensors"},
    [ARK_RESULTS] = {"result", "ResultTensors"},
};

const char *ark_role_key(ark_role role)
{
    return roles[role].key;
}

const ark_tensors *ark_role_rows(const ark_op *op, ark_role role)
{
    const ark_tensors *const rows[ARK_ROLE_COUNT] = {&op->reads, &op->writes, &op->results};
    return rows[role];
}

ark_operands ark_role_operands(const ark_step *step, ark_role role)
{
    const ark_operands lists[ARK_ROLE_COUNT] = {step->reads, step->writes, step->results};
    return lists[role];
}

bool ark_op_has(const ark_op *op, const char *key)
{
    const int row = hoist_rec_find(&ark_op_table, hoist_str_from(key), 0);
    return row >= 0 && (op->present >> row & 1);
}

// Nodes of newer dialects have one operator, which needs no index.
static bool has_one_op(const ark_module *module, uint32_t owner)
{
    return module->dialect >= ARK_D3 && module->nodes.items[owner].ops.count == 1;
}

// Two frames: "nodes/3" and "op", "ops/1" or, in a plan, "tasks/2" and "ops/0".
void ark_enter_op(hoist_diag *diag, const ark_module *module, uint32_t owner, uint32_t index,
                  ark_place *out_place)
{
    hoist_diag_push_item(diag, &out_place->owner, module->is_plan ? "tasks" : "nodes", owner);
    if (module->is_plan || !has_one_op(module, owner)) {
        hoist_diag_push_item(diag, &out_place->op, "ops", index);
    } else {
        hoist_diag_push(diag, &out_place->op, NULL, (hoist_str){NULL, 0}, HOIST_STR("op"));
    }
}

void ark_enter_step(hoist_diag *diag, const ark_graph *graph, const ark_step *step,
                    ark_place *out_place)
{
    ark_enter_op(diag, graph->module, step->owner, step->index, out_place);
}

void ark_leave(hoist_diag *diag, const ark_place *place)
{
    hoist_diag_pop(diag, &place->op);
    hoist_diag_pop(diag, &place->owner);
}

void ark_enter_tensor(hoist_diag *diag, ark_role role, uint32_t index, hoist_frame *out_frame)
{
    hoist_diag_push_item(diag, out_frame, roles[role].path, index);
}

// Of the operator's own occurrence of the tensor, which need not be the first.
hoist_pos ark_operand_pos(const ark_step *step, ark_role role, uint32_t index)
{
    return ark_role_rows(step->op, role)->items[index].pos;
}

// Lists.

enum { SHOWN_MOST = 6 };

// The text is never cut: ark_dims_text has the capacity for six numbers of 64 bits.
static void append(ark_dims_text *out, size_t *size, int64_t item, bool first)
{
    *size += (size_t)snprintf(out->text + *size, sizeof(out->text) - *size, "%s%" PRId64,
                              first ? "" : ",", item);
}

ark_dims_text ark_dims_shown(const int64_t *dims, int rank)
{
    ark_dims_text out = {"["};
    size_t size = 1;
    for (int i = 0; i < rank; i++) {
        append(&out, &size, dims[i], i == 0);
    }
    (void)snprintf(out.text + size, sizeof(out.text) - size, "]");
    return out;
}

// Lists of the file may be of any length: after six entries come three dots.
ark_dims_text ark_ints_shown(const hoist_rec_ints *list)
{
    ark_dims_text out = {"["};
    size_t size = 1;
    for (size_t i = 0; i < list->count && i < SHOWN_MOST; i++) {
        append(&out, &size, list->items[i].value, i == 0);
    }
    (void)snprintf(out.text + size, sizeof(out.text) - size,
                   list->count > SHOWN_MOST ? ",...]" : "]");
    return out;
}

// Findings need a word for a type that is unknown, too.
const char *ark_dtype_shown(int dtype)
{
    const char *const name = hoist_rec_word_name(&ark_dtypes, dtype);
    return name ? name : "an unknown type";
}
