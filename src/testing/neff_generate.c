// Writes a generated NEFF, for people and benches:
//
//     neff_generate SEED [small|medium|large] [-m CLAUSE] -o FILE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/span.h"
#include "testing/neff_generator.h"

static const char *const sizes[] = {"small", "medium", "large"};

static int size_of(const char *word)
{
    int size = 0;
    while (size < (int)HOIST_COUNT_OF(sizes) && strcmp(word, sizes[size]) != 0) {
        size++;
    }
    return size;
}

static const neff_mutation *mutation_of(const char *clause)
{
    for (size_t i = 0; i < neff_mutation_count(); i++) {
        if (strcmp(neff_mutation_clause(neff_mutation_at(i)), clause) == 0) {
            return neff_mutation_at(i);
        }
    }
    return NULL;
}

static int usage(void)
{
    (void)fprintf(stderr, "usage: neff_generate SEED [small|medium|large] [-m CLAUSE] -o FILE\n");
    return 2;
}

static int write_file(const neff_file_options *options, const char *path)
{
    neff_file file;
    neff_file_generate(options, &file);
    FILE *const out = fopen(path, "wb");
    bool written = out && fwrite(file.bytes.data, 1, file.bytes.size, out) == file.bytes.size;
    if (out && fclose(out) != 0) {
        written = false;
    }
    neff_file_deinit(&file);
    if (!written) {
        (void)fprintf(stderr, "neff_generate: cannot write '%s'\n", path);
    }
    return written ? 0 : 1;
}

int main(int count, char **arguments)
{
    neff_file_options options = {0};
    const char *path = NULL;
    bool seeded = false;
    for (int i = 1; i < count; i++) {
        const bool has_value = i + 1 < count;
        if (strcmp(arguments[i], "-o") == 0 && has_value) {
            path = arguments[++i];
        } else if (strcmp(arguments[i], "-m") == 0 && has_value) {
            options.mutation = mutation_of(arguments[++i]);
            if (!options.mutation) {
                (void)fprintf(stderr, "neff_generate: no mutation raises '%s'\n", arguments[i]);
                return 2;
            }
        } else if (!seeded) {
            options.seed = strtoull(arguments[i], NULL, 10);
            seeded = true;
        } else if (size_of(arguments[i]) < (int)HOIST_COUNT_OF(sizes)) {
            options.size = (neff_file_size)size_of(arguments[i]);
        } else {
            return usage();
        }
    }
    return seeded && path ? write_file(&options, path) : usage();
}
