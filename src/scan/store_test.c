#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/span.h"
#include "scan/store.h"
#include "testing/test.h"

static hoist_status count(void *self, const hoist_scan_entry *entry)
{
    size_t *const total = self;
    *total += entry->errors;
    return HOIST_OK;
}

static hoist_status count_token(void *self, hoist_str token, hoist_str file, hoist_str member)
{
    size_t *const total = self;
    *total += token.size == 16 && file.size && !member.size;
    return HOIST_OK;
}

static void put(hoist_test *t, hoist_store *store, const char *path, uint64_t token, bool kept)
{
    const hoist_walk_file file = {.path = path, .size = 5, .mtime = -7};
    hoist_scan_found found;
    hoist_scan_found_init(&found, hoist_allocator_system());
    hoist_scan_entry entry = {.file = hoist_str_from(path), .errors = 1};
    hoist_scan_token one = {token, 0};
    found.entries = &entry;
    found.tokens = &one;
    found.count = found.token_count = 1;
    HOIST_EXPECT_EQ(t, hoist_store_put(store, &file, &found, kept), HOIST_OK);
}

static bool knows(hoist_test *t, hoist_store *store, const char *path, uint64_t size, int64_t mtime)
{
    const hoist_walk_file file = {.path = path, .size = size, .mtime = mtime};
    bool known = false;
    HOIST_EXPECT_EQ(t, hoist_store_find(store, &file, &known), HOIST_OK);
    return known;
}

static size_t entries(hoist_test *t, hoist_store *store)
{
    size_t total = 0;
    HOIST_EXPECT_EQ(t, hoist_store_each(store, count, &total), HOIST_OK);
    return total;
}

HOIST_TEST(keeps_files_until_they_are_gone)
{
    hoist_store store;
    if (hoist_store_open(&store, NULL) == HOIST_UNSUPPORTED) {
        hoist_store_close(&store);
        hoist_test_skip(t, "there is no libsqlite3");
    }
    put(t, &store, "tree/a", 1, true);
    put(t, &store, "tree/b\xff", 1, true);
    put(t, &store, "treetop", 2, true);
    put(t, &store, "tree/c", 3, false);
    put(t, &store, "tree/a", 1, true); // replaces
    HOIST_EXPECT_EQ(t, entries(t, &store), 4);
    HOIST_EXPECT(t, knows(t, &store, "tree/a", 5, -7));
    HOIST_EXPECT(t, !knows(t, &store, "tree/b\xff", 6, -7)); // another size
    HOIST_EXPECT(t, !knows(t, &store, "tree/b\xff", 5, -8)); // another time
    HOIST_EXPECT(t, !knows(t, &store, "none", 5, -7));
    size_t tokens = 0;
    HOIST_EXPECT_EQ(t, hoist_store_tokens(&store, false, count_token, &tokens), HOIST_OK);
    HOIST_EXPECT_EQ(t, tokens, 4);
    HOIST_EXPECT_EQ(t, hoist_store_tokens(&store, true, count_token, &tokens), HOIST_OK);
    HOIST_EXPECT_EQ(t, tokens, 4 + 2);
    const char *const tree[] = {"tree"};
    const char *const top[] = {"treetop"};
    hoist_store_range range = {.paths = tree, .path_count = 1};
    uint64_t files = 0;
    HOIST_EXPECT_EQ(t, hoist_store_count(&store, &range, &files), HOIST_OK);
    HOIST_EXPECT_EQ(t, files, 3); // "treetop" is not below the folder
    HOIST_EXPECT_EQ(t, hoist_store_see(&store, "tree/a"), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_store_see(&store, "tree/b\xff"), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_store_sweep(&store, &range), HOIST_OK);
    HOIST_EXPECT_EQ(t, entries(t, &store), 3);
    // Another share has no file there.
    const uint64_t own = hoist_scan_shard_of("treetop", 2);
    range = (hoist_store_range){.paths = top, .path_count = 1, .shard = 3 - own, .shards = 2};
    HOIST_EXPECT_EQ(t, hoist_store_sweep(&store, &range), HOIST_OK);
    HOIST_EXPECT_EQ(t, entries(t, &store), 3);
    range.shard = own;
    HOIST_EXPECT_EQ(t, hoist_store_sweep(&store, &range), HOIST_OK);
    HOIST_EXPECT_EQ(t, entries(t, &store), 2);
    HOIST_EXPECT_EQ(t, hoist_store_save(&store), HOIST_OK);
    hoist_store_close(&store);
}

// Opens the database of a path; false: it is refused, or there is no library.
static bool open_store(hoist_store *store, const char *path)
{
    const bool is_open = hoist_store_open(store, path) == HOIST_OK;
    if (!is_open) {
        hoist_store_close(store);
    }
    return is_open;
}

HOIST_TEST(files_that_another_version_has_read_are_read_again)
{
    char path[] = "/tmp/hoist-store-XXXXXX";
    hoist_store store;
    HOIST_EXPECT(t, mkdtemp(path) != NULL);
    char file[64];
    (void)snprintf(file, sizeof(file), "%s/inventory.db", path);
    if (open_store(&store, file)) {
        put(t, &store, "tree/a", 1, true);
        HOIST_EXPECT_EQ(t, hoist_store_save(&store), HOIST_OK);
        hoist_store_close(&store);
        HOIST_EXPECT(t, open_store(&store, file)); // the same version
        HOIST_EXPECT(t, knows(t, &store, "tree/a", 5, -7));
        HOIST_EXPECT_EQ(t, entries(t, &store), 1);
        HOIST_EXPECT_EQ(t,
                        store.sqlite.exec(store.db,
                                          "UPDATE meta SET value = 'old' WHERE key = 'version'",
                                          NULL, NULL, NULL),
                        0);
        HOIST_EXPECT_EQ(t, hoist_store_save(&store), HOIST_OK);
        hoist_store_close(&store);
        HOIST_EXPECT(t, open_store(&store, file)); // another one
        HOIST_EXPECT(t, !knows(t, &store, "tree/a", 5, -7));
        HOIST_EXPECT_EQ(t, entries(t, &store), 0);
        hoist_store_close(&store);
        HOIST_EXPECT_EQ(t, unlink(file), 0);
    }
    HOIST_EXPECT_EQ(t, rmdir(path), 0);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(keeps_files_until_they_are_gone),
                HOIST_TEST_ROW(files_that_another_version_has_read_are_read_again))
