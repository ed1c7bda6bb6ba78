// Replays a fuzz corpus as a plain test: every file of the folders and files named on the command
// line goes once through LLVMFuzzerTestOneInput. Prints what it ran; an absent folder is an error.
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t replayed;

static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        (void)fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return 1;
    }
    struct stat st;
    int failed = fstat(fileno(file), &st) != 0;
    const size_t size = failed ? 0 : (size_t)st.st_size;
    // Exactly the file's size, so that the sanitizer sees a one-byte overread.
    uint8_t *data = malloc(size ? size : 1);
    failed = failed || !data || fread(data, 1, size, file) != size;
    (void)fclose(file);
    if (!failed) {
        (void)LLVMFuzzerTestOneInput(data, size);
        replayed++;
    }
    free(data);
    return failed;
}

static int replay_folder(const char *path)
{
    DIR *dir = opendir(path);
    if (!dir) {
        return replay_file(path);
    }
    int failed = 0;
    for (const struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        char name[4096];
        const int size = snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.' && size > 0 && (size_t)size < sizeof(name)) {
            failed |= replay_file(name);
        }
    }
    (void)closedir(dir);
    return failed;
}

int main(int argc, char **argv)
{
    int failed = argc < 2;
    for (int i = 1; i < argc; i++) {
        failed |= replay_folder(argv[i]);
    }
    (void)printf("%zu inputs replayed\n", replayed);
    return failed || replayed == 0;
}
