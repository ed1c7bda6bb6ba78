#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/span.h"
#include "os/walk.h"
#include "testing/test.h"

typedef struct seen {
    hoist_test *t;
    size_t files;
    uint64_t bytes;
    size_t failures;
    size_t most; // files until the walk is to end; 0: no limit
} seen;

static hoist_status meet_file(void *self, const hoist_walk_file *file)
{
    seen *const s = self;
    s->files++;
    s->bytes += file->size;
    HOIST_EXPECT_EQ(s->t, access(file->path, F_OK), 0);
    HOIST_EXPECT(s->t, file->mtime > 0 && (s->files > 4 || file->is_named == (s->files == 4)));
    return s->files == s->most ? HOIST_BUSY : HOIST_OK;
}

static void miss(void *self, const char *path, int error)
{
    seen *const s = self;
    s->failures++;
    HOIST_EXPECT(s->t, path && error);
}

static const char *join(hoist_test *t, const char *folder, const char *name)
{
    return hoist_arena_format(&t->arena, "%s/%s", folder, name).data;
}

static void put(hoist_test *t, const char *path)
{
    FILE *const file = fopen(path, "w");
    HOIST_EXPECT(t, file != NULL);
    if (file) {
        HOIST_EXPECT(t, fputs("1234", file) >= 0);
        HOIST_EXPECT_EQ(t, fclose(file), 0);
    }
}

static const char *make_tree(hoist_test *t)
{
    char *const folder = hoist_arena_array(&t->arena, 1, sizeof("/tmp/hoist-walk-XXXXXX"));
    memcpy(folder, "/tmp/hoist-walk-XXXXXX", sizeof("/tmp/hoist-walk-XXXXXX"));
    HOIST_EXPECT(t, mkdtemp(folder) != NULL);
    HOIST_EXPECT_EQ(t, mkdir(join(t, folder, "in"), 0700), 0);
    HOIST_EXPECT_EQ(t, mkdir(join(t, folder, "in/deep"), 0700), 0);
    HOIST_EXPECT_EQ(t, mkdir(join(t, folder, "empty"), 0700), 0);
    put(t, join(t, folder, "a"));
    put(t, join(t, folder, "in/b\xff\n"));
    put(t, join(t, folder, "in/deep/c"));
    HOIST_EXPECT_EQ(t, symlink("/", join(t, folder, "in/up")), 0);
    HOIST_EXPECT_EQ(t, symlink("a", join(t, folder, "other")), 0);
    HOIST_EXPECT_EQ(t, mkfifo(join(t, folder, "fifo"), 0600), 0);
    return folder;
}

static void drop_tree(hoist_test *t, const char *folder)
{
    static const char *const names[] = {"fifo", "other", "in/up", "in/deep/c", "in/b\xff\n", "a"};
    for (size_t i = 0; i < HOIST_COUNT_OF(names); i++) {
        HOIST_EXPECT_EQ(t, unlink(join(t, folder, names[i])), 0);
    }
    HOIST_EXPECT_EQ(t, rmdir(join(t, folder, "empty")), 0);
    HOIST_EXPECT_EQ(t, rmdir(join(t, folder, "in/deep")), 0);
    HOIST_EXPECT_EQ(t, rmdir(join(t, folder, "in")), 0);
    HOIST_EXPECT_EQ(t, rmdir(folder), 0);
}

HOIST_TEST(meets_regular_files_only)
{
    seen s = {.t = t};
    hoist_walk walk = {
        .alloc = hoist_allocator_system(), .self = &s, .file = meet_file, .failed = miss};
    const char *const folder = make_tree(t);
    HOIST_EXPECT_EQ(t, hoist_walk_run(&walk, folder), HOIST_OK);
    HOIST_EXPECT_EQ(t, s.files, 3);
    HOIST_EXPECT_EQ(t, s.bytes, 12);
    HOIST_EXPECT_EQ(t, walk.links, 2);
    HOIST_EXPECT_EQ(t, walk.special, 1);
    HOIST_EXPECT_EQ(t, s.failures, 0);
    // One file; a link that is named is followed; what is not there is reported.
    HOIST_EXPECT_EQ(t, hoist_walk_run(&walk, join(t, folder, "other")), HOIST_OK);
    HOIST_EXPECT_EQ(t, s.files, 4);
    HOIST_EXPECT_EQ(t, hoist_walk_run(&walk, join(t, folder, "none")), HOIST_OK);
    HOIST_EXPECT_EQ(t, s.failures, 1);
    int fd = -1;
    size_t size = 0;
    uint8_t head[8];
    HOIST_EXPECT_EQ(t, hoist_regular_open(join(t, folder, "a"), false, &fd), 0);
    HOIST_EXPECT_EQ(t, hoist_regular_head(fd, head, sizeof(head), &size), 0);
    HOIST_EXPECT_EQ(t, size, 4);
    hoist_regular_close(fd);
    HOIST_EXPECT_EQ(t, hoist_regular_open(join(t, folder, "other"), false, &fd), ELOOP);
    HOIST_EXPECT_EQ(t, hoist_regular_open(join(t, folder, "fifo"), true, &fd), EINVAL);
    HOIST_EXPECT_EQ(t, hoist_regular_open(join(t, folder, "other"), true, &fd), 0);
    hoist_regular_close(fd);
    // The caller ends it.
    s.most = s.files + 2;
    HOIST_EXPECT_EQ(t, hoist_walk_run(&walk, folder), HOIST_BUSY);
    drop_tree(t, folder);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(meets_regular_files_only))
