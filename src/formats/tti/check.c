// The rules that need the archive and device.json together: TTI-008 to TTI-016. In: a module that
// was read. Out: findings, in device.json at the value that is wrong.
#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "base/map.h"
#include "base/span.h"
#include "formats/tti/tti.h"

static void check_version(const tti_module *m, hoist_diag *diag)
{
    const hoist_rec_str *const version = &m->state.version;
    if (!hoist_str_equal_c(version->text, "1.1.0")) {
        hoist_report(diag, tti_rule_row(TTI_008), hoist_loc_pos(version->pos),
                     "version is '%.*s', expected '1.1.0'", HOIST_STR_ARGS(version->text));
    }
}

static void check_netlist(const tti_module *m, hoist_diag *diag)
{
    const hoist_rec_str *const netlist = &m->state.graph.netlist;
    if (netlist->text.size && m->netlist_at == TTI_NONE) {
        hoist_report(diag, tti_rule_row(TTI_009), hoist_loc_pos(netlist->pos),
                     "the archive has no '%.*s%.*s', expected the netlist next to " TTI_STATE_NAME,
                     HOIST_STR_ARGS(m->root), HOIST_STR_ARGS(tti_last_part(netlist->text)));
    }
    if (m->netlist_at == TTI_NONE || m->built_at == TTI_NONE) {
        return;
    }
    const hoist_bytes own = m->members[m->netlist_at].bytes;
    const hoist_bytes built = m->members[m->built_at].bytes;
    if (own.size != built.size || (own.size && memcmp(own.data, built.data, own.size) != 0)) {
        hoist_report(diag, tti_rule_row(TTI_010), hoist_loc_pos(netlist->pos),
                     "'%.*s' differs from '%.*s', of which the binaries were compiled",
                     HOIST_STR_ARGS(m->members[m->netlist_at].name),
                     HOIST_STR_ARGS(m->members[m->built_at].name));
    }
}

// Elements of a shape; false: one extent is below 0, or there are more than fit.
static bool count_elements(const hoist_rec_ints *shape, uint64_t *out_count)
{
    uint64_t count = 1;
    for (size_t i = 0; i < shape->count; i++) {
        if (shape->items[i].value < 0 ||
            hoist_ckd_mul(&count, count, (uint64_t)shape->items[i].value)) {
            return false;
        }
    }
    *out_count = count;
    return true;
}

// Bytes that the backend takes: elements in C order, or buffers of tiles. False: the numbers make
// no size.
static bool expected_size(const tti_tensor *tensor, uint64_t *out_size)
{
    const bool tiles = tensor->storage == TTI_STORED_TILES;
    const int64_t size = tiles ? tensor->buf_size_bytes.value : tensor->itemsize.value;
    uint64_t count = tiles ? (uint64_t)tensor->num_buffers.value : 0;
    if (size < 0 || (tiles && tensor->num_buffers.value < 0)) {
        return false;
    }
    return (tiles || count_elements(&tensor->shape, &count)) &&
           !hoist_ckd_mul(out_size, count, (uint64_t)size);
}

// TTI-012, of a tensor whose file is there.
static void check_size(const tti_module *m, const tti_tensor *tensor, hoist_diag *diag)
{
    const uint64_t found = m->members[tensor->member].bytes.size;
    uint64_t expected = 0;
    if (!expected_size(tensor, &expected)) {
        hoist_report(diag, tti_rule_row(TTI_012), hoist_loc_pos(tensor->pos),
                     "tensor '%.*s' has a shape or size below 0 or of too many bytes",
                     HOIST_STR_ARGS(tensor->name));
    } else if (found != expected) {
        hoist_report(diag, tti_rule_row(TTI_012), hoist_loc_pos(tensor->pos),
                     "tensor '%.*s' has %" PRIu64 " bytes in '%.*s', expected %" PRIu64,
                     HOIST_STR_ARGS(tensor->name), found, HOIST_STR_ARGS(tensor->bin.text),
                     expected);
    }
}

// TTI-015: only of elements in C order; those of tiles are the queue's.
static void check_format(const tti_tensor *tensor, hoist_diag *diag)
{
    const uint32_t size = (uint32_t)hoist_dtype_get(tensor->dtype)->bits / 8;
    if (!tensor->format.text.size) {
        return; // reported when it was read
    }
    if (tensor->dtype == HOIST_DTYPE_NONE) {
        hoist_report(diag, tti_rule_row(TTI_015), hoist_loc_pos(tensor->format.pos),
                     "format is '%.*s', expected Float32, Float16_b, Float16, Int32, Int8 or "
                     "RawUInt32",
                     HOIST_STR_ARGS(tensor->format.text));
    } else if (tensor->itemsize.value != (int64_t)size) {
        hoist_report(diag, tti_rule_row(TTI_015), hoist_loc_pos(tensor->itemsize.pos),
                     "itemsize is %" PRId64 ", expected %u for %.*s", tensor->itemsize.value, size,
                     HOIST_STR_ARGS(tensor->format.text));
    }
}

static void check_tensor(const tti_module *m, const tti_tensor *tensor, hoist_diag *diag)
{
    if (!tensor->bin.text.size) {
        return; // reported when it was read
    }
    if (tensor->member == TTI_NONE) {
        hoist_report(diag, tti_rule_row(TTI_011), hoist_loc_pos(tensor->pos),
                     "the archive has no '%.*s%.*s', the file of tensor '%.*s'",
                     HOIST_STR_ARGS(m->root), HOIST_STR_ARGS(tensor->bin.text),
                     HOIST_STR_ARGS(tensor->name));
    } else if (tensor->storage == TTI_STORED_NONE) {
        hoist_report(diag, tti_rule_row(TTI_015), hoist_loc_pos(tensor->bin.pos),
                     "the file of tensor '%.*s' is '%.*s', expected .bin, .tbin or .pkl",
                     HOIST_STR_ARGS(tensor->name), HOIST_STR_ARGS(tensor->bin.text));
    } else if (tensor->storage != TTI_STORED_PICKLE) {
        check_size(m, tensor, diag);
    }
    if (tensor->storage == TTI_STORED_ROWS) {
        check_format(tensor, diag);
    }
}

// TTI-013: one note for all, at the first.
static void note_pickles(const tti_module *m, hoist_diag *diag)
{
    const tti_tensor *first = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->tensor_count; i++) {
        if (m->tensors[i].storage == TTI_STORED_PICKLE) {
            first = first ? first : &m->tensors[i];
            count++;
        }
    }
    if (first) {
        hoist_report(diag, tti_rule_row(TTI_013), hoist_loc_pos(first->pos),
                     "%u %s pickles, which are not executed: the first is '%.*s'", count,
                     hoist_plural(count, "tensor is stored in", "tensors are stored in"),
                     HOIST_STR_ARGS(first->bin.text));
    }
}

// Names of a list that no tensor has.
static void check_list(const hoist_rec_strs *list, const hoist_map *tensors, const char *what,
                       hoist_diag *diag)
{
    size_t index = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (!hoist_map_find(tensors, list->items[i].text, &index)) {
            hoist_report(diag, tti_rule_row(TTI_014), hoist_loc_pos(list->items[i].pos),
                         "%s '%.*s' has no tensor", what, HOIST_STR_ARGS(list->items[i].text));
        }
    }
}

static hoist_status check_lists(const tti_module *m, hoist_diag *diag)
{
    hoist_map names;
    hoist_status status = HOIST_OK;
    hoist_map_init(&names, m->base.alloc);
    for (uint32_t i = 0; i < m->tensor_count && status == HOIST_OK; i++) {
        status = hoist_map_add(&names, m->tensors[i].name, i, NULL);
        status = status == HOIST_BUSY ? HOIST_OK : status; // a name in both lists has one
    }
    if (status == HOIST_OK) {
        check_list(&m->state.graph.constants, &names, "constant", diag);
        check_list(&m->state.graph.parameters, &names, "parameter", diag);
    }
    hoist_map_deinit(&names);
    return status;
}

static hoist_status check_state(const tti_module *m, hoist_diag *diag)
{
    check_version(m, diag);
    check_netlist(m, diag);
    for (uint32_t i = 0; i < m->tensor_count; i++) {
        check_tensor(m, &m->tensors[i], diag);
        HOIST_TRY(hoist_deadline_look(m->base.deadline));
    }
    note_pickles(m, diag);
    return check_lists(m, diag);
}

hoist_status tti_check(hoist_module *module, const hoist_check_options *options, hoist_diag *diag)
{
    const tti_module *const m = tti_of(module);
    (void)options;
    if (m->json.count == 0) {
        return HOIST_OK; // reported when it was read
    }
    if (m->config_at == TTI_NONE) {
        hoist_report(diag, tti_rule_row(TTI_016), hoist_loc_none(),
                     "the archive has no '%.*scompile_and_runtime_config.json'",
                     HOIST_STR_ARGS(m->root));
    }
    tti_enter(m, diag, m->state_at);
    const hoist_status status = check_state(m, diag);
    tti_enter(m, diag, TTI_NONE);
    return status;
}
