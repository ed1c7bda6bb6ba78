// %r in the names of files: the number of each rank. entry.c has it done before a command runs.
// "model_%r.json" becomes model_0.json, model_1.json and so on, as many as there are.
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "tool.h"

static const char MARK[] = "%r";

// `name` with the number of a rank; NULL: memory ran out.
// All marks of a name get the same number.
static char *name_of(tool *t, const char *name, uint32_t rank)
{
    hoist_buffer text;
    hoist_buffer_init(&text, t->alloc);
    const char *rest = name;
    for (const char *at; (at = strstr(rest, MARK)); rest = at + strlen(MARK)) {
        hoist_buffer_str(&text, (hoist_str){rest, (size_t)(at - rest)});
        hoist_buffer_format(&text, "%u", rank);
    }
    hoist_buffer_c(&text, rest);
    char *copy = NULL;
    if (!text.failed) {
        copy = hoist_alloc(t->alloc, text.size + 1);
    }
    if (copy) {
        memcpy(copy, text.data, text.size);
        copy[text.size] = '\0';
    }
    hoist_buffer_deinit(&text);
    return copy;
}

static bool is_there(const char *name)
{
    return access(name, F_OK) == 0;
}

// A file that is really called so wins.
static bool has_mark(const char *name)
{
    return strstr(name, MARK) && !is_there(name);
}

// Adds an argument. `owned` ones are freed at the end.
// On failure `owned` is freed, so that the caller need not know.
static hoist_status add_argument(tool *t, const char *name, char *owned)
{
    if (!hoist_grow(t->alloc, (void **)&t->expanded, &t->expanded_capacity, t->expanded_count + 1,
                    sizeof(t->expanded[0]))) {
        hoist_free(t->alloc, owned, owned ? strlen(owned) + 1 : 0);
        return HOIST_NO_MEMORY;
    }
    t->expanded[t->expanded_count++] =
        (tool_expanded){.name = owned ? owned : name, .owned = owned};
    return HOIST_OK;
}

// Numbers without a gap: the first file that is missing ends the list. Rank 0 is always an
// argument, so that its absence is reported when it is opened.
static hoist_status expand_name(tool *t, const char *name)
{
    for (uint32_t rank = 0; rank < MOST_RANKS; rank++) {
        char *file = name_of(t, name, rank);
        if (!file) {
            return HOIST_NO_MEMORY;
        }
        if (rank > 0 && !is_there(file)) {
            hoist_free(t->alloc, file, strlen(file) + 1);
            break;
        }
        HOIST_TRY(add_argument(t, NULL, file));
    }
    return HOIST_OK;
}

hoist_status tool_expand_ranks(tool *t)
{
    bool some = false;
    // Only a command line with a mark is copied.
    for (size_t i = 0; i < t->argument_count; i++) {
        some = some || has_mark(t->arguments[i]);
    }
    // Commands of one file take no rank's.
    if (!some || t->command->argument != ARG_FILES) {
        return HOIST_OK;
    }
    for (size_t i = 0; i < t->argument_count; i++) {
        const char *name = t->arguments[i];
        HOIST_TRY(has_mark(name) ? expand_name(t, name) : add_argument(t, name, NULL));
    }
    const size_t size = t->expanded_count * sizeof(t->arguments[0]);
    const char **all = hoist_alloc(t->alloc, size);
    if (!all) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < t->expanded_count; i++) {
        all[i] = t->expanded[i].name;
    }
    // entry.c frees the array that it has made, which tool_expand_end() puts back.
    t->given_arguments = t->arguments;
    t->arguments = all;
    t->argument_count = t->expanded_count;
    return HOIST_OK;
}

void tool_expand_end(tool *t)
{
    if (t->given_arguments) {
        hoist_free(t->alloc, t->arguments, t->expanded_count * sizeof(t->arguments[0]));
        t->arguments = t->given_arguments;
    }
    for (size_t i = 0; i < t->expanded_count; i++) {
        char *const owned = t->expanded[i].owned;
        hoist_free(t->alloc, owned, owned ? strlen(owned) + 1 : 0);
    }
    hoist_free(t->alloc, t->expanded, t->expanded_capacity * sizeof(t->expanded[0]));
}
