// The database of a scan (store.h): tables "files" (what was met), "entries" (what was found) and
// "tokens". Changes of one file are in one transaction with those of others, so a process that is
// killed leaves files that are complete or absent. Texts are columns of bytes where they are paths.
#include "scan/store.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/span.h"

enum {
    MOST_UNSAVED = 1024,      // files in one transaction
    BUSY_MS = 10000,          // waiting for another process
    OPEN_FLAGS = 0x00000006,  // SQLITE_OPEN_READWRITE, SQLITE_OPEN_CREATE
    APPLICATION = 0x686f6973, // "hois", in the database's header
    ENTRY_COLUMNS = 15,
};

// Of the tables: another one is another version's database, which is refused.
#define SCHEMA "1"
#define NO_SIZE UINT64_MAX // of a file that is to be read again

#define ENTRY_LIST                                                                                 \
    "file, member, format, title, target, container, content, versions, loads, rules, cache, "     \
    "size, errors, warnings, notes"

// WITHOUT ROWID: the primary key is the table, in the order in which rows are read. Paths are
// BLOBs: they have any bytes, and are compared as such.
static const char create[] =
    "CREATE TABLE IF NOT EXISTS meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS files(path BLOB PRIMARY KEY, size INTEGER, mtime INTEGER)"
    " WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS entries(file BLOB, member BLOB, format TEXT, title TEXT,"
    " target TEXT, container TEXT, content TEXT, versions TEXT, loads TEXT, rules TEXT,"
    " cache BLOB, size INTEGER, errors INTEGER, warnings INTEGER, notes INTEGER,"
    " PRIMARY KEY(file, member)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS tokens(token TEXT, file BLOB, member BLOB,"
    " PRIMARY KEY(token, file, member)) WITHOUT ROWID;"
    "CREATE INDEX IF NOT EXISTS tokens_of_file ON tokens(file);"
    "CREATE INDEX IF NOT EXISTS entries_by_content ON entries(content);"
    "CREATE TEMP TABLE IF NOT EXISTS seen(path BLOB PRIMARY KEY) WITHOUT ROWID;"
    "CREATE TEMP TABLE IF NOT EXISTS gone(path BLOB PRIMARY KEY) WITHOUT ROWID;";

// `entries` and `tokens` have no foreign keys: drop() names all three tables.
static const char *const texts[STORE_QUERY_COUNT] = {
    [STORE_KNOWN] = "SELECT 1 FROM files WHERE path = ? AND size = ? AND mtime = ?",
    [STORE_ADD_FILE] = "INSERT OR REPLACE INTO files VALUES(?, ?, ?)",
    [STORE_ADD_ENTRY] = ("INSERT OR REPLACE INTO entries(" ENTRY_LIST
                         ") VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
    [STORE_ADD_TOKEN] = "INSERT OR REPLACE INTO tokens VALUES(?, ?, ?)",
    [STORE_DROP_FILE] = "DELETE FROM files WHERE path = ?",
    [STORE_DROP_ENTRIES] = "DELETE FROM entries WHERE file = ?",
    [STORE_DROP_TOKENS] = "DELETE FROM tokens WHERE file = ?",
    [STORE_SEE] = "INSERT OR IGNORE INTO seen VALUES(?)",
    [STORE_ADD_GONE] = "INSERT OR IGNORE INTO gone VALUES(?)",
    [STORE_EACH] = ("SELECT " ENTRY_LIST " FROM entries ORDER BY file, member"),
    [STORE_TOKENS] = "SELECT token, file, member FROM tokens ORDER BY token, file, member",
    [STORE_SHARED] = ("SELECT token, file, member FROM tokens WHERE token IN (SELECT token FROM"
                      " tokens GROUP BY token HAVING COUNT(*) > 1) ORDER BY token, file, member"),
};

static void explain(hoist_store *s, const char *format, ...) HOIST_PRINTF(2, 3);
static void explain(hoist_store *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(s->message, sizeof(s->message), format, args);
    va_end(args);
}

// The status of a result of SQLite; of a failure the message is kept, which is SQLite's own.
static hoist_status end(hoist_store *s, int result)
{
    if (result == HOIST_SQLITE_OK || result == HOIST_SQLITE_DONE || result == HOIST_SQLITE_ROW) {
        return HOIST_OK;
    }
    explain(s, "the database: %s", s->sqlite.message(s->db));
    return result == HOIST_SQLITE_NOMEM ? HOIST_NO_MEMORY : HOIST_IO;
}

static hoist_status execute(hoist_store *s, const char *sql)
{
    return end(s, s->sqlite.exec(s->db, sql, NULL, NULL, NULL));
}

static void bind_bytes(hoist_store *s, hoist_store_query query, int index, hoist_str text)
{
    // NULL instead of a destructor: the text stays until the statement was run.
    (void)s->sqlite.bind_blob(s->queries[query], index, text.size ? text.data : "", (int)text.size,
                              NULL);
}

static void bind_text(hoist_store *s, hoist_store_query query, int index, hoist_str text)
{
    (void)s->sqlite.bind_text(s->queries[query], index, text.size ? text.data : "", (int)text.size,
                              NULL);
}

static void bind_integer(hoist_store *s, hoist_store_query query, int index, uint64_t value)
{
    // Bits as they are: sizes beyond 2^63 come back as they went.
    (void)s->sqlite.bind_integer(s->queries[query], index, (int64_t)value);
}

// Steps a statement to its first row or its end, and begins it anew. `*out_row`: there was one.
static hoist_status run(hoist_store *s, hoist_store_query query, bool *out_row)
{
    const int result = s->sqlite.step(s->queries[query]);
    const hoist_status status = end(s, result);
    if (out_row) {
        *out_row = result == HOIST_SQLITE_ROW;
    }
    // Ready for the next values; until then the statement would count as open.
    (void)s->sqlite.reset(s->queries[query]);
    return status;
}

// Opening ---------------------------------------------------------------------------------------

// SQLite's callback for a row; 0: go on.
static int keep_number(void *self, int count, char **values, char **names)
{
    (void)names;
    uint64_t *const number = self;
    if (count > 0 && values[0]) {
        uint64_t value = 0;
        for (const char *c = values[0]; *c >= '0' && *c <= '9'; c++) {
            value = value * 10 + (uint64_t)(*c - '0');
        }
        *number = value;
    }
    return 0;
}

// The number that a query gives; 0 when it gives none.
static hoist_status ask(hoist_store *s, const char *sql, uint64_t *out_number)
{
    *out_number = 0;
    return end(s, s->sqlite.exec(s->db, sql, keep_number, out_number, NULL));
}

// Whether the database `name` ("main", "other") is one of scans, or has nothing yet where it may.
static hoist_status check_kind(hoist_store *s, const char *name, const char *path, bool may_be_new)
{
    char sql[128];
    uint64_t tables = 0;
    uint64_t application = 0;
    uint64_t known = 0;
    (void)snprintf(sql, sizeof(sql), "SELECT COUNT(*) FROM %s.sqlite_master", name);
    if (ask(s, sql, &tables) != HOIST_OK) {
        explain(s, "%s: it is no database", path);
        return HOIST_INVALID;
    }
    // A header of another application is no database of scans, even if it has such tables.
    (void)snprintf(sql, sizeof(sql), "PRAGMA %s.application_id", name);
    HOIST_TRY(ask(s, sql, &application));
    if (tables && application == APPLICATION) {
        (void)snprintf(sql, sizeof(sql),
                       "SELECT COUNT(*) FROM %s.meta WHERE key = 'schema' AND value = '" SCHEMA "'",
                       name);
        HOIST_TRY(ask(s, sql, &known));
    }
    if (!known && (tables || !may_be_new)) {
        explain(s, "%s: it is no database of this version's 'hoist scan'", path);
        return HOIST_INVALID;
    }
    return HOIST_OK;
}

// Files that another version has read are read again: it may know other rules.
static hoist_status renew(hoist_store *s)
{
    char sql[256];
    uint64_t same = 0;
    // The text of the version has no quotes.
    (void)snprintf(sql, sizeof(sql),
                   "SELECT COUNT(*) FROM meta WHERE key = 'version' AND value = '%s'",
                   hoist_version());
    HOIST_TRY(ask(s, sql, &same));
    if (same) {
        return HOIST_OK;
    }
    (void)snprintf(sql, sizeof(sql),
                   "DELETE FROM files; DELETE FROM entries; DELETE FROM tokens;"
                   "PRAGMA application_id = %d;"
                   "INSERT OR REPLACE INTO meta VALUES('schema', '" SCHEMA "'), ('version', '%s')",
                   APPLICATION, hoist_version());
    return execute(s, sql);
}

static hoist_status prepare(hoist_store *s)
{
    for (int i = 0; i < STORE_QUERY_COUNT; i++) {
        HOIST_TRY(end(s, s->sqlite.prepare(s->db, texts[i], -1, &s->queries[i], NULL)));
    }
    return HOIST_OK;
}

hoist_status hoist_store_open(hoist_store *store, const char *path)
{
    const char *reason = NULL;
    *store = (hoist_store){.db = NULL};
    if (!hoist_sqlite_load(&store->sqlite, &reason)) {
        explain(store, "scanning needs libsqlite3: %s", reason);
        return HOIST_UNSUPPORTED;
    }
    // "": a temporary file that SQLite removes.
    const int result = store->sqlite.open(path ? path : "", &store->db, OPEN_FLAGS, NULL);
    if (!store->db) { // only when there is no memory for it
        return HOIST_NO_MEMORY;
    }
    if (result != HOIST_SQLITE_OK) {
        explain(store, "%s: %s", path ? path : "the temporary database",
                store->sqlite.message(store->db));
        return HOIST_IO;
    }
    // Another scan may have the database: it is waited for, up to BUSY_MS.
    (void)store->sqlite.busy_timeout(store->db, BUSY_MS);
    HOIST_TRY(check_kind(store, "main", path ? path : "", true));
    // What the system has taken survives the process; nothing here has to survive the system.
    HOIST_TRY(execute(store, "PRAGMA trusted_schema = OFF; PRAGMA synchronous = OFF;"
                             "PRAGMA temp_store = FILE; PRAGMA cache_size = -16384;"
                             "BEGIN IMMEDIATE"));
    HOIST_TRY(execute(store, create));
    HOIST_TRY(renew(store));
    HOIST_TRY(execute(store, "COMMIT"));
    HOIST_TRY(prepare(store));
    // All changes are in a transaction from here on; hoist_store_save() begins the next.
    return execute(store, "BEGIN IMMEDIATE");
}

void hoist_store_close(hoist_store *store)
{
    for (int i = 0; store->db && i < STORE_QUERY_COUNT; i++) {
        (void)store->sqlite.finalize(store->queries[i]); // NULL is allowed
    }
    if (store->db) {
        (void)store->sqlite.close(store->db);
    }
    if (store->sqlite.handle) {
        hoist_sqlite_unload(&store->sqlite);
    }
    store->db = NULL;
}

hoist_status hoist_store_save(hoist_store *store)
{
    store->unsaved = 0;
    return execute(store, "COMMIT; BEGIN IMMEDIATE");
}

hoist_status hoist_store_merge(hoist_store *store, const char *path)
{
    struct sqlite3_stmt *attach = NULL;
    // A name that begins with "file:" is no URI without SQLITE_OPEN_URI; a missing file would be
    // made.
    // ATTACH is refused within a transaction.
    HOIST_TRY(execute(store, "COMMIT"));
    hoist_status status =
        end(store, store->sqlite.prepare(store->db, "ATTACH ? AS other", -1, &attach, NULL));
    if (status == HOIST_OK) {
        // Bound, not formatted: a path has any characters.
        (void)store->sqlite.bind_text(attach, 1, path, -1, NULL);
        status = end(store, store->sqlite.step(attach));
    }
    (void)store->sqlite.finalize(attach);
    HOIST_TRY(status);
    HOIST_TRY(check_kind(store, "other", path, false));
    status = execute(store, "BEGIN IMMEDIATE;"
                            // Rows of files that both have are the other database's.
                            "DELETE FROM main.entries WHERE file IN (SELECT path FROM other.files);"
                            "DELETE FROM main.tokens WHERE file IN (SELECT path FROM other.files);"
                            "INSERT OR REPLACE INTO main.files SELECT path, size, mtime"
                            " FROM other.files;"
                            "INSERT OR REPLACE INTO main.entries(" ENTRY_LIST ") SELECT " ENTRY_LIST
                            " FROM other.entries;"
                            "INSERT OR REPLACE INTO main.tokens SELECT token, file, member"
                            " FROM other.tokens; COMMIT; DETACH other");
    HOIST_TRY(status);
    return execute(store, "BEGIN IMMEDIATE");
}

// Files -----------------------------------------------------------------------------------------

// Time and size represent the content: a file changed within the clock's step with its size is
// missed.
hoist_status hoist_store_find(hoist_store *store, const hoist_walk_file *file, bool *out_known)
{
    bind_bytes(store, STORE_KNOWN, 1, hoist_str_from(file->path));
    bind_integer(store, STORE_KNOWN, 2, file->size);
    bind_integer(store, STORE_KNOWN, 3, (uint64_t)file->mtime);
    return run(store, STORE_KNOWN, out_known);
}

hoist_status hoist_store_see(hoist_store *store, const char *path)
{
    bind_bytes(store, STORE_SEE, 1, hoist_str_from(path));
    return run(store, STORE_SEE, NULL);
}

// All that is known of a file; before it is read anew, or gone.
static hoist_status drop(hoist_store *s, hoist_str path)
{
    static const hoist_store_query drops[] = {STORE_DROP_FILE, STORE_DROP_ENTRIES,
                                              STORE_DROP_TOKENS};
    for (size_t i = 0; i < HOIST_COUNT_OF(drops); i++) {
        bind_bytes(s, drops[i], 1, path);
        HOIST_TRY(run(s, drops[i], NULL));
    }
    return HOIST_OK;
}

static hoist_status put_entry(hoist_store *s, const hoist_scan_entry *e)
{
    // In the order of ENTRY_LIST.
    const hoist_str columns[] = {e->format,  e->title,    e->target, e->container,
                                 e->content, e->versions, e->loads,  e->rules};
    const uint64_t numbers[] = {e->size, e->errors, e->warnings, e->notes};
    int index = 1;
    bind_bytes(s, STORE_ADD_ENTRY, index++, e->file);
    bind_bytes(s, STORE_ADD_ENTRY, index++, e->member);
    for (size_t i = 0; i < HOIST_COUNT_OF(columns); i++) {
        bind_text(s, STORE_ADD_ENTRY, index++, columns[i]);
    }
    bind_bytes(s, STORE_ADD_ENTRY, index++, e->cache);
    for (size_t i = 0; i < HOIST_COUNT_OF(numbers); i++) {
        bind_integer(s, STORE_ADD_ENTRY, index++, numbers[i]);
    }
    return run(s, STORE_ADD_ENTRY, NULL);
}

hoist_status hoist_store_put(hoist_store *store, const hoist_walk_file *file,
                             const hoist_scan_found *found, bool kept)
{
    const hoist_str path = hoist_str_from(file->path);
    HOIST_TRY(drop(store, path));
    for (size_t i = 0; i < found->count; i++) {
        HOIST_TRY(put_entry(store, &found->entries[i]));
    }
    for (size_t i = 0; i < found->token_count; i++) {
        char text[24];
        // 16 digits, so that texts sort as numbers.
        (void)snprintf(text, sizeof(text), "%016" PRIx64, found->tokens[i].token);
        bind_text(store, STORE_ADD_TOKEN, 1, hoist_str_from(text));
        bind_bytes(store, STORE_ADD_TOKEN, 2, path);
        bind_bytes(store, STORE_ADD_TOKEN, 3, found->entries[found->tokens[i].entry].member);
        HOIST_TRY(run(store, STORE_ADD_TOKEN, NULL));
    }
    bind_bytes(store, STORE_ADD_FILE, 1, path);
    // NO_SIZE is no file's size: hoist_store_find() will not know it.
    bind_integer(store, STORE_ADD_FILE, 2, kept ? file->size : NO_SIZE);
    bind_integer(store, STORE_ADD_FILE, 3, (uint64_t)file->mtime);
    HOIST_TRY(run(store, STORE_ADD_FILE, NULL));
    return ++store->unsaved < MOST_UNSAVED ? HOIST_OK : hoist_store_save(store);
}

static uint64_t shard_of(hoist_str path, uint64_t shards)
{
    return hoist_str_hash(path, 0) % shards + 1; // from 1
}

uint64_t hoist_scan_shard_of(const char *path, uint64_t shards)
{
    return shard_of(hoist_str_from(path), shards);
}

// A column of a row, valid until the next step.
static hoist_str column(hoist_store *s, hoist_store_query query, int index)
{
    const void *const bytes = s->sqlite.blob(s->queries[query], index);
    const int size = s->sqlite.size(s->queries[query], index);
    return bytes && size > 0 ? (hoist_str){bytes, (size_t)size} : (hoist_str){"", 0};
}

// The root itself, or below it: "a/b" is not below "a/bc", nor the other way round.
static bool is_below(hoist_str path, hoist_str root)
{
    return hoist_str_starts_with(path, root.data) &&
           (path.size == root.size || root.data[root.size - 1] == '/' ||
            path.data[root.size] == '/');
}

static bool is_in(const hoist_store_range *range, hoist_str path)
{
    bool found = false;
    for (size_t i = 0; i < range->path_count && !found; i++) {
        const hoist_str root = hoist_str_from(range->paths[i]);
        found = root.size && is_below(path, root); // every path is below "", which is not meant
    }
    return found && (!range->shards || shard_of(path, range->shards) == range->shard);
}

// Calls `take` for the files of the range that a query gives, which has a column.
static hoist_status each_file(hoist_store *s, const char *sql, const hoist_store_range *range,
                              hoist_status (*take)(void *self, hoist_str path), void *self)
{
    // A statement of its own: `take` runs others meanwhile.
    struct sqlite3_stmt *list = NULL;
    hoist_status status = end(s, s->sqlite.prepare(s->db, sql, -1, &list, NULL));
    int result = HOIST_SQLITE_ROW;
    while (status == HOIST_OK && (result = s->sqlite.step(list)) == HOIST_SQLITE_ROW) {
        const hoist_str path = {s->sqlite.blob(list, 0), (size_t)s->sqlite.size(list, 0)};
        status = path.size && is_in(range, path) ? take(self, path) : HOIST_OK;
    }
    status = status == HOIST_OK ? end(s, result) : status;
    (void)s->sqlite.finalize(list);
    return status;
}

static hoist_status count_file(void *self, hoist_str path)
{
    uint64_t *const count = self;
    (void)path;
    (*count)++;
    return HOIST_OK;
}

hoist_status hoist_store_count(hoist_store *store, const hoist_store_range *range,
                               uint64_t *out_count)
{
    *out_count = 0;
    return each_file(store, "SELECT path FROM files", range, count_file, out_count);
}

static hoist_status add_gone(void *self, hoist_str path)
{
    hoist_store *const s = self;
    bind_bytes(s, STORE_ADD_GONE, 1, path);
    return run(s, STORE_ADD_GONE, NULL);
}

// Rows are removed after their list is complete, a list in a temporary table.
hoist_status hoist_store_sweep(hoist_store *store, const hoist_store_range *range)
{
    // What a second walk did not see.
    HOIST_TRY(each_file(store, "SELECT path FROM files WHERE path NOT IN (SELECT path FROM seen)",
                        range, add_gone, store));
    return execute(store, "DELETE FROM files WHERE path IN (SELECT path FROM gone);"
                          "DELETE FROM entries WHERE file IN (SELECT path FROM gone);"
                          "DELETE FROM tokens WHERE file IN (SELECT path FROM gone);"
                          "DELETE FROM gone");
}

// Rows ------------------------------------------------------------------------------------------

static uint64_t number(hoist_store *s, int index)
{
    return (uint64_t)s->sqlite.integer(s->queries[STORE_EACH], index);
}

static hoist_scan_entry entry_at(hoist_store *s)
{
    hoist_str at[ENTRY_COLUMNS] = {{NULL, 0}};
    for (int i = 0; i < ENTRY_COLUMNS; i++) {
        // 11 columns of text or bytes, then numbers.
        at[i] = i < 11 ? column(s, STORE_EACH, i) : (hoist_str){"", 0};
    }
    return (hoist_scan_entry){.file = at[0],
                              .member = at[1],
                              .format = at[2],
                              .title = at[3],
                              .target = at[4],
                              .container = at[5],
                              .content = at[6],
                              .versions = at[7],
                              .loads = at[8],
                              .rules = at[9],
                              .cache = at[10],
                              .size = number(s, 11),
                              .errors = number(s, 12),
                              .warnings = number(s, 13),
                              .notes = number(s, 14)};
}

hoist_status hoist_store_each(hoist_store *store,
                              hoist_status (*take)(void *self, const hoist_scan_entry *entry),
                              void *self)
{
    hoist_status status = HOIST_OK;
    int result = HOIST_SQLITE_ROW;
    while (status == HOIST_OK &&
           (result = store->sqlite.step(store->queries[STORE_EACH])) == HOIST_SQLITE_ROW) {
        const hoist_scan_entry entry = entry_at(store);
        status = take(self, &entry);
    }
    status = status == HOIST_OK ? end(store, result) : status;
    // A statement left open would keep the database locked.
    (void)store->sqlite.reset(store->queries[STORE_EACH]);
    return status;
}

hoist_status hoist_store_tokens(hoist_store *store, bool shared,
                                hoist_status (*take)(void *self, hoist_str token, hoist_str file,
                                                     hoist_str member),
                                void *self)
{
    const hoist_store_query query = shared ? STORE_SHARED : STORE_TOKENS;
    hoist_status status = HOIST_OK;
    int result = HOIST_SQLITE_ROW;
    while (status == HOIST_OK &&
           (result = store->sqlite.step(store->queries[query])) == HOIST_SQLITE_ROW) {
        status =
            take(self, column(store, query, 0), column(store, query, 1), column(store, query, 2));
    }
    status = status == HOIST_OK ? end(store, result) : status;
    (void)store->sqlite.reset(store->queries[query]);
    return status;
}
