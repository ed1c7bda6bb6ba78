// Loads libsqlite3 for store.c. A build without its header has none, because nothing proves then
// that its functions are those of sqlite_library.h.
#include "scan/sqlite_library.h"

#ifdef HOIST_SQLITE
#include <sqlite3.h>
#include <string.h>

#include "base/span.h"
#include "os/library.h"

// The type of a function is that of its member, but for names of integers of the same size, which
// are compared below.
#define SAME(function, member)                                                                     \
    _Static_assert(sizeof(&(function) == ((hoist_sqlite *)0)->member), "as <sqlite3.h> has it")
SAME(sqlite3_open_v2, open);
SAME(sqlite3_close_v2, close);
SAME(sqlite3_exec, exec);
SAME(sqlite3_errmsg, message);
SAME(sqlite3_busy_timeout, busy_timeout);
SAME(sqlite3_prepare_v2, prepare);
SAME(sqlite3_finalize, finalize);
SAME(sqlite3_step, step);
SAME(sqlite3_reset, reset);
SAME(sqlite3_bind_text, bind_text);
SAME(sqlite3_bind_blob, bind_blob);
SAME(sqlite3_column_blob, blob);
SAME(sqlite3_column_bytes, size);
_Static_assert(sizeof(sqlite3_int64) == sizeof(int64_t), "as <sqlite3.h> has it");
_Static_assert(HOIST_SQLITE_OK == SQLITE_OK && HOIST_SQLITE_NOMEM == SQLITE_NOMEM &&
                   HOIST_SQLITE_ROW == SQLITE_ROW && HOIST_SQLITE_DONE == SQLITE_DONE,
               "as <sqlite3.h> has it");

static const struct {
    const char *name;
    size_t offset; // in hoist_sqlite
} symbols[] = {
    {"sqlite3_open_v2", offsetof(hoist_sqlite, open)},
    {"sqlite3_close_v2", offsetof(hoist_sqlite, close)},
    {"sqlite3_exec", offsetof(hoist_sqlite, exec)},
    {"sqlite3_errmsg", offsetof(hoist_sqlite, message)},
    {"sqlite3_busy_timeout", offsetof(hoist_sqlite, busy_timeout)},
    {"sqlite3_prepare_v2", offsetof(hoist_sqlite, prepare)},
    {"sqlite3_finalize", offsetof(hoist_sqlite, finalize)},
    {"sqlite3_step", offsetof(hoist_sqlite, step)},
    {"sqlite3_reset", offsetof(hoist_sqlite, reset)},
    {"sqlite3_bind_int64", offsetof(hoist_sqlite, bind_integer)},
    {"sqlite3_bind_text", offsetof(hoist_sqlite, bind_text)},
    {"sqlite3_bind_blob", offsetof(hoist_sqlite, bind_blob)},
    {"sqlite3_column_int64", offsetof(hoist_sqlite, integer)},
    {"sqlite3_column_blob", offsetof(hoist_sqlite, blob)},
    {"sqlite3_column_bytes", offsetof(hoist_sqlite, size)},
};

bool hoist_sqlite_load(hoist_sqlite *out_sqlite, const char **out_reason)
{
    *out_sqlite = (hoist_sqlite){.handle = hoist_library_open("libsqlite3.so.0", out_reason)};
    for (size_t i = 0; out_sqlite->handle && i < HOIST_COUNT_OF(symbols); i++) {
        // By bytes, since C has no cast from an object pointer to a function pointer.
        void *const function = hoist_library_find(out_sqlite->handle, symbols[i].name);
        memcpy((char *)out_sqlite + symbols[i].offset, &function, sizeof(function));
        if (!function) {
            *out_reason = "libsqlite3.so.0 lacks a function";
            hoist_sqlite_unload(out_sqlite);
        }
    }
    return out_sqlite->handle != NULL;
}

void hoist_sqlite_unload(hoist_sqlite *sqlite)
{
    hoist_library_close(sqlite->handle);
    sqlite->handle = NULL;
}
#else
#include <stddef.h>

bool hoist_sqlite_load(hoist_sqlite *out_sqlite, const char **out_reason)
{
    *out_sqlite = (hoist_sqlite){.handle = NULL};
    *out_reason = "hoist was built without it";
    return false;
}

void hoist_sqlite_unload(hoist_sqlite *sqlite)
{
    (void)sqlite;
}
#endif
