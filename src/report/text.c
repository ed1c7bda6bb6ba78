// A document of tree events as text for people: it keeps the tree of values (value.c) until the
// root ends, then writes lines, tables (table.c) and sections.
#include "report/text.h"

#include "base/span.h"
#include "report/plain.h"
#include "report/table.h"
#include "report/value.h"

enum {
    MAX_DEPTH = 256,
    STEP = 2,      // a section is indented by so much,
    BELOW = 4,     // and a value below its key
    MAX_KEY = 28,  // longer keys do not push the values of the others,
    KEY_SHARE = 2, // nor do those that take more than half of a line
    ROOMY = 24,    // columns in which words are broken rather than moved
    MAX_COLUMNS = 64,
    MOST_WORDS = 12, // items on the line of a list in a summary
};

// What is tried for a summary, one row after the other: lists that have more than `from` items keep
// `longer` of them, all others at most `shorter`. Long lists give way first, so that short ones are
// complete where they can be.
static const struct {
    size_t from;
    size_t longer;
    size_t shorter;
} cuts[] = {{30, 30, 30}, {30, 20, 30}, {30, 10, 30}, {30, 6, 30}, {30, 4, 30},
            {30, 3, 30},  {12, 8, 12},  {12, 6, 12},  {12, 4, 12}, {12, 3, 12},
            {8, 3, 8},    {3, 3, 3},    {2, 2, 2},    {1, 1, 1},   {8, 0, 1}};

void hoist_text_init(hoist_text *text, hoist_buffer *out, size_t width, bool color)
{
    *text = (hoist_text){.out = out, .width = width, .color = color, .heading_end = out->size};
    hoist_arena_init(&text->arena, out->alloc);
}

void hoist_text_summarize(hoist_text *text, size_t lines, const char *rest)
{
    text->lines = lines;
    text->rest = rest;
}

void hoist_text_deinit(hoist_text *text)
{
    hoist_arena_deinit(&text->arena);
}

// A plain copy of `raw` in the arena; {NULL, 0} when out of memory.
static hoist_str keep_plain(hoist_text *text, hoist_str raw, bool is_key)
{
    hoist_buffer plain;
    hoist_buffer_init(&plain, text->out->alloc);
    hoist_plain_write(&plain, raw);
    for (size_t i = 0; is_key && i < plain.size; i++) {
        plain.data[i] = plain.data[i] == '_' ? ' ' : plain.data[i];
    }
    const hoist_str copy = plain.failed ? (hoist_str){NULL, 0}
                                        : hoist_arena_str(&text->arena, hoist_buffer_text(&plain));
    hoist_buffer_deinit(&plain);
    return copy;
}

// The text of a value in the arena; {NULL, 0} when out of memory.
static hoist_str value_text(hoist_text *text, const hoist_value *v, bool brief)
{
    hoist_buffer words;
    hoist_buffer_init(&words, text->out->alloc);
    hoist_value_write(&words, v, brief);
    const hoist_str copy = words.failed ? (hoist_str){NULL, 0}
                                        : hoist_arena_str(&text->arena, hoist_buffer_text(&words));
    hoist_buffer_deinit(&words);
    return copy;
}

// `key` without the unit at its end that the value shows itself.
static hoist_str key_without_unit(hoist_str key, hoist_tree_unit unit)
{
    static const char *const endings[] = {
        [HOIST_UNIT_NONE] = NULL,
        [HOIST_UNIT_BYTES] = "_bytes",
        [HOIST_UNIT_ADDRESS] = "_address",
        [HOIST_UNIT_PERCENT] = "_percent",
        [HOIST_UNIT_SECONDS] = "_seconds",
        [HOIST_UNIT_RATE] = "_bytes_per_second",
        [HOIST_UNIT_FLOPS] = "_flops_per_second",
    };
    const char *ending = endings[unit];
    const bool ends = ending && hoist_str_ends_with(key, ending);
    return ends ? hoist_str_slice(key, 0, key.size - hoist_str_from(ending).size) : key;
}

static hoist_value *keep_value(hoist_text *text, const hoist_tree_event *event)
{
    hoist_value *v = hoist_arena_alloc(&text->arena, sizeof(*v));
    if (!v) {
        return NULL;
    }
    v->event = *event;
    v->event.key = keep_plain(text, key_without_unit(event->key, event->unit), true);
    v->event.str = keep_plain(text, event->str, false);
    return v->event.key.data && v->event.str.data ? v : NULL;
}

// An empty line before what starts a new part; not at the start nor right under a heading.
static void separate(hoist_text *text)
{
    if (text->out->size > text->heading_end) {
        hoist_buffer_char(text->out, '\n');
    }
}

static void write_heading(hoist_text *text, hoist_str heading, size_t indent)
{
    separate(text);
    hoist_buffer_fill(text->out, ' ', indent);
    hoist_plain_styled(text->out, text->color, HOIST_STYLE_BOLD, heading);
    hoist_buffer_char(text->out, '\n');
    text->heading_end = text->out->size;
}

// A key and what is between it and its value: blanks up to the column of the others' values
// where there is space; one where that makes the value fit its line; else, where that helps, a line
// break. Gives the column of the value.
static size_t write_key(hoist_text *text, hoist_str key, hoist_str words, size_t indent,
                        size_t key_width)
{
    const size_t own = hoist_plain_width(key);
    const size_t pad = own < key_width ? key_width - own : 0;
    const size_t aligned = indent + own + pad + 2;
    const size_t close = indent + own + 2;
    hoist_buffer_fill(text->out, ' ', indent);
    hoist_buffer_str(text->out, key);
    hoist_buffer_char(text->out, ':');
    const size_t whole = hoist_plain_width(words);
    const size_t word = hoist_plain_longest_word(words);
    const size_t width = text->width;
    const bool fits = width == 0 || aligned + whole <= width ||
                      (aligned + word <= width && aligned + ROOMY <= width);
    if (words.size == 0 || fits) {
        hoist_buffer_fill(text->out, ' ', words.size ? pad + 1 : 0);
        return aligned;
    }
    const size_t below = indent + BELOW;
    const bool helps = close + word > width || below + whole <= width;
    if (close + whole <= width || below + word > width || !helps) {
        hoist_buffer_char(text->out, ' ');
        return close;
    }
    hoist_buffer_char(text->out, '\n');
    hoist_buffer_fill(text->out, ' ', below);
    return below;
}

// Writes the lines from `*at` up to the next section and moves `*at` there.
static hoist_status write_lines(hoist_text *text, const hoist_value **at, size_t indent)
{
    const size_t share = text->width / KEY_SHARE;
    const size_t most = text->width && share < MAX_KEY ? share : MAX_KEY;
    size_t key_width = 0;
    for (const hoist_value *v = *at; v && hoist_value_is_line(v); v = v->next) {
        const size_t width = hoist_plain_width(v->event.key);
        key_width = width > key_width && width <= most ? width : key_width;
    }
    for (; *at && hoist_value_is_line(*at); *at = (*at)->next) {
        const hoist_value *v = *at;
        const hoist_str words = value_text(text, v, false);
        if (!words.data) {
            return HOIST_NO_MEMORY;
        }
        const size_t start = write_key(text, v->event.key, words, indent, key_width);
        hoist_plain_wrap(text->out, words, start, text->width);
        hoist_buffer_char(text->out, '\n');
    }
    return HOIST_OK;
}

static bool is_table(const hoist_value *list)
{
    for (const hoist_value *item = list->first; item; item = item->next) {
        if (item->event.kind != HOIST_TREE_MAP) {
            return false;
        }
        for (const hoist_value *cell = item->first; cell; cell = cell->next) {
            if (!hoist_value_is_line(cell)) {
                return false;
            }
        }
    }
    return true;
}

static size_t column_of(const hoist_table *table, hoist_str title)
{
    size_t i = 0;
    while (i < table->column_count && !hoist_str_equal(table->columns[i].title, title)) {
        i++;
    }
    return i;
}

// The columns of a list of maps: its keys, in the order in which they first come. False when there
// are too many for a table, or none.
static bool find_columns(const hoist_value *list, hoist_table_column *columns, hoist_table *table)
{
    table->columns = columns;
    for (const hoist_value *item = list->first; item; item = item->next) {
        for (const hoist_value *cell = item->first; cell; cell = cell->next) {
            const bool number = hoist_value_is_number(cell);
            const size_t i = column_of(table, cell->event.key);
            if (i == MAX_COLUMNS) {
                return false;
            }
            if (i == table->column_count) {
                columns[i] = (hoist_table_column){cell->event.key, number};
                table->column_count++;
            } else if (cell->event.kind != HOIST_TREE_NULL) {
                columns[i].number = columns[i].number && number;
            }
        }
    }
    return table->column_count > 0;
}

static hoist_status fill_cells(hoist_text *text, const hoist_value *list, bool brief,
                               hoist_table *table)
{
    const size_t shown = list->count - list->cut;
    hoist_str *cells =
        hoist_arena_array(&text->arena, shown * table->column_count, sizeof(cells[0]));
    if (!cells) {
        return HOIST_NO_MEMORY;
    }
    table->cells = cells;
    table->row_count = shown;
    for (const hoist_value *item = list->first; item; item = item->next) {
        for (const hoist_value *cell = item->first; cell; cell = cell->next) {
            const hoist_str words = value_text(text, cell, brief);
            if (!words.data) {
                return HOIST_NO_MEMORY;
            }
            const size_t column = column_of(table, cell->event.key);
            if (column < table->column_count) {
                cells[column] = words;
            }
        }
        cells += table->column_count;
    }
    return HOIST_OK;
}

// A table that cannot be made narrow enough is shown row by row instead.
static hoist_status write_table(hoist_text *text, const hoist_value *list, hoist_table *table,
                                size_t indent)
{
    HOIST_TRY(fill_cells(text, list, false, table));
    if (text->width && indent + hoist_table_width(table) > text->width) {
        HOIST_TRY(fill_cells(text, list, true, table));
    }
    // The first columns are what a summary has of a wide table.
    while (list->cut && table->column_count > 1 && text->width &&
           indent + hoist_table_least(table) > text->width) {
        table->column_count--;
        HOIST_TRY(fill_cells(text, list, true, table));
    }
    if (text->width && indent + hoist_table_least(table) > text->width) {
        // A table's rows as blocks of lines, one for each.
        for (const hoist_value *item = list->first; item; item = item->next) {
            const hoist_value *member = item->first;
            separate(text);
            HOIST_TRY(write_lines(text, &member, indent));
        }
        return HOIST_OK;
    }
    return hoist_table_write(table, indent, text->width, text->color, &text->arena, text->out);
}

static hoist_status write_members(hoist_text *text, const hoist_value *members, size_t indent);
static hoist_status write_items(hoist_text *text, const hoist_value *list, size_t indent);
static hoist_status write_list(hoist_text *text, const hoist_value *list, size_t indent);

// A map or list inside a list that is no table: headed by its first member when that is a scalar,
// else by its number.
static hoist_status write_item(hoist_text *text, const hoist_value *item, size_t number,
                               size_t indent)
{
    const bool is_map = item->event.kind == HOIST_TREE_MAP;
    const bool titled = is_map && hoist_value_is_scalar(item->first);
    const hoist_str heading = titled ? value_text(text, item->first, false)
                                     : hoist_arena_format(&text->arena, "%zu", number);
    if (!heading.data) {
        return HOIST_NO_MEMORY;
    }
    write_heading(text, heading, indent);
    if (!is_map) {
        return write_list(text, item, indent + STEP);
    }
    return write_members(text, titled ? item->first->next : item->first, indent + STEP);
}

static hoist_status write_item_line(hoist_text *text, const hoist_value *item, size_t indent)
{
    const hoist_str words = value_text(text, item, false);
    if (!words.data) {
        return HOIST_NO_MEMORY;
    }
    hoist_buffer_fill(text->out, ' ', indent);
    hoist_plain_wrap(text->out, words, indent, text->width);
    hoist_buffer_char(text->out, '\n');
    return HOIST_OK;
}

static hoist_status write_items(hoist_text *text, const hoist_value *list, size_t indent)
{
    size_t number = 0;
    bool after_line = true;
    for (const hoist_value *item = list->first; item; item = item->next) {
        const bool is_line = hoist_value_is_line(item);
        if (is_line && !after_line) {
            separate(text);
        }
        HOIST_TRY(is_line ? write_item_line(text, item, indent)
                          : write_item(text, item, number, indent));
        after_line = is_line;
        number++;
    }
    return HOIST_OK;
}

// The last line of a list that is cut: "... 853 more of 856; --all lists them, with entries,
// shape".
static void write_rest(hoist_text *text, const hoist_value *list, const hoist_table_column *columns,
                       size_t from, size_t to, size_t indent)
{
    hoist_buffer words;
    hoist_buffer_init(&words, text->out->alloc);
    if (list->cut < list->count) {
        hoist_buffer_format(&words, "... %zu more of %zu; %s lists them", list->cut, list->count,
                            text->rest);
    } else {
        hoist_buffer_format(&words, "%zu; %s lists them", list->count, text->rest);
    }
    for (size_t i = from; i < to; i++) {
        hoist_buffer_c(&words, i == from ? ", with " : ", ");
        hoist_buffer_str(&words, columns[i].title);
    }
    hoist_buffer_fill(text->out, ' ', indent);
    hoist_plain_wrap(text->out, hoist_buffer_text(&words), indent, text->width);
    hoist_buffer_char(text->out, '\n');
    text->out->failed = text->out->failed || words.failed;
    hoist_buffer_deinit(&words);
}

static hoist_status write_list(hoist_text *text, const hoist_value *list, size_t indent)
{
    hoist_table_column columns[MAX_COLUMNS];
    hoist_table table = {0};
    size_t titles = 0;
    if (is_table(list) && find_columns(list, columns, &table)) {
        titles = table.column_count;
        HOIST_TRY(write_table(text, list, &table, indent));
    } else {
        HOIST_TRY(write_items(text, list, indent));
    }
    if (list->cut) {
        write_rest(text, list, columns, table.column_count, titles, indent);
    }
    return HOIST_OK;
}

// `members` is the first member to show, NULL for none.
static hoist_status write_members(hoist_text *text, const hoist_value *members, size_t indent)
{
    const hoist_value *v = members;
    while (v) {
        if (!hoist_value_is_line(v)) {
            write_heading(text, v->event.key, indent);
            HOIST_TRY(v->event.kind == HOIST_TREE_MAP ? write_members(text, v->first, indent + STEP)
                                                      : write_list(text, v, indent + STEP));
            v = v->next;
            continue;
        }
        if (v != members) {
            separate(text); // an empty line after a section
        }
        HOIST_TRY(write_lines(text, &v, indent));
    }
    return HOIST_OK;
}

static hoist_status write_document(hoist_text *text)
{
    if (text->root->event.kind == HOIST_TREE_MAP && text->root->count) {
        return write_members(text, text->root->first, 0);
    }
    if (!hoist_value_is_line(text->root)) {
        return write_list(text, text->root, 0);
    }
    const hoist_str words = value_text(text, text->root, false);
    hoist_plain_wrap(text->out, words, 0, text->width);
    hoist_buffer_char(text->out, '\n');
    return words.data ? HOIST_OK : HOIST_NO_MEMORY;
}

// Leaves out what row `number` of the cuts says, and nothing else; of a list that is a line all but
// MOST_WORDS items.
static void cut_lists(hoist_value *v, size_t number)
{
    if (v->rest) {
        *(v->seen ? &v->seen->next : &v->first) = v->rest;
        v->rest = NULL;
        v->cut = 0;
    }
    const size_t given = v->count > cuts[number].from ? cuts[number].longer : cuts[number].shorter;
    const size_t most = hoist_value_is_line(v) ? MOST_WORDS : given;
    // The line that says so is one, too.
    if (v->event.kind == HOIST_TREE_LIST && v->count > most + 1) {
        hoist_value **end = &v->first;
        for (size_t i = 0; i < most; i++) {
            v->seen = *end;
            end = &(*end)->next;
        }
        v->seen = most ? v->seen : NULL;
        v->cut = v->count - most;
        v->rest = *end;
        *end = NULL;
    }
    for (hoist_value *item = v->first; item; item = item->next) {
        cut_lists(item, number);
    }
}

// Whether some list alone is longer than a summary.
static bool has_longer(const hoist_value *v, size_t lines)
{
    bool found = v->event.kind == HOIST_TREE_LIST && v->count > lines && !hoist_value_is_line(v);
    for (const hoist_value *item = v->first; !found && item; item = item->next) {
        found = has_longer(item, lines);
    }
    return found;
}

static size_t count_lines(const hoist_buffer *text, size_t start)
{
    size_t count = 0;
    for (size_t i = start; i < text->size; i++) {
        count += text->data[i] == '\n';
    }
    return count;
}

// Writes the document with row `number` of the cuts, in place of what is there from `start` on.
static hoist_status write_cut(hoist_text *text, size_t number, size_t start, size_t heading_end)
{
    text->out->size = start;
    text->heading_end = heading_end;
    cut_lists(text->root, number);
    return write_document(text);
}

static hoist_status write_root(hoist_text *text)
{
    enum { CUTS = HOIST_COUNT_OF(cuts), MILD = 8 };
    const size_t start = text->out->size;
    const size_t heading_end = text->heading_end;
    text->done = true;
    size_t lines = SIZE_MAX;
    if (!text->lines || !has_longer(text->root, text->lines)) {
        HOIST_TRY(write_document(text));
        lines = text->lines ? count_lines(text->out, start) : 0;
    }
    for (size_t i = 0; lines > text->lines && i < CUTS; i++) {
        HOIST_TRY(write_cut(text, i, start, heading_end));
        lines = count_lines(text->out, start);
    }
    // Of a document that is long by its sections the short lists say more than they take.
    return lines > text->lines / 2 * 3 ? write_cut(text, MILD, start, heading_end) : HOIST_OK;
}

static hoist_status close_value(hoist_text *text)
{
    if (!text->open) {
        return HOIST_INTERNAL;
    }
    text->open = text->open->parent;
    text->depth--;
    return HOIST_OK;
}

static hoist_status add_value(hoist_text *text, const hoist_tree_event *event)
{
    hoist_value *v = keep_value(text, event);
    if (!v) {
        return HOIST_NO_MEMORY;
    }
    v->parent = text->open;
    if (!text->open) {
        text->root = v;
    } else if (text->open->last) {
        text->open->last->next = v;
    } else {
        text->open->first = v;
    }
    if (text->open) {
        text->open->last = v;
        text->open->count++;
    }
    if (!hoist_value_is_scalar(v)) {
        text->open = v;
        text->depth++;
    }
    return text->depth > MAX_DEPTH ? HOIST_LIMIT : HOIST_OK;
}

static hoist_status text_event(void *self, const hoist_tree_event *event)
{
    hoist_text *text = self;
    if (text->done) {
        return HOIST_INTERNAL;
    }
    HOIST_TRY(event->kind == HOIST_TREE_END ? close_value(text) : add_value(text, event));
    if (!text->open) {
        HOIST_TRY(write_root(text));
    }
    return text->out->failed ? HOIST_NO_MEMORY : HOIST_OK;
}

hoist_tree_sink hoist_text_sink(hoist_text *text)
{
    return (hoist_tree_sink){.self = text, .event = text_event};
}
