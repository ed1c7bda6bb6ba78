// Texts of small models, read and checked.
#include "formats/ark/check_testing.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "formats/ark/ark.h"

hoist_status ark_test_open(const char *text, hoist_allocator alloc, hoist_diag *diag,
                           ark_test_file *out_file)
{
    *out_file = (ark_test_file){.module = NULL};
    hoist_arena_init(&out_file->arena, alloc);
    const hoist_read_options options = {.alloc = alloc, .keep = true};
    const hoist_str all = hoist_str_from(text);
    const hoist_bytes bytes = {(const uint8_t *)all.data, all.size};
    HOIST_TRY(ark_read(bytes, &options, diag, &out_file->module));
    return ark_graph_build(ark_module_of(out_file->module), &out_file->arena, diag,
                           &out_file->graph);
}

void ark_test_close(ark_test_file *file)
{
    hoist_arena_deinit(&file->arena);
    ark_destroy(file->module);
}

static hoist_str shown(hoist_test *t)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_diag_sort(t->diag);
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        const hoist_finding *const f = hoist_diag_at(t->diag, i);
        const char *const id = strchr(f->rule->id, '-');
        hoist_buffer_format(&out, "%s%" PRIu32 ":%" PRIu32 " %s", i ? "; " : "", f->loc.pos.line,
                            f->loc.pos.column, id ? id + 1 : f->rule->id);
    }
    const hoist_str copy = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    return copy;
}

hoist_str ark_test_findings(hoist_test *t, const char *text, ark_check_part *part)
{
    ark_test_file file;
    HOIST_EXPECT_EQ(t, ark_test_open(text, hoist_allocator_system(), t->diag, &file), HOIST_OK);
    if (file.module && part) {
        HOIST_EXPECT_EQ(t, part(&file.graph, &file.arena, t->diag), HOIST_OK);
    }
    ark_test_close(&file);
    return shown(t);
}

typedef struct starving {
    const char *text;
    ark_check_part *part;
} starving;

static hoist_status run_starving(hoist_allocator alloc, const void *self)
{
    const starving *const s = self;
    ark_test_file file;
    hoist_status status = ark_test_open(s->text, alloc, NULL, &file);
    if (status == HOIST_OK && s->part) {
        status = hoist_arena_status(&file.arena, s->part(&file.graph, &file.arena, NULL));
    }
    ark_test_close(&file);
    return status;
}

void ark_test_starve(hoist_test *t, const char *text, ark_check_part *part)
{
    const starving self = {text, part};
    hoist_test_starve(t, run_starving, &self);
}

void ark_test_cancel(hoist_test *t, const char *text, ark_check_part *part)
{
    ark_test_file file;
    HOIST_EXPECT_EQ(t, ark_test_open(text, hoist_allocator_system(), NULL, &file), HOIST_OK);
    file.module->deadline = hoist_test_deadline(t, 0);
    ark_graph graph;
    const hoist_status status =
        part ? part(&file.graph, &file.arena, NULL)
             : ark_graph_build(ark_module_of(file.module), &file.arena, NULL, &graph);
    HOIST_EXPECT_EQ(t, status, HOIST_LIMIT);
    hoist_deadline_destroy(file.module->deadline);
    file.module->deadline = NULL;
    ark_test_close(&file);
}
