// Times of steps. In: a step with its work, or with the amount that follows from its operands. Out:
// seconds by what takes them, for the low, the typical and the high case. A CPU's step takes what
// is longer of computing and memory (the roofline model of Williams, Waterman and Patterson).
// Neighbours: rates.c, amount.c; forecast.c runs the clock with it.
#include "cost/model.h"

#include "base/span.h"

static const char *const names[HOIST_BOUND_COUNT] = {
    [HOIST_BOUND_REQUEST] = "request",       [HOIST_BOUND_TRANSFER] = "transfer",
    [HOIST_BOUND_PARAMETERS] = "parameters", [HOIST_BOUND_COMPUTE] = "compute",
    [HOIST_BOUND_MEMORY] = "memory",         [HOIST_BOUND_NETWORK] = "network",
};

#define CPU HOIST_STR("cpu")

const char *hoist_bound_name(hoist_bound bound)
{
    return names[bound];
}

const hoist_rate *hoist_cost_rate(const hoist_cost_model *model, hoist_str device,
                                  hoist_rate_kind kind)
{
    const bool is_cpu = hoist_str_equal(device, CPU);
    return hoist_rate_find(device, is_cpu ? model->level : model->link, kind);
}

double hoist_bounds_seconds(const double *parts, bool at_once)
{
    double sum = 0;
    for (int i = 0; i < HOIST_BOUND_COUNT; i++) {
        sum = !at_once ? sum + parts[i] : parts[i] > sum ? parts[i] : sum;
    }
    return sum;
}

double hoist_cost_seconds(const hoist_cost *cost, hoist_case of)
{
    return hoist_bounds_seconds(cost->seconds[of], cost->at_once);
}

bool hoist_program_has_cores(const hoist_program *program)
{
    return program->work_count > 0 && program->works[0].has_cores;
}

// Adds amount / rate. Without a rate there is no time.
static void divide(hoist_cost *cost, const hoist_rate *rate, hoist_bound bound, double amount)
{
    if (amount > 0 && !rate) {
        cost->is_timed = false;
    }
    for (int i = 0; i < HOIST_CASE_COUNT && amount > 0 && rate; i++) {
        cost->is_bound = cost->is_bound || rate->value[i] <= 0;
        cost->seconds[i][bound] += rate->value[i] > 0 ? amount / rate->value[i] : 0;
    }
}

static void add_work(const hoist_cost_model *model, const hoist_prog_work *work, hoist_cost *cost)
{
    const hoist_rate *const trip = hoist_cost_rate(model, work->device, HOIST_RATE_REQUEST);
    for (int i = 0; i < HOIST_CASE_COUNT && work->requests && trip; i++) {
        cost->seconds[i][HOIST_BOUND_REQUEST] = (double)work->requests * trip->value[i];
    }
    cost->is_timed = !work->requests || trip;
    divide(
        cost,
        hoist_cost_rate(model, work->device, work->streamed ? HOIST_RATE_STREAM : HOIST_RATE_LINK),
        work->streamed ? HOIST_BOUND_PARAMETERS : HOIST_BOUND_TRANSFER, (double)work->bytes);
    divide(cost, hoist_cost_rate(model, work->device, HOIST_RATE_CLOCK), HOIST_BOUND_COMPUTE,
           (double)work->cycles);
    cost->device = work->device;
    cost->cycles = work->cycles;
    cost->amount.bytes = work->bytes;
    cost->resource = work->cycles                    ? HOIST_RESOURCE_CHIP
                     : work->bytes || work->requests ? HOIST_RESOURCE_LINK
                                                     : HOIST_RESOURCE_QUEUE;
}

// The roofline: a step takes as long as the slower of both.
static void add_roofline(const hoist_cost_model *model, hoist_cost *cost)
{
    const hoist_rate *const each = hoist_cost_rate(model, CPU, HOIST_RATE_OPERATIONS);
    const hoist_rate *const clock = hoist_cost_rate(model, CPU, HOIST_RATE_CLOCK);
    const hoist_rate *const memory = hoist_cost_rate(model, CPU, HOIST_RATE_MEMORY);
    cost->resource = HOIST_RESOURCE_CPU;
    cost->is_timed = (each && clock && memory) || (model->operations > 0 && model->memory > 0);
    for (int i = 0; i < HOIST_CASE_COUNT && cost->is_timed; i++) {
        const double peak = model->operations > 0 ? model->operations
                                                  : each->value[i] * clock->value[i] * model->cores;
        const double computing = (double)cost->amount.operations / peak;
        const double moving =
            (double)cost->amount.bytes / (model->memory > 0 ? model->memory : memory->value[i]);
        if (computing > moving) {
            cost->seconds[i][HOIST_BOUND_COMPUTE] = computing;
        } else {
            cost->seconds[i][HOIST_BOUND_MEMORY] = moving;
        }
    }
}

// Transfers of queues. A device with cores has memory on its chip, too: there only what is in
// slots of fifos passes through the memory that its row is about.
static void add_queue(const hoist_cost_model *model, const hoist_prog_step *step, hoist_cost *cost)
{
    const hoist_rate *const queue = hoist_cost_rate(model, cost->device, HOIST_RATE_QUEUE);
    const bool has_chip = hoist_cost_rate(model, cost->device, HOIST_RATE_CLOCK) != NULL;
    cost->is_timed = queue && step->kind != HOIST_STEP_COMPUTE;
    // A queue carries each byte once, which the step reads and writes.
    divide(cost, queue, HOIST_BOUND_TRANSFER,
           has_chip ? (double)cost->amount.slots : (double)cost->amount.bytes / 2);
}

// Work of cores: what they compute, receive, and read and write in the device's memory.
static void add_cores(const hoist_cost_model *model, const hoist_prog_work *work, hoist_cost *cost)
{
    const hoist_rate *const clock = hoist_cost_rate(model, work->device, HOIST_RATE_CLOCK);
    const uint64_t cycles[HOIST_CASE_COUNT] = {work->least_cycles, work->cycles, work->most_cycles};
    cost->device = work->device;
    cost->cycles = work->cycles;
    cost->is_timed = clock != NULL;
    for (int i = 0; i < HOIST_CASE_COUNT && clock; i++) {
        cost->seconds[i][HOIST_BOUND_COMPUTE] =
            (double)(cycles[i] ? cycles[i] : work->cycles) / clock->value[i];
    }
    const hoist_rate *const network = hoist_cost_rate(model, work->device, HOIST_RATE_NETWORK);
    if (network) {
        divide(cost, network, HOIST_BOUND_NETWORK, (double)work->core_bytes);
    }
    divide(cost, hoist_cost_rate(model, work->device, HOIST_RATE_QUEUE), HOIST_BOUND_TRANSFER,
           (double)cost->amount.slots);
}

hoist_cost hoist_cost_of(const hoist_cost_model *model, const hoist_program *program,
                         const hoist_prog_step *step, const hoist_amount *amount)
{
    hoist_cost cost = {.device = model->device,
                       .resource = HOIST_RESOURCE_QUEUE,
                       .at_once = hoist_program_has_cores(program)};
    const hoist_prog_work *const work = step->work ? &program->works[step->work - 1] : NULL;
    if (!hoist_cost_has_amount(program, step)) {
        add_work(model, work, &cost);
        return cost;
    }
    cost.amount = amount ? *amount : hoist_amount_of(program, step, NULL);
    if (work) {
        add_cores(model, work, &cost);
        return cost;
    }
    if (model->device.size == 0 || step->kind == HOIST_STEP_OPAQUE) {
        return cost;
    }
    if (hoist_str_equal(model->device, CPU)) {
        add_roofline(model, &cost);
    } else {
        add_queue(model, step, &cost);
    }
    return cost;
}
