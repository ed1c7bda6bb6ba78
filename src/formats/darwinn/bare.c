// Instruction streams in files of their own, as tools that talk to the chip directly keep them: one
// chunk, without an executable around it. In: the bytes of the chunk; out: a module with its
// instructions (stream.h) and one run of its scalar core (scalar_hints.h). The text and the tree of
// it are those of stream_listing.h, as for packages (disasm.c).
#include "base/alloc.h"
#include "base/picture.h"
#include "base/span.h"
#include "base/tree.h"
#include "formats/darwinn/check.h"
#include "formats/darwinn/stream_listing.h"

typedef struct dwn_bare {
    hoist_module base; // first, so that pointers convert
    hoist_arena arena;
    dwn_chunk chunk;
    bool goes_on; // another chunk follows, in another file
    dwn_program_run run;
} dwn_bare;

static const dwn_bare *bare_of(const hoist_module *module)
{
    return (const dwn_bare *)module;
}

// A start word, whose count of bits is in complete words. Without a magic number the bid stays
// below those of formats that have one.
static int sniff(hoist_bytes head, hoist_str file_name)
{
    (void)file_name;
    const hoist_bytes word = {head.data, DWN_WORD_SIZE};
    if (head.size < DWN_WORD_SIZE || dwn_field_load(&dwn_opcode_field, word, 0) != DWN_OP_START ||
        dwn_field_load(&dwn_frame_rows[DWN_FRAME_BITS], word, 0) % DWN_WORD_BITS != 0) {
        return 0;
    }
    return 60;
}

static bool lacks_halt(const dwn_stream *stream)
{
    for (size_t i = 0; i < stream->fault_count; i++) {
        if (stream->faults[i].code == DWN_FAULT_HALT) {
            return true;
        }
    }
    return false;
}

// A chunk that does not halt is read again as one that another follows, so that this is no fault.
static hoist_status read_stream(dwn_bare *m, hoist_bytes bytes)
{
    dwn_stream_options options = {.has_successor = false};
    uint16_t next = 0;
    HOIST_TRY(dwn_stream_read(bytes, &options, &m->arena, &m->chunk.stream, &next));
    m->goes_on = lacks_halt(&m->chunk.stream);
    if (m->goes_on) {
        options.has_successor = true;
        HOIST_TRY(dwn_stream_read(bytes, &options, &m->arena, &m->chunk.stream, &next));
    }
    return dwn_program_execute(&m->chunk, 1, &m->arena, &m->run);
}

static void destroy(hoist_module *module)
{
    if (module) {
        dwn_bare *const m = (dwn_bare *)module; // the base is its first member
        hoist_arena_deinit(&m->arena);
        hoist_free(m->base.alloc, m, sizeof(*m));
    }
}

static hoist_status read(hoist_bytes bytes, const hoist_read_options *options, hoist_diag *diag,
                         hoist_module **out_module)
{
    (void)diag; // the check reports faults
    *out_module = NULL;
    if (!options->keep) {
        return HOIST_INTERNAL; // streams are slices of the bytes
    }
    dwn_bare *const m = hoist_alloc_zero(options->alloc, 1, sizeof(*m));
    if (!m) {
        return HOIST_NO_MEMORY;
    }
    m->base = (hoist_module){&hoist_darwinn_stream_format, options->alloc, options->deadline};
    hoist_arena_init(&m->arena, options->alloc);
    const hoist_status status = read_stream(m, bytes);
    if (status != HOIST_OK) {
        destroy(&m->base);
        return status;
    }
    *out_module = &m->base;
    return HOIST_OK;
}

// Faults of the stream have the rules of packages; there are no links, hints or layers to check.
static hoist_status check(hoist_module *module, const hoist_check_options *options,
                          hoist_diag *diag)
{
    (void)options;
    const dwn_stream *const stream = &bare_of(module)->chunk.stream;
    for (size_t i = 0; i < stream->fault_count; i++) {
        const uint64_t at = (uint64_t)stream->faults[i].word * DWN_WORD_SIZE;
        dwn_report_fault(diag, &stream->faults[i], hoist_loc_byte(at));
    }
    return HOIST_OK;
}

// The tree of one executable of which only instructions are known.
static hoist_status visit(const hoist_module *module, const hoist_dump_options *options,
                          hoist_tree_sink *sink)
{
    const dwn_bare *const m = bare_of(module);
    const dwn_listing listing = {.chunks = &m->chunk, .count = 1, .run = &m->run};
    hoist_tree_map(sink, options->key ? options->key : "");
    HOIST_TRY(dwn_listing_send(&listing, m->base.alloc, sink));
    hoist_tree_end(sink);
    return sink->status;
}

static hoist_status info(const hoist_module *module, const hoist_check_options *options,
                         hoist_diag *diag, hoist_tree_sink *sink)
{
    (void)options;
    (void)diag;
    const dwn_bare *const m = bare_of(module);
    const dwn_listing listing = {.chunks = &m->chunk, .count = 1};
    const dwn_totals totals = dwn_listing_totals(&listing);
    hoist_tree_uint(sink, "words", totals.words, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "instructions", totals.instructions, HOIST_UNIT_NONE);
    hoist_tree_c(sink, "ends", m->goes_on ? "another chunk follows" : "halts");
    hoist_tree_list(sink, "opcodes");
    const dwn_opcode *row = NULL;
    for (size_t i = 0; (row = dwn_opcode_at(i)) != NULL; i++) {
        if (totals.by_opcode[row->code] > 0) {
            hoist_tree_map(sink, "");
            hoist_tree_c(sink, "opcode", row->mnemonic);
            hoist_tree_uint(sink, "count", totals.by_opcode[row->code], HOIST_UNIT_NONE);
            hoist_tree_end(sink);
        }
    }
    hoist_tree_end(sink);
    // By the tag of the transfer (reference 4.2).
    static const char *const tags[DWN_TAG_INTERRUPT] = {"instructions", "input", "parameters",
                                                        "output"};
    hoist_tree_list(sink, "transfers");
    for (size_t i = 0; i < m->run.transfer_count; i++) {
        const dwn_transfer *const transfer = &m->run.transfers[i];
        const bool is_interrupt = transfer->tag >= DWN_TAG_INTERRUPT;
        hoist_tree_map(sink, "");
        hoist_tree_uint(sink, "word", transfer->word, HOIST_UNIT_NONE);
        hoist_tree_c(sink, "what", is_interrupt ? "interrupt" : tags[transfer->tag]);
        if (is_interrupt) {
            hoist_tree_null(sink, "size_bytes");
        } else {
            hoist_tree_uint(sink, "size_bytes", transfer->size, HOIST_UNIT_BYTES);
        }
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
    return sink->status;
}

static hoist_status disasm(const hoist_module *module, const hoist_check_options *check_options,
                           const hoist_disasm_options *options, hoist_diag *diag, hoist_buffer *out,
                           hoist_tree_sink *sink)
{
    (void)check_options;
    (void)diag;
    const dwn_bare *const m = bare_of(module);
    const dwn_listing listing = {
        .chunks = &m->chunk, .count = 1, .run = &m->run, .offsets = options->offsets};
    if (options->engine || options->subgraph) {
        return HOIST_NOT_FOUND; // there are neither
    }
    if (!sink) {
        return dwn_listing_write(&listing, out);
    }
    hoist_tree_map(sink, ""); // as of an executable of which nothing is known
    hoist_tree_null(sink, "payload");
    hoist_tree_null(sink, "executable");
    hoist_tree_null(sink, "type");
    HOIST_TRY(dwn_listing_send(&listing, m->base.alloc, sink));
    hoist_tree_end(sink);
    return sink->status;
}

// A stream has no flow of data that is known: of layers only executables have the sizes.
static hoist_status picture(const hoist_module *module, const hoist_check_options *options,
                            hoist_diag *diag, hoist_picture *out)
{
    (void)options;
    (void)diag;
    const dwn_listing listing = {.chunks = &bare_of(module)->chunk, .count = 1};
    const dwn_totals totals = dwn_listing_totals(&listing);
    const hoist_picture_graph graph = {.title = "stream", .name = HOIST_STR("0")};
    hoist_picture_begin_graph(out, &graph);
    hoist_picture_uint(out, "words", totals.words, HOIST_PICTURE_COUNT);
    hoist_picture_uint(out, "instructions", totals.instructions, HOIST_PICTURE_COUNT);
    HOIST_TRY(hoist_picture_status(out));
    hoist_picture_end_graph(out);
    return hoist_picture_status(out);
}

// The bytes as they are: nothing of a stream is normalised.
static hoist_status write(const hoist_module *module, hoist_buffer *out)
{
    hoist_buffer_add(out, bare_of(module)->chunk.stream.bytes);
    return out->failed ? HOIST_NO_MEMORY : HOIST_OK;
}

static const hoist_rule_set *const rule_sets[] = {NULL}; // packages bring them

const hoist_format hoist_darwinn_stream_format = {
    .name = "darwinn-stream",
    .title = "Edge TPU instruction stream",
    .rule_sets = rule_sets,
    .keeps_bytes = true,
    .max_bytes = DWN_MAX_PROGRAM, // as of a package's program: it is run as one
    .memory = {.base = (size_t)64 << 20, .factor = 40},
    .sniff = sniff,
    .read = read,
    .destroy = destroy,
    .check = check,
    .visit = visit,
    .info = info,
    .picture = picture,
    .disasm = disasm,
    .write = write,
};
