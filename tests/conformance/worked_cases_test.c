// The worked cases of buda-netlist reference section 10, run: netlists are lowered, their programs
// stepped by the machine, data moved and computed by the kernels, and after every instruction
// variables, pointers and slots compared with the reference's table. worked_cases.txt has the
// cases and one for section 2.8: name, netlist, and the rows of the table, or "refused" where
// `check` refuses the file.
//
// Pointers of queues are compared modulo 2E. Rows that end in an error only have to stop there.
// Both queue policies are run; where golden lets more pass than devices do, the strict one stops.
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/buda/module.h"
#include "kernels/move.h"
#include "lower/buda/lower.h"
#include "machine/state_testing.h"
#include "program/verify.h"
#include "testing/test.h"

enum { MAX_CELLS = 8, MAX_TILES = 8 };

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

// Running --------------------------------------------------------------------------------------

typedef struct runner {
    hoist_test *t;
    const char *netlist;
    bool strict;
    hoist_program *program;
    hoist_machine *machine;
    float **stores; // per buffer; arena
    hoist_ref entry;
    uint32_t pc;      // of the entry's thread
    int64_t turns[8]; // of the loops that are open
    size_t depth;
    bool stopped; // nothing moves, or a fault
} runner;

static hoist_ref root_of(const hoist_program *p, hoist_ref buffer)
{
    while (p->buffers[buffer].window_of != HOIST_NO_REF) {
        buffer = p->buffers[buffer].window_of;
    }
    return buffer;
}

// Tiles of an entry.
static size_t entry_tiles(const hoist_program *p, hoist_ref layout)
{
    hoist_tiling_size size;
    return hoist_tiling_measure(&p->layouts[layout].tiling, &size) == HOIST_OK
               ? size.buffer_tiles * size.buffers
               : 0;
}

static void make_stores(runner *r)
{
    const hoist_program *p = r->program;
    r->stores = hoist_arena_array(&r->t->arena, p->buffer_count, sizeof *r->stores);
    for (uint32_t i = 0; i < p->buffer_count; i++) {
        const size_t floats = p->buffers[i].size / sizeof(float) + HOIST_TILE_FLOATS;
        // Aligned to 64, as kernels want it.
        uint8_t *raw = hoist_arena_alloc(&r->t->arena, floats * sizeof(float) + 64);
        r->stores[i] = (float *)(void *)(raw + 64 - (uintptr_t)raw % 64);
        for (size_t k = 0; p->buffers[i].contents == HOIST_CONTENTS_PATTERN && k < floats; k++) {
            memcpy(&r->stores[i][k], p->buffers[i].bytes.data, sizeof(float));
        }
    }
}

static float *slot_memory(const runner *r, hoist_ref fifo, uint32_t slot)
{
    const hoist_prog_fifo *f = &r->program->fifos[fifo];
    return r->stores[root_of(r->program, f->parts[0])] +
           slot * entry_tiles(r->program, f->layout) * HOIST_TILE_FLOATS;
}

// The tiles of a view; the cases have grids of one buffer, whose tiles stand in logical order.
static hoist_tiles tiles_of(const runner *r, size_t process, hoist_ref view)
{
    const hoist_place place = hoist_machine_resolve(r->machine, process, view);
    const hoist_tiling *tiling = &r->program->layouts[place.layout].tiling;
    return (hoist_tiles){.base = place.buffer != HOIST_NO_REF
                                     ? r->stores[root_of(r->program, place.buffer)]
                                     : slot_memory(r, place.fifo, place.slot),
                         .shape = {tiling->t, (uint64_t)tiling->mblock_m * tiling->ublock_rt,
                                   (uint64_t)tiling->mblock_n * tiling->ublock_ct}};
}

static void do_move(const runner *r, size_t process, const hoist_prog_move *move)
{
    const hoist_tiles source = tiles_of(r, process, move->sources[0].view);
    const hoist_tile_move job = {.destination = tiles_of(r, process, move->destination),
                                 .sources = &source,
                                 .source_count = 1,
                                 .table = move->table,
                                 .fill = move->fill};
    const hoist_tile_shape *shape = &job.destination.shape;
    hoist_move_tiles(&job, 0, shape->z * shape->rows * shape->cols);
}

static void do_compute(const runner *r, size_t process, const hoist_prog_compute *compute)
{
    hoist_compute_call call = {.op = compute->op,
                               .attrs = compute->attrs,
                               .input_count = compute->input_count,
                               .output = tiles_of(r, process, compute->outputs[0])};
    for (uint32_t i = 0; i < compute->input_count; i++) {
        call.inputs[i] = tiles_of(r, process, compute->inputs[i]);
    }
    hoist_compute_fault fault;
    const hoist_compute_kernels *kernels = hoist_compute_kernels_at(HOIST_CPU_BASELINE);
    HOIST_EXPECT_EQ(r->t, hoist_compute_run(kernels, &call, 0, hoist_compute_work(&call), &fault),
                    HOIST_OK);
}

static void do_zero(const runner *r, hoist_ref fifo)
{
    const hoist_prog_fifo *f = &r->program->fifos[fifo];
    const size_t floats = entry_tiles(r->program, f->layout) * HOIST_TILE_FLOATS;
    for (uint32_t slot = 0; slot < f->slots; slot++) {
        if (hoist_machine_slot_written(r->machine, fifo, slot)) {
            memset(slot_memory(r, fifo, slot), 0, floats * sizeof(float));
        }
    }
}

static void do_data(const runner *r, size_t process, const hoist_prog_step *step)
{
    if (step->kind == HOIST_STEP_MOVE) {
        do_move(r, process, step->as.move);
    } else if (step->kind == HOIST_STEP_COMPUTE) {
        do_compute(r, process, step->as.compute);
    } else {
        do_zero(r, step->as.fifo.fifo);
    }
    hoist_machine_finish(r->machine, process);
}

// Lets the units do what they were posted. False when one cannot go on.
static bool settle(runner *r)
{
    bool moved = true;
    bool waits = false;
    while (moved) {
        moved = false;
        waits = false;
        for (size_t i = 1; i < hoist_machine_process_count(r->machine); i++) {
            const hoist_machine_event event = hoist_machine_step(r->machine, i);
            moved |= event.kind == HOIST_EVENT_STEPPED || event.kind == HOIST_EVENT_DATA;
            waits |= event.kind == HOIST_EVENT_BLOCKED;
            if (event.kind == HOIST_EVENT_DATA) {
                do_data(r, i, event.step);
            } else if (event.kind == HOIST_EVENT_FAULT) {
                return false;
            }
        }
    }
    return !waits;
}

// Instructions ---------------------------------------------------------------------------------

static const hoist_prog_code *code_of(const runner *r)
{
    return &r->program->threads[r->program->entries[r->entry].threads[0]].code;
}

// The line of the netlist that the thread's next step came from; 0 at the end.
static uint32_t next_line(const runner *r)
{
    const hoist_prog_code *code = code_of(r);
    return r->pc < code->step_count ? code->steps[r->pc].loc.pos.line : 0;
}

static const char *line_text(const runner *r, uint32_t line)
{
    const char *at = r->netlist;
    for (uint32_t i = 1; i < line; i++) {
        at = strchr(at, '\n') + 1;
    }
    return at;
}

// True when the netlist's line `line` is the instruction that a row names: "execute g" is there as
// "graph_name: g", "varinst $g incwrap 2 8" as "varinst: [$g, ", "loop 2" as "loop: ".
static bool is_instruction(const runner *r, uint32_t line, const char *row)
{
    const char *text = line_text(r, line);
    char wanted[64];
    const int kind = (int)strcspn(row, " ");
    const char *operand = row + kind + strspn(row + kind, " ");
    const int size = (int)strcspn(operand, " ");
    if (starts(row, "execute ")) {
        // A list-form graph has rows "execute g.0" and "execute g.1" for one instruction.
        (void)snprintf(wanted, sizeof wanted, "graph_name: %.*s", (int)strcspn(operand, ". "),
                       operand);
    } else if (starts(row, "varinst ")) {
        (void)snprintf(wanted, sizeof wanted, "varinst: [%.*s,", size, operand);
    } else {
        // `endloop` stands with a colon and without.
        (void)snprintf(wanted, sizeof wanted, starts(row, "endloop") ? "- %.*s" : "- %.*s:", kind,
                       row);
    }
    const char *found = strstr(text, wanted);
    const char *end = strchr(text, '\n');
    return found && found < end && !isdigit((unsigned char)found[strlen(wanted)]);
}

// Where the thread goes on after `step`, which it has made.
static void follow(runner *r, const hoist_prog_step *step)
{
    r->pc++;
    if (step->kind == HOIST_STEP_LOOP) {
        const hoist_prog_value count = step->as.loop.count;
        r->turns[r->depth++] = count.reg == HOIST_NO_REF
                                   ? count.number
                                   : machine_register(r->machine, r->entry, count.reg);
    } else if (step->kind == HOIST_STEP_END) {
        if (--r->turns[r->depth - 1] > 0) {
            r->pc = step->as.end.begin + 1;
        } else {
            r->depth--;
        }
    }
}

// Makes all steps of the instruction that `row` names, and lets the units follow.
static void run_instruction(runner *r, const char *row)
{
    const uint32_t line = next_line(r);
    if (line == 0 || !is_instruction(r, line, row)) {
        return; // a declaration, or an execute that waits for others
    }
    do {
        const hoist_machine_event event = hoist_machine_step(r->machine, 0);
        if (event.kind != HOIST_EVENT_STEPPED) {
            // A drain that waits for a unit.
            r->stopped = event.kind != HOIST_EVENT_BLOCKED || !settle(r);
            continue;
        }
        const bool jumped = event.step->kind == HOIST_STEP_END;
        follow(r, event.step);
        if (jumped || event.step->kind == HOIST_STEP_LOOP) {
            break;
        }
    } while (!r->stopped && next_line(r) == line);
    r->stopped = !settle(r) || r->stopped;
}

static void begin_run(runner *r, const char *what)
{
    // "p" or "p,$p_n=1".
    const char *value = strchr(what, '=');
    const size_t size = strcspn(what, ",* ");
    const int64_t parameters[1] = {value ? strtoll(value + 1, NULL, 10) : 0};
    for (r->entry = 0; r->entry < r->program->entry_count; r->entry++) {
        const hoist_str name = r->program->entries[r->entry].name;
        if (name.size == size && memcmp(name.data, what, size) == 0) {
            break;
        }
    }
    // The thread before may not have been told that it has ended.
    while (!hoist_machine_is_done(r->machine) && !r->stopped) {
        r->stopped = hoist_machine_step(r->machine, 0).kind == HOIST_EVENT_BLOCKED || !settle(r);
    }
    HOIST_EXPECT_EQ(r->t, hoist_machine_start(r->machine, r->entry, parameters), HOIST_OK);
    r->pc = 0;
    r->depth = 0;
}

// The host -------------------------------------------------------------------------------------

static hoist_ref find_fifo(const runner *r, const char *name, size_t size)
{
    for (hoist_ref i = 0; i < r->program->fifo_count; i++) {
        const hoist_str mine = r->program->fifos[i].name;
        if (mine.size == size && memcmp(mine.data, name, size) == 0) {
            return i;
        }
    }
    hoist_test_fail(r->t, __FILE__, __LINE__, "no fifo %.*s", (int)size, name);
    return 0;
}

static void fill(const runner *r, hoist_ref fifo, uint32_t slot, float value)
{
    const size_t tiles = entry_tiles(r->program, r->program->fifos[fifo].layout);
    for (size_t i = 0; i < tiles * HOIST_TILE_FLOATS; i++) {
        slot_memory(r, fifo, slot)[i] = value;
    }
}

// "a=1,2": pushes entries. False when one finds no room.
static bool host_push(const runner *r, const char *what)
{
    const hoist_ref fifo = find_fifo(r, what, strcspn(what, "="));
    for (const char *at = strchr(what, '='); at && *at != '\0' && *at != ' ';
         at = strpbrk(at + 1, ", ")) {
        uint32_t slot = 0;
        if (!hoist_machine_host_push_begin(r->machine, fifo, &slot)) {
            return false;
        }
        fill(r, fifo, slot, strtof(at + 1, NULL));
        hoist_machine_host_push_end(r->machine, fifo);
    }
    return true;
}

// "w@1=20": writes a slot of a ram.
static void host_put(const runner *r, const char *what)
{
    const hoist_ref fifo = find_fifo(r, what, strcspn(what, "@"));
    const uint32_t slot = (uint32_t)strtoul(strchr(what, '@') + 1, NULL, 10);
    fill(r, fifo, slot, strtof(strchr(what, '=') + 1, NULL));
    hoist_machine_host_write(r->machine, fifo, slot);
}

// "a = 1": pops an entry.
static void host_pop(const runner *r, const char *what)
{
    const hoist_ref fifo = find_fifo(r, what, strcspn(what, " ="));
    uint32_t slot = 0;
    HOIST_EXPECT(r->t, hoist_machine_host_pop_begin(r->machine, fifo, &slot));
    HOIST_EXPECT(r->t, slot_memory(r, fifo, slot)[0] == strtof(strchr(what, '=') + 1, NULL));
    hoist_machine_host_pop_end(r->machine, fifo);
}

// Comparing ------------------------------------------------------------------------------------

// "l=0 g=1": variables of the thread.
static void compare_variables(const runner *r, const char *cell, const char *row)
{
    const hoist_prog_code *code = code_of(r);
    for (const char *at = cell; *at; at += strspn(at, " ")) {
        const size_t size = strcspn(at, "=");
        const int64_t wanted = strtoll(at + size + 1, NULL, 10);
        for (hoist_ref i = 0; i < code->register_count; i++) {
            const hoist_str name = code->registers[i].name;
            if (name.size != size + 1 || memcmp(name.data + 1, at, size) != 0) {
                continue;
            }
            const int64_t got = machine_register(r->machine, r->entry, i);
            if (got != wanted) {
                hoist_test_fail(r->t, __FILE__, __LINE__,
                                "after %s: %.*s is %" PRId64 ", expected %" PRId64, row, (int)size,
                                at, got, wanted);
            }
        }
        at += strcspn(at, " ");
    }
}

// The state of a fifo as the tables write it.
static void print_fifo(const runner *r, hoist_ref fifo, hoist_buffer *out)
{
    const hoist_prog_fifo *f = &r->program->fifos[fifo];
    const hoist_fifo_state s = hoist_machine_fifo(r->machine, fifo);
    const bool ram = f->kind == HOIST_FIFO_RAM;
    const uint64_t ring = ram ? UINT64_MAX : 2 * (uint64_t)f->slots;
    hoist_buffer_format(out, "%" PRIu64 " %" PRIu64, s.read % ring, s.write % ring);
    if (!ram) {
        hoist_buffer_format(out, " %" PRIu64, s.local % ring);
    }
    for (uint32_t slot = 0; slot < f->slots; slot++) {
        hoist_buffer_c(out, slot ? " " : " [");
        if (!hoist_machine_slot_written(r->machine, fifo, slot)) {
            hoist_buffer_c(out, "-");
            continue;
        }
        for (size_t k = 0; k < entry_tiles(r->program, f->layout); k++) {
            hoist_buffer_format(out, "%s%g", k ? "/" : "",
                                (double)slot_memory(r, fifo, slot)[k * HOIST_TILE_FLOATS]);
        }
    }
    hoist_buffer_c(out, "]");
}

// `cell` with the pointers of a queue modulo 2E.
static hoist_str reduced(const runner *r, hoist_ref fifo, const char *cell)
{
    const hoist_prog_fifo *f = &r->program->fifos[fifo];
    const unsigned long ring = 2UL * f->slots;
    char *end = NULL;
    if (f->kind == HOIST_FIFO_RAM) {
        return hoist_str_from(cell);
    }
    const unsigned long read = strtoul(cell, &end, 10) % ring;
    const unsigned long write = strtoul(end, &end, 10) % ring;
    const unsigned long local = strtoul(end, &end, 10) % ring;
    return hoist_arena_format(&r->t->arena, "%lu %lu %lu%s", read, write, local, end);
}

static void compare_fifo(const runner *r, const char *name, const char *cell, const char *row)
{
    const hoist_ref fifo = find_fifo(r, name, strlen(name));
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    print_fifo(r, fifo, &text);
    const hoist_str wanted = reduced(r, fifo, cell);
    if (*cell && !hoist_str_equal(wanted, hoist_buffer_text(&text))) {
        hoist_test_fail(r->t, __FILE__, __LINE__, "after %s: %s is %.*s, expected %.*s", row, name,
                        HOIST_STR_ARGS(hoist_buffer_text(&text)), HOIST_STR_ARGS(wanted));
    }
    hoist_buffer_deinit(&text);
}

// Cases ----------------------------------------------------------------------------------------

// Cuts "| a | b |" into its cells, in place; their number.
static size_t cut(char *line, const char *cells[MAX_CELLS])
{
    size_t count = 0;
    char *at = strchr(line, '|');
    while (at && count < MAX_CELLS) {
        char *end = strchr(at + 1, '|');
        if (!end) {
            break;
        }
        char *first = at + 1 + strspn(at + 1, " ");
        char *last = end;
        while (last > first && last[-1] == ' ') {
            last--;
        }
        cells[count++] = first;
        at = end;
        *last = '\0';
        if (last != end) {
            *end = '|';
        }
    }
    return count;
}

// Does what a row says.
static void do_row(runner *r, const char *what)
{
    if (starts(what, "host push ")) {
        r->stopped = !host_push(r, what + 10);
    } else if (starts(what, "push ")) {
        r->stopped = !host_push(r, what + 5);
    } else if (starts(what, "host put ")) {
        host_put(r, what + 9);
    } else if (starts(what, "host pop ")) {
        host_pop(r, what + 9);
    } else if (starts(what, "*run ")) {
        begin_run(r, what + 5);
    } else {
        run_instruction(r, what);
    }
}

// True for the first of the two rows of an execute over a list of devices.
static bool is_half(const char *what)
{
    const char *dot = strchr(what, '.');
    return starts(what, "execute ") && dot && dot[1] == '0';
}

// Cases that rely on what the golden policy lets pass: a stale slot, more entries than there are
// slots (rules 99 and 101).
static bool may_stop(const char *name)
{
    static const char *const lenient[] = {"C08", "C09", "C32", "C33", "C50"};
    for (size_t i = 0; i < HOIST_COUNT_OF(lenient); i++) {
        if (starts(name, lenient[i])) {
            return true;
        }
    }
    return false;
}

static void run_rows(runner *r, char *rows)
{
    const char *names[MAX_CELLS];
    const char *cells[MAX_CELLS];
    char *save = NULL;
    const size_t count = cut(strtok_r(rows, "\n", &save), names);
    for (char *line = strtok_r(NULL, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        const size_t here = cut(line, cells);
        if (here == 0 || is_half(cells[0])) {
            continue;
        }
        const bool error = starts(cells[0], "**error**: ");
        do_row(r, cells[0] + (error ? strlen("**error**: ") : 0));
        if (error || (r->stopped && r->strict && may_stop(r->t->row))) {
            HOIST_EXPECT(r->t, r->stopped);
            return;
        }
        if (r->stopped) {
            hoist_test_fail(r->t, __FILE__, __LINE__, "it stops at %s", cells[0]);
            return;
        }
        if (here > 1 && !starts(cells[0], "host") && !starts(cells[0], "*run")) {
            compare_variables(r, cells[1], cells[0]);
        }
        for (size_t i = 2; i < count && i < here; i++) {
            compare_fifo(r, names[i], cells[i], cells[0]);
        }
    }
}

static void run_program(runner *r, char *rows)
{
    const hoist_machine_options options = {.alloc = hoist_allocator_system()};
    HOIST_EXPECT_EQ(r->t, hoist_program_verify(r->program, r->t->diag), HOIST_OK);
    HOIST_EXPECT_EQ(r->t, hoist_diag_count(r->t->diag, HOIST_ERROR), 0);
    if (hoist_diag_count(r->t->diag, HOIST_ERROR) == 0 &&
        hoist_machine_create(r->program, &options, &r->machine) == HOIST_OK) {
        make_stores(r);
        run_rows(r, rows);
        hoist_machine_destroy(r->machine);
    }
}

// The caller has to give what the rows name: "parameter $p_n".
static void expect_parameter(const runner *r, const char *name)
{
    const hoist_prog_entry *entry = &r->program->entries[0];
    HOIST_EXPECT_EQ(r->t, entry->parameter_count, 1);
    HOIST_EXPECT(r->t, entry->parameter_count == 1 &&
                           hoist_str_starts_with(hoist_str_from(name), "$p_n") &&
                           hoist_str_equal_c(entry->parameters[0].name, "$p_n"));
}

// Lowers the netlist and runs the rows; what `check` refuses, or warns of, has none.
static void run_case(hoist_test *t, const char *netlist, const char *rows, bool strict)
{
    const hoist_read_options read_options = {.alloc = hoist_allocator_system()};
    const hoist_check_options check_options = {0};
    const hoist_lower_options options = {.struct_size = sizeof options,
                                         .queue_mode =
                                             strict ? HOIST_QUEUES_STRICT : HOIST_QUEUES_GOLDEN};
    const hoist_bytes text = {(const uint8_t *)netlist, strlen(netlist)};
    hoist_module *module = NULL;
    HOIST_EXPECT_EQ(t, hoist_buda_format.read(text, &read_options, t->diag, &module), HOIST_OK);
    if (!module) {
        return;
    }
    if (starts(rows, "refused") || starts(rows, "warned")) {
        HOIST_EXPECT_EQ(t, hoist_buda_format.check(module, &check_options, t->diag), HOIST_OK);
        HOIST_EXPECT(t, hoist_diag_count(t->diag, HOIST_WARNING) > 0 || starts(rows, "refused"));
        HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR) > 0, starts(rows, "refused"));
    } else {
        runner r = {.t = t, .netlist = netlist, .strict = strict};
        HOIST_EXPECT_EQ(t,
                        buda_lower(&(hoist_file){.module = module, .name = HOIST_STR("net.yaml")},
                                   1, &check_options, &options, t->diag, &r.program),
                        HOIST_OK);
        if (r.program && starts(rows, "parameter ")) {
            expect_parameter(&r, rows + strlen("parameter "));
        } else if (r.program) {
            const hoist_str copy = hoist_arena_str(&t->arena, hoist_str_from(rows));
            char *own = hoist_arena_alloc(&t->arena, copy.size + 1);
            memcpy(own, copy.data, copy.size);
            run_program(&r, own);
        }
        hoist_program_destroy(r.program);
    }
    hoist_buda_format.destroy(module);
}

// Runs all cases of the file.
static size_t run_all(hoist_test *t, char *text, bool strict)
{
    size_t count = 0;
    char *next = strstr(text, "# ");
    while (next) {
        char *name = next + 2;
        char *netlist = strchr(name, '\n') + 1;
        char *rows = strstr(netlist, "%%\n") + 3;
        next = strstr(rows, "\n# ");
        if (next) {
            *next++ = '\0';
        }
        netlist[-1] = '\0';
        rows[-3] = '\0';
        hoist_test_row(t, name);
        run_case(t, netlist, rows, strict);
        count++;
    }
    return count;
}

static void run_file(hoist_test *t, bool strict)
{
    const hoist_bytes file =
        hoist_test_file(t, HOIST_SOURCE_DIR "/tests/conformance/worked_cases.txt");
    char *text = hoist_arena_alloc(&t->arena, file.size + 1);
    HOIST_EXPECT(t, file.size > 0);
    memcpy(text, file.data, file.size);
    HOIST_EXPECT_EQ(t, run_all(t, text, strict), 60);
}

HOIST_TEST(golden_queues_do_as_the_tables_say)
{
    run_file(t, false);
}

HOIST_TEST(strict_queues_do_or_stop)
{
    run_file(t, true);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(golden_queues_do_as_the_tables_say),
                HOIST_TEST_ROW(strict_queues_do_or_stop))
