// Rules 6, 14 and 19: what the header and the archive say against what is in them (neff reference
// 1.3, 1.5, 2.4). In goes a module that was read, out come findings; features.c finds the content
// that feature bits declare.
#include <stdio.h>

#include "base/diag.h"
#include "base/span.h"
#include "formats/neff/features.h"
#include "formats/neff/header.h"
#include "formats/neff/tape.h"

static hoist_loc feature_place(void)
{
    return hoist_loc_byte(neff_header_rows[NEFF_H_FEATURE_BITS].offset);
}

// The bits of a mask in words: "bit 4 (neff_queue_set_instances)", "bit 12 (DGE) or 21
// (hardware_DGE)". A text that does not fit is cut.
static void name_bits(uint64_t bits, char *out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "bit ");
    bool first = true;
    for (unsigned bit = 0; bit < 64 && used < size; bit++) {
        if (bits >> bit & 1) {
            used += (size_t)snprintf(out + used, size - used, "%s%u (%s)", first ? "" : " or ", bit,
                                     neff_features[bit].name ? neff_features[bit].name : "unnamed");
            first = false;
        }
    }
}

// The bit of a name of `neff_features`; -1: unknown, as newer compilers have more names.
static int bit_of(hoist_str name)
{
    for (int bit = 0; bit < 64; bit++) {
        if (neff_features[bit].name && hoist_str_equal_c(name, neff_features[bit].name)) {
            return bit;
        }
    }
    return -1;
}

// Rule 14: names in def.json have their bits set in the header. The other way round is no rule,
// since compilers write only some of the names.
static hoist_status check_names(neff_check *c, const neff_subgraph *subgraph)
{
    const hoist_json *const json = &subgraph->def.json;
    const hoist_json_index list = neff_tape_find(json, 0, "neff_features");
    // A list of another kind was reported by reading.
    if (!neff_tape_is(json, list, HOIST_JSON_ARRAY)) {
        return HOIST_OK;
    }
    neff_cursor cursor = {0};
    hoist_json_index item = list + 1;
    neff_enter(c->module, c->diag, subgraph->def.member);
    for (uint32_t i = 0; i < hoist_json_size(json, list); i++) {
        if (hoist_json_kind_of(json, item) == HOIST_JSON_STRING) {
            const hoist_str name = hoist_json_string(json, item, &c->arena);
            const int bit = bit_of(name);
            HOIST_TRY_MEMORY(name.data);
            if (bit >= 0 && !(c->module->header.feature_bits >> bit & 1)) {
                neff_report(c->diag, NEFF_014, neff_tape_loc(&cursor, json, item),
                            "neff_features names '%.*s', but feature bit %d is not set",
                            HOIST_STR_ARGS(name), bit);
            }
        }
        item = hoist_json_next(json, item);
    }
    return HOIST_OK;
}

static hoist_status check_features(neff_check *c)
{
    neff_feature_facts facts;
    HOIST_TRY(neff_find_features(c->module, c->generation, &c->arena, &facts));
    neff_enter(c->module, c->diag, NEFF_NONE);
    for (neff_feature i = 0; i < NEFF_FEATURE_COUNT; i++) {
        // Rule 14: content and bits. Some bits have other causes as well (`exact` is false): those
        // may be set without the content.
        const neff_feature_bits *const row = &neff_feature_table[i];
        // Any one of them is enough.
        const uint64_t set = c->module->header.feature_bits & row->expected;
        char bits[128];
        name_bits(row->expected, bits, sizeof(bits));
        if (facts.found[i].size && !set) {
            neff_report(c->diag, NEFF_014, feature_place(),
                        "there is a %s (%.*s), but feature %s is not set", row->what,
                        HOIST_STR_ARGS(facts.found[i]), bits);
        } else if (!facts.found[i].size && set && row->exact) {
            neff_report(c->diag, NEFF_014, feature_place(), "feature %s is set, but there is no %s",
                        bits, row->what);
        }
    }
    for (uint32_t i = 0; i < c->module->subgraph_count; i++) {
        HOIST_TRY(check_names(c, &c->module->subgraphs[i]));
    }
    return HOIST_OK;
}

// False when a file that refers to others is not there, or no JSON: an error of its own, after
// which every member below it would be reported as unused.
static bool references_are_known(const neff_module *m)
{
    bool known = m->graph.text.json.count > 0 && m->subgraph_count > 0;
    for (uint32_t i = 0; known && i < m->kelf_count; i++) {
        known = m->kelfs[i].text.json.count > 0;
    }
    for (uint32_t i = 0; known && i < m->subgraph_count; i++) {
        const neff_subgraph *const s = &m->subgraphs[i];
        known = s->def.json.count > 0;
        for (neff_engine_id id = 0; known && id < NEFF_ENGINE_COUNT; id++) {
            const neff_text *const text = &s->engines[id].text;
            // An engine without a file refers to nothing.
            known = text->member == NEFF_NONE || text->json.count > 0;
        }
    }
    return known;
}

hoist_status neff_check_container(neff_check *c)
{
    uint8_t digest[HOIST_HASH_MAX_SIZE];
    if (c->module->file.size) { // a module that was built has no payload to hash
        const hoist_status status = neff_verify_hash(c->module, c->diag, digest, NULL);
        // Of an unknown pkg_version, which is rule 2's.
        HOIST_TRY(status == HOIST_UNSUPPORTED ? HOIST_OK : status);
    }
    HOIST_TRY(check_features(c));
    if (references_are_known(c->module)) {
        // Rule 19: readers have marked the members that they came to; known names need no reader.
        const neff_module *const m = c->module;
        neff_enter_archive(m, c->diag);
        for (uint32_t i = 0; i < m->member_count; i++) {
            const neff_member *const member = &m->members[i];
            if (member->role == NEFF_ROLE_UNKNOWN &&
                neff_known_role(member->name) == NEFF_ROLE_UNKNOWN) {
                const uint64_t base = m->gzip ? 0 : NEFF_HEADER_SIZE;
                const hoist_loc place =
                    member->tar ? hoist_loc_byte(base + member->tar->header_at) : hoist_loc_none();
                neff_report(c->diag, NEFF_019, place, "nothing refers to member '%.*s'",
                            HOIST_STR_ARGS(member->name));
            }
        }
    }
    neff_enter(c->module, c->diag, NEFF_NONE);
    return HOIST_OK;
}
