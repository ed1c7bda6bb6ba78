// scan/sqlite_library.h - SQLite, loaded while it is used: linked, it would add to the time in
// which every command starts.
#ifndef HOIST_SRC_SCAN_SQLITE_LIBRARY_H
#define HOIST_SRC_SCAN_SQLITE_LIBRARY_H

#include <stdbool.h>
#include <stdint.h>

struct sqlite3;
struct sqlite3_stmt;

// Its results that are distinguished.
enum {
    HOIST_SQLITE_OK = 0,
    HOIST_SQLITE_NOMEM = 7,
    HOIST_SQLITE_ROW = 100,
    HOIST_SQLITE_DONE = 101
};

// Its functions, as <sqlite3.h> describes them.
typedef struct hoist_sqlite {
    void *handle; // owned
    int (*open)(const char *path, struct sqlite3 **out_db, int flags, const char *vfs);
    int (*close)(struct sqlite3 *db);
    int (*exec)(struct sqlite3 *db, const char *sql, int (*row)(void *, int, char **, char **),
                void *self, char **out_message);
    const char *(*message)(struct sqlite3 *db);
    int (*busy_timeout)(struct sqlite3 *db, int milliseconds);
    int (*prepare)(struct sqlite3 *db, const char *sql, int size,
                   struct sqlite3_stmt **out_statement, const char **out_tail);
    int (*finalize)(struct sqlite3_stmt *statement);
    int (*step)(struct sqlite3_stmt *statement);
    int (*reset)(struct sqlite3_stmt *statement);
    int (*bind_integer)(struct sqlite3_stmt *statement, int index, int64_t value);
    int (*bind_text)(struct sqlite3_stmt *statement, int index, const char *text, int size,
                     void (*release)(void *));
    int (*bind_blob)(struct sqlite3_stmt *statement, int index, const void *bytes, int size,
                     void (*release)(void *));
    int64_t (*integer)(struct sqlite3_stmt *statement, int column);
    const void *(*blob)(struct sqlite3_stmt *statement, int column);
    int (*size)(struct sqlite3_stmt *statement, int column);
} hoist_sqlite;

// Loads the library; unload with hoist_sqlite_unload(). False: it is not there; `*out_reason` is a
// sentence part, static or good until the next call in this thread.
bool hoist_sqlite_load(hoist_sqlite *out_sqlite, const char **out_reason);
void hoist_sqlite_unload(hoist_sqlite *sqlite);

#endif // HOIST_SRC_SCAN_SQLITE_LIBRARY_H
