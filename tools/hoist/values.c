// What the options of the command line take: words of a list, numbers within limits, and forms of
// their own (forms.c). A value that does not fit is refused before any file is opened.
#include <stdlib.h>
#include <string.h>

#include "base/span.h"
#include "parse.h"

// Verification -----------------------------------------------------------------------------------

// Words are separated by one blank; a table from the library (formats) has a function instead.
hoist_str tool_word_at(const tool_option *option, size_t index)
{
    const char *word = option->word_at ? option->word_at(index) : option->words;
    for (; !option->word_at && word && index > 0; index--) {
        const char *space = strchr(word, ' ');
        word = space ? space + 1 : NULL;
    }
    return (hoist_str){word, word ? strcspn(word, " ") : 0};
}

// Which of the words `text` is, from 0 on; their number when it is none.
// Linear: the longest list has a dozen words.
static size_t find_word(const tool_option *option, const char *text)
{
    size_t i = 0;
    hoist_str word = tool_word_at(option, 0);
    while (word.data && !hoist_str_equal_c(word, text)) {
        word = tool_word_at(option, ++i);
    }
    return i;
}

// Whether the value has the form that the row of the option asks for. No default: a new kind of
// value is a compiler warning.
static bool fits(const tool_option *option, const char *text)
{
    uint64_t count = 0;
    double number = 0;
    switch (option->wants) {
    case WANTS_TEXT:
        return true;
    case WANTS_WORD:
        return tool_word_at(option, find_word(option, text)).data != NULL;
    case WANTS_COUNT:
        return tool_parse_count(text, &count) && count >= option->least &&
               (!option->most || count <= option->most);
    case WANTS_NUMBER:
        return tool_parse_number(text, &number) &&
               (!option->most || number <= (double)option->most);
    case WANTS_FORM:
        return option->fits(text);
    }
    return false;
}

// One word ahead, so that the last one is known before it is written.
void tool_write_words(const tool_option *option, const char *between, const char *last,
                      hoist_buffer *out)
{
    hoist_str next = tool_word_at(option, 0);
    for (size_t i = 0; next.data; i++) {
        const hoist_str word = next;
        next = tool_word_at(option, i + 1);
        hoist_buffer_c(out, i == 0 ? "" : next.data ? between : last);
        hoist_buffer_str(out, word);
    }
}

// For "--jobs takes an integer from 1 to 1024, not 'x'".
void tool_write_wanted(const tool_option *option, hoist_buffer *out)
{
    switch (option->wants) {
    case WANTS_TEXT:
        hoist_buffer_c(out, option->value);
        return;
    case WANTS_WORD:
        tool_write_words(option, ", ", " or ", out); // "auto, always or never"
        return;
    case WANTS_FORM:
        hoist_buffer_c(out, option->form);
        return;
    case WANTS_COUNT:
    case WANTS_NUMBER:
        break;
    }
    hoist_buffer_c(out, option->wants == WANTS_COUNT ? "an integer" : "a number");
    if (option->most) {
        hoist_buffer_format(out, " from %llu to %llu", (unsigned long long)option->least,
                            (unsigned long long)option->most);
    } else {
        hoist_buffer_format(out, " of %llu or more", (unsigned long long)option->least);
    }
}

bool tool_check_value(tool *t, const tool_option *option, const char *text, bool from_variable)
{
    // --output= without a name; an empty variable was skipped before.
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
    tool_complain(t, "%s%s takes %.*s, not '%s'", from_variable ? "" : "--",
                  from_variable ? option->variable : option->name,
                  HOIST_STR_ARGS(hoist_buffer_text(&wanted)), text);
    hoist_buffer_deinit(&wanted);
    return false;
}

// Values that were verified before ----------------------------------------------------------------

// Values were checked by tool_check_value() when the command line was parsed, so the functions
// below do not fail.
static const char *given_or_variable(const tool *t, tool_option_id id)
{
    const char *text = t->values[id];
    const char *variable = tool_options[id].variable;
    text = text || !variable ? text : getenv(variable);
    return text && *text ? text : NULL;
}

size_t tool_word_of(const tool *t, tool_option_id id)
{
    return t->values[id] ? find_word(&tool_options[id], t->values[id]) : 0;
}

uint64_t tool_count_of(const tool *t, tool_option_id id, uint64_t fallback)
{
    const char *text = given_or_variable(t, id);
    uint64_t count = 0;
    return text && tool_parse_count(text, &count) ? count : fallback;
}

double tool_number_of(const tool *t, tool_option_id id, double fallback)
{
    const char *text = given_or_variable(t, id);
    double number = 0;
    return text && tool_parse_number(text, &number) ? number : fallback;
}
