// Engines as threads: each record waits, has its effect, and updates (neff reference sections 5.1,
// 5.2). In go the turns of an engine (turns.c), out comes a thread of steps; alu.c and
// collectives.c have some of the records, rings.c the triggers. What a run cannot do is refused
// here, by name (5.5.1).
#include <inttypes.h>

#include "base/assert.h"
#include "base/span.h"
#include "lower/neff/state.h"

// The thread that is being built; `place` is that of the record at hand.
typedef struct engine_walk {
    neff_lower_job *j;
    neff_lower_core *core;
    const neff_engine *engine;
    const neff_lower_stream *stream;
    neff_lower_registers registers;
    neff_lower_place place;
    const neff_opcode *opcode; // of the record at hand; NULL: unassigned
} engine_walk;

// Labels of steps: what a trace or a finding of a run shows next to the place.
static const char *mnemonic(const engine_walk *w)
{
    return w->opcode ? w->opcode->name : "unassigned";
}

// Waits and updates -----------------------------------------------------------------------------

// `then`: the change of the event when the wait ends, in the same instant.
static void wait_on(engine_walk *w, hoist_ref semaphore, hoist_compare compare,
                    hoist_prog_value value, hoist_wait_then then)
{
    neff_lower_step(w->j, &w->place, mnemonic(w),
                    (hoist_prog_step){.kind = HOIST_STEP_WAIT,
                                      .as.wait = {semaphore, compare, value, then,
                                                  hoist_lower_number(then == HOIST_THEN_SET)}});
}

// The update of a record, or one half of it.
static void signal(engine_walk *w, hoist_ref semaphore, hoist_signal_op op, hoist_prog_value value)
{
    neff_lower_step(
        w->j, &w->place, mnemonic(w),
        (hoist_prog_step){.kind = HOIST_STEP_SIGNAL, .as.signal = {semaphore, op, value}});
}

// A number, or the register that it names.
static hoist_prog_value value_of(engine_walk *w, bool by_register, uint32_t value)
{
    return by_register ? hoist_lower_register(neff_lower_register_at(w->j, &w->place, &w->registers,
                                                                     value, NEFF_LOWER_READS))
                       : hoist_lower_number(value);
}

// "unordered" is no wait: steps of a thread are in order here.
static void add_wait(engine_walk *w, const neff_wait *wait)
{
    static const hoist_compare compares[] = {
        [NEFF_EQ] = HOIST_CMP_EQ, [NEFF_LT] = HOIST_CMP_LT, [NEFF_LE] = HOIST_CMP_LE,
        [NEFF_GT] = HOIST_CMP_GT, [NEFF_GE] = HOIST_CMP_GE,
    };
    if (wait->kind == NEFF_WAIT_SEMAPHORE) { // values of unknown registers end the work
        const hoist_prog_value value = value_of(w, wait->by_register, wait->value);
        if (hoist_lower_goes_on(&w->j->c)) {
            wait_on(w, neff_lower_semaphore(w->j, w->core, wait->index), compares[wait->compare],
                    value, HOIST_THEN_NOTHING);
        }
    } else if (wait->kind == NEFF_WAIT_EVENT) {
        const hoist_wait_then then = !wait->then   ? HOIST_THEN_NOTHING
                                     : wait->state ? HOIST_THEN_CLEAR
                                                   : HOIST_THEN_SET;
        wait_on(w, neff_lower_event(w->j, w->core, wait->index), HOIST_CMP_EQ,
                hoist_lower_number(wait->state), then);
    }
}

// SET by register takes its value when the step runs.
static void add_update(engine_walk *w, const neff_update *update)
{
    static const hoist_signal_op ops[] = {
        [NEFF_UPDATE_ADD] = HOIST_SIGNAL_ADD,
        [NEFF_UPDATE_SUB] = HOIST_SIGNAL_SUB,
        [NEFF_UPDATE_SET] = HOIST_SIGNAL_SET,
    };
    if (update->kind == NEFF_UPDATE_EVENT) {
        signal(w, neff_lower_event(w->j, w->core, update->index), HOIST_SIGNAL_SET,
               hoist_lower_number(update->state));
    } else if (update->kind != NEFF_UPDATE_NONE) {
        const hoist_prog_value value = value_of(w, update->by_register, update->value);
        if (hoist_lower_goes_on(&w->j->c)) {
            signal(w, neff_lower_semaphore(w->j, w->core, update->index), ops[update->kind], value);
        }
    }
}

// Both halves of a record: all waits, then the updates at read, the record's effect, those at
// completion. Only EVENT_SEMAPHORE has a second one.
typedef struct halves {
    neff_wait waits[2];
    neff_update updates[2];
    int count;
} halves;

// False when a code is unknown, which is reported with its bytes.
static bool halves_of(engine_walk *w, const neff_record *record, halves *out)
{
    *out = (halves){.waits = {record->wait}, .updates = {record->update}, .count = 1};
    // The bytes of the second half mean something else in every other form.
    if (w->opcode && w->opcode->form == NEFF_FORM_EVENT_SEMAPHORE) {
        const neff_second second = neff_second_of(record);
        if (second.present) {
            out->waits[1] = second.wait;
            out->updates[1] = second.update;
            out->count = 2;
        }
    }
    for (int i = 0; i < out->count; i++) {
        if (out->waits[i].kind == NEFF_WAIT_UNKNOWN ||
            out->updates[i].kind == NEFF_UPDATE_UNKNOWN) {
            // Of the common part, or of the second half.
            const uint8_t *b = record->bytes + (i == 0 ? 4 : 0x20);
            neff_lower_refuse(w->j, RUN_019, &w->place,
                              "%s waits or updates with the bytes %02x %02x %02x %02x", mnemonic(w),
                              b[0], b[1], b[2], b[3]);
            return false;
        }
    }
    return true;
}

// Called before the effect for updates at read, after it for those at completion.
static void add_updates(engine_walk *w, const halves *h, bool at_read)
{
    for (int i = 0; i < h->count && hoist_lower_goes_on(&w->j->c); i++) {
        if (h->updates[i].at_read == at_read) {
            add_update(w, &h->updates[i]);
        }
    }
}

// What records do -------------------------------------------------------------------------------

// Posts the block that turns.c found; each way in which there is none has its own message.
static void trigger(engine_walk *w, const neff_record *record, uint32_t block)
{
    const neff_trigger t = neff_trigger_of(record);
    const neff_subgraph *s = w->core->subgraph;
    size_t found = 0;
    const bool known = hoist_map_find(&s->queue_names, t.queue, &found);
    const neff_queue_set *set = known ? &s->queues[found] : NULL;
    if (!set) {
        neff_lower_find(w->j, NEFF_068a, &w->place, "there is no queue set '%.*s'",
                        HOIST_STR_ARGS(t.queue));
    } else if (set->pinned) {
        neff_lower_find(w->j, NEFF_039d, &w->place, "queue set '%.*s' is pinned",
                        HOIST_STR_ARGS(t.queue));
    } else if (set->type == NEFF_QUEUE_EMBEDDING_UPDATE) {
        neff_lower_refuse(w->j, RUN_017, &w->place,
                          "queue set '%.*s' has type embedding_update; its execution is not public",
                          HOIST_STR_ARGS(t.queue));
    } else if (set->type == NEFF_QUEUE_DYNAMIC) {
        neff_lower_refuse(w->j, RUN_017, &w->place,
                          "queue set '%.*s' is dynamic, it has no descriptors in the file",
                          HOIST_STR_ARGS(t.queue));
    } else if (t.use_raw_count) {
        neff_lower_refuse(w->j, RUN_017, &w->place,
                          "%" PRIu32 " ring entries of '%.*s' are released, which are no block",
                          t.block_id, HOIST_STR_ARGS(t.queue));
    } else if (block == NEFF_NONE) {
        neff_lower_refuse(w->j, RUN_017, &w->place,
                          "queue set '%.*s' has no block with id %" PRIu32 " left here",
                          HOIST_STR_ARGS(t.queue), t.block_id);
    } else {
        neff_lower_post(w->j, &w->place, block);
    }
}

// Bytes of SBUF and PSUM.
static hoist_ref chip_view(engine_walk *w, int64_t offset, int64_t bytes)
{
    const hoist_prog_layout layout = {
        .kind = HOIST_LAYOUT_STRIDED, .shape = {1, {bytes}}, .stride = {1}};
    return hoist_builder_view(w->j->c.b,
                              &(hoist_prog_view){.base = HOIST_VIEW_BUFFER,
                                                 .of = w->core->chip,
                                                 .dtype = HOIST_DTYPE_U8,
                                                 .layout = hoist_builder_layout(w->j->c.b, &layout),
                                                 .offset = offset,
                                                 .reg = HOIST_NO_REF});
}

// An instruction that computes, by the caller's policy: refused, passed over, or a step that may
// write all of the chip, since its operands are not known either.
static void compute(engine_walk *w, const neff_record *record)
{
    if (w->j->c.options->on_unknown == HOIST_UNKNOWN_STOP) {
        neff_lower_refuse(w->j, RUN_011, &w->place,
                          "opcode 0x%02x %s computes; run --on-unknown=skip passes over it",
                          record->opcode, mnemonic(w));
        return;
    }
    if (neff_lower_has_opaque(w->j)) {
        // SBUF and PSUM.
        const hoist_ref writes[2] = {chip_view(w, 0, NEFF_LOWER_SBUF_WINDOW),
                                     chip_view(w, NEFF_LOWER_SBUF_WINDOW,
                                               NEFF_LOWER_ON_CHIP_BYTES - NEFF_LOWER_SBUF_WINDOW)};
        const hoist_prog_opaque step = {.name = hoist_str_from(mnemonic(w)),
                                        .record = {record->bytes, NEFF_RECORD_SIZE},
                                        .writes = writes,
                                        .write_count = 2,
                                        .skip = w->j->c.options->on_unknown == HOIST_UNKNOWN_SKIP};
        neff_lower_step(w->j, &w->place, mnemonic(w),
                        (hoist_prog_step){.kind = HOIST_STEP_OPAQUE, .as.opaque = &step});
    }
}

// Opcodes whose operands are not known, or whose meaning is not public (5.5.1); all others without
// a form are RUN-014.
typedef struct refusal {
    uint8_t first, last; // codes
    hoist_lower_rule_id rule;
    const char *why;
    bool displacement; // the message shows the eight bytes at 0x30
} refusal;

// The first row that has the code counts.
static const refusal refusals[] = {
    {0xa9, 0xa9, RUN_012, "branches, in a unit that is not known", true},
    {0xb5, 0xb5, RUN_012, "hints at a branch, in a unit that is not known", true},
    {0xcc, 0xcc, RUN_012, "is the label of a branch, in a form that is not known", true},
    {0xdd, 0xdd, RUN_012, "hints at a branch, in a unit that is not known", true},
    {0xc7, 0xc7, RUN_015, "is a collective of an older form", false},
    {0xcb, 0xcb, RUN_015, "is a collective without a public code", false},
    {0xd9, 0xda, RUN_015, "is a collective without a public code", false},
    {0xc4, 0xc4, RUN_013, "makes descriptors at run time", false},
    {0xca, 0xca, RUN_017, "updates a table; its execution is not public", false},
    {0xd4, 0xd4, RUN_013, "makes descriptors at run time", false},
};

static void refuse_record(engine_walk *w, const neff_record *record)
{
    uint64_t displacement = 0; // the branch immediate
    for (int i = 7; i >= 0; i--) {
        displacement = displacement << 8 | record->bytes[0x30 + i];
    }
    // Its opcodes have other meanings.
    for (size_t i = 0; i < HOIST_COUNT_OF(refusals) && w->core->file->generation != NEFF_GEN1;
         i++) {
        const refusal *row = &refusals[i];
        if (record->opcode < row->first || record->opcode > row->last) {
            continue;
        }
        if (row->displacement) {
            neff_lower_refuse(w->j, row->rule, &w->place,
                              "opcode 0x%02x %s %s: displacement 0x%" PRIx64, record->opcode,
                              mnemonic(w), row->why, displacement);
        } else {
            neff_lower_refuse(w->j, row->rule, &w->place, "opcode 0x%02x %s %s", record->opcode,
                              mnemonic(w), row->why);
        }
        return;
    }
    const bool dge = w->opcode && w->opcode->kind == NEFF_CLASS_DGE;
    neff_lower_refuse(w->j, dge ? RUN_013 : RUN_014, &w->place,
                      dge ? "opcode 0x%02x %s makes descriptors at run time"
                          : "opcode 0x%02x %s has operands that are not public",
                      record->opcode, mnemonic(w));
}

// EXIT has ended the engine; what loads a library cannot be run.
static void run_inst(engine_walk *w, const neff_record *record)
{
    const uint8_t code = neff_inst_of(record);
    if (code == NEFF_INST_LIBRARY_RELOAD) {
        neff_lower_refuse(w->j, RUN_018, &w->place, "a library of custom operations is loaded");
    } else if (code != NEFF_INST_EXIT) {
        neff_lower_refuse(w->j, RUN_014, &w->place, "%s has sub-opcode %u, which is not public",
                          mnemonic(w), code);
    }
}

// PE, activation and vector classes, and pseudo instructions that load or make what only computing
// looks at: activation tables, the seed of random numbers, JPEG data.
static bool computes(const engine_walk *w, const neff_record *record)
{
    const bool is_for_computing =
        record->opcode == 0xc6 || record->opcode == 0xd0 || record->opcode == 0xd7;
    const neff_opcode_class kind =
        w->opcode ? (neff_opcode_class)w->opcode->kind : NEFF_CLASS_INVALID;
    return kind == NEFF_CLASS_PE || kind == NEFF_CLASS_ACT || kind == NEFF_CLASS_VECTOR ||
           (kind == NEFF_CLASS_PSEUDO && is_for_computing);
}

// Control that turns.c has followed already, so that nothing is left to do.
static bool is_control(const engine_walk *w, uint8_t opcode)
{
    return w->core->file->generation != NEFF_GEN1 &&
           (opcode == NEFF_HALT || opcode == NEFF_FUNCTION_RETURN);
}

// Records without a form of operands. NOP-like ones have no effect but their wait and update.
static void run_plain(engine_walk *w, const neff_record *record)
{
    if (computes(w, record)) {
        compute(w, record);
    } else if (w->opcode && record->opcode == NEFF_SYNC_BARRIER) {
        neff_lower_sync_barrier(w->j, &w->place);
    } else if (!w->opcode || (!w->opcode->runs_empty && !is_control(w, record->opcode))) {
        refuse_record(w, record);
    }
}

static void run_record(engine_walk *w, const neff_record *record, uint32_t block)
{
    switch (w->opcode ? (neff_form)w->opcode->form : NEFF_FORM_NONE) {
    case NEFF_FORM_TRIGGER:
        trigger(w, record, block);
        break;
    case NEFF_FORM_COLLECTIVE:
        neff_lower_collective(w->j, &w->place, record);
        break;
    case NEFF_FORM_MOVE:
        neff_lower_move_registers(w->j, &w->place, &w->registers, record);
        break;
    case NEFF_FORM_ALU:
        neff_lower_alu(w->j, &w->place, &w->registers, record);
        break;
    case NEFF_FORM_CORE_BARRIER:
        neff_lower_core_barrier(w->j, &w->place, record);
        break;
    case NEFF_FORM_INST:
        run_inst(w, record);
        break;
    case NEFF_FORM_EVENT_SEMAPHORE: // waits and updates are all of it
    case NEFF_FORM_FUNCTION_BEGIN:
    case NEFF_FORM_FUNCTION_CALL: // unrolled: what it calls follows
        break;
    case NEFF_FORM_NONE:
    case NEFF_FORM_COUNT:
        run_plain(w, record);
        break;
    }
}

// One record: waits of both halves, updates at read, effect, updates at completion.
static void take_turn(engine_walk *w, const neff_lower_turn *turn)
{
    HOIST_ASSERT(turn->record < w->stream->index.record_count);
    const neff_record record = neff_stream_at(&w->stream->index, turn->record);
    halves h;
    w->j->steps++; // records without effect make a long program, too
    w->opcode = neff_opcode_find(record.opcode, w->core->file->generation);
    w->place = neff_lower_record_place(w->j, w->core, w->engine, turn->record);
    if (w->j->steps > NEFF_LOWER_MAX_STEPS) {
        neff_lower_exceed(w->j, RUN_022, &w->place, "the program has more than %d steps",
                          NEFF_LOWER_MAX_STEPS);
        return;
    }
    if (!halves_of(w, &record, &h)) {
        return;
    }
    for (int i = 0; i < h.count && hoist_lower_goes_on(&w->j->c); i++) {
        add_wait(w, &h.waits[i]);
    }
    add_updates(w, &h, true);
    run_record(w, &record, turn->block);
    add_updates(w, &h, false);
}

// All records, whatever was refused before: all that cannot be run is reported in one go, and
// nothing of a refused program is kept.
static void take_turns(engine_walk *w)
{
    hoist_lower_context *c = &w->j->c;
    const uint64_t ignored = c->ignored;
    for (size_t i = 0; i < w->stream->turn_count && neff_lower_is_valid(w->j); i++) {
        c->ignored = c->errors;
        hoist_lower_count(c);
        take_turn(w, &w->stream->turns[i]);
        hoist_lower_fail(c, hoist_builder_status(c->b));
    }
    c->ignored = ignored;
}

// An engine without records is no thread: it would only end.
static void add_thread(neff_lower_job *j, neff_lower_core *core, const neff_engine *engine)
{
    engine_walk w = {
        .j = j, .core = core, .engine = engine, .stream = &core->part->streams[engine->id]};
    if (w.stream->turn_count == 0) {
        return;
    }
    for (size_t i = 0; i < HOIST_COUNT_OF(w.registers.refs); i++) {
        w.registers.refs[i] = HOIST_NO_REF; // made when a record first uses one
    }
    const hoist_str name =
        hoist_lower_name(&j->c, core->prefix, "%s", neff_engines[engine->id].key);
    const hoist_prog_thread row = {.name = name,
                                   .loc = neff_lower_record_place(j, core, engine, 0).loc};
    const hoist_ref thread = hoist_builder_begin_thread(j->c.b, &row);
    take_turns(&w);
    hoist_builder_end_code(j->c.b);
    (void)hoist_lower_add(&j->c, (void **)&j->threads, &j->thread_count, &j->thread_capacity,
                          &thread, sizeof thread);
}

// Errors of one engine do not keep those of the next from being found.
void neff_lower_threads(neff_lower_job *j, neff_lower_core *core)
{
    const uint64_t ignored = j->c.ignored;
    for (int e = 0; e < NEFF_ENGINE_COUNT && neff_lower_is_valid(j); e++) {
        j->c.ignored = j->c.errors;
        add_thread(j, core, &core->subgraph->engines[e]);
    }
    j->c.ignored = ignored;
}
