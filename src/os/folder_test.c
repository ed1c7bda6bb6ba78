#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/span.h"
#include "os/scratch_testing.h"

static hoist_status put(hoist_test *t, const scratch *s, const char *path, bool replace)
{
    const hoist_folder_write_options options = {.replace = replace};
    return hoist_folder_write(&s->folder, hoist_str_from(path),
                              (hoist_bytes){(const uint8_t *)"text", 4}, &options, t->diag);
}

// clang-format off
static const struct {
    const char *name;
    const char *path;
    size_t size;
    hoist_status want;
    const char *made; // NULL: nothing
} paths[] = {
    {"plain",            "a", 1,              HOIST_OK,      "a"},
    {"in folders",       "a/b/c", 5,          HOIST_OK,      "a/b/c"},
    {"with a dot",       "./a/./b", 7,        HOIST_OK,      "a/b"},
    {"two slashes",      "a//b", 4,           HOIST_OK,      "a/b"},
    {"dots in a name",   "..a/b..", 7,        HOIST_OK,      "..a/b.."},
    {"up",               "../no", 5,          HOIST_INVALID, NULL},
    {"up from below",    "a/../../b", 9,      HOIST_INVALID, NULL},
    {"only up",          "..", 2,             HOIST_INVALID, NULL},
    {"a NUL",            "a\0b", 3,           HOIST_INVALID, NULL},
    {"a NUL in a folder", "a\0b/c", 5,        HOIST_INVALID, NULL},
    {"empty",            "", 0,               HOIST_INVALID, NULL},
    {"a folder's name",  "a/", 2,             HOIST_OK,      "a"},
    {"only dots",        "./.", 3,            HOIST_INVALID, NULL},
};
// clang-format on

HOIST_TEST_TABLE(writes_below_the_folder, paths)
{
    scratch s;
    scratch_make(t, &s);
    const hoist_folder_write_options options = {.executable = true};
    HOIST_EXPECT_EQ(t,
                    hoist_folder_write(&s.folder, (hoist_str){row->path, row->size},
                                       (hoist_bytes){(const uint8_t *)"text", 4}, &options,
                                       t->diag),
                    row->want);
    if (row->made) {
        const hoist_bytes got = hoist_test_file(t, scratch_path(t, &s, row->made));
        HOIST_EXPECT_STR(t, ((hoist_str){(const char *)got.data, got.size}), "text");
        HOIST_EXPECT_EQ(t, access(scratch_path(t, &s, row->made), X_OK), 0);
    } else {
        HOIST_EXPECT_RULE(t, "OS-001");
        HOIST_EXPECT_EQ(t, scratch_count(t, &s, ".."), 1); // the folder alone
    }
    scratch_drop(&s);
}

HOIST_TEST(writes_at_no_absolute_path)
{
    scratch s;
    scratch_make(t, &s);
    const hoist_str path = hoist_arena_format(&t->arena, "%s/no", s.around);
    HOIST_EXPECT_EQ(t, put(t, &s, path.data, false), HOIST_INVALID);
    HOIST_EXPECT_RULE(t, "OS-001");
    HOIST_EXPECT_EQ(t, scratch_count(t, &s, ".."), 1);
    scratch_drop(&s);
}

HOIST_TEST(writes_the_head_first)
{
    scratch s;
    scratch_make(t, &s);
    const hoist_folder_write_options options = {.head = {(const uint8_t *)"head ", 5}};
    const hoist_bytes bytes = {(const uint8_t *)"text", 4};
    HOIST_EXPECT_EQ(t, hoist_folder_write(&s.folder, HOIST_STR("a"), bytes, &options, t->diag),
                    HOIST_OK);
    const hoist_bytes got = hoist_test_file(t, scratch_path(t, &s, "a"));
    HOIST_EXPECT_STR(t, ((hoist_str){(const char *)got.data, got.size}), "head text");
    scratch_drop(&s);
}

HOIST_TEST(replaces_only_when_asked)
{
    scratch s;
    scratch_make(t, &s);
    HOIST_EXPECT_EQ(t, put(t, &s, "a", false), HOIST_OK);
    HOIST_EXPECT_EQ(t, put(t, &s, "a", false), HOIST_IO);
    HOIST_EXPECT_RULE(t, "OS-001");
    HOIST_EXPECT_EQ(t, put(t, &s, "a", true), HOIST_OK);
    HOIST_EXPECT_EQ(t, put(t, &s, "a/b", true), HOIST_NOT_FOUND);
    HOIST_EXPECT_EQ(t, put(t, &s, "d/x", true), HOIST_OK);
    HOIST_EXPECT_EQ(t, put(t, &s, "d", true), HOIST_IO);
    scratch_drop(&s);
}

// Links that lie in wait lead nowhere: to a file, to a folder, and one that dangles.
HOIST_TEST(follows_no_link)
{
    scratch s;
    scratch other;
    scratch_make(t, &s);
    scratch_make(t, &other);
    HOIST_EXPECT_EQ(t, put(t, &other, "file", false), HOIST_OK);
    HOIST_EXPECT_EQ(t, symlink(scratch_path(t, &other, "file"), scratch_path(t, &s, "file")), 0);
    HOIST_EXPECT_EQ(t, symlink(other.path, scratch_path(t, &s, "folder")), 0);
    HOIST_EXPECT_EQ(t, symlink(scratch_path(t, &other, "new"), scratch_path(t, &s, "new")), 0);
    HOIST_EXPECT_EQ(t, put(t, &s, "file", false), HOIST_IO);
    HOIST_EXPECT_EQ(t, put(t, &s, "folder/x", true), HOIST_NOT_FOUND);
    HOIST_EXPECT_EQ(t, put(t, &s, "new", true), HOIST_OK);
    HOIST_EXPECT(t, access(scratch_path(t, &other, "x"), F_OK) != 0);
    HOIST_EXPECT(t, access(scratch_path(t, &other, "new"), F_OK) != 0);
    struct stat st;
    HOIST_EXPECT(t, lstat(scratch_path(t, &s, "new"), &st) == 0 && S_ISREG(st.st_mode));
    scratch_drop(&other);
    scratch_drop(&s);
}

HOIST_TEST(refuses_long_names)
{
    scratch s;
    scratch_make(t, &s);
    char name[400];
    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    HOIST_EXPECT_EQ(t, put(t, &s, name, false), HOIST_INVALID);
    scratch_drop(&s);
}

HOIST_TEST(reads_in_order)
{
    scratch s;
    scratch_make(t, &s);
    static const char *const names[] = {"b", "a/z", "a/b/c", "a.b", ".hidden"};
    for (size_t i = 0; i < HOIST_COUNT_OF(names); i++) {
        HOIST_EXPECT_EQ(t, put(t, &s, names[i], false), HOIST_OK);
    }
    HOIST_EXPECT_EQ(t, chmod(scratch_path(t, &s, "b"), 0755), 0);
    hoist_folder_files files;
    HOIST_EXPECT_EQ(t, hoist_folder_read(&s.folder, 0, hoist_allocator_system(), t->diag, &files),
                    HOIST_OK);
    static const char *const wanted[] = {".hidden", "a.b", "a/b/c", "a/z", "b"};
    HOIST_EXPECT_EQ(t, files.count, HOIST_COUNT_OF(wanted));
    for (size_t i = 0; i < files.count; i++) {
        HOIST_EXPECT_STR(t, files.items[i].path, wanted[i]);
        HOIST_EXPECT_EQ(t, files.items[i].view.bytes.size, 4);
        HOIST_EXPECT_EQ(t, files.items[i].executable, i == 4);
    }
    hoist_folder_files_free(&files);
    HOIST_EXPECT_EQ(t, hoist_folder_read(&s.folder, 3, hoist_allocator_system(), t->diag, &files),
                    HOIST_LIMIT);
    hoist_folder_files_free(&files);
    scratch_drop(&s);
}

HOIST_TEST(reads_no_links_and_no_pipes)
{
    scratch s;
    scratch_make(t, &s);
    hoist_folder_files files;
    HOIST_EXPECT_EQ(t, symlink("/etc/passwd", scratch_path(t, &s, "l")), 0);
    HOIST_EXPECT_EQ(t, hoist_folder_read(&s.folder, 0, hoist_allocator_system(), t->diag, &files),
                    HOIST_INVALID);
    HOIST_EXPECT(t, hoist_str_contains(hoist_test_findings(t), "'l' is a link"));
    hoist_folder_files_free(&files);
    HOIST_EXPECT_EQ(t, unlink(scratch_path(t, &s, "l")), 0);
    HOIST_EXPECT_EQ(t, mkfifo(scratch_path(t, &s, "p"), 0600), 0);
    HOIST_EXPECT_EQ(t, hoist_folder_read(&s.folder, 0, hoist_allocator_system(), t->diag, &files),
                    HOIST_INVALID);
    hoist_folder_files_free(&files);
    scratch_drop(&s);
}

HOIST_TEST(reads_only_so_deep)
{
    scratch s;
    scratch_make(t, &s);
    char path[256] = "";
    for (size_t i = 0; i < 64; i++) {
        (void)snprintf(path + 2 * i, sizeof(path) - 2 * i, "d/");
    }
    (void)snprintf(path + 128, sizeof(path) - 128, "x");
    HOIST_EXPECT_EQ(t, put(t, &s, path, false), HOIST_OK);
    hoist_folder_files files;
    HOIST_EXPECT_EQ(t, hoist_folder_read(&s.folder, 0, hoist_allocator_system(), t->diag, &files),
                    HOIST_LIMIT);
    HOIST_EXPECT_RULE(t, "OS-004");
    hoist_folder_files_free(&files);
    scratch_drop(&s);
}

static hoist_status read_starved(hoist_allocator alloc, const void *self)
{
    hoist_folder_files files;
    const hoist_status status = hoist_folder_read(self, 0, alloc, NULL, &files);
    hoist_folder_files_free(&files);
    return status;
}

HOIST_TEST(survives_every_failed_allocation)
{
    scratch s;
    scratch_make(t, &s);
    HOIST_EXPECT_EQ(t, put(t, &s, "a/b", false), HOIST_OK);
    HOIST_EXPECT_EQ(t, put(t, &s, "c", false), HOIST_OK);
    hoist_test_starve(t, read_starved, &s.folder);
    scratch_drop(&s);
}

HOIST_TEST(says_why_it_cannot_open)
{
    hoist_folder folder;
    HOIST_EXPECT_EQ(t, hoist_folder_open(&folder, "/nonexistent/x", t->diag), HOIST_NOT_FOUND);
    hoist_folder_close(&folder);
    HOIST_EXPECT_EQ(t, hoist_folder_open(&folder, "/dev/null", t->diag), HOIST_NOT_FOUND);
    hoist_folder_close(&folder);
}

// clang-format off
static const struct {
    const char *name;
    const char *path;
    bool replace;
    hoist_status want;
} checked[] = {
    {"absent",                       "b",       false, HOIST_OK},
    {"in a folder that is absent",   "d/e/f",   false, HOIST_OK},
    {"there",                        "a",       false, HOIST_IO},
    {"there, to be replaced",        "a",       true,  HOIST_OK},
    {"a link, to be replaced",       "link",    true,  HOIST_OK},
    {"a folder",                     "folder",  true,  HOIST_IO},
    {"below a file",                 "a/b",     true,  HOIST_NOT_FOUND},
    {"below a link",                 "link/b",  true,  HOIST_NOT_FOUND},
    {"leads out",                    "../b",    true,  HOIST_INVALID},
    {"a name of unfinished output",  ".hoist-incomplete/a",                   true, HOIST_INVALID},
    {"a temporary name",             ".b.hoist-0123456789abcdef.tmp",         true, HOIST_INVALID},
};
// clang-format on

HOIST_TEST(says_why_it_cannot_read)
{
    hoist_folder_files files;
    const hoist_folder closed = {.fd = -1};
    HOIST_EXPECT_EQ(t, hoist_folder_read(&closed, 0, hoist_allocator_system(), t->diag, &files),
                    HOIST_IO);
    HOIST_EXPECT(t, hoist_str_contains(hoist_test_findings(t), "cannot be opened"));
    hoist_folder_files_free(&files);
}

// What writing would say, without a trace.
HOIST_TEST_TABLE(checks_before_writing, checked)
{
    scratch s;
    scratch_make(t, &s);
    HOIST_EXPECT_EQ(t, put(t, &s, "a", false), HOIST_OK);
    HOIST_EXPECT_EQ(t, mkdir(scratch_path(t, &s, "folder"), 0777), 0);
    HOIST_EXPECT_EQ(t, symlink("folder", scratch_path(t, &s, "link")), 0);
    HOIST_EXPECT_EQ(t,
                    hoist_folder_check(&s.folder, hoist_str_from(row->path), row->replace, t->diag),
                    row->want);
    HOIST_EXPECT_RULE(t, row->want == HOIST_OK ? NULL : "OS-001");
    HOIST_EXPECT_EQ(t, scratch_count(t, &s, "."), 3);
    HOIST_EXPECT_EQ(t, put(t, &s, row->path, row->replace), row->want);
    scratch_drop(&s);
}

// A process whose standard input is closed opens folders as descriptor 0.
HOIST_TEST(works_by_descriptor_0)
{
    scratch s;
    hoist_folder_files files;
    scratch_make(t, &s);
    HOIST_EXPECT_EQ(t, put(t, &s, "a", false), HOIST_OK);
    const int kept = dup(STDIN_FILENO);
    (void)close(STDIN_FILENO);
    HOIST_EXPECT_EQ(t, hoist_folder_check(&s.folder, HOIST_STR("b"), false, t->diag), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_folder_check(&s.folder, HOIST_STR("a"), true, t->diag), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_folder_read(&s.folder, 0, hoist_allocator_system(), t->diag, &files),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, files.count, 1);
    hoist_folder_files_free(&files);
    HOIST_EXPECT_EQ(t, hoist_folder_check(&s.folder, HOIST_STR("a"), false, t->diag), HOIST_IO);
    HOIST_EXPECT_RULE(t, "OS-001");
    if (kept >= 0) {
        HOIST_EXPECT_EQ(t, dup2(kept, STDIN_FILENO), STDIN_FILENO);
        (void)close(kept);
    }
    scratch_drop(&s);
}

HOIST_TEST(leaves_out_what_is_unfinished)
{
    scratch s;
    scratch_make(t, &s);
    hoist_folder_files files;
    HOIST_EXPECT_EQ(t, put(t, &s, "a", false), HOIST_OK);
    scratch_put(t, &s, ".a.hoist-0123456789abcdef.tmp", "left");
    HOIST_EXPECT_EQ(t, mkdir(scratch_path(t, &s, ".hoist-0123456789abcdef.tmp"), 0777), 0);
    HOIST_EXPECT_EQ(t, hoist_folder_read(&s.folder, 0, hoist_allocator_system(), t->diag, &files),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, files.count, 1);
    hoist_folder_files_free(&files);
    HOIST_EXPECT_EQ(t, mkdir(scratch_path(t, &s, HOIST_FOLDER_INCOMPLETE), 0777), 0);
    HOIST_EXPECT_EQ(t, hoist_folder_read(&s.folder, 0, hoist_allocator_system(), t->diag, &files),
                    HOIST_INVALID);
    HOIST_EXPECT_RULE(t, "OS-006");
    hoist_folder_files_free(&files);
    scratch_drop(&s);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(writes_below_the_folder), HOIST_TEST_ROW(writes_at_no_absolute_path),
                HOIST_TEST_ROW(writes_the_head_first), HOIST_TEST_ROW(replaces_only_when_asked),
                HOIST_TEST_ROW(follows_no_link), HOIST_TEST_ROW(refuses_long_names),
                HOIST_TEST_ROW(reads_in_order), HOIST_TEST_ROW(reads_no_links_and_no_pipes),
                HOIST_TEST_ROW(reads_only_so_deep),
                HOIST_TEST_ROW(survives_every_failed_allocation),
                HOIST_TEST_ROW(says_why_it_cannot_open), HOIST_TEST_ROW(says_why_it_cannot_read),
                HOIST_TEST_ROW(checks_before_writing), HOIST_TEST_ROW(works_by_descriptor_0),
                HOIST_TEST_ROW(leaves_out_what_is_unfinished))
