#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/drain.h"
#include "os/scratch_testing.h"
#include "os/temporary.h"

static int open_folder(const scratch *s)
{
    return open(s->path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static void make(hoist_test *t, const scratch *s, hoist_temporary *out, hoist_temporaries *list,
                 mode_t mode)
{
    HOIST_EXPECT_EQ(t, hoist_temporary_create(out, list, open_folder(s), "out", mode), 0);
    HOIST_EXPECT(t, hoist_temporary_is_name(out->name));
}

HOIST_TEST(a_file_gets_its_name_in_the_end)
{
    scratch s;
    scratch_make(t, &s);
    hoist_temporaries list = {0};
    hoist_temporary file;
    make(t, &s, &file, &list, 0666);
    HOIST_EXPECT(t, list.first == &file && strncmp(file.name, ".out.hoist-", 11) == 0);
    HOIST_EXPECT_EQ(t, write(file.fd, "new", 3), 3);
    HOIST_EXPECT_STR(t, scratch_get(t, &s, "out"), "(absent)");
    HOIST_EXPECT_EQ(t, hoist_temporary_rename(&file, file.parent, "out"), 0);
    HOIST_EXPECT_STR(t, scratch_get(t, &s, "out"), "new");
    HOIST_EXPECT_EQ(t, scratch_count(t, &s, "."), 1);
    HOIST_EXPECT(t, !list.first);
    hoist_temporary_drop(&file); // does nothing
    scratch_drop(&s);
}

HOIST_TEST(what_is_dropped_leaves_nothing)
{
    scratch s;
    scratch_make(t, &s);
    hoist_temporaries list = {0};
    hoist_temporary file;
    make(t, &s, &file, &list, 0666);
    hoist_temporary folder;
    make(t, &s, &folder, &list, 0);
    HOIST_EXPECT_EQ(t, mkdirat(folder.fd, "below", 0777), 0);
    HOIST_EXPECT_EQ(t, symlinkat("/etc", folder.fd, "below/link"), 0);
    hoist_temporary_drop(&file);
    HOIST_EXPECT_EQ(t, scratch_count(t, &s, "."), 1);
    hoist_temporary_drop(&folder);
    HOIST_EXPECT_EQ(t, scratch_count(t, &s, "."), 0);
    HOIST_EXPECT(t, !list.first);
    scratch_drop(&s);
}

// A name that cannot be given leaves the entry as it is.
HOIST_TEST(a_refused_name_changes_nothing)
{
    scratch s;
    scratch_make(t, &s);
    HOIST_EXPECT_EQ(t, mkdir(scratch_path(t, &s, "out"), 0777), 0);
    hoist_temporary file;
    make(t, &s, &file, NULL, 0666);
    HOIST_EXPECT_EQ(t, hoist_temporary_rename(&file, file.parent, "out"), EISDIR);
    HOIST_EXPECT_EQ(t, scratch_count(t, &s, "."), 2);
    hoist_temporary_drop(&file);
    HOIST_EXPECT_EQ(t, scratch_count(t, &s, "."), 1);
    scratch_drop(&s);
}

HOIST_TEST(names_of_any_length_fit)
{
    scratch s;
    scratch_make(t, &s);
    char name[NAME_MAX + 1];
    memset(name, 'n', NAME_MAX);
    name[NAME_MAX] = '\0';
    memcpy(name + 225, "\xe2\x82\xac\xe2\x82\xac", 6); // no character is cut in two
    hoist_temporary file;
    HOIST_EXPECT_EQ(t, hoist_temporary_create(&file, NULL, open_folder(&s), name, 0666), 0);
    HOIST_EXPECT(t, strncmp(file.name + 1, name, 225) == 0 && file.name[226] == '.');
    HOIST_EXPECT_EQ(t, hoist_temporary_rename(&file, file.parent, name), 0);
    scratch_drop(&s);
}

// The state after a process was killed: no process holds what it made.
static void abandon(hoist_test *t, const scratch *s, const char *name, mode_t mode)
{
    const pid_t child = fork();
    if (child == 0) {
        hoist_temporary made;
        if (hoist_temporary_create(&made, NULL, open_folder(s), name, mode) != 0 ||
            (mode == 0 && mkdirat(made.fd, "below", 0777) != 0)) {
            _exit(1);
        }
        _exit(0);
    }
    int status = 0;
    HOIST_EXPECT_EQ(t, waitpid(child, &status, 0), child);
    HOIST_EXPECT_EQ(t, status, 0);
}

HOIST_TEST(the_next_one_removes_what_was_left)
{
    scratch s;
    scratch_make(t, &s);
    abandon(t, &s, "out", 0666);
    abandon(t, &s, "out.b", 0666);
    abandon(t, &s, "", 0);
    // Looks like ours; another target's; no digits.
    scratch_put(t, &s, ".out.hoist-0123456789abcdeg.tmp", "mine");
    scratch_put(t, &s, ".out.hoist-0123456789abcdef.tmp.txt", "mine");
    HOIST_EXPECT_EQ(t, mkfifo(scratch_path(t, &s, ".out.hoist-0123456789abcdef.tmp"), 0600), 0);
    HOIST_EXPECT_EQ(t, scratch_count(t, &s, "."), 6);
    hoist_temporary held;
    make(t, &s, &held, NULL, 0666);
    HOIST_EXPECT_EQ(t, scratch_count(t, &s, "."), 6);
    hoist_temporary second;
    make(t, &s, &second, NULL, 0);
    HOIST_EXPECT_EQ(t, scratch_count(t, &s, "."), 7); // what is held stays
    abandon(t, &s, "out", 0);
    hoist_temporary_drop(&held);
    hoist_temporary_drop(&second);
    hoist_temporary_sweep(AT_FDCWD, "out"); // another folder
    HOIST_EXPECT_EQ(t, scratch_count(t, &s, "."), 6);
    const int folder = open_folder(&s);
    hoist_temporary_sweep(folder, "out");
    HOIST_EXPECT_EQ(t, scratch_count(t, &s, "."), 5);
    hoist_temporary_sweep(folder, "");
    HOIST_EXPECT_EQ(t, scratch_count(t, &s, "."), 4);
    HOIST_EXPECT_EQ(t, close(folder), 0);
    scratch_drop(&s);
}

// A process that has unfinished output when a signal comes.
static void be_interrupted(const scratch *s)
{
    hoist_temporaries list = {0};
    hoist_temporary made[3];
    for (size_t i = 0; i < HOIST_COUNT_OF(made); i++) {
        if (hoist_temporary_create(&made[i], &list, open_folder(s), "out", i == 1 ? 0 : 0666)) {
            _exit(1);
        }
    }
    const int fd = openat(made[1].fd, "file", O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0 || hoist_temporary_rename(&made[2], made[2].parent, "complete")) {
        _exit(1);
    }
    hoist_temporaries_remove(&list);
    _exit(0);
}

HOIST_TEST(all_are_removed_at_once)
{
    scratch s;
    scratch_make(t, &s);
    const pid_t child = fork();
    if (child == 0) {
        be_interrupted(&s);
    }
    int status = 0;
    HOIST_EXPECT_EQ(t, waitpid(child, &status, 0), child);
    HOIST_EXPECT_EQ(t, status, 0);
    HOIST_EXPECT_EQ(t, scratch_count(t, &s, "."), 1);
    HOIST_EXPECT_STR(t, scratch_get(t, &s, "complete"), "");
    scratch_drop(&s);
}

HOIST_TEST(says_why_it_cannot_create)
{
    scratch s;
    scratch_make(t, &s);
    hoist_temporary file;
    const int folder = open_folder(&s);
    HOIST_EXPECT_EQ(t, rmdir(s.path), 0);
    HOIST_EXPECT_EQ(t, hoist_temporary_create(&file, NULL, folder, "a", 0666), ENOENT);
    HOIST_EXPECT_EQ(t, fcntl(folder, F_GETFD), -1); // was taken over
    hoist_temporary_drop(&file);
}

// Deeper than a stack with a descriptor for each folder would go.
HOIST_TEST(drains_deep_folders)
{
    enum { DEPTH = 300 };
    scratch s;
    scratch_make(t, &s);
    char path[2 * DEPTH + 8] = "";
    for (size_t i = 0; i < DEPTH; i++) {
        (void)snprintf(path + strlen(path), 8, "d/");
        HOIST_EXPECT_EQ(t, mkdir(scratch_path(t, &s, path), 0777), 0);
        (void)snprintf(path + strlen(path), 8, "l");
        HOIST_EXPECT_EQ(t, symlink("..", scratch_path(t, &s, path)), 0);
        path[strlen(path) - 1] = '\0';
    }
    const int folder = open(s.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    HOIST_EXPECT_EQ(t, hoist_drain(folder, -1), 0);
    HOIST_EXPECT_EQ(t, scratch_count(t, &s, "."), 0);
    HOIST_EXPECT_EQ(t, close(folder), 0);
    scratch_drop(&s);
}

HOIST_TEST(moves_over_what_is_there)
{
    scratch s;
    scratch_make(t, &s);
    static const char *const folders[] = {"a", "a/x", "a/y", "b", "b/x"};
    for (size_t i = 0; i < HOIST_COUNT_OF(folders); i++) {
        HOIST_EXPECT_EQ(t, mkdir(scratch_path(t, &s, folders[i]), 0777), 0);
    }
    scratch_put(t, &s, "a/x/file", "new");
    scratch_put(t, &s, "a/y/file", "new");
    scratch_put(t, &s, "b/x/file", "old");
    scratch_put(t, &s, "b/x/other", "stays");
    const int from = open(scratch_path(t, &s, "a"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const int to = open(scratch_path(t, &s, "b"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    HOIST_EXPECT_EQ(t, hoist_drain(from, to), 0);
    HOIST_EXPECT_EQ(t, scratch_count(t, &s, "a"), 0);
    HOIST_EXPECT_STR(t, scratch_get(t, &s, "b/x/file"), "new");
    HOIST_EXPECT_STR(t, scratch_get(t, &s, "b/y/file"), "new");
    HOIST_EXPECT_STR(t, scratch_get(t, &s, "b/x/other"), "stays");
    // A file that is in the way of a folder stops it.
    scratch_put(t, &s, "b/z", "in the way");
    HOIST_EXPECT_EQ(t, mkdir(scratch_path(t, &s, "a/z"), 0777), 0);
    HOIST_EXPECT_EQ(t, hoist_drain(from, to), ENOTDIR);
    HOIST_EXPECT(t, close(from) == 0 && close(to) == 0);
    scratch_drop(&s);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(a_file_gets_its_name_in_the_end),
                HOIST_TEST_ROW(what_is_dropped_leaves_nothing),
                HOIST_TEST_ROW(a_refused_name_changes_nothing),
                HOIST_TEST_ROW(names_of_any_length_fit),
                HOIST_TEST_ROW(the_next_one_removes_what_was_left),
                HOIST_TEST_ROW(all_are_removed_at_once), HOIST_TEST_ROW(says_why_it_cannot_create),
                HOIST_TEST_ROW(drains_deep_folders), HOIST_TEST_ROW(moves_over_what_is_there))
