// What the options of the command line take: words of a list, numbers within limits, and forms of
// their own. A value that does not fit is refused before any file is opened.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/span.h"
#include "parse.h"
#include "run.h"

// Forms -------------------------------------------------------------------------------------------

// A whole number and nothing else, in decimal digits.
static bool read_count(const char *text, uint64_t *out_count)
{
    char *end = NULL;
    errno = 0;
    *out_count = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && !*end && errno == 0;
}

static bool read_number(const char *text, double *out_number)
{
    char *end = NULL;
    *out_number = strtod(text, &end);
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
        shift = 10u * (unsigned)(suffix - suffixes + 1);
    }
    if (end == text || errno != 0 || text[0] < '0' || text[0] > '9' ||
        number > (SIZE_MAX >> shift)) {
        return false;
    }
    *out_size = (size_t)number << shift;
    return *out_size != 0;
}

bool tool_fits_size(const char *text)
{
    size_t size = 0;
    return tool_parse_size(text, &size);
}

bool tool_parse_random(const char *text, uint64_t *out_seed)
{
    static const char random[] = "random:";
    return strncmp(text, random, sizeof(random) - 1) == 0 &&
           read_count(text + sizeof(random) - 1, out_seed);
}

bool tool_fits_schedule(const char *text)
{
    uint64_t seed = 0;
    return strcmp(text, "in-order") == 0 || strcmp(text, "adversarial") == 0 ||
           tool_parse_random(text, &seed);
}

bool tool_parse_parameter(const char *text, hoist_str *out_name, int64_t *out_value)
{
    const char *sign = strchr(text, '=');
    if (!sign || sign == text || !sign[1]) {
        return false;
    }
    char *end = NULL;
    errno = 0;
    *out_name = (hoist_str){text, (size_t)(sign - text)};
    *out_value = strtoll(sign + 1, &end, 0);
    return errno == 0 && !*end;
}

bool tool_fits_parameter(const char *text)
{
    hoist_str name;
    int64_t value = 0;
    return tool_parse_parameter(text, &name, &value);
}

// Takes "[ELEMENT]" off the end of a name. False: the element does not fit.
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
    return digits < 10 && name->size > 0;
}

bool tool_parse_address(const char *text, hoist_str *out_buffer, uint32_t *out_element,
                        uint64_t *out_address)
{
    const char *const sign = strrchr(text, '=');
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

bool tool_parse_scalar(const char *text, double *out_number)
{
    char *end = NULL;
    errno = 0;
    *out_number = strcmp(text, "zeros") == 0 ? 0 : strtod(text, &end);
    const bool beyond = errno == ERANGE && isinf(*out_number);
    return !end || (end != text && !*end && !beyond);
}

bool tool_fits_input(const char *text)
{
    run_binding binding;
    uint64_t seed = 0;
    double number = 0;
    if (!run_split(text, &binding)) {
        return false;
    }
    if (binding.source[0] == '@') {
        return binding.source[1] && !hoist_str_equal_c(binding.name, "*");
    }
    return tool_parse_random(binding.source, &seed) || tool_parse_scalar(binding.source, &number);
}

bool tool_fits_expected(const char *text)
{
    run_binding binding;
    return run_split(text, &binding) && binding.source[0] == '@' && binding.source[1];
}

// Judging -----------------------------------------------------------------------------------------

static bool is_word_of(const char *words, const char *text)
{
    const size_t size = strlen(text);
    for (const char *word = words; *word;) {
        const size_t length = strcspn(word, " ");
        if (length == size && memcmp(word, text, size) == 0) {
            return true;
        }
        word += length + (word[length] == ' ');
    }
    return false;
}

static bool fits(const tool_option *option, const char *text)
{
    uint64_t count = 0;
    double number = 0;
    switch (option->wants) {
    case WANTS_TEXT:
        return true;
    case WANTS_WORD:
        return is_word_of(option->words, text);
    case WANTS_COUNT:
        return read_count(text, &count) && count >= option->least &&
               (!option->most || count <= option->most);
    case WANTS_NUMBER:
        return read_number(text, &number) && (!option->most || number <= (double)option->most);
    case WANTS_FORM:
        return option->fits(text);
    }
    return false;
}

// "auto, always or never".
static void write_words(const char *words, hoist_buffer *out)
{
    const char *last = strrchr(words, ' ');
    for (const char *c = words; *c; c++) {
        if (*c == ' ') {
            hoist_buffer_c(out, c == last ? " or " : ", ");
        } else {
            hoist_buffer_char(out, *c);
        }
    }
}

void tool_write_wanted(const tool_option *option, hoist_buffer *out)
{
    switch (option->wants) {
    case WANTS_TEXT:
        hoist_buffer_c(out, option->value);
        return;
    case WANTS_WORD:
        write_words(option->words, out);
        return;
    case WANTS_FORM:
        hoist_buffer_c(out, option->form);
        return;
    case WANTS_COUNT:
    case WANTS_NUMBER:
        break;
    }
    hoist_buffer_c(out, option->wants == WANTS_COUNT ? "a whole number" : "a number");
    if (option->most) {
        hoist_buffer_format(out, " from %llu to %llu", (unsigned long long)option->least,
                            (unsigned long long)option->most);
    } else {
        hoist_buffer_format(out, " of %llu or more", (unsigned long long)option->least);
    }
}

bool tool_judge_value(tool *t, const tool_option *option, const char *text, bool from_variable)
{
    if (!*text) {
        tool_complain(t, "--%s needs a value: %s", option->name, option->value);
        return false;
    }
    if (fits(option, text)) {
        return true;
    }
    hoist_buffer wanted;
    hoist_buffer_init(&wanted, hoist_allocator_system());
    tool_write_wanted(option, &wanted);
    tool_complain(t, "%s%s wants %.*s, not '%s'", from_variable ? "" : "--",
                  from_variable ? option->variable : option->name,
                  HOIST_STR_ARGS(hoist_buffer_text(&wanted)), text);
    hoist_buffer_deinit(&wanted);
    return false;
}

// What was judged before
// ---------------------------------------------------------------------------

static const char *given_or_variable(const tool *t, tool_option_id id)
{
    const char *text = t->values[id];
    const char *variable = tool_options[id].variable;
    text = text || !variable ? text : getenv(variable);
    return text && *text ? text : NULL;
}

uint64_t tool_count_of(const tool *t, tool_option_id id, uint64_t fallback)
{
    const char *text = given_or_variable(t, id);
    uint64_t count = 0;
    return text && read_count(text, &count) ? count : fallback;
}

double tool_number_of(const tool *t, tool_option_id id, double fallback)
{
    const char *text = given_or_variable(t, id);
    double number = 0;
    return text && read_number(text, &number) ? number : fallback;
}
