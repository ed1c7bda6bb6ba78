// Findings of the reader of engines (engine_read.c, engine_desc.c), with the object paths of the
// places at hand: text.c words them, this file adds dma/3/desc/0/from_arr/1. Paths are made only
// when there is a finding.
#include <inttypes.h>
#include <stdio.h>

#include "base/span.h"
#include "formats/neff/engine_read.h"

// Three numbers of at most 10 digits, the words between, and a key of a table.
enum { PATH_BYTES = 160 };

// Object path of the place at hand and `key`: dma/3/desc/0/from_arr/1/from_off.
static hoist_str path_of(const neff_engine_place *place, const char *key, char *buffer)
{
    int used = snprintf(buffer, PATH_BYTES, "dma/%" PRIu32, place->block);
    if (place->desc != NEFF_NONE) {
        used += snprintf(buffer + used, PATH_BYTES - (size_t)used, "/desc/%" PRIu32, place->desc);
    }
    if (place->source != NEFF_NONE) {
        used +=
            snprintf(buffer + used, PATH_BYTES - (size_t)used, "/from_arr/%" PRIu32, place->source);
    }
    if (key) {
        used += snprintf(buffer + used, PATH_BYTES - (size_t)used, "/%s", key);
    }
    return (hoist_str){buffer, (size_t)used};
}

// The path ends in the field's key, the message names it too.
void neff_engine_wrong(neff_engine_reader *e, const hoist_rec_field *field, hoist_json_index at)
{
    char buffer[PATH_BYTES];
    hoist_frame frame;
    hoist_diag_push(e->r->diag, &frame, NULL, HOIST_STR(""),
                    path_of(&e->place, field->key, buffer));
    neff_report_wrong(e->r, field, e->json, at);
    hoist_diag_pop(e->r->diag, &frame);
}

// The path is that of the object: the value has no key of its own.
void neff_engine_wanted(neff_engine_reader *e, uint16_t rule, hoist_json_index at, const char *key,
                        const char *expected)
{
    char buffer[PATH_BYTES];
    hoist_frame frame;
    hoist_diag_push(e->r->diag, &frame, NULL, HOIST_STR(""), path_of(&e->place, NULL, buffer));
    neff_report_value(e->r, rule, e->json, at, key, expected);
    hoist_diag_pop(e->r->diag, &frame);
}

void neff_engine_missing(neff_engine_reader *e, hoist_json_index block, uint64_t seen)
{
    char buffer[PATH_BYTES];
    hoist_frame frame;
    hoist_diag_push(e->r->diag, &frame, NULL, HOIST_STR(""), path_of(&e->place, NULL, buffer));
    neff_report_missing(e->r, &neff_block_table, e->json, block, seen);
    hoist_diag_pop(e->r->diag, &frame);
}
