// Why nothing can load a file, by what reading it found: its archive, and then what a loader looks
// up one after the other (neff reference 2.5, 7.2).
#include "base/buffer.h"
#include "base/span.h"
#include "formats/neff/info.h"
#include "formats/neff/tape.h"

static bool write_no_json(const neff_module *m, const neff_text *text, hoist_buffer *out)
{
    const bool broken = text->member != NEFF_NONE && text->json.count == 0;
    if (broken) {
        hoist_buffer_format(out, "'%.*s' is no JSON (NEFF-021a)",
                            HOIST_STR_ARGS(m->members[text->member].name));
    }
    return broken;
}

static bool write_archive(const neff_module *m, hoist_buffer *out)
{
    if (m->gzip_broken) {
        hoist_buffer_c(out, "the gzip data is broken (NEFF-015a)");
    } else if (m->tar.broken) {
        hoist_buffer_c(out, "the tar archive is broken (NEFF-016a)");
    }
    return m->gzip_broken || m->tar.broken;
}

// Of members that have the same name nobody knows which one a loader takes.
static bool write_twice(const neff_module *m, hoist_buffer *out)
{
    for (uint32_t i = 0; i < m->member_count; i++) {
        const uint32_t first = neff_member_find(m, m->members[i].name);
        const neff_role role = m->members[first].role;
        if (first != i && role != NEFF_ROLE_UNKNOWN && role != NEFF_ROLE_METADATA) {
            hoist_buffer_format(out, "'%.*s' is there twice (NEFF-018)",
                                HOIST_STR_ARGS(m->members[i].name));
            return true;
        }
    }
    return false;
}

static hoist_status write_graph(const neff_info_writer *w, hoist_buffer *out, bool *out_found)
{
    const neff_graph *const graph = &w->module->graph;
    if (graph->text.member == NEFF_NONE) {
        hoist_buffer_c(out, "there is no neff.json (NEFF-021a)");
        *out_found = true;
    }
    *out_found = *out_found || write_no_json(w->module, &graph->text, out);
    for (uint32_t i = 0; i < graph->node_count && !*out_found; i++) {
        const neff_node *const node = &graph->nodes[i];
        uint32_t member = 0;
        if (node->is_kelf) {
            HOIST_TRY(neff_member_resolve(w->module, w->arena, HOIST_STR(""), node->kelf, &member));
        }
        if (member == NEFF_NONE) {
            hoist_buffer_format(out, "the kelf '%.*s' is not there (NEFF-023a)",
                                HOIST_STR_ARGS(node->kelf));
            *out_found = true;
        }
    }
    if (!*out_found && w->module->kelf_count == 0) {
        hoist_buffer_c(out, "neff.json names no kelf (NEFF-023a)");
        *out_found = true;
    }
    return HOIST_OK;
}

static bool write_unknown_target(const neff_module *m, hoist_buffer *out)
{
    const bool unknown = m->kelf_count && neff_generation_of_file(m) < 0;
    if (unknown) {
        hoist_buffer_format(out, "nobody knows the target '%.*s' (NEFF-024a)",
                            HOIST_STR_ARGS(m->kelfs[0].target));
    }
    return unknown;
}

// A file of an engine that is named and missing, or is no JSON.
static hoist_status write_engine(const neff_info_writer *w, const neff_subgraph *s,
                                 const neff_engine *engine, hoist_buffer *out, bool *out_found)
{
    hoist_str file;
    HOIST_TRY(neff_tape_str(&s->def.json, 0, neff_engines[engine->id].key, w->arena, &file));
    *out_found = write_no_json(w->module, &engine->text, out);
    if (!*out_found && file.size && engine->text.member == NEFF_NONE) {
        hoist_buffer_format(out, "'%.*s%.*s' is not there (NEFF-043a)", HOIST_STR_ARGS(s->folder),
                            HOIST_STR_ARGS(file));
        *out_found = true;
    } else if (!*out_found && engine->instr_name.size && engine->instr == NEFF_NONE) {
        hoist_buffer_format(out, "'%.*s%.*s' is not there (NEFF-066)", HOIST_STR_ARGS(s->folder),
                            HOIST_STR_ARGS(engine->instr_name));
        *out_found = true;
    }
    return HOIST_OK;
}

static hoist_status write_subgraph(const neff_info_writer *w, const neff_subgraph *s,
                                   hoist_buffer *out, bool *out_found)
{
    if (s->def.member == NEFF_NONE) {
        hoist_buffer_format(out, "subgraph '%.*s' has no definition (NEFF-024a)",
                            HOIST_STR_ARGS(s->name));
        *out_found = true;
    }
    *out_found = *out_found || write_no_json(w->module, &s->def, out);
    for (int e = 0; e < NEFF_ENGINE_COUNT && !*out_found; e++) {
        HOIST_TRY(write_engine(w, s, &s->engines[e], out, out_found));
    }
    return HOIST_OK;
}

hoist_status neff_info_flaw(const neff_info_writer *w, hoist_buffer *out)
{
    const neff_module *const m = w->module;
    bool found = write_archive(m, out) || write_twice(m, out);
    HOIST_TRY(found ? HOIST_OK : write_graph(w, out, &found));
    for (uint32_t i = 0; i < m->kelf_count && !found; i++) {
        found = write_no_json(m, &m->kelfs[i].text, out);
    }
    found = found || write_unknown_target(m, out);
    for (uint32_t i = 0; i < m->subgraph_count && !found; i++) {
        HOIST_TRY(write_subgraph(w, &m->subgraphs[i], out, &found));
    }
    if (!found && m->subgraph_count == 0) {
        hoist_buffer_c(out, "no kelf lists a subgraph (NEFF-024a)");
    }
    return out->failed ? HOIST_NO_MEMORY : HOIST_OK;
}
