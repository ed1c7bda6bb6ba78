// YAML to a tree, from libyaml's events. libyaml's own document API is not used: it has no limits,
// keeps no bytes, and follows aliases without a bound.
//
// The text is copied once into the arena. Most scalars are slices of that copy; only those that
// escapes or folding changed get bytes of their own.
//
// Hostile texts: deep nesting (libyaml needs quadratic time, hence max_depth), many equal keys
// (compared by a hash table), and aliases of aliases, which double with each line ("billion
// laughs"): each alias counts as many nodes as its value has.
#include "codec/yaml.h"

#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/diag.h"
#include "base/map.h"
#include "base/progress.h"
#include "base/rules.h"
#include "base/span.h"
#include "codec/yaml_pos.h"

typedef enum yaml_rule {
#define YAML_RULE(number, ...) YAML_##number,
#include "codec/yaml_rules.inc"
    YAML_RULE_COUNT,
} yaml_rule;

static const hoist_rule rules[] = {
#define YAML_RULE(number, ...) HOIST_RULE("YAML-" #number, __VA_ARGS__),
#include "codec/yaml_rules.inc"
};

const hoist_rule_set hoist_yaml_rules = {"yaml", "YAML text", rules, YAML_RULE_COUNT};

enum {
    YAML_TEXT_UNIT = 64, // bytes of a scalar that count as a node when aliases are followed
    YAML_FEW_KEYS = 8,   // up to here keys are compared one by one; more go into a hash table
};

static const hoist_yaml_limits default_limits = {
    .max_bytes = (size_t)256 << 20,
    .max_depth = 256,
    .max_nodes = 16000000,
    .max_expanded = 32000000,
};

// A list or map whose end has not come.
typedef struct yaml_frame {
    hoist_yaml_node *node;      // arena
    hoist_yaml_node *last;      // arena; newest child
    hoist_yaml_node *key;       // map: waits for its value
    hoist_yaml_node *equal_key; // map: the first key that equals `key`; NULL when that is new
    hoist_map keys;             // map: texts of keys to key nodes, used beyond YAML_FEW_KEYS
    size_t anchor;              // index + 1 in yaml_build.anchors; 0: none
    size_t expanded_before;     // yaml_build.expanded before the node itself
    size_t height;              // of the tallest child
} yaml_frame;

// A value that aliases may refer to.
typedef struct yaml_anchor {
    const hoist_yaml_node *node; // arena
    size_t expanded;             // nodes, aliases followed; set at the end
    size_t height;               // 0: scalar
    bool open;                   // its end has not come: an alias now would be inside it
} yaml_anchor;

typedef struct yaml_build {
    hoist_arena *arena;
    hoist_diag *diag;
    hoist_yaml_limits limits; // no zeros
    bool report_duplicates;
    hoist_bytes text; // arena: the copy, without a byte order mark
    hoist_yaml_cursor cursor;
    yaml_frame *frames; // owned
    size_t depth;       // frames in use
    size_t frame_capacity;
    yaml_anchor *anchors; // owned
    size_t anchor_count;
    size_t anchor_capacity;
    hoist_map anchor_names; // names in the arena to indices; the newest anchor of a name counts
    size_t nodes;
    size_t expanded;
    bool has_document;
    bool done;
    const hoist_yaml_node *root;
} yaml_build;

// From libyaml's mark, in characters, to line and column in bytes.
static hoist_pos yaml_pos(yaml_build *b, yaml_mark_t mark)
{
    return hoist_yaml_cursor_pos(&b->cursor, mark, NULL);
}

// By subtraction: the sum of both could wrap.
static hoist_status yaml_count(yaml_build *b, hoist_pos pos, size_t expanded)
{
    HOIST_ASSERT(b->nodes <= b->limits.max_nodes && b->expanded <= b->limits.max_expanded);
    const hoist_loc loc = hoist_loc_pos(pos);
    if (b->nodes == b->limits.max_nodes) {
        return hoist_fail(b->diag, HOIST_LIMIT, &rules[YAML_004], loc,
                          "the text has more than %zu nodes, the limit", b->limits.max_nodes);
    }
    if (expanded > b->limits.max_expanded - b->expanded) {
        return hoist_fail(b->diag, HOIST_LIMIT, &rules[YAML_004], loc,
                          "the text has more than %zu nodes when aliases are followed, the limit",
                          b->limits.max_expanded);
    }
    b->nodes++;
    b->expanded += expanded;
    return HOIST_OK;
}

// A new node at `pos` with `expanded` nodes when its aliases are followed. `*out_node` is NULL on
// failure.
static hoist_status yaml_node_new(yaml_build *b, hoist_yaml_kind kind, hoist_pos pos,
                                  size_t expanded, hoist_yaml_node **out_node)
{
    *out_node = NULL;
    HOIST_TRY(yaml_count(b, pos, expanded));
    hoist_yaml_node *node = hoist_arena_alloc(b->arena, sizeof(*node));
    HOIST_TRY_MEMORY(node);
    node->kind = kind;
    node->pos = pos;
    *out_node = node;
    return HOIST_OK;
}

// Key nodes belong to the builder until the tree is handed out; only the tree has them as const.
static hoist_yaml_node *yaml_own(const hoist_yaml_node *node)
{
    return (hoist_yaml_node *)(uintptr_t)node;
}

// The first key of the frame's map that equals `key`; NULL when there is none.
// A map of many keys gets its table when it grows beyond YAML_FEW_KEYS, with all keys so far.
static hoist_status yaml_find_key(yaml_build *b, yaml_frame *frame, hoist_yaml_node *key,
                                  hoist_yaml_node **out_first)
{
    *out_first = NULL;
    if (frame->node->count <= YAML_FEW_KEYS) {
        for (const hoist_yaml_node *e = frame->node->first; e && !*out_first; e = e->next) {
            *out_first = hoist_str_equal(e->key->text, key->text) ? yaml_own(e->key) : NULL;
        }
        return HOIST_OK;
    }
    if (frame->keys.count == 0) {
        hoist_map_init(&frame->keys, b->arena->alloc);
        for (const hoist_yaml_node *e = frame->node->first; e; e = e->next) {
            if (hoist_map_add(&frame->keys, e->key->text, (uintptr_t)e->key, NULL) ==
                HOIST_NO_MEMORY) {
                return HOIST_NO_MEMORY;
            }
        }
    }
    size_t first = 0;
    const hoist_status status = hoist_map_add(&frame->keys, key->text, (uintptr_t)key, &first);
    *out_first = status == HOIST_BUSY ? (hoist_yaml_node *)(uintptr_t)first : NULL;
    return status == HOIST_BUSY ? HOIST_OK : status;
}

static hoist_status yaml_add_key(yaml_build *b, yaml_frame *frame, hoist_yaml_node *key)
{
    HOIST_TRY(yaml_find_key(b, frame, key, &frame->equal_key));
    // The value that follows takes it in yaml_place().
    frame->key = key;
    if (frame->equal_key && b->report_duplicates) {
        hoist_report(b->diag, &rules[YAML_005], hoist_loc_pos(key->pos),
                     "key '%.*s' occurs again in its map, first on line %u",
                     HOIST_STR_ARGS(key->text), frame->equal_key->pos.line);
    }
    if (key->plain && hoist_str_equal_c(key->text, "<<")) {
        hoist_report(b->diag, &rules[YAML_009], hoist_loc_pos(key->pos),
                     "the merge key '<<' is kept as a plain key, nothing is merged");
    }
    return HOIST_OK;
}

// True when the next node is a key of the innermost map.
static bool yaml_wants_key(const yaml_build *b)
{
    const yaml_frame *frame = b->depth ? &b->frames[b->depth - 1] : NULL;
    return frame && frame->node->kind == HOIST_YAML_MAP && !frame->key;
}

// `? [a, b] : c` is legal YAML.
static hoist_status yaml_refuse_key(yaml_build *b, hoist_pos pos, hoist_yaml_kind kind)
{
    return hoist_fail(b->diag, HOIST_INVALID, &rules[YAML_008], hoist_loc_pos(pos),
                      "the key of a map is a %s, expected a scalar",
                      kind == HOIST_YAML_LIST ? "list" : "map");
}

// Puts `node` where the text has it: root, item, key or value.
static hoist_status yaml_place(yaml_build *b, hoist_yaml_node *node)
{
    HOIST_ASSERT(b->depth <= b->limits.max_depth && node);
    if (b->depth == 0) {
        // Only the first node outside of all lists and maps: a second document ends the
        // reading.
        b->root = node;
        return HOIST_OK;
    }
    yaml_frame *frame = &b->frames[b->depth - 1];
    if (yaml_wants_key(b)) {
        return yaml_add_key(b, frame, node);
    }
    node->key = frame->key;
    node->duplicate = frame->key && frame->equal_key;
    if (node->duplicate) {
        // Ties an entry to the one before it with an equal key, so that whoever wants all of them
        // does not search the map.
        HOIST_ASSERT(frame->equal_key && frame->key);
        hoist_yaml_node *first = frame->equal_key;
        hoist_yaml_node *last = first->next ? yaml_own(first->next) : first;
        last->first = node;
        first->next = frame->key;
    }
    // The next node is a key again.
    frame->key = NULL;
    if (frame->last) {
        frame->last->next = node;
    } else {
        frame->node->first = node;
    }
    frame->last = node;
    frame->node->count++;
    return HOIST_OK;
}

// The height of a value is needed when an alias puts it somewhere deeper.
static void yaml_raise(yaml_build *b, size_t height)
{
    if (b->depth && b->frames[b->depth - 1].height < height) {
        b->frames[b->depth - 1].height = height;
    }
}

// Gives `name` to `node`. `*out_anchor` is the anchor's index + 1.
static hoist_status yaml_anchor_add(yaml_build *b, const yaml_char_t *name,
                                    const hoist_yaml_node *node, size_t *out_anchor)
{
    *out_anchor = 0;
    void *anchors = b->anchors;
    HOIST_TRY_MEMORY(hoist_grow(b->arena->alloc, &anchors, &b->anchor_capacity, b->anchor_count + 1,
                                sizeof(b->anchors[0])));
    b->anchors = anchors;
    const hoist_str text = hoist_arena_str(b->arena, hoist_str_from((const char *)name));
    HOIST_TRY_MEMORY(text.data);
    size_t index = b->anchor_count;
    const hoist_status status = hoist_map_add(&b->anchor_names, text, index, &index);
    if (status == HOIST_NO_MEMORY) {
        return status;
    }
    if (status == HOIST_OK) {
        index = b->anchor_count++;
    }
    // A name that comes again means the newer value from here on, as YAML has it.
    // Aliases before this place have copied the older value already.
    b->anchors[index] = (yaml_anchor){.node = node, .open = true};
    *out_anchor = index + 1;
    return HOIST_OK;
}

static hoist_status yaml_too_deep(yaml_build *b, hoist_pos pos)
{
    return hoist_fail(b->diag, HOIST_INVALID, &rules[YAML_002], hoist_loc_pos(pos),
                      "lists and maps nest deeper than %zu levels", b->limits.max_depth);
}

static hoist_status yaml_alias(yaml_build *b, const yaml_event_t *event)
{
    const char *name = (const char *)event->data.alias.anchor;
    const hoist_pos pos = yaml_pos(b, event->start_mark);
    size_t index = 0;
    if (!hoist_map_find(&b->anchor_names, hoist_str_from(name), &index)) {
        return hoist_fail(b->diag, HOIST_INVALID, &rules[YAML_007], hoist_loc_pos(pos),
                          "alias '*%s' has no anchor '&%s' before it", name, name);
    }
    const yaml_anchor *anchor = &b->anchors[index];
    if (anchor->open) {
        return hoist_fail(b->diag, HOIST_INVALID, &rules[YAML_012], hoist_loc_pos(pos),
                          "alias '*%s' is inside the value that it names", name);
    }
    if (yaml_wants_key(b) && anchor->node->kind != HOIST_YAML_SCALAR) {
        return yaml_refuse_key(b, pos, anchor->node->kind);
    }
    // An alias is as deep as what it names: walkers recurse by depth.
    if (anchor->height > b->limits.max_depth - b->depth) {
        return yaml_too_deep(b, pos);
    }
    hoist_yaml_node *node = NULL;
    HOIST_TRY(yaml_node_new(b, anchor->node->kind, pos, anchor->expanded, &node));
    node->plain = anchor->node->plain;
    node->flow = anchor->node->flow;
    node->count = anchor->node->count;
    node->text = anchor->node->text;
    // Children are shared, not copied: the tree becomes a graph without cycles.
    node->first = node->kind == HOIST_YAML_SCALAR ? NULL : anchor->node->first;
    yaml_raise(b, anchor->height);
    return yaml_place(b, node);
}

static void yaml_note_tag(yaml_build *b, const yaml_char_t *tag, hoist_pos pos)
{
    if (tag) {
        hoist_report(b->diag, &rules[YAML_011], hoist_loc_pos(pos), "the tag '%s' is not applied",
                     (const char *)tag);
    }
}

// The scalar's bytes: a slice of the copied text where that has the same bytes, else a copy.
static hoist_str yaml_text(yaml_build *b, const yaml_event_t *event, size_t offset)
{
    const hoist_str value = {(const char *)event->data.scalar.value, event->data.scalar.length};
    // Behind the opening quote; block scalars start further on and are copied.
    const size_t start = offset + (event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE);
    if (start <= b->text.size && value.size <= b->text.size - start) {
        const char *source = (const char *)b->text.data + start;
        if (value.size == 0 || memcmp(source, value.data, value.size) == 0) {
            return (hoist_str){source, value.size};
        }
    }
    return hoist_arena_str(b->arena, value);
}

static hoist_status yaml_scalar(yaml_build *b, const yaml_event_t *event)
{
    size_t offset = 0;
    const hoist_pos pos = hoist_yaml_cursor_pos(&b->cursor, event->start_mark, &offset);
    hoist_yaml_node *node = NULL;
    // A long text that is named a million times costs as much as its bytes.
    const size_t weight = 1 + event->data.scalar.length / YAML_TEXT_UNIT;
    HOIST_TRY(yaml_node_new(b, HOIST_YAML_SCALAR, pos, weight, &node));
    node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    node->text = yaml_text(b, event, offset);
    HOIST_TRY_MEMORY(node->text.data);
    yaml_note_tag(b, event->data.scalar.tag, pos);
    if (event->data.scalar.anchor) {
        size_t anchor = 0;
        HOIST_TRY(yaml_anchor_add(b, event->data.scalar.anchor, node, &anchor));
        b->anchors[anchor - 1].expanded = weight;
        b->anchors[anchor - 1].open = false;
    }
    return yaml_place(b, node);
}

// A list or map begins: its node is placed at once, its children follow.
static hoist_status yaml_open(yaml_build *b, const yaml_event_t *event, hoist_yaml_kind kind)
{
    HOIST_ASSERT(b->depth <= b->limits.max_depth);
    const bool is_list = kind == HOIST_YAML_LIST;
    const hoist_pos pos = yaml_pos(b, event->start_mark);
    if (b->depth == b->limits.max_depth) {
        return yaml_too_deep(b, pos);
    }
    if (yaml_wants_key(b)) {
        return yaml_refuse_key(b, pos, kind);
    }
    void *frames = b->frames;
    HOIST_TRY_MEMORY(hoist_grow(b->arena->alloc, &frames, &b->frame_capacity, b->depth + 1,
                                sizeof(b->frames[0])));
    b->frames = frames;
    yaml_frame frame = {.expanded_before = b->expanded};
    HOIST_TRY(yaml_node_new(b, kind, pos, 1, &frame.node));
    frame.node->flow = is_list ? event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE
                               : event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
    yaml_note_tag(b, is_list ? event->data.sequence_start.tag : event->data.mapping_start.tag, pos);
    const yaml_char_t *name =
        is_list ? event->data.sequence_start.anchor : event->data.mapping_start.anchor;
    if (name) {
        HOIST_TRY(yaml_anchor_add(b, name, frame.node, &frame.anchor));
    }
    HOIST_TRY(yaml_place(b, frame.node));
    b->frames[b->depth++] = frame;
    return HOIST_OK;
}

static void yaml_close(yaml_build *b)
{
    HOIST_ASSERT(b->depth > 0);
    yaml_frame *frame = &b->frames[--b->depth];
    hoist_map_deinit(&frame->keys);
    HOIST_ASSERT(frame->anchor <= b->anchor_count);
    yaml_anchor *anchor = frame->anchor ? &b->anchors[frame->anchor - 1] : NULL;
    // Unless the name means another node by now.
    if (anchor && anchor->node == frame->node) {
        // All nodes since its beginning, aliases in it included.
        anchor->expanded = b->expanded - frame->expanded_before;
        anchor->height = frame->height + 1;
        anchor->open = false;
    }
    yaml_raise(b, frame->height + 1);
}

static void yaml_document(yaml_build *b, const yaml_event_t *event)
{
    if (b->has_document) {
        hoist_report(b->diag, &rules[YAML_006], hoist_loc_pos(yaml_pos(b, event->start_mark)),
                     "a second document begins here, it is not read");
        b->done = true;
    }
    b->has_document = true;
}

static hoist_status yaml_event(yaml_build *b, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        yaml_document(b, event);
        return HOIST_OK;
    case YAML_ALIAS_EVENT:
        return yaml_alias(b, event);
    case YAML_SCALAR_EVENT:
        return yaml_scalar(b, event);
    case YAML_SEQUENCE_START_EVENT:
        return yaml_open(b, event, HOIST_YAML_LIST);
    case YAML_MAPPING_START_EVENT:
        return yaml_open(b, event, HOIST_YAML_MAP);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        yaml_close(b);
        return HOIST_OK;
    // An empty text ends here, without a document.
    case YAML_STREAM_END_EVENT:
        b->done = true;
        return HOIST_OK;
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_DOCUMENT_END_EVENT:
        return HOIST_OK;
    }
    return HOIST_INTERNAL;
}

// libyaml's problems in the words of our messages; others are shown as libyaml has them.
// clang-format off
static const struct {
    const char *problem;
    const char *sentence;
} phrases[] = {
    {"did not find expected key", "expected a key, or less indentation, here"},
    {"did not find expected '-' indicator", "expected the '-' of a list item, or less indentation, here"},
    {"did not find expected ',' or ']'", "expected ',' or ']' here"},
    {"did not find expected ',' or '}'", "expected ',' or '}' here"},
    {"did not find expected node content", "expected a value here"},
    {"did not find expected <document start>", "expected the end of the document here"},
    {"could not find expected ':'", "expected ':' after the key before this location"},
    {"found unexpected end of stream", "the text ends inside quotes"},
    {"found character that cannot start any token", "no value can begin with this character"},
    {"mapping values are not allowed in this context", "a ':' is not allowed here: no key can be before it"},
    {"block sequence entries are not allowed in this context", "a list item '-' is not allowed here"},
    {"found unknown escape character", "the character after '\\' is no known escape"},
    {"found a tab character that violates indentation", "a tab is used where spaces must indent"},
};
// clang-format on

static const char *yaml_sentence(const char *problem)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(phrases); i++) {
        if (strcmp(phrases[i].problem, problem) == 0) {
            return phrases[i].sentence;
        }
    }
    return problem;
}

// What libyaml could not pass, as a finding.
static hoist_status yaml_malformed(yaml_build *b, const yaml_parser_t *parser)
{
    if (parser->error == YAML_MEMORY_ERROR) {
        return HOIST_NO_MEMORY;
    }
    const char *problem = parser->problem ? parser->problem : "the text is malformed";
    // The reader counts bytes, scanner and parser have marks.
    if (parser->error == YAML_READER_ERROR) {
        const hoist_pos pos = hoist_yaml_offset_pos(b->text, parser->problem_offset);
        return hoist_fail(b->diag, HOIST_INVALID, &rules[YAML_010], hoist_loc_pos(pos),
                          "%s (byte offset %zu)", problem, parser->problem_offset);
    }
    const hoist_loc loc = hoist_loc_pos(yaml_pos(b, parser->problem_mark));
    // The text ends too early: a caller with a part of it may come back with more.
    if (parser->problem_mark.index >= b->text.size) {
        hoist_diag_lacks(b->diag, b->text.size + (uint64_t)1);
    }
    if (!parser->context) {
        return hoist_fail(b->diag, HOIST_INVALID, &rules[YAML_001], loc, "%s",
                          yaml_sentence(problem));
    }
    const hoist_pos begin = yaml_pos(b, parser->context_mark);
    return hoist_fail(b->diag, HOIST_INVALID, &rules[YAML_001], loc, "%s (%s that begins at %u:%u)",
                      yaml_sentence(problem), parser->context, begin.line, begin.column);
}

static hoist_status yaml_parse(yaml_build *b)
{
    yaml_parser_t parser;
    HOIST_TRY_MEMORY(yaml_parser_initialize(&parser));
    // Without this libyaml would guess UTF-16 from the first bytes.
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, b->text.data, b->text.size);
    hoist_status status = HOIST_OK;
    size_t counted = 0;
    hoist_stage_expect(b->limits.deadline, HOIST_STAGE_OPENING, b->text.size);
    while (status == HOIST_OK && !b->done) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            status = yaml_malformed(b, &parser);
            break;
        }
        status = yaml_event(b, &event);
        yaml_event_delete(&event);
        // libyaml reads ahead in blocks, so progress moves in steps.
        const size_t taken = (size_t)(parser.input.string.current - parser.input.string.start);
        hoist_stage_add(b->limits.deadline, HOIST_STAGE_OPENING, taken - counted);
        counted = taken;
        status = status == HOIST_OK ? hoist_deadline_look(b->limits.deadline) : status;
    }
    yaml_parser_delete(&parser);
    return status;
}

// Refuses what is too long or UTF-16, and takes the byte order mark away.
static hoist_status yaml_accept(yaml_build *b, hoist_bytes *text)
{
    if (text->size > b->limits.max_bytes) {
        return hoist_fail(b->diag, HOIST_LIMIT, &rules[YAML_003], hoist_loc_none(),
                          "the text has %zu bytes, the limit is %zu", text->size,
                          b->limits.max_bytes);
    }
    if (text->size >= 2 &&
        (memcmp(text->data, "\xff\xfe", 2) == 0 || memcmp(text->data, "\xfe\xff", 2) == 0)) {
        return hoist_fail(b->diag, HOIST_INVALID, &rules[YAML_010],
                          hoist_loc_pos((hoist_pos){1, 1}), "the text is UTF-16, expected UTF-8");
    }
    if (text->size >= 3 && memcmp(text->data, "\xef\xbb\xbf", 3) == 0) {
        *text = (hoist_bytes){text->data + 3, text->size - 3};
    }
    return HOIST_OK;
}

static void yaml_build_deinit(yaml_build *b)
{
    for (size_t i = 0; i < b->depth; i++) {
        hoist_map_deinit(&b->frames[i].keys);
    }
    const hoist_allocator alloc = b->arena->alloc;
    hoist_free(alloc, b->frames, b->frame_capacity * sizeof(b->frames[0]));
    hoist_free(alloc, b->anchors, b->anchor_capacity * sizeof(b->anchors[0]));
    hoist_map_deinit(&b->anchor_names);
}

hoist_status hoist_yaml_read(hoist_bytes text, const hoist_yaml_limits *limits,
                             bool report_duplicates, hoist_arena *arena, hoist_diag *diag,
                             const hoist_yaml_node **out_root)
{
    *out_root = NULL;
    yaml_build b = {.arena = arena, .diag = diag, .report_duplicates = report_duplicates};
    b.limits = limits ? *limits : default_limits;
    const hoist_yaml_limits *d = &default_limits;
    b.limits.max_bytes = b.limits.max_bytes ? b.limits.max_bytes : d->max_bytes;
    b.limits.max_depth = b.limits.max_depth ? b.limits.max_depth : d->max_depth;
    b.limits.max_nodes = b.limits.max_nodes ? b.limits.max_nodes : d->max_nodes;
    b.limits.max_expanded = b.limits.max_expanded ? b.limits.max_expanded : d->max_expanded;
    HOIST_TRY(yaml_accept(&b, &text));
    uint8_t *copy = hoist_arena_alloc(arena, text.size);
    HOIST_TRY_MEMORY(copy);
    if (text.size) {
        memcpy(copy, text.data, text.size);
    }
    b.text = (hoist_bytes){copy, text.size};
    b.cursor = hoist_yaml_cursor_init(b.text);
    hoist_map_init(&b.anchor_names, arena->alloc);
    const hoist_status status = yaml_parse(&b);
    yaml_build_deinit(&b);
    if (status == HOIST_OK) {
        *out_root = b.root;
    }
    return status;
}
