#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/span.h"
#include "os/folder_output.h"
#include "os/scratch_testing.h"

static hoist_status begin(hoist_test *t, hoist_folder_output *out, const scratch *s,
                          const char *name, bool replace)
{
    hoist_folder_output_init(out, hoist_allocator_system());
    return hoist_folder_output_begin(out, scratch_path(t, s, name), replace, NULL, t->diag);
}

static hoist_status add(hoist_test *t, hoist_folder_output *out, const char *path)
{
    const hoist_folder_write_options options = {.executable = false};
    return hoist_folder_output_write(out, hoist_str_from(path),
                                     (hoist_bytes){(const uint8_t *)"new", 3}, &options, t->diag);
}

// clang-format off
static const struct {
    const char *name;
    const char *folder;
    bool replace;
    const char *file;
    const char *also;   // a second one
    hoist_status write; // of the second one
    hoist_status finish;
    const char *old;    // what is in out/a in the end
} outputs[] = {
    {"absent",             "new",   false, "a", "b/c", HOIST_OK,        HOIST_OK, "old"},
    {"absent, with slash", "new//", false, "a", "b/c", HOIST_OK,        HOIST_OK, "old"},
    {"there",              "out",   false, "b", "c/d", HOIST_OK,        HOIST_OK, "old"},
    {"by another name",    "./out/.", false, "b", "c", HOIST_OK,        HOIST_OK, "old"},
    {"behind a link",      "link",  false, "b", "c",   HOIST_OK,        HOIST_OK, "old"},
    {"replaced",           "out",   true,  "a", "b",   HOIST_OK,        HOIST_OK, "new"},
    {"not replaced",       "out",   false, "b", "a",   HOIST_IO,        HOIST_OK, "old"},
    {"below a file",       "out",   true,  "b", "a/b", HOIST_NOT_FOUND, HOIST_OK, "old"},
    {"twice the same",     "new",   false, "a", "a",   HOIST_IO,        HOIST_OK, "old"},
    {"leads out",          "new",   true,  "a", "../a", HOIST_INVALID,  HOIST_OK, "old"},
};
// clang-format on

HOIST_TEST_TABLE(folders_appear_when_they_are_complete, outputs)
{
    scratch s;
    hoist_folder_output out;
    scratch_make(t, &s);
    HOIST_EXPECT_EQ(t, mkdir(scratch_path(t, &s, "out"), 0777), 0);
    HOIST_EXPECT_EQ(t, symlink("out", scratch_path(t, &s, "link")), 0);
    scratch_put(t, &s, "out/a", "old");
    HOIST_EXPECT_EQ(t, begin(t, &out, &s, row->folder, row->replace), HOIST_OK);
    HOIST_EXPECT_EQ(t, add(t, &out, row->file), HOIST_OK);
    HOIST_EXPECT_EQ(t, add(t, &out, row->also), row->write);
    HOIST_EXPECT(t, access(scratch_path(t, &s, "new"), F_OK) != 0);
    HOIST_EXPECT_STR(t, scratch_get(t, &s, "out/a"), "old");
    HOIST_EXPECT(t, access(scratch_path(t, &s, "out/b"), F_OK) != 0);
    if (row->write == HOIST_OK) {
        HOIST_EXPECT_EQ(t, hoist_folder_output_finish(&out, t->diag), row->finish);
        const char *const path =
            hoist_arena_format(&t->arena, "%s/%s", row->folder, row->also).data;
        HOIST_EXPECT_STR(t, scratch_get(t, &s, path), "new");
    }
    hoist_folder_output_drop(&out);
    HOIST_EXPECT_STR(t, scratch_get(t, &s, "out/a"), row->old);
    const bool is_new = row->write == HOIST_OK && strncmp(row->folder, "new", 3) == 0;
    HOIST_EXPECT_EQ(t, scratch_count(t, &s, "."), is_new ? 3 : 2);
    HOIST_EXPECT_EQ(t, scratch_count(t, &s, "out"),
                    row->write != HOIST_OK || is_new ? 1
                    : row->replace                   ? 2
                                                     : 3);
    scratch_drop(&s);
}

// clang-format off
static const struct {
    const char *name;
    const char *folder;
    hoist_status want;
} refused[] = {
    {"folder above is absent", "no/new",  HOIST_NOT_FOUND},
    {"a file",                 "file",    HOIST_NOT_FOUND},
    {"below a file",           "file/x",  HOIST_NOT_FOUND},
    {"a link that dangles",    "dangles", HOIST_NOT_FOUND},
    {"a pipe",                 "pipe",    HOIST_NOT_FOUND},
};
// clang-format on

HOIST_TEST_TABLE(says_why_it_cannot_begin, refused)
{
    scratch s;
    hoist_folder_output out;
    scratch_make(t, &s);
    scratch_put(t, &s, "file", "old");
    HOIST_EXPECT_EQ(t, symlink("nowhere", scratch_path(t, &s, "dangles")), 0);
    HOIST_EXPECT_EQ(t, mkfifo(scratch_path(t, &s, "pipe"), 0600), 0);
    HOIST_EXPECT_EQ(t, begin(t, &out, &s, row->folder, true), row->want);
    HOIST_EXPECT_RULE(t, "OS-001");
    HOIST_EXPECT(t, !hoist_folder_output_begun(&out));
    hoist_folder_output_drop(&out);
    HOIST_EXPECT_EQ(t, scratch_count(t, &s, "."), 3);
    scratch_drop(&s);
}

// Two processes write the same folder, which was absent for both.
HOIST_TEST(the_second_one_moves_its_files_in)
{
    scratch s;
    hoist_folder_output first;
    hoist_folder_output second;
    scratch_make(t, &s);
    HOIST_EXPECT_EQ(t, begin(t, &first, &s, "new", true), HOIST_OK);
    HOIST_EXPECT_EQ(t, begin(t, &second, &s, "new", true), HOIST_OK);
    HOIST_EXPECT_EQ(t, add(t, &first, "a"), HOIST_OK);
    HOIST_EXPECT_EQ(t, add(t, &second, "a"), HOIST_OK);
    HOIST_EXPECT_EQ(t, add(t, &second, "b/c"), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_folder_output_finish(&first, t->diag), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_folder_output_finish(&second, t->diag), HOIST_OK);
    hoist_folder_output_drop(&first);
    hoist_folder_output_drop(&second);
    HOIST_EXPECT_EQ(t, scratch_count(t, &s, "."), 1);
    HOIST_EXPECT_EQ(t, scratch_count(t, &s, "new"), 2);
    scratch_drop(&s);
}

// The same without leave to replace: the second one changes nothing.
HOIST_TEST(nothing_is_moved_over_a_file_that_came_meanwhile)
{
    scratch s;
    hoist_folder_output out;
    scratch_make(t, &s);
    HOIST_EXPECT_EQ(t, mkdir(scratch_path(t, &s, "out"), 0777), 0);
    HOIST_EXPECT_EQ(t, begin(t, &out, &s, "out", false), HOIST_OK);
    HOIST_EXPECT_EQ(t, add(t, &out, "a"), HOIST_OK);
    HOIST_EXPECT_EQ(t, add(t, &out, "b"), HOIST_OK);
    scratch_put(t, &s, "out/b", "old");
    HOIST_EXPECT_EQ(t, hoist_folder_output_finish(&out, t->diag), HOIST_IO);
    HOIST_EXPECT_RULE(t, "OS-001");
    hoist_folder_output_drop(&out);
    HOIST_EXPECT_EQ(t, scratch_count(t, &s, "out"), 1);
    HOIST_EXPECT_STR(t, scratch_get(t, &s, "out/b"), "old");
    scratch_drop(&s);
}

// A process was killed while it moved its files: "a" is in its place, "b" and "c/d" are not.
HOIST_TEST(the_next_one_completes_what_was_left)
{
    scratch s;
    hoist_folder_output out;
    scratch_make(t, &s);
    static const char *const folders[] = {"out", "out/.hoist-incomplete",
                                          "out/.hoist-incomplete/c"};
    for (size_t i = 0; i < HOIST_COUNT_OF(folders); i++) {
        HOIST_EXPECT_EQ(t, mkdir(scratch_path(t, &s, folders[i]), 0777), 0);
    }
    scratch_put(t, &s, "out/a", "killed");
    scratch_put(t, &s, "out/b", "old");
    scratch_put(t, &s, "out/.hoist-incomplete/b", "killed");
    scratch_put(t, &s, "out/.hoist-incomplete/c/d", "killed");
    HOIST_EXPECT_EQ(t, begin(t, &out, &s, "out", false), HOIST_OK);
    HOIST_EXPECT_EQ(t, add(t, &out, "b"), HOIST_IO); // it is complete, and stays
    hoist_folder_output_drop(&out);
    HOIST_EXPECT_STR(t, scratch_get(t, &s, "out/b"), "killed");
    HOIST_EXPECT_STR(t, scratch_get(t, &s, "out/c/d"), "killed");
    HOIST_EXPECT_EQ(t, scratch_count(t, &s, "out"), 3);
    scratch_drop(&s);
}

// What cannot be completed is reported, and nothing is added to the disorder.
HOIST_TEST(says_why_it_cannot_complete)
{
    scratch s;
    hoist_folder_output out;
    scratch_make(t, &s);
    static const char *const folders[] = {"out", "out/.hoist-incomplete", "out/a"};
    for (size_t i = 0; i < HOIST_COUNT_OF(folders); i++) {
        HOIST_EXPECT_EQ(t, mkdir(scratch_path(t, &s, folders[i]), 0777), 0);
    }
    scratch_put(t, &s, "out/.hoist-incomplete/a", "in the way of a folder");
    HOIST_EXPECT_EQ(t, begin(t, &out, &s, "out", true), HOIST_IO);
    HOIST_EXPECT_RULE(t, "OS-006");
    hoist_folder_output_drop(&out);
    HOIST_EXPECT_EQ(t, scratch_count(t, &s, "out"), 2);
    scratch_drop(&s);
}

HOIST_TEST(an_incomplete_folder_of_another_user_is_refused)
{
    if (geteuid() != 0) {
        hoist_test_skip(t, "only root can give a folder to another user");
    }
    scratch s;
    hoist_folder_output out;
    scratch_make(t, &s);
    HOIST_EXPECT_EQ(t, mkdir(scratch_path(t, &s, HOIST_FOLDER_INCOMPLETE), 0777), 0);
    HOIST_EXPECT_EQ(t, chown(scratch_path(t, &s, HOIST_FOLDER_INCOMPLETE), 12345, 12345), 0);
    HOIST_EXPECT_EQ(t, begin(t, &out, &s, ".", true), HOIST_IO);
    HOIST_EXPECT_RULE(t, "OS-006");
    hoist_folder_output_drop(&out);
    scratch_drop(&s);
}

static void *remove_all(void *list)
{
    (void)poll(NULL, 0, 5);
    hoist_temporaries_remove(list);
    _exit(0);
}

// Adds files without end until another thread removes them and ends the process.
static void be_stopped(hoist_test *t, const scratch *s)
{
    static hoist_temporaries list;
    hoist_folder_output out;
    pthread_t thread;
    char path[32];
    const hoist_folder_write_options options = {.executable = false};
    hoist_folder_output_init(&out, hoist_allocator_system());
    if (hoist_folder_output_begin(&out, scratch_path(t, s, "new"), true, &list, NULL) ||
        pthread_create(&thread, NULL, remove_all, &list)) {
        _exit(1);
    }
    for (unsigned i = 0;; i++) {
        (void)snprintf(path, sizeof(path), "%u/%u/%u", i % 3, i % 7, i);
        if (hoist_folder_output_write(&out, hoist_str_from(path), (hoist_bytes){NULL, 0}, &options,
                                      NULL) != HOIST_OK) {
            _exit(2);
        }
    }
}

HOIST_TEST(another_thread_removes_what_is_being_written)
{
    scratch s;
    scratch_make(t, &s);
    for (int i = 0; i < HOIST_TEST_ROUNDS(20); i++) {
        const pid_t child = fork();
        if (child == 0) {
            be_stopped(t, &s);
        }
        int status = 0;
        HOIST_EXPECT_EQ(t, waitpid(child, &status, 0), child);
        HOIST_EXPECT_EQ(t, status, 0);
        HOIST_EXPECT_EQ(t, scratch_count(t, &s, "."), 0);
    }
    scratch_drop(&s);
}

static hoist_status write_starved(hoist_allocator alloc, const void *self)
{
    hoist_folder_output out;
    hoist_folder_output_init(&out, alloc);
    hoist_status status = hoist_folder_output_begin(&out, self, true, NULL, NULL);
    for (int i = 0; status == HOIST_OK && i < 20; i++) {
        const hoist_folder_write_options options = {.executable = true};
        status =
            hoist_folder_output_write(&out, HOIST_STR("a"), (hoist_bytes){NULL, 0}, &options, NULL);
    }
    if (status == HOIST_OK) {
        status = hoist_folder_output_finish(&out, NULL);
    }
    hoist_folder_output_drop(&out);
    return status;
}

HOIST_TEST(survives_every_failed_allocation)
{
    scratch s;
    scratch_make(t, &s);
    hoist_test_starve(t, write_starved, scratch_path(t, &s, "out"));
    HOIST_EXPECT_EQ(t, scratch_count(t, &s, "."), 1);
    scratch_drop(&s);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(folders_appear_when_they_are_complete),
                HOIST_TEST_ROW(says_why_it_cannot_begin),
                HOIST_TEST_ROW(the_second_one_moves_its_files_in),
                HOIST_TEST_ROW(nothing_is_moved_over_a_file_that_came_meanwhile),
                HOIST_TEST_ROW(the_next_one_completes_what_was_left),
                HOIST_TEST_ROW(says_why_it_cannot_complete),
                HOIST_TEST_ROW(an_incomplete_folder_of_another_user_is_refused),
                HOIST_TEST_ROW(another_thread_removes_what_is_being_written),
                HOIST_TEST_ROW(survives_every_failed_allocation))
