// Rules P03, P11, P12 and P14: how the operators of a plan are cut into tasks (ark reference
// section 9.2). A missing Config
// and values of the wrong kind are reported by the reader (P02, P03).
#include <inttypes.h>

#include "base/checked.h"
#include "base/span.h"
#include "formats/ark/check_plan.h"
#include "formats/ark/rules.h"

// Keys of configurations that not all operators have.
enum {
    HAS_TILE = 1,
    HAS_TILE_MNK = 2, // of Matmul; D4 has "Tile"
    HAS_IMPL = 4,
    HAS_CHANNEL = 8,
    HAS_PACKET = 16,
    HAS_SIGNAL = 32,
    HAS_WAIT = 64,
};

// Which keys ARK's code generator reads for a type, by the table of section 9.2; optional keys are
// no part of it.
static unsigned keys_of(int type)
{
    switch (type) {
    case ARK_MATMUL:
        return HAS_TILE_MNK;
    case ARK_REDUCE_MAX:
    case ARK_REDUCE_MEAN:
    case ARK_REDUCE_SUM:
        return HAS_IMPL;
    case ARK_SEND:
        return HAS_CHANNEL | HAS_SIGNAL;
    case ARK_RECV:
        return HAS_CHANNEL | HAS_WAIT;
    case ARK_SEND_DONE:
    case ARK_DEVICE_SYNC:
        return HAS_CHANNEL;
    case ARK_SEND_PACKET:
    case ARK_RECV_PACKET:
    case ARK_RECV_REDUCE_SEND_PACKET:
        return HAS_PACKET | HAS_TILE;
    case ARK_EMBEDDING:
    case ARK_NOOP:
    case ARK_PLACEHOLDER:
    case ARK_RESHAPE:
    case ARK_TENSOR:
    case ARK_OP_UNKNOWN:
        return 0;
    default:
        return HAS_TILE;
    }
}

// P03: the keys that ARK reads for this type. "Tile" of a Matmul stands for "TileShapeMNK": D4 has
// it there.
static void check_keys(const ark_plan_check *c, const ark_op *op)
{
    const ark_config *const config = &op->config;
    const struct {
        unsigned key;
        bool there;
        const char *name;
    } rows[] = {
        {HAS_TILE, config->tile.pos.line, "Tile"},
        {HAS_TILE_MNK, config->tile_mnk.pos.line || config->tile.pos.line, "TileShapeMNK"},
        {HAS_IMPL, config->impl.pos.line, "ImplType"},
        {HAS_CHANNEL, config->channel.pos.line, "ChannelType"},
        {HAS_PACKET, config->packet.pos.line, "PacketType"},
        {HAS_SIGNAL, config->signal.pos.line, "Signal"},
        {HAS_WAIT, config->wait.pos.line, "Wait"},
    };
    const unsigned keys = keys_of(op->type.value);
    for (size_t i = 0; i < HOIST_COUNT_OF(rows); i++) {
        if ((keys & rows[i].key) && !rows[i].there) {
            ark_report(c->diag, ARK_P03, config->pos, "the Config of %.*s is without '%s'",
                       HOIST_STR_ARGS(op->type.text), rows[i].name);
        }
    }
}

// The tasks that an operator has, multiplied up; false: more than a number holds. The last tile
// may be a part of one.
static bool multiply(uint64_t *tiles, int64_t extent, int64_t size)
{
    const uint64_t count = (uint64_t)(extent / size + (extent % size != 0));
    return !hoist_ckd_mul(tiles, *tiles, count);
}

// P11a of a Matmul, and its tiles; false: they are not known. Rows and columns of the output and
// the inner extent, with padding, are whole tiles; the inner loop is within a task, so only M and
// N and the batches count.
static bool count_products(const ark_plan_check *c, const ark_step *step, uint64_t *tiles)
{
    const hoist_rec_ints *const tile = &step->op->config.tile_mnk;
    const ark_value *const input = &c->graph->values[step->reads.items[0]];
    const ark_value *const out = &c->graph->values[step->writes.items[0]];
    const ark_arg *const flag = ark_find_arg(step->op, "TransposeInput", ARK_ARG_BOOL);
    const bool transposed = flag && flag->boolean.value && input->rank > 1;
    if (!tile->pos.line || out->rank < 2) { // D4; M53
        return false;
    }
    if (tile->count != 3) {
        ark_report(c->diag, ARK_P11a, tile->pos, "TileShapeMNK has %zu entries, expected 3",
                   tile->count);
        return false;
    }
    const int64_t extents[3] = {out->padded[out->rank - 2], out->padded[out->rank - 1],
                                input->padded[input->rank - 1 - transposed]};
    for (int k = 0; k < 3; k++) {
        const int64_t size = tile->items[k].value;
        if (size < 1 || extents[k] % size) {
            ark_report(c->diag, ARK_P11a, tile->items[k].pos,
                       "the tile has %" PRId64 " along %c, which does not divide %" PRId64, size,
                       "MNK"[k], extents[k]);
            return false;
        }
    }
    bool fits = multiply(tiles, extents[0], tile->items[0].value) &&
                multiply(tiles, extents[1], tile->items[1].value);
    for (int k = 0; fits && k < out->rank - 2; k++) {
        fits = multiply(tiles, out->padded[k], 1);
    }
    return fits;
}

// The tiles of an operator on elements: "Tile" is aligned to the last dimension. A dimension
// without an entry has tiles of 1.
static bool count_tiles(const ark_plan_check *c, const ark_step *step, uint64_t *tiles)
{
    const hoist_rec_ints *const tile = &step->op->config.tile;
    const ark_value *const out = &c->graph->values[step->writes.items[0]];
    bool known = tile->pos.line && tile->count > 0;
    for (int k = 0; known && k < out->rank; k++) {
        const size_t from_end = (size_t)(out->rank - k); // 1 for the last dimension
        const int64_t size =
            from_end <= tile->count ? tile->items[tile->count - from_end].value : 1;
        known = size >= 1 && multiply(tiles, out->shape[k], size);
    }
    return known;
}

// P11, of an operator whose tensors are valid. Types that are none of these, as Send, may have any
// number of tasks.
static void check_tiles(const ark_plan_check *c, const ark_step *step)
{
    const hoist_rec_int *const tasks = &step->op->config.num_tasks;
    const unsigned keys = keys_of(step->type);
    uint64_t tiles = 1;
    bool known = false;
    if (step->type == ARK_MATMUL) {
        known = count_products(c, step, &tiles);
    } else if (keys & HAS_IMPL) { // a task for each element of the result
        tiles = c->graph->values[step->writes.items[0]].count;
        known = true;
    } else if (keys == HAS_TILE && step->type != ARK_RECV_REDUCE_SEND) {
        known = count_tiles(c, step, &tiles);
    }
    if (known && tasks->pos.line && (uint64_t)tasks->value != tiles) {
        ark_report(c->diag, ARK_P11b, tasks->pos,
                   "NumTasks is %" PRId64 ", expected %" PRIu64 ", the number of tiles",
                   tasks->value, tiles);
    }
}

// P12, of a reduction whose tensors are valid. ARK has the kernel WarpWise for contiguous elements
// only.
static void check_impl(const ark_plan_check *c, const ark_step *step)
{
    const hoist_rec_str *const impl = &step->op->config.impl;
    const ark_arg *const axis = ark_find_arg(step->op, "Axis", ARK_ARG_INT);
    const int last = c->graph->values[step->reads.items[0]].rank - 1;
    if (axis && hoist_str_equal_c(impl->text, "WarpWise") && axis->integer.value != last &&
        axis->integer.value != -1) {
        ark_report(c->diag, ARK_P12, impl->pos,
                   "ImplType is WarpWise and Axis is %" PRId64 ", expected %d, the last",
                   axis->integer.value, last);
    }
}

// P14: words, and whether an element fits a packet.
static void check_words(const ark_plan_check *c, const ark_op *op)
{
    const hoist_rec_str *const channel = &op->config.channel;
    const hoist_rec_str *const packet = &op->config.packet;
    const bool sm = hoist_str_equal_c(channel->text, "Sm");
    if (channel->pos.line && !sm && !hoist_str_equal_c(channel->text, "Proxy") &&
        !hoist_str_equal_c(channel->text, "SecondaryProxy")) {
        ark_report(c->diag, ARK_P14, channel->pos,
                   "ChannelType is '%.*s', expected Proxy, SecondaryProxy or Sm",
                   HOIST_STR_ARGS(channel->text));
    } else if (sm && op->type.value == ARK_SEND_DONE) {
        ark_report(c->diag, ARK_P14, channel->pos, "SendDone has no effect on the channel Sm");
    }
    if (packet->pos.line && !hoist_str_equal_c(packet->text, "mscclpp::LL8Packet") &&
        !hoist_str_equal_c(packet->text, "mscclpp::LL16Packet")) {
        ark_report(c->diag, ARK_P14, packet->pos,
                   "PacketType is '%.*s', expected mscclpp::LL8Packet or mscclpp::LL16Packet",
                   HOIST_STR_ARGS(packet->text));
    }
}

// Checks that need the tensors of an operator that is executed. A plan's operators that no group
// executes have no step, and no such check.
static void check_step(const ark_plan_check *c, const ark_step *step)
{
    if (!step->valid || !step->op->config.pos.line) {
        return;
    }
    ark_place place;
    ark_enter_step(c->diag, c->graph, step, &place);
    check_tiles(c, step);
    if (keys_of(step->type) & HAS_IMPL) {
        check_impl(c, step);
    }
    ark_leave(c->diag, &place);
}

// First the keys of all operators, then what needs their tensors.
void ark_check_configs(const ark_plan_check *c)
{
    for (uint32_t t = 0; t < c->plan->tasks.count; t++) {
        const ark_ops *const ops = &c->plan->tasks.items[t].ops;
        for (uint32_t i = 0; i < ops->count; i++) {
            const ark_op *const op = &ops->items[i];
            ark_place place;
            ark_enter_op(c->diag, c->plan, t, i, &place);
            if (op->config.pos.line) {
                check_keys(c, op);
                check_words(c, op);
            }
            ark_leave(c->diag, &place);
        }
    }
    for (uint32_t i = 0; i < c->graph->step_count; i++) {
        check_step(c, &c->graph->steps[i]);
    }
}
