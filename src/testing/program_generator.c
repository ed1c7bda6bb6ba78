#include "testing/program_generator.h"

#include <string.h>

#include "base/alloc.h"
#include "base/span.h"
#include "program/builder.h"

#define MAX_THREADS 4
#define MAX_UNITS 2
#define MAX_PROCESSES (MAX_THREADS + MAX_UNITS)
#define MAX_BUFFERS 8
#define MAX_FIFOS 2
#define MAX_CODES 24
#define MAX_STEPS 256
#define MAX_ACCESSES 512
#define BUFFER_BYTES 64

typedef struct code_plan {
    hoist_prog_step steps[MAX_STEPS];
    uint32_t count;
} code_plan;

// How far each process had come, as far as others know.
typedef struct clock_plan {
    uint32_t of[MAX_PROCESSES];
} clock_plan;

// Part of a root buffer.
typedef struct region {
    uint32_t buffer;
    uint32_t begin; // bytes
    uint32_t end;
} region;

typedef struct access_plan {
    region where;
    uint32_t process;
    uint32_t index;
    uint32_t call; // of a unit
    bool write;
} access_plan;

typedef struct fifo_plan {
    uint32_t slots;
    uint32_t producer;
    uint32_t consumer;
    uint32_t pushed;
    uint32_t popped;
    clock_plan pushes[MAX_STEPS];
    clock_plan pops[MAX_STEPS];
} fifo_plan;

typedef struct unit_plan {
    uint32_t owner; // thread that posts
    uint32_t depth;
    uint32_t calls;
    clock_plan takes[MAX_CODES];
    clock_plan ends[MAX_CODES];
} unit_plan;

typedef struct generator {
    hoist_builder *b;
    hoist_arena arena;
    uint64_t state;
    size_t leave_out;
    size_t waits;
    uint32_t threads;
    uint32_t units;
    uint32_t buffers;
    uint32_t fifo_count;
    uint32_t semaphores; // one per process, then those of joins
    uint32_t functions;
    hoist_ref layout[2];              // 16 and 8 float32
    uint32_t signals[MAX_PROCESSES];  // given on each process's own semaphore
    clock_plan clocks[MAX_PROCESSES]; // at the end of what each process does so far
    code_plan *threads_code;          // arena
    code_plan *functions_code;
    fifo_plan *fifos;
    unit_plan *unit_plans;
    access_plan accesses[MAX_ACCESSES];
    uint32_t access_count;
} generator;

// What an action does: reads `sources`, writes `destination`.
typedef struct action {
    region sources[2];
    uint32_t source_count;
    region destination;
    uint32_t call;           // of a unit
    code_plan *waits;        // where its waits go
    uint32_t process;        // whose code that is
    const clock_plan *extra; // what is known besides where the action is done; may be NULL
} action;

static uint32_t pick(generator *g, uint32_t count)
{
    g->state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t x = g->state;
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((x ^ (x >> 31)) % count);
}

static void join(clock_plan *into, const clock_plan *from)
{
    for (size_t i = 0; i < MAX_PROCESSES; i++) {
        into->of[i] = from->of[i] > into->of[i] ? from->of[i] : into->of[i];
    }
}

static void add_step(code_plan *code, hoist_prog_step step)
{
    if (code->count < MAX_STEPS) {
        code->steps[code->count++] = step;
    }
}

// A new event of `process`; its number.
static uint32_t tick(generator *g, uint32_t process)
{
    return ++g->clocks[process].of[process];
}

static hoist_prog_value number(int64_t value)
{
    return (hoist_prog_value){.reg = HOIST_NO_REF, .number = value};
}

// Waits -----------------------------------------------------------------------------------------

static void add_wait(generator *g, code_plan *code, hoist_prog_step step)
{
    g->waits++;
    if (g->waits != g->leave_out) {
        add_step(code, step);
    }
}

static hoist_prog_step wait_for(hoist_ref semaphore, uint32_t count)
{
    return (hoist_prog_step){
        .kind = HOIST_STEP_WAIT,
        .as.wait = {.semaphore = semaphore, .compare = HOIST_CMP_GE, .value = number(count)}};
}

static void add_signal(code_plan *code, hoist_ref semaphore)
{
    add_step(code, (hoist_prog_step){.kind = HOIST_STEP_SIGNAL,
                                     .as.signal = {.semaphore = semaphore, .value = number(1)}});
}

static bool overlap(region a, region b)
{
    return a.buffer == b.buffer && a.begin < b.end && b.begin < a.end;
}

// What the action needs: of each process the last access that conflicts and is not known to have
// been; 0: none.
typedef struct needs {
    uint32_t index[MAX_PROCESSES];
    uint32_t call[MAX_PROCESSES];
} needs;

static bool is_known(const generator *g, const action *a, const access_plan *old)
{
    return g->clocks[a->process].of[old->process] >= old->index ||
           (a->extra && a->extra->of[old->process] >= old->index);
}

static needs find_needs(const generator *g, const action *a)
{
    needs n = {.index = {0}};
    for (uint32_t i = 0; i < g->access_count; i++) {
        const access_plan *old = &g->accesses[i];
        bool conflict = overlap(old->where, a->destination);
        for (uint32_t k = 0; k < a->source_count; k++) {
            conflict = conflict || (old->write && overlap(old->where, a->sources[k]));
        }
        if (conflict && !is_known(g, a, old)) {
            n.index[old->process] = old->index;
            n.call[old->process] = old->call;
        }
    }
    return n;
}

// What a signal of `process` implies: all that it did (a unit: up to the call in need).
static const clock_plan *told_by(const generator *g, const needs *n, uint32_t process)
{
    return process < g->threads ? &g->clocks[process]
                                : &g->unit_plans[process - g->threads].ends[n->call[process]];
}

// Whether signals of the processes in `kept` imply all that is needed.
static bool suffices(const generator *g, const needs *n, const bool *kept)
{
    for (uint32_t c = 0; c < MAX_PROCESSES; c++) {
        bool told = n->index[c] == 0 || kept[c];
        for (uint32_t d = 0; d < MAX_PROCESSES && !told; d++) {
            told = kept[d] && told_by(g, n, d)->of[c] >= n->index[c];
        }
        if (!told) {
            return false;
        }
    }
    return true;
}

// Drops what other signals imply anyway, until each that is left is necessary.
static void drop_needless(const generator *g, needs *n)
{
    bool kept[MAX_PROCESSES];
    for (uint32_t c = 0; c < MAX_PROCESSES; c++) {
        kept[c] = n->index[c] > 0;
    }
    for (uint32_t c = 0; c < MAX_PROCESSES; c++) {
        const bool was = kept[c];
        kept[c] = false;
        kept[c] = was && !suffices(g, n, kept);
    }
    for (uint32_t c = 0; c < MAX_PROCESSES; c++) {
        n->index[c] = kept[c] ? n->index[c] : 0;
    }
}

// Threads signal a semaphore of their own kind of meeting; one wait takes them all.
static void wait_for_all(generator *g, const action *a, const needs *n)
{
    const hoist_ref semaphore = g->semaphores++;
    (void)hoist_builder_semaphore(
        g->b, &(hoist_prog_semaphore){.name = hoist_arena_format(&g->arena, "join%u", semaphore)});
    uint32_t count = 0;
    for (uint32_t p = 0; p < g->threads; p++) {
        if (n->index[p] > 0) {
            (void)tick(g, p);
            add_signal(&g->threads_code[p], semaphore);
            join(&g->clocks[a->process], &g->clocks[p]);
            count++;
        }
    }
    add_wait(g, a->waits, wait_for(semaphore, count));
}

// `only`: nothing else is waited for. A drain implies more than is asked and could make other waits
// needless.
static void wait_for_one(generator *g, const action *a, const needs *n, uint32_t p, bool only)
{
    if (p < g->threads) {
        (void)tick(g, p);
        add_signal(&g->threads_code[p], p);
        join(&g->clocks[a->process], &g->clocks[p]);
        add_wait(g, a->waits, wait_for(p, ++g->signals[p]));
        return;
    }
    const unit_plan *unit = &g->unit_plans[p - g->threads];
    if (only && a->process == unit->owner && pick(g, 3) == 0) {
        join(&g->clocks[a->process], &unit->ends[unit->calls - 1]);
        add_wait(g, a->waits,
                 (hoist_prog_step){.kind = HOIST_STEP_DRAIN, .as.call.unit = p - g->threads});
        return;
    }
    join(&g->clocks[a->process], &unit->ends[n->call[p]]);
    add_wait(g, a->waits, wait_for(p, n->call[p] + 1));
}

static void order(generator *g, const action *a)
{
    needs n = find_needs(g, a);
    drop_needless(g, &n);
    uint32_t threads = 0;
    uint32_t all = 0;
    for (uint32_t p = 0; p < MAX_PROCESSES; p++) {
        all += n.index[p] > 0;
        threads += p < g->threads && n.index[p] > 0;
    }
    const bool together = threads > 1 && pick(g, 2) == 0;
    if (together) {
        wait_for_all(g, a, &n);
    }
    for (uint32_t p = together ? g->threads : 0; p < MAX_PROCESSES; p++) {
        if (n.index[p] > 0) {
            wait_for_one(g, a, &n, p, all == 1);
        }
    }
    (void)tick(g, a->process);
}

static void note_access(generator *g, region where, uint32_t process, uint32_t call, bool write)
{
    if (g->access_count < MAX_ACCESSES) {
        g->accesses[g->access_count++] =
            (access_plan){where, process, g->clocks[process].of[process], call, write};
    }
}

static void note(generator *g, const action *a, uint32_t process)
{
    (void)tick(g, process);
    for (uint32_t i = 0; i < a->source_count; i++) {
        note_access(g, a->sources[i], process, a->call, false);
    }
    note_access(g, a->destination, process, a->call, true);
}

// Data ------------------------------------------------------------------------------------------

static hoist_ref view_of(generator *g, region r)
{
    // Windows are buffers after the roots: the upper half of each.
    const bool window = r.begin > 0 && pick(g, 2) == 0;
    return hoist_builder_view(
        g->b, &(hoist_prog_view){.base = HOIST_VIEW_BUFFER,
                                 .of = window ? g->buffers + r.buffer : r.buffer,
                                 .dtype = HOIST_DTYPE_F32,
                                 .layout = g->layout[r.end - r.begin < BUFFER_BYTES],
                                 .offset = window ? 0 : r.begin,
                                 .reg = HOIST_NO_REF});
}

static hoist_prog_step move_step(generator *g, hoist_ref destination, hoist_ref source)
{
    hoist_move_source *from = hoist_arena_alloc(&g->arena, sizeof *from);
    hoist_prog_move *move = hoist_arena_alloc(&g->arena, sizeof *move);
    if (from && move) {
        from->view = source;
        *move = (hoist_prog_move){.destination = destination, .sources = from, .source_count = 1};
    }
    return (hoist_prog_step){.kind = HOIST_STEP_MOVE, .label = HOIST_STR("m"), .as.move = move};
}

static hoist_prog_step compute_step(generator *g, const action *a)
{
    static const hoist_compute_op ops[] = {HOIST_IEEE_ADD, HOIST_IEEE_SUBTRACT, HOIST_IEEE_MAXIMUM};
    hoist_ref *views = hoist_arena_array(&g->arena, 3, sizeof *views);
    hoist_prog_compute *compute = hoist_arena_alloc(&g->arena, sizeof *compute);
    if (views && compute) {
        views[0] = view_of(g, a->sources[0]);
        views[1] = view_of(g, a->sources[1]);
        views[2] = view_of(g, a->destination);
        *compute = (hoist_prog_compute){.op = ops[pick(g, 3)],
                                        .inputs = views,
                                        .input_count = 2,
                                        .outputs = views + 2,
                                        .output_count = 1};
    }
    return (hoist_prog_step){
        .kind = HOIST_STEP_COMPUTE, .label = HOIST_STR("c"), .as.compute = compute};
}

// Function 0 copies its second parameter to its first.
static hoist_prog_step call_step(generator *g, hoist_ref destination, hoist_ref source)
{
    hoist_prog_argument *arguments = hoist_arena_array(&g->arena, 2, sizeof *arguments);
    if (arguments) {
        arguments[0] = (hoist_prog_argument){.is_view = true, .view = destination};
        arguments[1] = (hoist_prog_argument){.is_view = true, .view = source};
    }
    return (hoist_prog_step){
        .kind = HOIST_STEP_CALL,
        .as.call.target = {.function = 0, .arguments = arguments, .argument_count = 2}};
}

static region pick_region(generator *g, bool half)
{
    const uint32_t size = half ? BUFFER_BYTES / 2 : BUFFER_BYTES;
    const uint32_t begin = half ? size * pick(g, 2) : 0;
    return (region){pick(g, g->buffers), begin, begin + size};
}

static void pick_data(generator *g, action *a)
{
    const bool half = pick(g, 3) == 0;
    a->source_count = 1 + pick(g, 2);
    a->sources[0] = pick_region(g, half);
    a->sources[1] = pick_region(g, half);
    a->destination = pick_region(g, half);
}

static bool is_plain_copy(const action *a)
{
    return a->source_count == 1 && a->sources[0].end - a->sources[0].begin == BUFFER_BYTES;
}

static void add_data(generator *g, code_plan *code, const action *a)
{
    const bool loop = pick(g, 4) == 0;
    if (loop) {
        add_step(code, (hoist_prog_step){.kind = HOIST_STEP_LOOP,
                                         .as.loop.count = number(1 + (int64_t)pick(g, 3))});
    }
    if (a->source_count == 2) {
        add_step(code, compute_step(g, a));
    } else {
        const hoist_ref destination = view_of(g, a->destination);
        const hoist_ref source = view_of(g, a->sources[0]);
        const bool call = is_plain_copy(a) && pick(g, 3) == 0;
        add_step(code,
                 call ? call_step(g, destination, source) : move_step(g, destination, source));
    }
    if (loop) {
        add_step(code, (hoist_prog_step){.kind = HOIST_STEP_END});
    }
}

// Actions ---------------------------------------------------------------------------------------

static void act_on_thread(generator *g)
{
    const uint32_t thread = pick(g, g->threads);
    action a = {.waits = &g->threads_code[thread], .process = thread};
    pick_data(g, &a);
    order(g, &a);
    note(g, &a, thread);
    add_data(g, &g->threads_code[thread], &a);
}

static void add_post(generator *g, uint32_t unit, hoist_ref function)
{
    hoist_prog_signal *signal = hoist_arena_alloc(&g->arena, sizeof *signal);
    if (signal) {
        *signal = (hoist_prog_signal){.semaphore = g->threads + unit, .value = number(1)};
    }
    add_step(&g->threads_code[g->unit_plans[unit].owner],
             (hoist_prog_step){.kind = HOIST_STEP_POST,
                               .as.call = {.unit = unit,
                                           .target = {.function = function},
                                           .signals = signal,
                                           .signal_count = 1}});
}

// A call of one or two data steps. Its waits are before the post, or in the function.
static void act_on_unit(generator *g)
{
    const uint32_t number_of = pick(g, g->units);
    unit_plan *unit = &g->unit_plans[number_of];
    const uint32_t process = g->threads + number_of;
    const hoist_ref function = g->functions++;
    code_plan *code = &g->functions_code[function];
    const bool inside = pick(g, 2) == 0;
    // Two sets of waits before the post could make each other needless.
    const uint32_t count = inside ? 1 + pick(g, 2) : 1;
    action actions[2];
    for (uint32_t i = 0; i < count; i++) {
        action *a = &actions[i];
        *a = (action){.call = unit->calls,
                      .waits = inside ? code : &g->threads_code[unit->owner],
                      .process = inside ? process : unit->owner,
                      .extra = inside ? NULL : &g->clocks[process]};
        pick_data(g, a);
        if (!inside) {
            order(g, a);
        }
    }
    (void)tick(g, unit->owner);
    add_post(g, number_of, function);
    join(&g->clocks[process], &g->clocks[unit->owner]);
    unit->takes[unit->calls] = g->clocks[process];
    if (unit->calls >= unit->depth) { // the post waited for space in the queue
        join(&g->clocks[unit->owner], &unit->takes[unit->calls - unit->depth]);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (inside) {
            order(g, &actions[i]);
        }
        note(g, &actions[i], process);
        add_data(g, code, &actions[i]);
    }
    unit->ends[unit->calls++] = g->clocks[process];
}

static hoist_ref slot_view(generator *g, hoist_view_base base, uint32_t fifo)
{
    return hoist_builder_view(g->b, &(hoist_prog_view){.base = base,
                                                       .of = fifo,
                                                       .dtype = HOIST_DTYPE_F32,
                                                       .layout = g->layout[0],
                                                       .reg = HOIST_NO_REF});
}

static void add_fifo_step(code_plan *code, hoist_step_kind kind, uint32_t fifo)
{
    add_step(code, (hoist_prog_step){.kind = kind, .as.fifo = {.fifo = fifo, .value = number(1)}});
}

static void produce(generator *g, uint32_t fifo)
{
    fifo_plan *f = &g->fifos[fifo];
    code_plan *code = &g->threads_code[f->producer];
    action a = {.waits = code, .process = f->producer};
    a.source_count = 1;
    a.sources[0] = pick_region(g, false);
    a.destination = (region){HOIST_NO_REF, 0, 0};
    // Before the other waits: what the pop implies, they need not.
    add_fifo_step(code, HOIST_STEP_RESERVE, fifo);
    if (f->pushed >= f->slots) {
        join(&g->clocks[f->producer], &f->pops[f->pushed - f->slots]);
    }
    order(g, &a);
    note(g, &a, f->producer);
    add_step(code,
             move_step(g, slot_view(g, HOIST_VIEW_WRITE_SLOT, fifo), view_of(g, a.sources[0])));
    add_fifo_step(code, HOIST_STEP_PUSH, fifo);
    f->pushes[f->pushed++] = g->clocks[f->producer];
}

static void consume(generator *g, uint32_t fifo)
{
    fifo_plan *f = &g->fifos[fifo];
    code_plan *code = &g->threads_code[f->consumer];
    action a = {.waits = code, .process = f->consumer};
    a.destination = pick_region(g, false);
    // Before the other waits: what the push implies, they need not.
    add_fifo_step(code, HOIST_STEP_AWAIT, fifo);
    join(&g->clocks[f->consumer], &f->pushes[f->popped]);
    order(g, &a);
    note(g, &a, f->consumer);
    add_step(code,
             move_step(g, view_of(g, a.destination), slot_view(g, HOIST_VIEW_READ_SLOT, fifo)));
    add_fifo_step(code, HOIST_STEP_ADVANCE, fifo);
    add_fifo_step(code, HOIST_STEP_POP, fifo);
    f->pops[f->popped++] = g->clocks[f->consumer];
}

static void act(generator *g)
{
    const uint32_t fifo = g->fifo_count > 0 ? pick(g, g->fifo_count) : 0;
    switch (pick(g, 6)) {
    case 0:
    case 1:
        if (g->units > 0 && g->functions < MAX_CODES) {
            act_on_unit(g);
            return;
        }
        break;
    case 2:
        if (g->fifo_count > 0) {
            const uint32_t there = g->fifos[fifo].pushed - g->fifos[fifo].popped;
            if (there == 0 || (there < g->fifos[fifo].slots && pick(g, 2) == 0)) {
                produce(g, fifo);
            } else {
                consume(g, fifo);
            }
            return;
        }
        break;
    default:
        break;
    }
    act_on_thread(g);
}

// Rows ------------------------------------------------------------------------------------------

static void add_buffers(generator *g, hoist_ref space)
{
    for (uint32_t i = 0; i < 2 * g->buffers; i++) {
        float values[BUFFER_BYTES / 4];
        for (size_t k = 0; k < HOIST_COUNT_OF(values); k++) {
            values[k] = (float)(int)pick(g, 2000) / 16;
        }
        const bool root = i < g->buffers;
        (void)hoist_builder_buffer(
            g->b, &(hoist_prog_buffer){
                      .name = hoist_arena_format(&g->arena, root ? "b%u" : "w%u", i % g->buffers),
                      .space = space,
                      .size = root ? BUFFER_BYTES : BUFFER_BYTES / 2,
                      .alignment = 4,
                      .window_of = root ? HOIST_NO_REF : i - g->buffers,
                      .window_offset = root ? 0 : BUFFER_BYTES / 2,
                      .contents = root ? HOIST_CONTENTS_BYTES : HOIST_CONTENTS_UNDEFINED,
                      .bytes = {(const uint8_t *)values, root ? sizeof values : 0},
                      .lifetime = HOIST_LIFETIME_SESSION,
                      .output = root});
    }
}

static void add_layouts(generator *g)
{
    for (int i = 0; i < 2; i++) {
        hoist_prog_layout layout = {.kind = HOIST_LAYOUT_STRIDED, .stride = {4}};
        layout.shape = (hoist_shape){.rank = 1, .dim = {BUFFER_BYTES / 4 / (i + 1)}};
        g->layout[i] = hoist_builder_layout(g->b, &layout);
    }
}

static void add_fifos(generator *g, hoist_ref space)
{
    for (uint32_t i = 0; i < g->fifo_count; i++) {
        fifo_plan *f = &g->fifos[i];
        f->slots = 1 + pick(g, 3);
        f->producer = pick(g, g->threads);
        f->consumer = (f->producer + 1 + pick(g, g->threads - 1)) % g->threads;
        const hoist_ref part = hoist_builder_buffer(
            g->b, &(hoist_prog_buffer){.name = hoist_arena_format(&g->arena, "ring%u", i),
                                       .space = space,
                                       .size = (uint64_t)f->slots * BUFFER_BYTES,
                                       .alignment = 4,
                                       .window_of = HOIST_NO_REF,
                                       .lifetime = HOIST_LIFETIME_SESSION});
        (void)hoist_builder_fifo(g->b,
                                 &(hoist_prog_fifo){.name = hoist_arena_format(&g->arena, "f%u", i),
                                                    .slots = f->slots,
                                                    .parts = &part,
                                                    .part_count = 1,
                                                    .slot_bytes = BUFFER_BYTES,
                                                    .layout = g->layout[0],
                                                    .dtype = HOIST_DTYPE_F32});
    }
}

static void add_rows(generator *g)
{
    const hoist_ref space =
        hoist_builder_space(g->b, &(hoist_prog_space){.name = HOIST_STR("memory"), .alignment = 1});
    add_layouts(g);
    add_buffers(g, space);
    add_fifos(g, space);
    for (uint32_t i = 0; i < g->threads + g->units; i++) {
        (void)hoist_builder_semaphore(
            g->b, &(hoist_prog_semaphore){.name = hoist_arena_format(&g->arena, "s%u", i)});
    }
    for (uint32_t i = 0; i < g->units; i++) {
        g->unit_plans[i].owner = pick(g, g->threads);
        g->unit_plans[i].depth = 1 + pick(g, 3);
        (void)hoist_builder_unit(g->b,
                                 &(hoist_prog_unit){.name = hoist_arena_format(&g->arena, "u%u", i),
                                                    .depth = g->unit_plans[i].depth});
    }
}

static void emit(generator *g, const code_plan *code)
{
    for (uint32_t i = 0; i < code->count; i++) {
        (void)hoist_builder_step(g->b, &code->steps[i]);
    }
    hoist_builder_end_code(g->b);
}

// The function that copies.
static void emit_copy(generator *g)
{
    const hoist_prog_parameter parameters[] = {{.name = HOIST_STR("to"),
                                                .is_view = true,
                                                .dtype = HOIST_DTYPE_F32,
                                                .layout = g->layout[0],
                                                .written = true},
                                               {.name = HOIST_STR("from"),
                                                .is_view = true,
                                                .dtype = HOIST_DTYPE_F32,
                                                .layout = g->layout[0]}};
    hoist_ref views[2];
    for (hoist_ref i = 0; i < 2; i++) {
        views[i] = hoist_builder_view(g->b, &(hoist_prog_view){.base = HOIST_VIEW_PARAMETER,
                                                               .of = i,
                                                               .dtype = HOIST_DTYPE_F32,
                                                               .layout = g->layout[0],
                                                               .reg = HOIST_NO_REF});
    }
    (void)hoist_builder_begin_function(g->b, &(hoist_prog_function){.name = HOIST_STR("copy"),
                                                                    .parameters = parameters,
                                                                    .parameter_count = 2});
    const hoist_prog_step step = move_step(g, views[0], views[1]);
    if (step.as.move) {
        (void)hoist_builder_step(g->b, &step);
    }
    hoist_builder_end_code(g->b);
}

static void emit_all(generator *g)
{
    emit_copy(g);
    for (uint32_t i = 1; i < g->functions; i++) {
        (void)hoist_builder_begin_function(
            g->b, &(hoist_prog_function){.name = hoist_arena_format(&g->arena, "call%u", i)});
        emit(g, &g->functions_code[i]);
    }
    hoist_ref threads[MAX_THREADS];
    for (uint32_t i = 0; i < g->threads; i++) {
        threads[i] = hoist_builder_begin_thread(
            g->b, &(hoist_prog_thread){.name = hoist_arena_format(&g->arena, "t%u", i)});
        emit(g, &g->threads_code[i]);
    }
    (void)hoist_builder_entry(g->b, &(hoist_prog_entry){.name = HOIST_STR("main"),
                                                        .threads = threads,
                                                        .thread_count = g->threads});
}

static bool plan(generator *g)
{
    g->threads_code = hoist_arena_array(&g->arena, MAX_THREADS, sizeof *g->threads_code);
    g->functions_code = hoist_arena_array(&g->arena, MAX_CODES, sizeof *g->functions_code);
    g->fifos = hoist_arena_array(&g->arena, MAX_FIFOS, sizeof *g->fifos);
    g->unit_plans = hoist_arena_array(&g->arena, MAX_UNITS, sizeof *g->unit_plans);
    if (!g->threads_code || !g->functions_code || !g->fifos || !g->unit_plans) {
        return false;
    }
    g->functions = 1;
    g->threads = 2 + pick(g, MAX_THREADS - 1);
    g->units = pick(g, MAX_UNITS + 1);
    g->buffers = 2 + pick(g, MAX_BUFFERS - 1);
    g->fifo_count = pick(g, MAX_FIFOS + 1);
    g->semaphores = g->threads + g->units;
    add_rows(g);
    for (uint32_t left = 6 + pick(g, 15); left > 0; left--) {
        act(g);
    }
    emit_all(g);
    return true;
}

hoist_status hoist_program_generate(hoist_allocator alloc, const hoist_program_options *options,
                                    hoist_generated *out_generated)
{
    *out_generated = (hoist_generated){.program = NULL};
    generator *g = hoist_alloc_zero(alloc, 1, sizeof *g);
    if (!g) {
        return HOIST_NO_MEMORY;
    }
    g->state = options->seed;
    g->leave_out = options->leave_out;
    hoist_arena_init(&g->arena, alloc);
    hoist_status status = hoist_builder_create(alloc, HOIST_STR("generated"), &g->b);
    if (status == HOIST_OK) {
        if (plan(g)) {
            status = hoist_builder_finish(g->b, &out_generated->program);
        } else {
            hoist_builder_destroy(g->b);
            status = HOIST_NO_MEMORY;
        }
    }
    out_generated->waits = g->waits;
    hoist_arena_deinit(&g->arena);
    hoist_free(alloc, g, sizeof *g);
    return status;
}
