// The loop nests of a tensor operation (darwinn reference section 16.1). In: the 17 words of an
// operation; out: strides and counts of its traversals, and the products that have to agree. Counts
// come from the file, so products saturate.
#include "formats/darwinn/stream_tensor.h"

#include "base/assert.h"
#include "base/checked.h"

// clang-format off
// The fields of each traversal, so that code may walk them by id. D has no base that is known.
const dwn_traversal_row dwn_traversals[DWN_TRAVERSAL_COUNT] = {
    [DWN_TRAVERSAL_A] = {"a", "input", DWN_TENSOR_A_BASE,
                         DWN_TENSOR_A_INCREMENT, DWN_TENSOR_A_COUNT, DWN_TENSOR_A_FLAGS},
    [DWN_TRAVERSAL_B] = {"b", "output", DWN_TENSOR_B_BASE,
                         DWN_TENSOR_B_INCREMENT, DWN_TENSOR_B_COUNT, DWN_TENSOR_B_FLAGS},
    [DWN_TRAVERSAL_C] = {"c", "parameters", DWN_TENSOR_C_BASE,
                         DWN_TENSOR_C_INCREMENT, DWN_TENSOR_C_COUNT, DWN_TENSOR_C_FLAGS},
    [DWN_TRAVERSAL_D] = {"d", "second operand or partial sums", DWN_TENSOR_FIELDS,
                         DWN_TENSOR_D_INCREMENT, DWN_TENSOR_D_COUNT, DWN_TENSOR_D_FLAGS},
};
// clang-format on

// Values of fields that tell operations apart (section 16.3); infinity is that of float32.
enum {
    MODE_AVERAGE_POOL = 0x1870,
    FLOAT_INFINITY = 0x7f800000,
};

// Value of the `index`-th field of row `row` of the tensor family.
static int64_t value_of(hoist_bytes instruction, size_t row, size_t index)
{
    return dwn_field_value(&dwn_tensor_rows[row], instruction, index);
}

// The increment rule of section 16.1, from the inside out, in unsigned arithmetic, which may wrap.
void dwn_loops_set_strides(dwn_loop *loops, size_t count)
{
    uint64_t wrapped = 0; // the sum over the loops inside
    for (size_t k = 0; k < count; k++) {
        const uint64_t stride = (uint64_t)(int64_t)loops[k].increment + wrapped;
        loops[k].stride = (int64_t)stride;
        wrapped += (uint64_t)(loops[k].count - 1) * stride;
    }
}

dwn_traversal dwn_traversal_of(hoist_bytes instruction, dwn_traversal_id id)
{
    HOIST_ASSERT(id < DWN_TRAVERSAL_COUNT);
    const dwn_traversal_row *row = &dwn_traversals[id];
    dwn_traversal traversal = {0};
    if (row->base != DWN_TENSOR_FIELDS) {
        traversal.base = (int32_t)value_of(instruction, row->base, 0);
    }
    for (size_t k = 0; k < DWN_LOOPS; k++) {
        dwn_loop *loop = &traversal.loops[k];
        loop->count = (uint32_t)value_of(instruction, row->count, k);
        loop->increment = (int32_t)value_of(instruction, row->increment, k);
        loop->flags = k < DWN_FLAG_LOOPS ? (uint8_t)value_of(instruction, row->flags, k) : 0;
    }
    dwn_loops_set_strides(traversal.loops, DWN_LOOPS);
    return traversal;
}

// Also a loop with a count of 1 is used where its stride is not 0: dropping it would hide bits.
size_t dwn_traversal_used(const dwn_traversal *traversal)
{
    size_t used = DWN_LOOPS;
    while (used > 0) {
        const dwn_loop *loop = &traversal->loops[used - 1];
        if (loop->count != 1 || loop->stride != 0 || loop->flags != 0) {
            break;
        }
        used--;
    }
    return used;
}

size_t dwn_master_used(hoist_bytes instruction)
{
    size_t used = DWN_MASTER_LOOPS;
    while (used > 0 && value_of(instruction, DWN_TENSOR_MASTER, used - 1) == 1) {
        used--;
    }
    return used;
}

uint64_t dwn_master_product(hoist_bytes instruction, uint32_t loops)
{
    uint64_t product = 1;
    for (size_t k = 0; k < DWN_MASTER_LOOPS; k++) {
        if (loops >> k & 1) {
            product = dwn_times(product, (uint64_t)value_of(instruction, DWN_TENSOR_MASTER, k));
        }
    }
    return product;
}

// Every count is 1 or more, so the product is, too.
uint64_t dwn_traversal_product(hoist_bytes instruction, dwn_traversal_id id)
{
    HOIST_ASSERT(id < DWN_TRAVERSAL_COUNT);
    uint64_t product = 1;
    for (size_t k = 0; k < DWN_LOOPS; k++) {
        const int64_t count = value_of(instruction, dwn_traversals[id].count, k);
        product = dwn_times(product, (uint64_t)count);
    }
    return product;
}

uint64_t dwn_traversal_expected(hoist_bytes instruction, dwn_traversal_id id)
{
    if (id != DWN_TRAVERSAL_B) {
        return dwn_master_product(instruction, DWN_MASTER_ALL);
    }
    const uint32_t mask = (uint32_t)value_of(instruction, DWN_TENSOR_REDUCTION, 0);
    const int64_t rows = value_of(instruction, DWN_TENSOR_FULL_ROWS, 0);
    // Rows are stored in words of 4.
    return dwn_times(dwn_master_product(instruction, ~mask), (uint64_t)(rows + 3) / 4);
}

bool dwn_traversal_is_bound(hoist_bytes instruction, uint8_t opcode, dwn_traversal_id id)
{
    if (opcode != DWN_OP_TENSOR) {
        return false;
    }
    const int64_t mode = value_of(instruction, DWN_TENSOR_MODE, 0);
    if (mode & DWN_MODE_PARAMETERS) {
        return true;
    }
    // Data movement clamps to infinity, that is, not at all.
    const bool moves_data = value_of(instruction, DWN_TENSOR_HIGH, 0) == FLOAT_INFINITY;
    return id != DWN_TRAVERSAL_B && (moves_data || mode == MODE_AVERAGE_POOL);
}

// A walk without gaps: each loop that moves goes on where the loops inside have ended, so its
// stride is what they have walked. Loops that stand still repeat what is inside them.
size_t dwn_traversal_jumps(hoist_bytes instruction, dwn_traversal_id id)
{
    if ((id != DWN_TRAVERSAL_C && id != DWN_TRAVERSAL_D) ||
        !(value_of(instruction, DWN_TENSOR_MODE, 0) & DWN_MODE_PARAMETERS)) {
        return DWN_LOOPS;
    }
    const dwn_traversal traversal = dwn_traversal_of(instruction, id);
    uint64_t walked = 1;
    for (size_t k = 0; k < DWN_LOOPS; k++) {
        const dwn_loop *loop = &traversal.loops[k];
        if (loop->count == 1 || loop->stride == 0) {
            continue;
        }
        if (loop->stride < 0 || (uint64_t)loop->stride != walked) {
            return k;
        }
        walked = dwn_times(walked, loop->count);
    }
    return DWN_LOOPS;
}
