// The keys of ops that have the number of an input in them: input_<N>_tms, _pad and _unpad. In: an
// entry of an op or sub-op. Out: a list by ascending number; the last part of a key is a row of
// buda_input_keys_table (fields.c).
#include "base/span.h"
#include "formats/buda/read.h"

// Input numbers are small: no op has more inputs than the table of ops says, splice has 8.
enum { MAX_INPUT = 255 };

// Splits input_<N>_<word>; NULL when the key has another form. A number too large for any op stays
// above MAX_INPUT. "input_12_tms" gives 12 and the row "tms".
static const hoist_rec_field *input_field(hoist_str key, int *out_input)
{
    static const char prefix[] = "input_";
    *out_input = 0;
    size_t i = sizeof(prefix) - 1;
    const size_t digits = i;
    if (!hoist_str_starts_with(key, prefix)) {
        return NULL;
    }
    for (; i < key.size && key.data[i] >= '0' && key.data[i] <= '9'; i++) {
        // Stops multiplying beyond the limit: a key of a million digits does not overflow the int.
        *out_input = *out_input > MAX_INPUT ? *out_input : *out_input * 10 + (key.data[i] - '0');
    }
    // "input_tms" and "input_3" are unknown keys.
    if (i == digits || i >= key.size || key.data[i] != '_') {
        return NULL;
    }
    const int row =
        hoist_rec_find(&buda_input_keys_table, hoist_str_slice(key, i + 1, key.size), 0);
    return row < 0 ? NULL : &buda_input_keys_table.fields[row];
}

// The keys of input number `input` in `list`, which ascends; added when absent. Keys of one input
// come in any order, and mostly in ascending order of inputs.
static buda_input_keys *input_keys_of(buda_reader *r, buda_input_keys **list, int input)
{
    while (*list && (*list)->input < input) {
        list = &(*list)->next;
    }
    if (*list && (*list)->input == input) {
        return *list;
    }
    buda_input_keys *const keys = hoist_rec_array(r, 1, sizeof(*keys));
    if (keys) {
        keys->input = input;
        keys->next = *list;
        *list = keys;
    }
    return keys;
}

// A number above the limit is no key of an input: the caller reports it as unknown.
bool buda_read_input_key(buda_reader *r, const hoist_yaml_node *entry, buda_input_keys **list)
{
    int input = 0;
    const hoist_rec_field *const field = input_field(buda_key(entry), &input);
    if (!field || input > MAX_INPUT) {
        return false;
    }
    buda_check_duplicate(r, entry);
    buda_input_keys *const keys = input_keys_of(r, list, input);
    const hoist_rec_node node = hoist_rec_yaml(entry);
    if (keys) {
        (void)hoist_rec_read_field(r, field, &node, keys);
    }
    return true;
}
