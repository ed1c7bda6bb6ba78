#include "lower/ark/job_testing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "formats/ark/ark.h"
#include "lower/program_text_testing.h"
#include "program/verify.h"

// Words -----------------------------------------------------------------------------------------

// The text up to one of `ends`, which is passed.
static hoist_str cut(hoist_str *text, const char *ends)
{
    size_t size = 0;
    while (size < text->size && !strchr(ends, text->data[size])) {
        size++;
    }
    const hoist_str word = {text->data, size};
    const size_t passed = size + (size < text->size);
    *text = (hoist_str){text->data + passed, text->size - passed};
    return word;
}

static hoist_str cut_word(hoist_str *text)
{
    hoist_str word = {text->data, 0};
    while (text->size && !word.size) {
        word = cut(text, " ");
    }
    return word;
}

// What begins with `mark` and ends before one of `ends`; `other` when it is not there.
static hoist_str part(hoist_str text, char mark, const char *ends, hoist_str other)
{
    const char *at = memchr(text.data, mark, text.size);
    if (!at) {
        return other;
    }
    hoist_str rest = {at + 1, text.size - (size_t)(at + 1 - text.data)};
    return cut(&rest, ends);
}

// Tensors ---------------------------------------------------------------------------------------

typedef struct writer {
    hoist_test *t;
    hoist_str text;
    hoist_str tensors[32];
    uint32_t tensor_count;
    uint32_t op_count;
    hoist_buffer ops, groups; // JSON of operators, of processor groups
} writer;

// "1#7" as "[1,7]".
static hoist_str pair(writer *w, hoist_str text)
{
    const hoist_str rank = cut(&text, "#");
    return hoist_arena_format(&w->t->arena, "[%.*s,%.*s]", HOIST_STR_ARGS(rank),
                              HOIST_STR_ARGS(text));
}

// The pairs behind each `word` of the line of a buffer of the rank.
static hoist_str pairs_of(writer *w, hoist_str buffer, const char *word)
{
    hoist_buffer out;
    hoist_str text = w->text;
    hoist_buffer_init(&out, hoist_allocator_system());
    while (text.size) {
        hoist_str line = cut(&text, ";");
        const bool is_buffer = hoist_str_equal_c(cut_word(&line), "buffer") &&
                               hoist_str_equal(cut_word(&line), buffer);
        while (is_buffer && line.size) {
            const bool named = hoist_str_equal_c(cut_word(&line), word);
            const hoist_str one = pair(w, cut_word(&line));
            hoist_buffer_format(&out, "%s%.*s", named && out.size ? "," : "",
                                named ? (int)one.size : 0, one.data);
        }
    }
    const hoist_str all = hoist_arena_str(&w->t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    return all;
}

// Whether there is a line "buffer ID external".
static bool is_external(const writer *w, hoist_str buffer)
{
    hoist_str text = w->text;
    bool found = false;
    while (text.size && !found) {
        hoist_str line = cut(&text, ";");
        found = hoist_str_equal_c(cut_word(&line), "buffer") &&
                hoist_str_equal(cut_word(&line), buffer) &&
                hoist_str_equal_c(cut_word(&line), "external");
    }
    return found;
}

static hoist_str buffer_json(writer *w, hoist_str text)
{
    const bool receives = memchr(text.data, '>', text.size) != NULL;
    const bool sends = memchr(text.data, '<', text.size) != NULL;
    const hoist_str id = cut(&text, "<>");
    if (!receives && !sends) {
        return hoist_arena_format(
            &w->t->arena, "{\"Id\":%.*s,\"Rank\":-1%s,\"SendTags\":[%.*s],\"RecvTags\":[%.*s]}",
            HOIST_STR_ARGS(id), is_external(w, id) ? ",\"IsExternal\":true" : "",
            HOIST_STR_ARGS(pairs_of(w, id, "send")), HOIST_STR_ARGS(pairs_of(w, id, "recv")));
    }
    const hoist_str rank = cut(&text, "#");
    const hoist_str tag = text.size
                              ? hoist_arena_format(&w->t->arena, "[-1,%.*s]", HOIST_STR_ARGS(text))
                              : HOIST_STR("");
    const hoist_str none = HOIST_STR("");
    return hoist_arena_format(
        &w->t->arena, "{\"Id\":%.*s,\"Rank\":%.*s,\"SendTags\":[%.*s],\"RecvTags\":[%.*s]}",
        HOIST_STR_ARGS(id), HOIST_STR_ARGS(rank), HOIST_STR_ARGS(sends ? tag : none),
        HOIST_STR_ARGS(receives ? tag : none));
}

static uint32_t id_of(writer *w, hoist_str text)
{
    uint32_t i = 0;
    while (i < w->tensor_count && !hoist_str_equal(w->tensors[i], text)) {
        i++;
    }
    HOIST_EXPECT(w->t, i < HOIST_COUNT_OF(w->tensors));
    w->tensors[i] = text;
    w->tensor_count += i == w->tensor_count;
    return i;
}

// "0,0" for "2,3".
static hoist_str zeros_of(writer *w, hoist_str shape)
{
    char *zeros = hoist_arena_alloc(&w->t->arena, shape.size + 1);
    size_t size = 0;
    for (size_t i = 0; i < shape.size; i++) {
        if (i == 0 || shape.data[i] == ',') {
            size += i > 0;
            zeros[size - (i > 0)] = ',';
            zeros[size++] = '0';
        }
    }
    return (hoist_str){zeros, size};
}

static void add_tensor(writer *w, hoist_str text, uint32_t id)
{
    static const char *const types[][2] = {{"f32", "FP32"},  {"f16", "FP16"},   {"b16", "BF16"},
                                           {"i32", "INT32"}, {"u32", "UINT32"}, {"i8", "INT8"},
                                           {"u8", "UINT8"},  {"byte", "BYTE"}};
    const hoist_str inside = part(text, '[', "]", HOIST_STR(""));
    hoist_str rest = inside;
    const hoist_str shape = cut(&rest, ":+/");
    const hoist_str padded = part(inside, '/', "]", shape);
    const hoist_str dims = part(inside, ':', "+/", padded);
    const hoist_str offsets = part(inside, '+', "/", zeros_of(w, shape));
    const hoist_str type = cut(&text, "[");
    const char *name = "NONE";
    for (size_t i = 0; i < HOIST_COUNT_OF(types); i++) {
        name = hoist_str_equal_c(type, types[i][0]) ? types[i][1] : name;
    }
    (void)cut(&text, "@");
    hoist_buffer_format(
        &w->ops,
        "{\"Id\":%" PRIu32 ",\"DataType\":\"%s\",\"Shape\":[%.*s],\"Strides\":[%.*s],\"Offsets\":"
        "[%.*s],\"PaddedShape\":[%.*s],\"Buffer\":%.*s}",
        id, name, HOIST_STR_ARGS(shape), HOIST_STR_ARGS(dims), HOIST_STR_ARGS(offsets),
        HOIST_STR_ARGS(padded), HOIST_STR_ARGS(buffer_json(w, text)));
}

// Operators -------------------------------------------------------------------------------------

// Words of a line behind its type and name.
typedef struct op_words {
    hoist_str reads[8], writes[8], ranges[8];
    size_t read_count, write_count, range_count;
    hoist_str args, config;
} op_words;

static op_words read_words(writer *w, hoist_str line)
{
    op_words op = {.args = HOIST_STR("{}")};
    bool is_written = false;
    size_t braces = 0;
    while (line.size) {
        const hoist_str word = cut_word(&line);
        HOIST_EXPECT(w->t, op.read_count < 8 && op.write_count < 8 && op.range_count < 8);
        if (hoist_str_equal_c(word, ">")) {
            is_written = true;
        } else if (word.size && word.data[0] == '{') {
            *(braces++ ? &op.config : &op.args) = word;
        } else if (word.size && word.data[0] == '(') {
            op.ranges[op.range_count++] = (hoist_str){word.data + 1, word.size - 2};
        } else if (word.size && is_written) {
            op.writes[op.write_count++] = word;
        } else if (word.size) {
            op.reads[op.read_count++] = word;
        }
    }
    return op;
}

static void add_tensors(writer *w, const char *key, const hoist_str *words, size_t count)
{
    hoist_buffer_format(&w->ops, ",\"%s\":[", key);
    for (size_t i = 0; i < count; i++) {
        hoist_buffer_format(&w->ops, "%s", i ? "," : "");
        add_tensor(w, words[i], id_of(w, words[i]));
    }
    hoist_buffer_format(&w->ops, "]");
}

// Of plans: a processor group for each range, or a resource group.
static void add_groups(writer *w, const op_words *op, bool is_concurrent)
{
    const hoist_str one = HOIST_STR("0,1");
    const uint32_t processor = is_concurrent ? w->op_count : 0;
    for (size_t i = 0; i == 0 || i < op->range_count; i++) {
        const hoist_str range = op->range_count ? op->ranges[i] : one;
        hoist_buffer_format(
            &w->groups,
            "%s%s{\"ProcessorRange\":[%" PRIu32 ",%" PRIu32
            "],\"WarpRange\":[0,1],\"SramRange\":[0,0],\"TaskGroups\":[{\"TaskId\":%" PRIu32
            ",\"TaskRange\":[%.*s],\"Granularity\":1}]}%s",
            w->groups.size ? "," : "",
            is_concurrent ? "" : "{\"ProcessorRange\":[0,1],\"ResourceGroups\":[", processor,
            processor + 1, w->op_count, HOIST_STR_ARGS(range), is_concurrent ? "" : "]}");
    }
}

static void add_op(writer *w, hoist_str line, const ark_job_text *job)
{
    const bool is_plan = job->is_plan;
    hoist_str name = cut_word(&line);
    const hoist_str type = cut(&name, ":");
    const op_words op = read_words(w, line);
    hoist_buffer_format(&w->ops, "%s", w->ops.size ? ",\n" : "");
    hoist_buffer_format(&w->ops,
                        is_plan ? "{\"Id\":%" PRIu32 ",\"NumWarps\":1,\"SramBytes\":0,\"Ops\":["
                                : "{\"Id\":%" PRIu32
                                  ",\"ProducerNodeIds\":[],\"ConsumerNodeIds\":[],\"Op\":",
                        w->op_count);
    hoist_buffer_format(&w->ops, "{\"Type\":\"%.*s\",\"Name\":\"%.*s\",\"IsVirtual\":false",
                        HOIST_STR_ARGS(type), HOIST_STR_ARGS(name));
    add_tensors(w, "ReadTensors", op.reads, op.read_count);
    add_tensors(w, "WriteTensors", op.writes, op.write_count);
    hoist_buffer_format(&w->ops, ",\"ResultTensors\":[");
    if (op.write_count) {
        add_tensor(w, op.writes[0], 100 + w->op_count);
    } else if (hoist_str_equal_c(type, "SendDone") || hoist_str_equal_c(type, "Tensor")) {
        add_tensor(w, op.reads[0], 100 + w->op_count);
    }
    hoist_buffer_format(&w->ops, "],\"Args\":%.*s", HOIST_STR_ARGS(op.args));
    if (is_plan) {
        // Behind these keys those of the operator, of "{...}".
        const hoist_str more = op.config.size > strlen("{}")
                                   ? hoist_str_slice(op.config, 1, op.config.size - 1)
                                   : HOIST_STR("}");
        hoist_buffer_format(&w->ops,
                            ",\"Config\":{\"NumWarps\":1,\"SramBytes\":0,\"NumTasks\":1%s%.*s",
                            more.size > 1 ? "," : "", HOIST_STR_ARGS(more));
        add_groups(w, &op, job->is_concurrent);
    }
    hoist_buffer_format(&w->ops, is_plan ? "}]}" : "}}");
    w->op_count++;
}

static uint32_t world_of(const ark_job_text *job)
{
    uint32_t world = 0;
    while (world < ARK_JOB_MAX_FILES && job->ops[world]) {
        world++;
    }
    return job->world ? job->world : world;
}

const char *ark_job_json(hoist_test *t, const ark_job_text *job, uint32_t rank)
{
    writer w = {.t = t, .text = hoist_str_from(job->ops[rank])};
    hoist_buffer_init(&w.ops, hoist_allocator_system());
    hoist_buffer_init(&w.groups, hoist_allocator_system());
    for (hoist_str rest = w.text; rest.size;) {
        const hoist_str line = cut(&rest, ";");
        hoist_str words = line;
        if (!hoist_str_equal_c(cut_word(&words), "buffer")) {
            add_op(&w, line, job);
        }
    }
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_buffer_format(&out, "{\"Rank\":%" PRIu32 ",\"WorldSize\":%" PRIu32 ",", rank,
                        world_of(job));
    hoist_buffer_format(&out, job->is_plan ? "\"Architecture\":\"ANY\",\"NumProcessors\":8,"
                                             "\"NumWarpsPerProcessor\":1,\"TaskInfos\":[\n"
                                           : "\"Nodes\":[\n");
    hoist_buffer_str(&out, hoist_buffer_text(&w.ops));
    hoist_buffer_format(&out, job->is_plan ? "],\n\"ProcessorGroups\":[" : "");
    hoist_buffer_format(&out, "%s",
                        job->is_concurrent ? "{\"ProcessorRange\":[0,8],\"ResourceGroups\":[" : "");
    hoist_buffer_str(&out, hoist_buffer_text(&w.groups));
    hoist_buffer_format(&out, job->is_concurrent ? "]}]}" : "]}");
    const hoist_str json = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    hoist_buffer_deinit(&w.ops);
    hoist_buffer_deinit(&w.groups);
    return json.data;
}

// Lowering --------------------------------------------------------------------------------------

hoist_status ark_job_lower(hoist_test *t, const ark_job_text *job,
                           const hoist_lower_options *options, hoist_program **out_program)
{
    static const hoist_lower_options usual = {.struct_size = sizeof usual};
    const hoist_read_options reading = {.alloc = hoist_allocator_system(), .keep = true};
    hoist_file files[ARK_JOB_MAX_FILES];
    hoist_module *modules[ARK_JOB_MAX_FILES] = {NULL};
    size_t count = 0;
    hoist_status status = HOIST_OK;
    *out_program = NULL;
    for (uint32_t i = 0; i < ARK_JOB_MAX_FILES && status == HOIST_OK; i++) {
        if (job->ops[i]) {
            const hoist_str text = hoist_str_from(ark_job_json(t, job, i));
            status = ark_read((hoist_bytes){(const uint8_t *)text.data, text.size}, &reading,
                              t->diag, &modules[i]);
            files[count++] = (hoist_file){
                .module = modules[i], .name = hoist_arena_format(&t->arena, "%" PRIu32 ".json", i)};
        }
    }
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 0);
    if (status == HOIST_OK) {
        status = ark_lower(files, count, NULL, options ? options : &usual, t->diag, out_program);
    }
    for (uint32_t i = 0; i < ARK_JOB_MAX_FILES; i++) {
        ark_destroy(modules[i]);
    }
    return status;
}

// Without quotes, and with "b" for "buffer:".
static hoist_str shortened(hoist_test *t, hoist_str text)
{
    const hoist_str front = HOIST_STR("buffer:");
    char *out = hoist_arena_alloc(&t->arena, text.size + 1);
    size_t size = 0;
    for (size_t i = 0; i < text.size;) {
        const bool is_front =
            text.size - i > front.size && memcmp(text.data + i, front.data, front.size) == 0;
        out[size] = is_front ? 'b' : text.data[i];
        size += text.data[i] != '"';
        i += is_front ? front.size : 1;
    }
    return (hoist_str){out, size};
}

void ark_job_expect(hoist_test *t, const ark_job_text *job, const char *heads, const char *text)
{
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, ark_job_lower(t, job, NULL, &program), HOIST_OK);
    if (program) {
        HOIST_EXPECT_STR(t, shortened(t, lower_test_piece(t, program, heads)), text);
        HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
    }
    HOIST_EXPECT_RULE(t, NULL);
    hoist_program_destroy(program);
}
