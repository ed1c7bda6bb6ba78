// kernels/quant_table.h - the parts of a level's table of 8-bit kernels (quant.h), each in a source
// that is compiled once per level.
#ifndef HOIST_SRC_KERNELS_QUANT_TABLE_H
#define HOIST_SRC_KERNELS_QUANT_TABLE_H

#include "kernels/level.h"
#include "kernels/quant.h"

// quant_prepare_level.c; see hoist_quant_kernels.
size_t HOIST_LEVEL_NAME(hoist_quant_prepared_size)(const hoist_quant_conv *conv);
void HOIST_LEVEL_NAME(hoist_quant_prepare)(const hoist_quant_conv *conv, uint8_t *prepared);

// quant_conv_level.c, quant_depthwise_level.c, quant_pool_level.c.
void HOIST_LEVEL_NAME(hoist_quant_conv)(const hoist_quant_conv *conv, const uint8_t *prepared,
                                        size_t begin, size_t end);
void HOIST_LEVEL_NAME(hoist_quant_depthwise)(const hoist_quant_conv *conv, const uint8_t *prepared,
                                             size_t begin, size_t end);
void HOIST_LEVEL_NAME(hoist_quant_average_pool)(const hoist_quant_pool *pool, size_t begin,
                                                size_t end);
void HOIST_LEVEL_NAME(hoist_quant_max_pool)(const hoist_quant_pool *pool, size_t begin, size_t end);

#endif // HOIST_SRC_KERNELS_QUANT_TABLE_H
