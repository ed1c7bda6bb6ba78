// Rules 66, 67, 73 and 74: streams and tables that are there, records that are well formed (neff
// reference section 9); and the walk over all engines for rules 68 to 71, which are in
// check_triggers.c, check_functions.c and check_collectives.c. In go engines that were read, out
// come findings at records and at keys of the engine's JSON.
#include "formats/neff/check_streams.h"

#include <stdio.h>

#include "base/diag.h"
#include "base/span.h"
#include "formats/neff/tape.h"

// Records ----------------------------------------------------------------------------------------

// The opcode in any generation; NULL: in none.
static const neff_opcode *find_anywhere(uint8_t code)
{
    const neff_opcode *row = neff_opcode_find(code, NEFF_ANY_GENERATION);
    return row ? row : neff_opcode_find(code, NEFF_GEN1);
}

// Rules 67a and 67b. Opcodes are never renumbered from generation 2 on, so one of another
// generation keeps its name in the finding.
static void check_record(const neff_stream_check *s, uint32_t i)
{
    const uint8_t *bytes = s->stream.bytes.data + (size_t)i * NEFF_RECORD_SIZE;
    const neff_opcode *row = neff_opcode_find(bytes[0], s->generation);
    const neff_opcode *other = row ? row : find_anywhere(bytes[0]);
    if (bytes[1] != NEFF_RECORD_SIZE / 4) { // other lengths are of no known generation
        neff_report_record(s, NEFF_067a, i,
                           "the length of the record is 0x%02x words of 4 bytes, expected 0x10",
                           bytes[1]);
    }
    if (!other) {
        neff_report_record(s, NEFF_067a, i, "no generation has the opcode 0x%02x", bytes[0]);
    } else if (other->kind == NEFF_CLASS_INVALID) {
        neff_report_record(s, NEFF_067a, i, "the opcode is 0xff, expected a valid one");
    } else if (!row) {
        char expected[32] = "generations 2 to 5";
        if (s->generation != NEFF_ANY_GENERATION) {
            (void)snprintf(expected, sizeof(expected), "generation %d", s->generation);
        }
        if (other->first == other->last) { // "of generation 2", not "2 to 2"
            neff_report_record(s, NEFF_067b, i,
                               "%s is an opcode of generation %u, expected one of %s", other->name,
                               other->first, expected);
        } else {
            neff_report_record(s, NEFF_067b, i,
                               "%s is an opcode of generations %u to %u, expected one of %s",
                               other->name, other->first, other->last, expected);
        }
    }
}

// PSEUDO_INST with the sub-opcode EXIT.
static bool is_exit(const neff_stream_check *s, uint32_t i)
{
    const neff_record record = neff_stream_at(&s->stream, i);
    return record.opcode == NEFF_INST && neff_inst_of(&record) == NEFF_INST_EXIT;
}

// Rule 73. Generation 1 has no such instruction. The exit may be at the end of the main program or
// of the stream, after the functions.
static void check_end(const neff_stream_check *s)
{
    const uint32_t count = s->stream.record_count;
    const uint32_t end = s->stream.routines[0].end; // of the main program
    if (count == 0 || s->generation == NEFF_GEN1 || is_exit(s, count - 1) ||
        (end > 0 && is_exit(s, end - 1))) {
        return;
    }
    neff_report_record(s, NEFF_073, end > 0 ? end - 1 : 0,
                       "the program does not end with PSEUDO_INST EXIT, as in old files");
}

// Members ----------------------------------------------------------------------------------------

// The value of `key` in the engine's text, or that text's object; the diag enters it.
static hoist_loc key_place(const neff_module *module, const neff_engine *engine, const char *key,
                           hoist_diag *diag)
{
    const hoist_json *json = &engine->text.json;
    neff_cursor cursor = {0};
    neff_enter(module, diag, engine->text.member);
    return neff_key_loc(&cursor, json, json->tokens[0].start, key);
}

// Also called by disasm.c, so it depends on nothing that only checks have.
void neff_check_member(const neff_module *module, const neff_engine *engine, hoist_diag *diag)
{
    if (engine->text.json.count == 0) {
        return; // rules 43 and 21
    }
    if (engine->instr == NEFF_NONE && engine->instr_name.size == 0) {
        neff_report(diag, NEFF_066, key_place(module, engine, "instr", diag),
                    "the engine names no instruction stream, expected 'instr'");
    } else if (engine->instr == NEFF_NONE) {
        neff_report(diag, NEFF_066, key_place(module, engine, "instr", diag),
                    "the instruction stream '%.*s' is not in the archive",
                    HOIST_STR_ARGS(engine->instr_name));
    } else {
        const size_t size = module->members[engine->instr].bytes.size;
        const size_t rest = size % NEFF_RECORD_SIZE; // bytes of an incomplete record at the end
        neff_enter(module, diag, engine->instr);
        if (rest) {
            neff_report(diag, NEFF_066, hoist_loc_byte(size - rest),
                        "the stream has %zu %s, %zu more than complete records of 64", size,
                        hoist_plural(size, "byte", "bytes"), rest);
        }
    }
}

// Rule 74a: no set has an empty name. Kinds were checked when the engine was read. Which members
// belong to a set is not public (6.3), so that is no rule.
static void check_function_sets(neff_stream_check *s)
{
    const hoist_json *json = &s->engine->text.json;
    const hoist_json_index sets = neff_tape_find(json, 0, "activation_function_sets");
    if (!neff_tape_is(json, sets, HOIST_JSON_ARRAY)) {
        return;
    }
    const hoist_json_index end = hoist_json_next(json, sets);
    for (hoist_json_index at = sets + 1; at < end; at = hoist_json_next(json, at)) {
        // Two quotes with nothing between.
        if (hoist_json_kind_of(json, at) == HOIST_JSON_STRING && json->tokens[at].size == 2) {
            neff_enter(s->c->module, s->c->diag, s->engine->text.member);
            neff_report(s->c->diag, NEFF_074a, neff_tape_loc(&s->cursor, json, at),
                        "the name of the set of activation functions is empty");
        }
    }
}

// Whether a name of the engine's text is a member, looked up as reading does.
static hoist_status is_there(neff_stream_check *s, hoist_str name, bool *out_there)
{
    uint32_t member = NEFF_NONE;
    HOIST_TRY(neff_member_resolve(s->c->module, &s->c->arena, s->subgraph->folder, name, &member));
    *out_there = member != NEFF_NONE;
    return HOIST_OK;
}

// Rule 74a: the member that the table's key names. Contents of tables are not public.
static hoist_status check_table(neff_stream_check *s, hoist_json_index table, const char *key)
{
    const hoist_json *json = &s->engine->text.json;
    const hoist_json_index value = neff_tape_find(json, table, key);
    if (!value) {
        return HOIST_OK;
    }
    neff_enter(s->c->module, s->c->diag, s->engine->text.member);
    const hoist_loc loc = neff_tape_loc(&s->cursor, json, value);
    if (hoist_json_kind_of(json, value) != HOIST_JSON_STRING) {
        neff_report(s->c->diag, NEFF_074a, loc, "'%s' is no string, expected the name of a member",
                    key);
        return HOIST_OK;
    }
    bool there = false;
    const hoist_str name = hoist_json_string(json, value, &s->c->arena);
    HOIST_TRY(name.data ? is_there(s, name, &there) : HOIST_NO_MEMORY);
    if (!there) {
        neff_report(s->c->diag, NEFF_074a, loc,
                    "the table '%.*s' of the vector engine is not in the archive",
                    HOIST_STR_ARGS(name));
    }
    return HOIST_OK;
}

// Rule 74a of the vector engine's tables: {"control_table": "default_control_table.bin", ...}
static hoist_status check_tables(neff_stream_check *s)
{
    static const char *const keys[] = {"control_table", "datapath_table", "opcode_table",
                                       "control_fast_table", "control_slow_table"}; // 6.4
    const hoist_json *json = &s->engine->text.json;
    const hoist_json_index tables = neff_tape_find(json, 0, "dve_tables");
    if (!tables) {
        return HOIST_OK;
    }
    neff_enter(s->c->module, s->c->diag, s->engine->text.member);
    if (hoist_json_kind_of(json, tables) != HOIST_JSON_ARRAY) {
        neff_report(s->c->diag, NEFF_074a, neff_tape_loc(&s->cursor, json, tables),
                    "'dve_tables' is no list, expected a list of objects");
        return HOIST_OK;
    }
    const hoist_json_index end = hoist_json_next(json, tables);
    // Token by token at one depth.
    for (hoist_json_index at = tables + 1; at < end; at = hoist_json_next(json, at)) {
        if (hoist_json_kind_of(json, at) != HOIST_JSON_OBJECT) {
            neff_report(s->c->diag, NEFF_074a, neff_tape_loc(&s->cursor, json, at),
                        "the item of 'dve_tables' is no object");
            continue;
        }
        for (size_t i = 0; i < HOIST_COUNT_OF(keys); i++) {
            HOIST_TRY(check_table(s, at, keys[i]));
        }
    }
    return HOIST_OK;
}

// Engines ----------------------------------------------------------------------------------------

// All rules of one stream: each record first, then what needs several of them.
static hoist_status check_stream(neff_stream_check *s)
{
    for (uint32_t i = 0; i < s->stream.record_count; i++) {
        HOIST_TRY(hoist_deadline_look(s->c->module->base.deadline));
        check_record(s, i);
        // Rule 67c: operands of a MOVE that cancel each other.
        char fault[96];
        const neff_opcode *row = neff_record_opcode(s, i);
        const neff_record record = neff_stream_at(&s->stream, i);
        if (row && row->form == NEFF_FORM_MOVE && neff_moves_fault(&record, fault, sizeof(fault))) {
            neff_report_record(s, NEFF_067c, i, "MOVE %s", fault);
        }
    }
    check_end(s);
    HOIST_TRY(neff_check_functions(s));
    HOIST_TRY(neff_check_collectives(s));
    return neff_check_triggers(s);
}

static hoist_status check_engine(neff_check *c, neff_reuse *reuse, const neff_subgraph *subgraph,
                                 const neff_engine *engine)
{
    neff_stream_check s = {.c = c, .subgraph = subgraph, .engine = engine};
    // -1: an unknown spelling.
    s.generation = c->generation < 0 ? NEFF_ANY_GENERATION : c->generation;
    if (engine->text.json.count == 0) {
        return HOIST_OK; // rules 43 and 21
    }
    neff_check_member(c->module, engine, c->diag);
    if (engine->id == NEFF_ACT) {
        check_function_sets(&s);
        // Rule 74b: a real file lacks the member that it names here, and runs.
        bool there = true;
        const hoist_str name = s.engine->act_info;
        if (name.size > 0) {
            HOIST_TRY(is_there(&s, name, &there));
        }
        if (!there) {
            neff_report(s.c->diag, NEFF_074b,
                        key_place(s.c->module, s.engine, "act_info", s.c->diag),
                        "the description of the activation tables '%.*s' is not in the archive",
                        HOIST_STR_ARGS(name));
        }
    } else if (engine->id == NEFF_DVE) { // only this engine has such tables
        HOIST_TRY(check_tables(&s));
    }
    if (engine->instr == NEFF_NONE) {
        return HOIST_OK;
    }
    // A stream that several engines name is looked at for each of them, within a limit.
    HOIST_TRY(neff_reuse_stream(reuse, c->module, engine,
                                c->options ? c->options->limit_rule : NULL, c->diag));
    hoist_status status = neff_stream_index(c->module, engine, s.generation, &c->arena, &s.stream);
    if (status == HOIST_OK) {
        status = check_stream(&s);
    }
    neff_stream_deinit(&s.stream); // also after a failure
    return status;
}

hoist_status neff_check_streams(neff_check *c)
{
    neff_reuse reuse;
    HOIST_TRY(neff_reuse_init(&reuse, c->module, &c->arena));
    for (uint32_t i = 0; i < c->module->subgraph_count; i++) {
        const neff_subgraph *subgraph = &c->module->subgraphs[i];
        for (neff_engine_id engine = 0; engine < NEFF_ENGINE_COUNT; engine++) {
            HOIST_TRY(check_engine(c, &reuse, subgraph, &subgraph->engines[engine]));
        }
    }
    return HOIST_OK;
}
