// The streams of a NEFF as text or as a tree (neff reference section 5.6), for `hoist disasm` and
// its --json: subgraph by subgraph, in the loader's order of engines. Lines are stream_disasm.c's.
// Exactly one of buffer and sink is given.

#include "base/span.h"
#include "formats/neff/check_streams.h"
#include "formats/neff/neff.h"

typedef struct shower {
    const neff_module *module;
    const hoist_disasm_options *options;
    int generation;
    hoist_buffer *text;    // NULL: a tree
    hoist_tree_sink *sink; // NULL: text
    hoist_buffer record;   // of the tree
    neff_reuse reuse;
    const hoist_rule *limit_rule; // borrowed from the caller's options; may be NULL
    bool is_later;                // a stream was written: an empty line goes before the next
} shower;

// A part of the record's text without the space before it; null when the part is empty.
static void send_part(shower *s, const char *key, size_t start, size_t end)
{
    const hoist_str text = hoist_buffer_text(&s->record);
    hoist_tree_maybe_str(s->sink, key,
                         start != end && !s->record.failed
                             ? hoist_str_slice(text, start + 1, end - start - 1)
                             : (hoist_str){NULL, 0});
}

static void send_record(shower *s, const uint8_t *bytes, uint64_t offset)
{
    s->record.size = 0;
    const neff_record_text text = neff_record_write(&s->record, bytes, s->generation);
    hoist_tree_short_map(s->sink, "");
    hoist_tree_uint(s->sink, "offset", offset, HOIST_UNIT_BYTES);
    hoist_tree_str(s->sink, "mnemonic",
                   hoist_str_slice(hoist_buffer_text(&s->record), 0, text.mnemonic_end));
    send_part(s, "wait", text.mnemonic_end, text.wait_end);
    send_part(s, "update", text.wait_end, text.update_end);
    send_part(s, "operands", text.update_end, text.end);
    hoist_tree_end(s->sink);
}

static void send_stream(shower *s, const neff_subgraph *subgraph, const neff_engine *engine)
{
    const neff_member *member = &s->module->members[engine->instr];
    hoist_tree_map(s->sink, "");
    hoist_tree_str(s->sink, "member", member->name);
    hoist_tree_str(s->sink, "subgraph", subgraph->name);
    hoist_tree_c(s->sink, "engine", neff_engines[engine->id].key);
    hoist_tree_list(s->sink, "records");
    // Incomplete bytes at the end are no record; neff_check_member has reported them.
    for (size_t at = 0; member->bytes.size - at >= NEFF_RECORD_SIZE; at += NEFF_RECORD_SIZE) {
        send_record(s, member->bytes.data + at, at);
    }
    hoist_tree_end(s->sink);
    hoist_tree_end(s->sink);
}

static void write_stream(shower *s, const neff_engine *engine)
{
    const neff_member *member = &s->module->members[engine->instr];
    const size_t count = member->bytes.size / NEFF_RECORD_SIZE;
    // # sg00/pool.bin pool 3 records
    hoist_buffer_c(s->text, s->is_later ? "\n# " : "# ");
    neff_name_write(s->text, member->name);
    hoist_buffer_format(s->text, " %s %zu %s\n", neff_engines[engine->id].key, count,
                        hoist_plural(count, "record", "records"));
    for (size_t i = 0; i < count && !s->text->failed; i++) {
        const size_t at = i * NEFF_RECORD_SIZE;
        if (s->options->offsets) {
            hoist_buffer_format(s->text, "+0x%zx: ", at);
        }
        neff_disasm_record(s->text, member->bytes.data + at, s->generation);
    }
    s->is_later = true;
}

static bool is_wanted(const char *asked, hoist_str name)
{
    return !asked || hoist_str_equal_c(name, asked);
}

static hoist_status show_subgraph(shower *s, const neff_subgraph *subgraph, hoist_diag *diag)
{
    for (neff_engine_id i = 0; i < NEFF_ENGINE_COUNT; i++) {
        const neff_engine *engine = &subgraph->engines[i];
        if (!is_wanted(s->options->engine, hoist_str_from(neff_engines[i].key))) {
            continue;
        }
        neff_check_member(s->module, engine, diag); // reports a missing member or an odd size
        if (engine->instr == NEFF_NONE) {
            continue;
        }
        HOIST_TRY(neff_reuse_stream(&s->reuse, s->module, engine, s->limit_rule, diag));
        if (s->sink) {
            send_stream(s, subgraph, engine);
        } else {
            write_stream(s, engine);
        }
    }
    return HOIST_OK;
}

static hoist_status show_all(shower *s, hoist_arena *arena, hoist_diag *diag)
{
    HOIST_TRY(neff_reuse_init(&s->reuse, s->module, arena));
    for (uint32_t i = 0; i < s->module->subgraph_count; i++) {
        const neff_subgraph *subgraph = &s->module->subgraphs[i];
        if (is_wanted(s->options->subgraph, subgraph->name)) {
            HOIST_TRY(show_subgraph(s, subgraph, diag));
        }
    }
    // Buffers fail silently until looked at here: out of memory.
    const bool is_whole = !s->record.failed && !(s->text && s->text->failed);
    return is_whole ? HOIST_OK : HOIST_NO_MEMORY;
}

// True when there is an engine and a subgraph of the names that the caller asks for; no name
// selects all. A misspelled one is NOT_FOUND instead of an empty listing.
static bool selects(const neff_module *module, const hoist_disasm_options *options)
{
    bool found = !options->subgraph;
    for (uint32_t i = 0; i < module->subgraph_count; i++) {
        found = found || is_wanted(options->subgraph, module->subgraphs[i].name);
    }
    return found && (!options->engine ||
                     hoist_rec_word_find(&neff_engine_words, hoist_str_from(options->engine)) >= 0);
}

hoist_status neff_disasm(const hoist_module *module, const hoist_check_options *check,
                         const hoist_disasm_options *options, hoist_diag *diag, hoist_buffer *out,
                         hoist_tree_sink *sink)
{
    bool given = false;
    shower s = {.module = neff_of(module), .options = options, .text = out, .sink = sink};
    if (!selects(s.module, options)) {
        return HOIST_NOT_FOUND;
    }
    s.generation = neff_generation_for(s.module, check, &given);
    s.limit_rule = check ? check->limit_rule : NULL;
    hoist_arena arena;
    hoist_arena_init(&arena, module->alloc);
    hoist_buffer_init(&s.record, module->alloc);
    const hoist_status status = show_all(&s, &arena, diag);
    hoist_buffer_deinit(&s.record);
    hoist_arena_deinit(&arena);
    neff_enter(s.module, diag, NEFF_NONE); // findings after this are the file's
    return status == HOIST_OK && sink ? sink->status : status;
}
