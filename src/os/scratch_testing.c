#include "os/scratch_testing.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void scratch_make(hoist_test *t, scratch *s)
{
    (void)snprintf(s->around, sizeof(s->around), "/tmp/hoist-scratch-XXXXXX");
    HOIST_EXPECT(t, mkdtemp(s->around) != NULL);
    (void)snprintf(s->path, sizeof(s->path), "%s/in", s->around);
    HOIST_EXPECT_EQ(t, mkdir(s->path, S_IRWXU), 0);
    HOIST_EXPECT_EQ(t, hoist_folder_open(&s->folder, s->path, t->diag), HOIST_OK);
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
    (void)st;
    (void)kind;
    (void)ftw;
    return remove(path);
}

void scratch_drop(scratch *s)
{
    hoist_folder_close(&s->folder);
    (void)nftw(s->around, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *scratch_path(hoist_test *t, const scratch *s, const char *name)
{
    return hoist_arena_format(&t->arena, "%s/%s", s->path, name).data;
}

void scratch_put(hoist_test *t, const scratch *s, const char *name, const char *text)
{
    FILE *const file = fopen(scratch_path(t, s, name), "wb");
    HOIST_EXPECT(t, file && fputs(text, file) >= 0 && fclose(file) == 0);
}

hoist_str scratch_get(hoist_test *t, const scratch *s, const char *name)
{
    const char *const path = scratch_path(t, s, name);
    if (access(path, F_OK) != 0) {
        return HOIST_STR("(absent)");
    }
    const hoist_bytes got = hoist_test_file(t, path);
    return (hoist_str){(const char *)got.data, got.size};
}

size_t scratch_count(hoist_test *t, const scratch *s, const char *name)
{
    DIR *const dir = opendir(scratch_path(t, s, name));
    size_t count = 0;
    for (const struct dirent *entry; dir && (entry = readdir(dir));) {
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    }
    HOIST_EXPECT(t, dir && closedir(dir) == 0);
    return count;
}
