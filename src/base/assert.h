// base/assert.h - states what we guarantee ourselves; wrong input is never an assert.
#ifndef HOIST_SRC_BASE_ASSERT_H
#define HOIST_SRC_BASE_ASSERT_H

#include <assert.h>

#if defined(HOIST_FUZZ) && defined(NDEBUG)
#error "fuzz targets run with asserts: cmake/HoistLayer.cmake takes NDEBUG away"
#endif

// A release build does not evaluate the condition, but compiles it.
#ifdef NDEBUG
#define HOIST_ASSERT(condition) ((void)sizeof((condition) ? 1 : 0))
#else
#define HOIST_ASSERT(condition) assert(condition)
#endif

#endif // HOIST_SRC_BASE_ASSERT_H
