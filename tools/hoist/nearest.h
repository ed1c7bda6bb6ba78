// nearest.h - which of many names a word that is none of them was meant to be: for "did you mean".
#ifndef HOIST_TOOLS_NEAREST_H
#define HOIST_TOOLS_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

// The search for one word. Names are tried one by one, and borrowed.
typedef struct tool_nearest {
    const char *word; // borrowed; `size` bytes
    size_t size;
    const char *best; // NULL: none was near enough
    size_t distance;  // of the best
    bool tied;        // several are as near: none is proposed
} tool_nearest;

tool_nearest tool_nearest_begin(const char *word, size_t size);
void tool_nearest_try(tool_nearest *n, const char *name);
// The one name that is near enough and nearest; NULL: there is none.
const char *tool_nearest_name(const tool_nearest *n);

#endif // HOIST_TOOLS_NEAREST_H
