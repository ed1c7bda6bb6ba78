// Any texts, one after the other with a zero byte between them, as the models or plans of the ranks
// of a job, through all that hoist does with one, runs with data included.
#include <string.h>

#include "all_steps.h"
#include "testing/fuzz.h"

enum { MOST_FILES = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hoist_bytes files[MOST_FILES];
    size_t count = 0;
    do {
        const uint8_t *const end = size ? memchr(data, '\0', size) : NULL;
        const size_t taken = end ? (size_t)(end - data) : size;
        files[count++] = (hoist_bytes){data, taken};
        data = end ? end + 1 : data + taken;
        size -= taken + (end != NULL);
    } while (size && count < MOST_FILES);
    all_steps(files, count, "ark");
    return 0;
}
