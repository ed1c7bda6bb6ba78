// base/name_list.h - names for a message that says what there is: "'a', 'b' and 3 more".
#ifndef HOIST_SRC_BASE_NAME_LIST_H
#define HOIST_SRC_BASE_NAME_LIST_H

#include "base/buffer.h"

enum { HOIST_NAME_LIST_MOST = 8 }; // names that are written; the others are counted

typedef struct hoist_name_list {
    hoist_buffer text; // owned: the names so far
    size_t count;      // of all names
} hoist_name_list;

void hoist_name_list_init(hoist_name_list *list, hoist_allocator alloc);
void hoist_name_list_deinit(hoist_name_list *list);
// Bytes of the name are written as they are.
void hoist_name_list_add(hoist_name_list *list, hoist_str name);
// What the list says, "none" without a name; borrowed. Called once, when all names are there. Says
// so when an allocation has failed, as `text.failed` does then.
const char *hoist_name_list_text(hoist_name_list *list);

#endif // HOIST_SRC_BASE_NAME_LIST_H
