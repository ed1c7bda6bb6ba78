// The memory and the order of the evaluator (ark_eval.h). In: modules. Operators are in
// ark_eval_ops.c, messages in ark_eval_messages.c.
#include "testing/ark_eval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/span.h"
#include "testing/ark_eval_state.h"

void *ark_eval_array(ark_eval *eval, size_t count, size_t size)
{
    void *const items = hoist_arena_array(eval->arena, count ? count : 1, size);
    if (!items) {
        abort();
    }
    return items;
}

// Tensors ----------------------------------------------------------------------------------------

// A list of a tensor as four numbers, `front` before those that it has.
static void widen(const hoist_rec_ints *list, int64_t front, int64_t *out)
{
    const size_t missing = ARK_EVAL_DIMS - list->count;
    for (size_t k = 0; k < ARK_EVAL_DIMS; k++) {
        out[k] = k < missing ? front : list->items[k - missing].value;
    }
}

ark_eval_block ark_eval_block_of(ark_eval *eval, const ark_tensor *tensor)
{
    ark_eval_block block = {
        .dtype = (ark_dtype)tensor->dtype.value, .rank = tensor->shape.count, .count = 1};
    widen(&tensor->shape, 1, block.shape);
    for (size_t k = 0; k < ARK_EVAL_DIMS; k++) {
        block.count *= (size_t)block.shape[k];
    }
    block.items = ark_eval_array(eval, block.count, sizeof *block.items);
    return block;
}

bool ark_eval_step(const int64_t *shape, int64_t *at)
{
    for (size_t k = ARK_EVAL_DIMS; k-- > 0;) {
        if (++at[k] < shape[k]) {
            return true;
        }
        at[k] = 0;
    }
    return false;
}

// Where elements of a tensor are: the address formula of section 4.
typedef struct address {
    size_t size;
    int64_t dims[ARK_EVAL_DIMS];
    int64_t offsets[ARK_EVAL_DIMS];
} address;

static address address_of(const ark_tensor *tensor)
{
    address a = {.size = ark_eval_size((ark_dtype)tensor->dtype.value)};
    widen(&tensor->strides, 1, a.dims);
    widen(&tensor->offsets, 0, a.offsets);
    return a;
}

static size_t byte_at(const address *a, const int64_t *at)
{
    int64_t element = 0;
    for (size_t k = 0; k < ARK_EVAL_DIMS; k++) {
        element = element * a->dims[k] + a->offsets[k] + at[k];
    }
    return (size_t)element * a->size;
}

// An element that was stored as another type, or in parts, is known if all of its bytes are.
static double error_at(const ark_eval_memory *memory, size_t byte, size_t size, ark_dtype dtype)
{
    double error = 0;
    bool same = true;
    for (size_t i = byte; i < byte + size; i++) {
        error = fmax(error, memory->errors[i]);
        same = same && memory->types[i] == (uint8_t)dtype;
    }
    return same || error == 0 ? error : INFINITY;
}

ark_eval_block ark_eval_read(ark_eval *eval, const ark_tensor *tensor,
                             const ark_eval_memory *memory)
{
    const address a = address_of(tensor);
    ark_eval_block block = ark_eval_block_of(eval, tensor);
    int64_t at[ARK_EVAL_DIMS] = {0};
    size_t i = 0;
    do {
        const size_t byte = byte_at(&a, at);
        block.items[i] = ark_eval_load(block.dtype, memory->bytes + byte);
        block.items[i++].error = error_at(memory, byte, a.size, block.dtype);
    } while (ark_eval_step(block.shape, at));
    return block;
}

void ark_eval_write(const ark_eval_block *block, const ark_tensor *tensor, ark_eval_memory *memory)
{
    const address a = address_of(tensor);
    int64_t shape[ARK_EVAL_DIMS];
    int64_t at[ARK_EVAL_DIMS] = {0};
    size_t i = 0;
    widen(&tensor->shape, 1, shape);
    do {
        const size_t byte = byte_at(&a, at);
        ark_eval_store(block->dtype, block->items[i], memory->bytes + byte);
        for (size_t k = 0; k < a.size; k++) {
            memory->errors[byte + k] = block->items[i].error;
            memory->types[byte + k] = (uint8_t)block->dtype;
        }
        i++;
    } while (ark_eval_step(shape, at));
}

void ark_eval_forget(const ark_tensor *tensor, ark_eval_memory *memory)
{
    const address a = address_of(tensor);
    int64_t shape[ARK_EVAL_DIMS];
    int64_t at[ARK_EVAL_DIMS] = {0};
    widen(&tensor->shape, 1, shape);
    do {
        for (size_t k = 0; k < a.size; k++) {
            memory->errors[byte_at(&a, at) + k] = INFINITY;
        }
    } while (ark_eval_step(shape, at));
}

// Memory -----------------------------------------------------------------------------------------

ark_eval_memory *ark_eval_find(const ark_eval *eval, size_t rank, int64_t id)
{
    const ark_eval_rank *const r = &eval->ranks[rank];
    for (size_t i = 0; i < r->memory_count; i++) {
        if (r->memories[i].id == id) {
            return &r->memories[i];
        }
    }
    return NULL;
}

ark_eval_memory *ark_eval_memory_of(const ark_eval *eval, size_t rank, const ark_tensor *tensor)
{
    const int64_t at = tensor->buffer.rank.value;
    return at == -1 || at == (int64_t)rank ? ark_eval_find(eval, rank, tensor->buffer.id.value)
                                           : NULL;
}

void ark_eval_fill(ark_eval_memory *memory, ark_dtype dtype, hoist_bytes bytes)
{
    memcpy(memory->bytes, bytes.data, bytes.size);
    memset(memory->types, (int)dtype, bytes.size);
}

size_t ark_eval_differs(const ark_eval_memory *memory, hoist_bytes found, size_t *out_open)
{
    *out_open = 0;
    for (size_t byte = 0; byte < memory->size;) {
        const ark_dtype dtype = (ark_dtype)memory->types[byte];
        // A part of an element that was overwritten is compared by bytes.
        const size_t size = ark_eval_size(dtype);
        bool whole = byte % size == 0 && byte + size <= memory->size;
        for (size_t i = 0; whole && i < size; i++) {
            whole = memory->types[byte + i] == (uint8_t)dtype &&
                    memory->errors[byte + i] == memory->errors[byte];
        }
        ark_eval_number expected = ark_eval_load(whole ? dtype : ARK_BYTE, memory->bytes + byte);
        expected.error = memory->errors[byte];
        expected.error = whole || expected.error == 0 ? expected.error : INFINITY;
        if (!ark_eval_allows(whole ? dtype : ARK_BYTE, expected, found.data + byte)) {
            return byte;
        }
        *out_open += isinf(expected.error) ? (whole ? size : 1) : 0;
        byte += whole ? size : 1;
    }
    return SIZE_MAX;
}

// Loading ----------------------------------------------------------------------------------------

// The size of a buffer is that of its largest occurrence.
static void add_tensor(ark_eval *eval, size_t rank, const ark_tensor *tensor)
{
    ark_eval_rank *const r = &eval->ranks[rank];
    const int64_t at = tensor->buffer.rank.value;
    if (at != -1 && at != (int64_t)rank) {
        return;
    }
    size_t bytes = ark_eval_size((ark_dtype)tensor->dtype.value);
    for (size_t i = 0; i < tensor->strides.count; i++) {
        bytes *= (size_t)tensor->strides.items[i].value;
    }
    ark_eval_memory *memory = ark_eval_find(eval, rank, tensor->buffer.id.value);
    if (!memory) {
        memory = &r->memories[r->memory_count++];
        memory->id = tensor->buffer.id.value;
        memory->buffer = &tensor->buffer;
    }
    memory->size = bytes > memory->size ? bytes : memory->size;
}

static void add_op(ark_eval *eval, size_t rank, const ark_op *op)
{
    const ark_tensors *const lists[] = {&op->reads, &op->writes, &op->results};
    eval->ranks[rank].ops[eval->ranks[rank].op_count++] = op;
    for (size_t l = 0; l < HOIST_COUNT_OF(lists); l++) {
        for (size_t i = 0; i < lists[l]->count; i++) {
            add_tensor(eval, rank, &lists[l]->items[i]);
        }
    }
}

// Operators and tensors of a file, at most.
static void count_ops(const ark_module *module, size_t *out_ops, size_t *out_tensors)
{
    *out_ops = *out_tensors = 0;
    for (size_t i = 0; i < module->nodes.count; i++) {
        const ark_ops *const ops = &module->nodes.items[i].ops;
        *out_ops += ops->count;
        for (size_t k = 0; k < ops->count; k++) {
            const ark_op *const op = &ops->items[k];
            *out_tensors += op->reads.count + op->writes.count + op->results.count;
        }
    }
}

static void load_rank(ark_eval *eval, size_t rank, const ark_module *module)
{
    ark_eval_rank *const r = &eval->ranks[rank];
    size_t ops = 0;
    size_t tensors = 0;
    count_ops(module, &ops, &tensors);
    *r = (ark_eval_rank){.module = module};
    r->ops = ark_eval_array(eval, ops, sizeof(const ark_op *));
    r->memories = ark_eval_array(eval, tensors, sizeof *r->memories);
    for (size_t i = 0; i < module->nodes.count; i++) {
        for (size_t k = 0; k < module->nodes.items[i].ops.count; k++) {
            add_op(eval, rank, &module->nodes.items[i].ops.items[k]);
        }
    }
    for (size_t i = 0; i < r->memory_count; i++) {
        ark_eval_memory *const memory = &r->memories[i];
        memory->bytes = ark_eval_array(eval, memory->size, 1);
        memory->types = ark_eval_array(eval, memory->size, 1);
        memory->errors = ark_eval_array(eval, memory->size, sizeof *memory->errors);
        memset(memory->types, ARK_BYTE, memory->size);
    }
}

void ark_eval_init(ark_eval *eval, hoist_arena *arena, const ark_module *const *modules,
                   size_t count)
{
    *eval = (ark_eval){.arena = arena, .rank_count = count};
    eval->last = &eval->first;
    eval->ranks = ark_eval_array(eval, count, sizeof *eval->ranks);
    for (size_t i = 0; i < count; i++) {
        load_rank(eval, i, modules[i]);
    }
}

// Order ------------------------------------------------------------------------------------------

static bool communicates(const ark_op *op)
{
    switch (op->type.value) {
    case ARK_SEND:
    case ARK_SEND_DONE:
    case ARK_RECV:
    case ARK_SEND_PACKET:
    case ARK_RECV_PACKET:
    case ARK_RECV_REDUCE_SEND:
    case ARK_RECV_REDUCE_SEND_PACKET:
    case ARK_DEVICE_SYNC:
        return true;
    default:
        return false;
    }
}

// Executes operators of a rank until one waits.
static ark_eval_progress go_on(ark_eval *eval, size_t rank)
{
    ark_eval_rank *const r = &eval->ranks[rank];
    for (; r->next < r->op_count; r->next++) {
        const ark_op *const op = r->ops[r->next];
        const ark_eval_progress progress = communicates(op) ? ark_eval_communicate(eval, rank, op)
                                           : ark_eval_compute(eval, rank, op) ? ARK_EVAL_DONE
                                                                              : ARK_EVAL_FAILS;
        if (progress != ARK_EVAL_DONE) {
            return progress;
        }
    }
    return ARK_EVAL_DONE;
}

const char *ark_eval_run(ark_eval *eval)
{
    size_t before = SIZE_MAX;
    size_t now = 0;
    bool is_over = false;
    for (size_t i = 0; i < eval->rank_count; i++) {
        eval->ranks[i].next = 0;
        eval->ranks[i].syncs = 0;
        eval->ranks[i].at_sync = false;
    }
    while (!is_over && now != before) {
        before = now;
        now = 0;
        is_over = true;
        for (size_t i = 0; i < eval->rank_count; i++) {
            const ark_eval_progress progress = go_on(eval, i);
            if (progress == ARK_EVAL_FAILS) {
                return "an operator or a message that is not defined";
            }
            is_over = is_over && progress == ARK_EVAL_DONE;
            now += eval->ranks[i].next + 1 + eval->ranks[i].at_sync;
        }
    }
    for (size_t i = 0; i < eval->rank_count; i++) {
        ark_eval_deliver(eval, i, UINT32_MAX);
    }
    return is_over ? NULL : "a deadlock";
}
