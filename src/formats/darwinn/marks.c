// Tokens of packages (darwinn reference section 6): files with the same token were compiled
// together and may keep their parameters on the chip at the same time. Out: one mark for each
// package with a token, for rule 80.
#include <inttypes.h>

#include "base/span.h"
#include "formats/darwinn/darwinn.h"

typedef struct mark_list {
    const dwn_module *module;
    hoist_arena *arena;
    hoist_mark *items; // arena
    size_t count;
} mark_list;

// Upper bound: packages without a token add no mark.
static size_t count_contents(const dwn_module *m)
{
    size_t count = m->package_count;
    for (uint32_t i = 0; i < m->package_count; i++) {
        count += m->packages[i].chip_count;
    }
    return count;
}

// Adds the token of the executable that is run; 0 is none.
static hoist_status add_mark(mark_list *list, const dwn_contents *contents, hoist_str path)
{
    const uint64_t token = dwn_token_of(contents);
    if (!token) {
        return HOIST_OK;
    }
    const dwn_roles roles = dwn_roles_of(contents);
    const dwn_image *const image = roles.main_image;
    hoist_mark *const mark = &list->items[list->count++];
    mark->text = hoist_arena_format(list->arena, "%016" PRIx64, token);
    mark->object = hoist_arena_format(list->arena, "%.*s%sexecutables/%" PRIu32,
                                      HOIST_STR_ARGS(path), path.size ? "/" : "", roles.main);
    mark->loc = DWN_FIELD_PLACE(list->module, image->bytes, executable, image->rows,
                                parameter_caching_token);
    return mark->text.data && mark->object.data ? HOIST_OK : HOIST_NO_MEMORY;
}

// In the order of packages and chips; dwn_token_at() counts in the same order.
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
        for (uint32_t k = 0; k < list.module->packages[i].chip_count; k++) {
            const hoist_str chip = hoist_arena_format(
                list.arena, "%.*s%schips/%" PRIu32, HOIST_STR_ARGS(path), path.size ? "/" : "", k);
            HOIST_TRY(chip.data ? add_mark(&list, &list.module->packages[i].chips[k], chip)
                                : HOIST_NO_MEMORY);
        }
    }
    *out_count = list.count;
    return HOIST_OK;
}

// The token as a number, in the order of dwn_marks(): `*index` counts down to 0 by tokens of a
// package and of the chips of a bundle. 0: it is in another package.
static uint64_t token_in(const dwn_contents *contents, size_t *index)
{
    uint64_t token = dwn_token_of(contents);
    token = token && (*index)-- == 0 ? token : 0;
    for (uint32_t i = 0; i < contents->chip_count && !token; i++) {
        token = dwn_token_of(&contents->chips[i]);
        token = token && (*index)-- == 0 ? token : 0;
    }
    return token;
}

uint64_t dwn_token_at(const hoist_module *module, size_t *index)
{
    const dwn_module *const m = dwn_of(module);
    uint64_t token = 0;
    for (uint32_t i = 0; i < m->package_count && !token; i++) {
        token = token_in(&m->packages[i], index);
    }
    return token;
}
