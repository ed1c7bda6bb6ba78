// Names of members of containers, as paths below a folder. In: a name as an archive has it. Out:
// why no file can have it. The containers that unpack check theirs by it, and packing the paths of
// files.
#include "formats/part_name.h"

#include <string.h>

#include "base/span.h"

// True when a part of the path between slashes is `component`: "..x" is none, "a/.." has one.
static bool has_component(hoist_str name, const char *component)
{
    size_t start = 0;
    for (size_t i = 0; i <= name.size; i++) {
        if (i == name.size || name.data[i] == '/') {
            if (hoist_str_equal_c(hoist_str_slice(name, start, i - start), component)) {
                return true;
            }
            start = i + 1;
        }
    }
    return false;
}

// Names end up as paths below the folder of `unpack`. A backslash separates folders on other
// systems, and a NUL would end the path early.
const char *hoist_part_unsafe(hoist_str name)
{
    if (name.size == 0) {
        return "is empty";
    }
    if (name.data[0] == '/') {
        return "is absolute";
    }
    if (has_component(name, "..")) {
        return "climbs with '..'";
    }
    if (memchr(name.data, '\0', name.size)) {
        return "has a NUL";
    }
    return memchr(name.data, '\\', name.size) ? "has a backslash" : NULL;
}
