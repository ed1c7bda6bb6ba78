// The forms of values that options take, each as its parts: numbers, sizes, NAME=VALUE. Nothing
// here knows the command line.
// parse.h has the contract of each form. All give false for text that goes on after the form:
// "12x" is no count.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/span.h"
#include "parse.h"

// An integer and nothing else, in decimal digits.
// strtoull() takes blanks and signs ("-1" is 2^64 - 1), hence the look at the first character.
bool tool_parse_count(const char *text, uint64_t *out_count)
{
    char *end = NULL;
    errno = 0;
    *out_count = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && !*end && errno == 0;
}

bool tool_parse_number(const char *text, double *out_number)
{
    char *end = NULL;
    *out_number = strtod(text, &end);
    // No sign, no blank, no "inf" or "nan", which strtod() takes as well.
    const bool begins = (text[0] >= '0' && text[0] <= '9') || text[0] == '.';
    return begins && !*end && *out_number <= 1e300;
}

bool tool_parse_size(const char *text, size_t *out_size)
{
    *out_size = 0;
    char *end = NULL;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    static const char suffixes[] = "KMGT";
    unsigned shift = 0;
    if (*end) {
        const char *suffix = strchr(suffixes, *end);
        if (!suffix || end[1]) {
            return false;
        }
        // K is 1024, as of dd and head.
        shift = 10u * (unsigned)(suffix - suffixes + 1);
    }
    if (end == text || errno != 0 || text[0] < '0' || text[0] > '9' ||
        // Else the shift would lose bits.
        number > (SIZE_MAX >> shift)) {
        return false;
    }
    *out_size = (size_t)number << shift;
    return *out_size != 0;
}

// Copies the digits before the slash, which are few.
// The text is not terminated at the slash, but tool_parse_count() needs an end.
bool tool_parse_shard(const char *text, uint64_t *out_shard, uint64_t *out_shards)
{
    char first[24];
    const char *const slash = strchr(text, '/');
    const size_t size = slash ? (size_t)(slash - text) : sizeof(first);
    *out_shard = 0;
    *out_shards = 0;
    if (size >= sizeof(first)) {
        return false;
    }
    memcpy(first, text, size);
    first[size] = '\0';
    return tool_parse_count(first, out_shard) && tool_parse_count(slash + 1, out_shards) &&
           *out_shard >= 1 && *out_shard <= *out_shards;
}

bool tool_fits_shard(const char *text)
{
    uint64_t shard = 0;
    uint64_t shards = 0;
    return tool_parse_shard(text, &shard, &shards);
}

// Functions tool_fits_...() are for the table of options, which has no place for the parts.
bool tool_fits_size(const char *text)
{
    size_t size = 0;
    return tool_parse_size(text, &size);
}

// A decimal number of either sign, and nothing else; "inf" and "nan" are some.
static bool parse_decimal(const char *text, double *out_number)
{
    char *end = NULL;
    errno = 0;
    *out_number = strtod(text, &end);
    const bool beyond = errno == ERANGE && isinf(*out_number);
    return end != text && !*end && !beyond;
}

bool tool_parse_random(const char *text, uint64_t *out_seed)
{
    static const char random[] = "random:";
    return strncmp(text, random, sizeof(random) - 1) == 0 &&
           tool_parse_count(text + sizeof(random) - 1, out_seed);
}

// Without a range values are those that `hoist help run` documents for the type of the input.
bool tool_parse_random_input(const char *text, tool_random *out_random)
{
    *out_random = (tool_random){.has_range = false};
    if (tool_parse_random(text, &out_random->seed)) {
        return true;
    }
    // random:SEED:LOW..HIGH, where LOW may end in a point: the first two points are between them.
    char seed[64];
    const char *const colon = strrchr(text, ':');
    const char *const points = colon ? strstr(colon, "..") : NULL;
    char low[64];
    if (!points || (size_t)(colon - text) >= sizeof(seed) ||
        (size_t)(points - colon) > sizeof(low)) {
        return false;
    }
    // "random:SEED", which the function for that form parses.
    (void)snprintf(seed, sizeof(seed), "%.*s", (int)(colon - text), text);
    (void)snprintf(low, sizeof(low), "%.*s", (int)(points - colon - 1), colon + 1);
    out_random->has_range = true;
    return tool_parse_random(seed, &out_random->seed) && parse_decimal(low, &out_random->low) &&
           parse_decimal(points + 2, &out_random->high) && out_random->low <= out_random->high &&
           isfinite(out_random->low) && isfinite(out_random->high);
}

bool tool_parse_config(const char *text, uint64_t *out_seed)
{
    static const char config[] = "config";
    const size_t size = sizeof(config) - 1;
    *out_seed = 0;
    return strncmp(text, config, size) == 0 &&
           (!text[size] || (text[size] == ':' && tool_parse_count(text + size + 1, out_seed)));
}

// run_files.c takes what fits apart: the seed of "random:" is read there once more, and what is
// neither that nor "adversarial" is "in-order".
bool tool_fits_schedule(const char *text)
{
    uint64_t seed = 0;
    return strcmp(text, "in-order") == 0 || strcmp(text, "adversarial") == 0 ||
           tool_parse_random(text, &seed);
}

// "NAME=VALUE" before `stop` (besides the end); gives where it ends, NULL: there is none.
// The name ends at the first '=', so names with one cannot be given.
static const char *parse_pair(const char *text, char stop, hoist_str *out_name, int64_t *out_value)
{
    const char *sign = strchr(text, '=');
    if (!sign || sign == text || !sign[1]) {
        return NULL;
    }
    char *end = NULL;
    errno = 0;
    *out_name = (hoist_str){text, (size_t)(sign - text)};
    // Base 0: 0x and 0 before the digits have their meaning in C.
    *out_value = strtoll(sign + 1, &end, 0);
    return errno == 0 && end > sign + 1 && (!*end || *end == stop) ? end : NULL;
}

bool tool_parse_parameter(const char *text, hoist_str *out_name, int64_t *out_value)
{
    return parse_pair(text, '\0', out_name, out_value);
}

hoist_str tool_call_program(const char *text)
{
    return (hoist_str){text, strcspn(text, ",")};
}

// `*at` stays where the text cannot be parsed, which is how tool_fits_call() finds that out.
bool tool_next_call_parameter(const char *text, size_t *at, hoist_str *out_name, int64_t *out_value)
{
    const size_t start = *at ? *at : tool_call_program(text).size;
    const char *const end =
        text[start] == ',' ? parse_pair(text + start + 1, ',', out_name, out_value) : NULL;
    *at = end ? (size_t)(end - text) : start;
    return end;
}

bool tool_fits_call(const char *text)
{
    hoist_str name;
    int64_t value = 0;
    size_t at = 0;
    while (tool_next_call_parameter(text, &at, &name, &value)) {
    }
    return tool_call_program(text).size > 0 && !text[at];
}

bool tool_fits_parameter(const char *text)
{
    hoist_str name;
    int64_t value = 0;
    return tool_parse_parameter(text, &name, &value);
}

// Takes "[ELEMENT]" off the end of a name. False: the element does not fit.
// "image[2]" is element 2 of the batch; "a[b]" and "[3]" are names as they are.
static bool split_element(hoist_str *name, uint32_t *out_element)
{
    size_t digits = 0;
    *out_element = 0;
    if (!hoist_str_ends_with(*name, "]")) {
        return true;
    }
    while (digits + 1 < name->size && name->data[name->size - 2 - digits] >= '0' &&
           name->data[name->size - 2 - digits] <= '9') {
        digits++;
    }
    if (digits == 0 || digits + 2 > name->size || name->data[name->size - 2 - digits] != '[') {
        return true;
    }
    const unsigned long long element = strtoull(name->data + name->size - 1 - digits, NULL, 10);
    name->size -= digits + 2;
    *out_element = (uint32_t)element;
    // Nine digits fit into 32 bits.
    return digits < 10 && name->size > 0;
}

bool tool_parse_address(const char *text, hoist_str *out_buffer, uint32_t *out_element,
                        uint64_t *out_address)
{
    // The last one: names of layers may have an '='.
    const char *const sign = strrchr(text, '=');
    // A digit must follow: strtoull() would take "-1".
    if (!sign || sign == text || sign[1] < '0' || sign[1] > '9') {
        return false;
    }
    char *end = NULL;
    errno = 0;
    *out_buffer = (hoist_str){text, (size_t)(sign - text)};
    *out_address = strtoull(sign + 1, &end, 0);
    return errno == 0 && !*end && split_element(out_buffer, out_element);
}

bool tool_fits_address(const char *text)
{
    hoist_str buffer;
    uint32_t element = 0;
    uint64_t address = 0;
    return tool_parse_address(text, &buffer, &element, &address);
}

// "zeros" is the same as 0 for any type.
bool tool_parse_scalar(const char *text, double *out_number)
{
    *out_number = 0;
    return strcmp(text, "zeros") == 0 || parse_decimal(text, out_number);
}

// Names of tensors have colons, too ("serving_default_x:0"): only after one that a known type
// follows, the name ends there.
tool_binding tool_split_name(hoist_str text)
{
    tool_binding binding = {.name = text};
    const char *const colon = text.size ? memrchr(text.data, ':', text.size) : NULL;
    if (colon && colon != text.data) {
        const size_t size = (size_t)(colon - text.data);
        binding.dtype = hoist_dtype_find(hoist_str_slice(text, size + 1, text.size - size - 1));
        binding.name.size = binding.dtype != HOIST_DTYPE_NONE ? size : text.size;
    }
    return binding;
}

// Whether the source is one that the option takes is not checked here.
bool tool_parse_binding(const char *text, tool_binding *out_binding)
{
    *out_binding = (tool_binding){0};
    const char *sign = strchr(text, '=');
    if (!sign || sign == text || !sign[1]) {
        return false;
    }
    *out_binding = tool_split_name((hoist_str){text, (size_t)(sign - text)});
    out_binding->source = sign + 1;
    return true;
}

const char *tool_after_raw(const char *path)
{
    static const char raw[] = "raw:";
    return strncmp(path, raw, sizeof(raw) - 1) == 0 ? path + sizeof(raw) - 1 : path;
}

// Whether "@FILE" is by its name a file of several arrays.
// `text` is "@FILE", whose '@' is the first character.
static bool names_set(const char *text)
{
    const hoist_str path = hoist_str_from(text);
    return tool_after_raw(text + 1) == text + 1 &&
           (hoist_str_ends_with(path, ".npz") || hoist_str_ends_with(path, ".safetensors"));
}

// "@weights.npz", or any "@FILE" that no '=' makes a NAME=SOURCE; the file is then read by its
// content.
bool tool_is_set(const char *text)
{
    return text[0] == '@' && text[1] && (names_set(text) || !strchr(text, '='));
}

bool tool_fits_input(const char *text)
{
    tool_binding binding;
    tool_random random;
    double number = 0;
    uint64_t seed = 0;
    if (tool_is_set(text)) {
        return true;
    }
    if (!tool_parse_binding(text, &binding)) {
        return false;
    }
    if (binding.source[0] == '@') {
        // One array cannot be that of all other inputs, and a file of several has names of its
        // own.
        return binding.source[1] && !hoist_str_equal_c(binding.name, "*") &&
               !names_set(binding.source);
    }
    return tool_parse_random_input(binding.source, &random) ||
           tool_parse_config(binding.source, &seed) || tool_parse_scalar(binding.source, &number);
}

// Nothing but a file: made-up numbers are no expectation.
bool tool_fits_expected(const char *text)
{
    tool_binding binding;
    return tool_parse_binding(text, &binding) && binding.source[0] == '@' && binding.source[1] &&
           !names_set(binding.source);
}

bool tool_fits_path(const char *text)
{
    return strcmp(text, "-") != 0; // a folder or a database is no stream
}
