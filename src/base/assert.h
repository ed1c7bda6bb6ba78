// base/assert.h - states what we guarantee ourselves; wrong input is never an assert.
#ifndef HOIST_SRC_BASE_ASSERT_H
#define HOIST_SRC_BASE_ASSERT_H

#include <assert.h>

#define HOIST_ASSERT(condition) assert(condition)

#endif // HOIST_SRC_BASE_ASSERT_H
