// hoist/version.h - the version of the headers and of the library.
#ifndef HOIST_VERSION_H
#define HOIST_VERSION_H

#include "hoist/base.h"

#define HOIST_VERSION_MAJOR 0
#define HOIST_VERSION_MINOR 1
#define HOIST_VERSION_PATCH 0
#define HOIST_VERSION_TEXT "0.1.0"

#ifdef __cplusplus
extern "C" {
#endif

// Version of the library that runs, "0.1.0"; static.
HOIST_API const char *hoist_version(void);

#ifdef __cplusplus
}
#endif

#endif // HOIST_VERSION_H
