// An image as files and arrays: all members for `unpack`, and the tensors that are stored as
// elements for `recover`, each for the queue of its name. Tiles and pickles are named as missing.
// In: a module. Out: calls of the caller's sinks.
#include "base/checked.h"
#include "base/diag.h"
#include "base/progress.h"
#include "base/span.h"
#include "formats/part_name.h"
#include "formats/tti/tti.h"

// Unpacking ---------------------------------------------------------------------------------------

static hoist_status send_member(const tti_module *m, const tti_member *member, hoist_diag *diag,
                                hoist_part_sink *sink)
{
    enum { ANY_EXECUTE = 0111 };
    const char *const why = hoist_part_unsafe(member->name);
    if (why) {
        return hoist_fail(diag, HOIST_INVALID, tti_rule_row(TTI_003),
                          hoist_loc_byte(member->tar->header_at),
                          "member '%.*s' cannot be a file of a folder: its name %s",
                          HOIST_STR_ARGS(member->name), why);
    }
    const hoist_part part = {.path = member->name,
                             .bytes = member->bytes,
                             .executable = (member->tar->mode & ANY_EXECUTE) != 0};
    HOIST_TRY(sink->part(sink->self, &part));
    hoist_stage_add(m->base.deadline, HOIST_STAGE_UNPACKING, part.bytes.size);
    return hoist_deadline_look(m->base.deadline);
}

hoist_status tti_unpack(const hoist_module *module, const hoist_unpack_options *options,
                        hoist_diag *diag, hoist_part_sink *sink)
{
    const tti_module *const m = tti_of(module);
    (void)options;
    // The total is known before the first byte is written.
    for (uint32_t i = 0; i < m->member_count; i++) {
        hoist_stage_expect(m->base.deadline, HOIST_STAGE_UNPACKING, m->members[i].bytes.size);
    }
    for (uint32_t i = 0; i < m->member_count; i++) {
        HOIST_TRY(send_member(m, &m->members[i], diag, sink));
    }
    return HOIST_OK;
}

// Recovering --------------------------------------------------------------------------------------

enum { MAX_RANK = 8 }; // the writer gives four

// Why a tensor gives no array; NULL: it does. Its shape is copied to `shape`.
static const char *problem_of(const tti_module *m, const tti_tensor *tensor,
                              int64_t shape[MAX_RANK])
{
    uint64_t size = hoist_dtype_get(tensor->dtype)->bits / 8;
    if (tensor->storage == TTI_STORED_PICKLE) {
        return "it is stored in a pickle, which is a program and is not executed";
    }
    if (tensor->storage == TTI_STORED_TILES) {
        return "it is stored as tiles of its queue";
    }
    if (tensor->member == TTI_NONE) {
        return "its file is not in the archive";
    }
    if (tensor->dtype == HOIST_DTYPE_NONE) {
        return "its format has no elements that are known";
    }
    if (tensor->shape.count > MAX_RANK) {
        return "its shape has more than 8 extents";
    }
    for (size_t i = 0; i < tensor->shape.count; i++) {
        shape[i] = tensor->shape.items[i].value;
        if (shape[i] < 0 || hoist_ckd_mul(&size, size, (uint64_t)shape[i])) {
            return "its shape is no shape";
        }
    }
    return size == m->members[tensor->member].bytes.size
               ? NULL
               : "its file has another size than its shape";
}

static hoist_status send_array(const tti_module *m, const tti_tensor *tensor, const int64_t *shape,
                               const hoist_recovery_sink *sink)
{
    const tti_member *const member = &m->members[tensor->member];
    const hoist_recovered array = {
        .names = &tensor->name,
        .name_count = 1,
        .dtype = tensor->dtype,
        .element_size = (uint32_t)hoist_dtype_get(tensor->dtype)->bits / 8,
        .rank = (uint32_t)tensor->shape.count,
        .shape = shape,
        .bytes = member->bytes,
        .member = member->name,
        .dtype_from = TTI_STATE_NAME,
        .shape_from = TTI_STATE_NAME,
    };
    return sink->array(sink->self, &array);
}

static hoist_status send_missing(const tti_module *m, const tti_tensor *tensor, const char *problem,
                                 const hoist_recovery_sink *sink)
{
    const hoist_unrecovered missing = {.name = tensor->name,
                                       .member = m->members[m->state_at].name,
                                       .loc = hoist_loc_pos(tensor->pos),
                                       .reason = hoist_str_from(problem)};
    return sink->missing(sink->self, &missing);
}

// In two passes: all arrays, then what is missing.
hoist_status tti_recover(const hoist_module *module, const hoist_recovery_sink *sink)
{
    const tti_module *const m = tti_of(module);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < m->tensor_count; i++) {
            const tti_tensor *const tensor = &m->tensors[i];
            int64_t shape[MAX_RANK] = {0};
            const char *const problem = problem_of(m, tensor, shape);
            if (pass == 0 && !problem) {
                HOIST_TRY(send_array(m, tensor, shape, sink));
            } else if (pass == 1 && problem) {
                HOIST_TRY(send_missing(m, tensor, problem, sink));
            }
        }
    }
    return HOIST_OK;
}
