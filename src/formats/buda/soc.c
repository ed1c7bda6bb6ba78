// Lookups in the table of device descriptors (soc_tables.c), and logical to physical coordinates.
// soc_read.c reads descriptors that a user gives with --soc.
#include "formats/buda/soc.h"

#include "base/span.h"
#include "formats/buda/soc_tables.h"

const buda_soc *buda_soc_of(buda_arch arch)
{
    for (size_t i = 0; i < buda_soc_rows; i++) {
        if (buda_socs[i].arch == arch) {
            return &buda_socs[i];
        }
    }
    return NULL;
}

const buda_soc *buda_soc_find(hoist_str name)
{
    for (size_t i = 0; i < buda_soc_rows; i++) {
        if (hoist_str_equal_c(name, buda_socs[i].name)) {
            return &buda_socs[i];
        }
    }
    return NULL;
}

bool buda_soc_physical(const buda_soc *soc, int64_t row, int64_t column, buda_core *out_core)
{
    *out_core = (buda_core){0, 0};
    if (row < 0 || row >= soc->row_count || column < 0 || column >= soc->column_count) {
        return false;
    }
    *out_core = (buda_core){soc->columns[column], soc->rows[row]};
    return true;
}
