// Reading a file of several arrays as a set: by its first bytes npz_read.c or safetensors_read.c.
#include <string.h>

#include "exchange/array_set.h"

// The first bytes of a ZIP archive: of an entry, or of the end of one without entries.
static bool is_zip(hoist_bytes file)
{
    return file.size >= 4 &&
           (memcmp(file.data, "PK\3\4", 4) == 0 || memcmp(file.data, "PK\5\6", 4) == 0);
}

hoist_status hoist_array_set_read(hoist_bytes file, hoist_deadline *deadline, hoist_allocator alloc,
                                  hoist_diag *diag, hoist_array_set **out_set)
{
    hoist_array_set *set = NULL;
    *out_set = NULL;
    HOIST_TRY(hoist_array_set_create(alloc, &set));
    const hoist_status status = is_zip(file) ? hoist_npz_read(file, deadline, diag, set)
                                             : hoist_safetensors_read(file, deadline, diag, set);
    if (status != HOIST_OK) {
        hoist_array_set_destroy(set);
        return status;
    }
    *out_set = set;
    return HOIST_OK;
}
