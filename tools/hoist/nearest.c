// Names near a word that was mistyped: by the optimal string alignment distance (insertions,
// deletions, substitutions, and neighbours that changed places count 1 each), whatever the case.
// In: a word of the command line, names of its tables. Out: one of these or none. parse.c and
// cmd_rules.c propose it.
#include "nearest.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

enum { LONGEST = 40 }; // words and names; there is no longer name

// As many faults as a word of that length may have.
// Short words are near to everything: "up" would be proposed for "cp".
static size_t most_faults(size_t size)
{
    return size <= 2 ? 0 : size <= 5 ? 1 : size <= 9 ? 2 : 3;
}

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

// Dynamic programming over prefixes: cell (i, k) is the distance of the first i characters of a
// and the first k of b. A swap looks two rows back, hence three rows.
static size_t distance_of(const char *a, size_t a_size, const char *b, size_t b_size)
{
    size_t rows[3][LONGEST + 1]; // the last two rows of the table, and the one at hand
    for (size_t k = 0; k <= b_size; k++) {
        rows[0][k] = k;
    }
    for (size_t i = 1; i <= a_size; i++) {
        size_t *const now = rows[i % 3];
        const size_t *const last = rows[(i + 2) % 3];
        const size_t *const before = rows[(i + 1) % 3];
        now[0] = i;
        for (size_t k = 1; k <= b_size; k++) {
            const bool equal = same(a[i - 1], b[k - 1]);
            // Deletion, insertion, substitution.
            now[k] = least(least(last[k], now[k - 1]) + 1, last[k - 1] + !equal);
            if (i > 1 && k > 1 && same(a[i - 1], b[k - 2]) && same(a[i - 2], b[k - 1])) {
                now[k] = least(now[k], before[k - 2] + 1);
            }
        }
    }
    return rows[a_size % 3][b_size];
}

tool_nearest tool_nearest_begin(const char *word, size_t size)
{
    return (tool_nearest){.word = word, .size = size, .distance = SIZE_MAX};
}

void tool_nearest_try(tool_nearest *n, const char *name)
{
    const size_t size = strlen(name);
    if (n->size > LONGEST || size > LONGEST) {
        return;
    }
    const size_t distance = distance_of(n->word, n->size, name, size);
    if (distance > most_faults(n->size) || distance > n->distance) {
        return;
    }
    // Two names that are equally near: a wrong proposal is worse than none.
    n->tied = distance == n->distance;
    n->distance = distance;
    n->best = name;
}

const char *tool_nearest_name(const tool_nearest *n)
{
    return n->tied ? NULL : n->best;
}
