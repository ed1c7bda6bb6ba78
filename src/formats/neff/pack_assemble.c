// Instruction text of a folder becomes streams: where there is sg00/pe.asm and no sg00/pe.bin, the
// latter is assembled. The text stays a member, as in the vendor's files.
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
    hoist_map names; // path to index of the part
    int generation;
} assembler;

// The path of the stream that a part is the text of; empty: it is no text, or the stream is there.
static hoist_status stream_path(const assembler *a, const hoist_part *part, hoist_str *out_path)
{
    size_t index = 0;
    *out_path = HOIST_STR("");
    if (!hoist_str_ends_with(part->path, ".asm")) {
        return HOIST_OK;
    }
    const hoist_str stem = hoist_str_slice(part->path, 0, part->path.size - strlen(".asm"));
    const hoist_str path = hoist_arena_format(a->arena, "%.*s.bin", (int)stem.size, stem.data);
    if (!path.data) {
        return HOIST_NO_MEMORY;
    }
    if (!hoist_map_find(&a->names, path, &index)) {
        *out_path = path;
    }
    return HOIST_OK;
}

// The generation that the folder's kelf names.
static hoist_status find_generation(assembler *a)
{
    const hoist_read_options options = {.alloc = a->arena->alloc, .keep = true};
    neff_module *m = neff_module_create(options.alloc, (hoist_bytes){NULL, 0});
    if (!m) {
        return HOIST_NO_MEMORY;
    }
    hoist_status status = HOIST_NO_MEMORY;
    m->members = hoist_arena_array(&m->arena, a->count, sizeof(m->members[0]));
    for (size_t i = 0; m->members && i < a->count; i++) {
        m->members[i] = (neff_member){.name = a->parts[i].path, .bytes = a->parts[i].bytes};
        status = hoist_map_add(&m->member_names, a->parts[i].path, i, NULL);
        if (status == HOIST_NO_MEMORY) {
            break;
        }
        m->member_count = (uint32_t)i + 1;
    }
    if (status != HOIST_NO_MEMORY) {
        neff_reader r = {.module = m, .arena = &m->arena, .options = &options};
        status = neff_read_graph(&r); // what is wrong in it is for `hoist check` to say
        const int generation = neff_generation_of_file(m);
        a->generation = generation < 0 ? NEFF_ANY_GENERATION : generation;
    }
    neff_destroy(&m->base);
    return status == HOIST_NO_MEMORY || status == HOIST_LIMIT ? status : HOIST_OK;
}

// Findings are in the text's file.
static hoist_status assemble(const assembler *a, const hoist_part *part, hoist_bytes *out_stream)
{
    const hoist_str text = {(const char *)part->bytes.data, part->bytes.size};
    const hoist_str file = hoist_diag_file(a->diag);
    hoist_buffer out;
    hoist_buffer_init(&out, a->arena->alloc);
    hoist_diag_source(a->diag, part->path, HOIST_STR(""));
    hoist_status status = neff_assemble(
        text, a->generation, &hoist_neff_pack_rules.rules[NEFF_PACK_TEXT], a->diag, &out);
    hoist_diag_source(a->diag, file, HOIST_STR(""));
    if (status == HOIST_OK) {
        const hoist_str copy = hoist_arena_str(a->arena, hoist_buffer_text(&out));
        *out_stream = (hoist_bytes){(const uint8_t *)copy.data, copy.size};
        status = copy.data ? HOIST_OK : HOIST_NO_MEMORY;
    }
    hoist_buffer_deinit(&out);
    return status;
}

static hoist_status assemble_all(assembler *a, hoist_part *all, size_t *count)
{
    hoist_status worst = HOIST_OK;
    bool is_first = true;
    for (size_t i = 0; i < a->count; i++) {
        hoist_part stream = {.executable = false};
        HOIST_TRY(stream_path(a, &a->parts[i], &stream.path));
        all[(*count)++] = a->parts[i];
        if (stream.path.size == 0) {
            continue;
        }
        HOIST_TRY(is_first ? find_generation(a) : HOIST_OK);
        is_first = false;
        const hoist_status status = assemble(a, &a->parts[i], &stream.bytes);
        if (status == HOIST_NO_MEMORY) {
            return status;
        }
        worst = status == HOIST_OK ? worst : status;
        all[(*count)++] = stream;
    }
    return worst;
}

hoist_status neff_assemble_parts(hoist_arena *arena, hoist_diag *diag, const hoist_part **parts,
                                 size_t *count)
{
    assembler a = {.parts = *parts, .count = *count, .arena = arena, .diag = diag};
    size_t texts = 0;
    hoist_status status = HOIST_OK;
    hoist_map_init(&a.names, arena->alloc);
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
        status = HOIST_OK; // equal names are judged later
    }
    hoist_map_deinit(&a.names);
    return status;
}
