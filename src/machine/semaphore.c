// Changes of one count, with what is wrong about them. step.c and calls.c are the callers.
#include "machine/semaphore.h"

#include "base/assert.h"

// Sets the count, within 0 and its maximum (0: not limited). NULL, or the fault; then the count
// stays.
static const char *set(const hoist_prog_semaphore *def, int64_t *count, int64_t value,
                       int64_t *out_wrong)
{
    *out_wrong = value;
    if (value < 0) {
        return "the semaphore becomes negative";
    }
    if (def->maximum > 0 && value > def->maximum) {
        return "the semaphore exceeds its maximum";
    }
    *count = value;
    return NULL;
}

const char *hoist_semaphore_signal(const hoist_prog_semaphore *def, int64_t *count,
                                   hoist_signal_op op, int64_t value, int64_t *out_wrong)
{
    // True of every count: the initial one was verified (PRG-015), and set() keeps it so.
    HOIST_ASSERT(*count >= 0 && (def->maximum == 0 || *count <= def->maximum));
    int64_t sum = value;
    bool overflow = false;
    switch (op) {
    case HOIST_SIGNAL_ADD:
        // The builtin checks before the sum is compared: a wrapped sum could be a valid count.
        overflow = __builtin_add_overflow(*count, value, &sum);
        break;
    case HOIST_SIGNAL_SUB:
        overflow = __builtin_sub_overflow(*count, value, &sum);
        break;
    case HOIST_SIGNAL_SET:
        break;
    }
    *out_wrong = sum;
    // After an overflow `sum` is the wrapped value, as the header says.
    return overflow ? "the semaphore exceeds 64 bits" : set(def, count, sum, out_wrong);
}

const char *hoist_semaphore_then(const hoist_prog_semaphore *def, int64_t *count,
                                 hoist_wait_then then, int64_t value, int64_t *out_wrong)
{
    switch (then) {
    case HOIST_THEN_NOTHING:
        break;
    case HOIST_THEN_SUBTRACT:
        return hoist_semaphore_signal(def, count, HOIST_SIGNAL_SUB, value, out_wrong);
    case HOIST_THEN_CLEAR:
        return set(def, count, 0, out_wrong);
    case HOIST_THEN_SET:
        return set(def, count, value, out_wrong);
    }
    return NULL;
}
