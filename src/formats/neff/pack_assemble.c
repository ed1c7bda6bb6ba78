// Instruction text of a folder becomes streams: where there is sg00/pe.asm and no sg00/pe.bin, the
// latter is assembled. The text stays a member, as in the vendor's files. Where both are there they
// must be equal: otherwise it is unknown which of them was meant.
//
// In go the parts of a folder, out comes the list with the streams added, for pack.c;
// stream_assemble.c reads the lines.
#include <string.h>

#include "base/diag.h"
#include "base/span.h"
#include "formats/neff/pack.h"
#include "formats/neff/stream.h"

typedef struct assembler {
    const hoist_part *parts;
    size_t count;
    hoist_arena *arena;
    hoist_diag *diag;
    hoist_map names;       // path to index of the part
    int generation;        // of the kelf; any when there is none
    bool knows_generation; // looked up when the first text needs it
} assembler;

// The path of the stream that a part is the text of, empty when it is no text; and the part that
// has this path, NULL when none does.
static hoist_status stream_path(const assembler *a, const hoist_part *part, hoist_str *out_path,
                                const hoist_part **out_there)
{
    size_t index = 0;
    *out_path = HOIST_STR("");
    *out_there = NULL;
    if (!hoist_str_ends_with(part->path, ".asm")) {
        return HOIST_OK;
    }
    const hoist_str stem = hoist_str_slice(part->path, 0, part->path.size - strlen(".asm"));
    *out_path = hoist_arena_format(a->arena, "%.*s.bin", (int)stem.size, stem.data);
    HOIST_TRY_MEMORY(out_path->data);
    if (hoist_map_find(&a->names, *out_path, &index)) {
        *out_there = &a->parts[index];
    }
    return HOIST_OK;
}

// The generation that the folder's kelf names. A module of the parts is made only to read neff.json
// and the kelfs; its findings are dropped.
static hoist_status find_generation(assembler *a)
{
    const hoist_read_options options = {.alloc = a->arena->alloc, .keep = true};
    // No container: the members are given below.
    neff_module *m = neff_module_create(options.alloc, (hoist_bytes){NULL, 0});
    HOIST_TRY_MEMORY(m);
    hoist_status status = HOIST_NO_MEMORY;
    m->members = hoist_arena_array(&m->arena, a->count, sizeof(m->members[0]));
    for (size_t i = 0; m->members && i < a->count; i++) {
        m->members[i] = (neff_member){.name = a->parts[i].path, .bytes = a->parts[i].bytes};
        status = hoist_map_add(&m->member_names, a->parts[i].path, i, NULL);
        if (status == HOIST_NO_MEMORY) {
            break; // of equal names the first counts
        }
        m->member_count = (uint32_t)i + 1;
    }
    if (status != HOIST_NO_MEMORY) {
        neff_reader r = {.module = m, .arena = &m->arena, .options = &options};
        status = neff_read_graph(&r); // `hoist check` reports what is wrong in it
        const int generation = neff_generation_of_file(m);
        a->generation = generation < 0 ? NEFF_ANY_GENERATION : generation;
    }
    neff_destroy(&m->base);
    return status == HOIST_NO_MEMORY || status == HOIST_LIMIT ? status : HOIST_OK;
}

// Findings go to `diag`; the result lives in the arena.
static hoist_status assemble(assembler *a, const hoist_part *part, hoist_diag *diag,
                             hoist_bytes *out_stream)
{
    HOIST_TRY(a->knows_generation ? HOIST_OK : find_generation(a));
    a->knows_generation = true;
    const hoist_str text = {(const char *)part->bytes.data, part->bytes.size};
    hoist_buffer out;
    hoist_buffer_init(&out, a->arena->alloc);
    hoist_status status = neff_assemble(text, a->generation,
                                        &hoist_neff_pack_rules.rules[NEFF_PACK_TEXT], diag, &out);
    if (status == HOIST_OK) {
        // Parts hold slices, so the stream moves from the buffer into the arena, which outlives it.
        const hoist_str copy = hoist_arena_str(a->arena, hoist_buffer_text(&out));
        *out_stream = (hoist_bytes){(const uint8_t *)copy.data, copy.size};
        status = copy.data ? HOIST_OK : HOIST_NO_MEMORY;
    }
    hoist_buffer_deinit(&out);
    return status;
}

// A text that does not assemble may be the one that was edited: neither it nor the stream is packed
// on a guess.
static hoist_status check_text(assembler *a, const hoist_part *part, const hoist_part *there,
                               hoist_diag *own)
{
    const hoist_rule *const rule = &hoist_neff_pack_rules.rules[NEFF_PACK_STREAMS];
    hoist_bytes stream = {NULL, 0};
    // Into a diag of its own: the text is not packed.
    const hoist_status status = assemble(a, part, own, &stream);
    if (status == HOIST_INVALID && hoist_diag_kept(own)) {
        const hoist_finding *const first = hoist_diag_at(own, 0);
        return hoist_fail(a->diag, HOIST_INVALID, rule, first->loc,
                          "%.*s; '%.*s' is not packed instead", HOIST_STR_ARGS(first->message),
                          HOIST_STR_ARGS(there->path));
    }
    const bool same =
        status == HOIST_OK && stream.size == there->bytes.size &&
        (stream.size == 0 || memcmp(stream.data, there->bytes.data, stream.size) == 0);
    if (status == HOIST_OK && !same) {
        hoist_report(a->diag, rule, hoist_loc_none(),
                     "'%.*s' does not match '%.*s', expected equal ones or only one of them",
                     HOIST_STR_ARGS(there->path), HOIST_STR_ARGS(part->path));
        return HOIST_INVALID;
    }
    return status;
}

// Compares a text with the stream that is in the folder. An empty text is accepted, as some of the
// vendor's files have empty .asm members.
static hoist_status compare(assembler *a, const hoist_part *part, const hoist_part *there)
{
    hoist_diag *own = NULL;
    if (part->bytes.size == 0) {
        return HOIST_OK;
    }
    HOIST_TRY(hoist_diag_create(a->arena->alloc, NULL, &own));
    hoist_status status = check_text(a, part, there, own);
    status = hoist_diag_incomplete(own) ? HOIST_NO_MEMORY : status;
    hoist_diag_destroy(own);
    return status;
}

// Adds the part, and the stream that it is the text of. Findings are in the text's file.
static hoist_status add_part(assembler *a, const hoist_part *part, hoist_part *all, size_t *count)
{
    hoist_part stream = {.executable = false};
    const hoist_part *there = NULL;
    HOIST_TRY(stream_path(a, part, &stream.path, &there));
    all[(*count)++] = *part;
    if (stream.path.size == 0) {
        return HOIST_OK;
    }
    const hoist_str file = hoist_diag_file(a->diag); // to be restored: other parts report in it
    hoist_diag_source(a->diag, part->path, HOIST_STR(""));
    const hoist_status status =
        there ? compare(a, part, there) : assemble(a, part, a->diag, &stream.bytes);
    hoist_diag_source(a->diag, file, HOIST_STR(""));
    // A text that did not assemble gives a stream without bytes; the caller stops after all texts.
    if (!there && status != HOIST_NO_MEMORY) {
        all[(*count)++] = stream;
    }
    return status;
}

// All texts are assembled, whatever failed before, so that one run reports every error.
static hoist_status assemble_all(assembler *a, hoist_part *all, size_t *count)
{
    hoist_status worst = HOIST_OK;
    for (size_t i = 0; i < a->count; i++) {
        const hoist_status status = add_part(a, &a->parts[i], all, count);
        if (status == HOIST_NO_MEMORY) {
            return status;
        }
        worst = status == HOIST_OK ? worst : status;
    }
    return worst;
}

hoist_status neff_assemble_parts(hoist_arena *arena, hoist_diag *diag, const hoist_part **parts,
                                 size_t *count)
{
    // Names are initialised below.
    assembler a = {.parts = *parts, .count = *count, .arena = arena, .diag = diag};
    size_t texts = 0;
    hoist_status status = HOIST_OK;
    hoist_map_init(&a.names, arena->alloc);
    // Counting first: folders without texts, the usual case, are not copied.
    for (size_t i = 0; i < a.count && status != HOIST_NO_MEMORY; i++) {
        texts += hoist_str_ends_with(a.parts[i].path, ".asm");
        status = hoist_map_add(&a.names, a.parts[i].path, i, NULL);
    }
    hoist_part *all = texts ? hoist_arena_array(arena, a.count + texts, sizeof(all[0])) : NULL;
    if (status == HOIST_NO_MEMORY || (texts && !all)) {
        status = HOIST_NO_MEMORY;
    } else if (texts) {
        *count = 0;
        *parts = all;
        status = assemble_all(&a, all, count);
    } else {
        status = HOIST_OK; // equal names are checked later
    }
    hoist_map_deinit(&a.names);
    return status;
}
