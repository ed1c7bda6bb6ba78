// The list of names in a message such as "there are: 'a', 'b' and 3 more". Names beyond the limit
// are counted only.
#include "base/name_list.h"

#include "base/assert.h"
#include "base/span.h"

void hoist_name_list_init(hoist_name_list *list, hoist_allocator alloc)
{
    *list = (hoist_name_list){.count = 0};
    hoist_buffer_init(&list->text, alloc);
}

void hoist_name_list_deinit(hoist_name_list *list)
{
    hoist_buffer_deinit(&list->text);
}

void hoist_name_list_add(hoist_name_list *list, hoist_str name)
{
    if (list->count++ < HOIST_NAME_LIST_MOST) {
        hoist_buffer_format(&list->text, "%s'%.*s'", list->text.size ? ", " : "",
                            HOIST_STR_ARGS(name));
    }
}

const char *hoist_name_list_text(hoist_name_list *list)
{
    HOIST_ASSERT(list->count == 0 || list->text.failed || list->text.size > 0);
    if (list->count == 0) {
        return "none";
    }
    if (list->count > HOIST_NAME_LIST_MOST) {
        hoist_buffer_format(&list->text, " and %zu more", list->count - HOIST_NAME_LIST_MOST);
    }
    hoist_buffer_char(&list->text, '\0');
    return list->text.failed ? "names that no memory is left for" : (const char *)list->text.data;
}
