// Tokens: which files were compiled together (darwinn reference section 6).
#include <inttypes.h>

#include "base/span.h"
#include "formats/darwinn/darwinn.h"

typedef struct mark_list {
    const dwn_module *module;
    hoist_arena *arena;
    hoist_mark *items; // arena
    size_t count;
} mark_list;

static size_t count_contents(const dwn_module *m)
{
    size_t count = m->package_count;
    for (uint32_t i = 0; i < m->package_count; i++) {
        count += m->packages[i].chip_count;
    }
    return count;
}

// The token of the executable that is run; 0 is none.
static hoist_status add_mark(mark_list *list, const dwn_contents *contents, hoist_str path)
{
    const uint64_t token = dwn_token_of(contents);
    if (!token) {
        return HOIST_OK;
    }
    const uint32_t main = dwn_roles_of(contents).main;
    const dwn_image *const image = &contents->images[main];
    hoist_mark *const mark = &list->items[list->count++];
    mark->text = hoist_arena_format(list->arena, "%016" PRIx64, token);
    mark->object = hoist_arena_format(list->arena, "%.*s%sexecutables/%" PRIu32,
                                      HOIST_STR_ARGS(path), path.size ? "/" : "", main);
    mark->loc = DWN_FIELD_PLACE(list->module, image->bytes, executable, image->rows,
                                parameter_caching_token);
    return mark->text.data && mark->object.data ? HOIST_OK : HOIST_NO_MEMORY;
}

static hoist_status add_chips(mark_list *list, const dwn_contents *bundle, hoist_str path)
{
    for (uint32_t i = 0; i < bundle->chip_count; i++) {
        const hoist_str chip = hoist_arena_format(list->arena, "%.*s%schips/%" PRIu32,
                                                  HOIST_STR_ARGS(path), path.size ? "/" : "", i);
        HOIST_TRY(chip.data ? add_mark(list, &bundle->chips[i], chip) : HOIST_NO_MEMORY);
    }
    return HOIST_OK;
}

hoist_status dwn_marks(const hoist_module *module, hoist_arena *arena, const hoist_mark **out_marks,
                       size_t *out_count)
{
    mark_list list = {.module = dwn_of(module), .arena = arena};
    list.items = hoist_arena_array(arena, count_contents(list.module), sizeof(*list.items));
    *out_marks = list.items;
    *out_count = 0;
    if (!list.items) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < list.module->package_count; i++) {
        const hoist_str path = list.module->is_custom
                                   ? hoist_arena_format(arena, "packages/%" PRIu32, i)
                                   : hoist_arena_str(arena, (hoist_str){"", 0});
        HOIST_TRY(path.data ? HOIST_OK : HOIST_NO_MEMORY);
        HOIST_TRY(add_mark(&list, &list.module->packages[i], path));
        HOIST_TRY(add_chips(&list, &list.module->packages[i], path));
    }
    *out_count = list.count;
    return HOIST_OK;
}
