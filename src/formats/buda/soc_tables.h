// formats/buda/soc_tables.h - the public descriptors as rows; use them through soc.h.
#ifndef HOIST_SRC_FORMATS_BUDA_SOC_TABLES_H
#define HOIST_SRC_FORMATS_BUDA_SOC_TABLES_H

#include "formats/buda/soc.h"

// The first row of an arch is its default.
extern const buda_soc buda_socs[];
extern const size_t buda_soc_rows;

#endif // HOIST_SRC_FORMATS_BUDA_SOC_TABLES_H
