// Several models in one program (models.h): an entry for all files in their order, and one for
// each. In: files of one format, and how that format prepares and runs one. Out: the program.
// Users: lower.c of darwinn and of tflite.
#include "lower/darwinn/models.h"

#include "base/span.h"
#include "lower/darwinn/tokens.h"

// 0: no batch was asked for.
uint32_t darwinn_lower_models_batch(const darwinn_lower_models *m)
{
    return m->c.options->batch ? m->c.options->batch : 1;
}

// Names -----------------------------------------------------------------------------------------

// Puts the file's prefix in front. False: another buffer has the name, or out of memory.
static bool claim(darwinn_lower_models *m, hoist_str *name)
{
    *name = m->prefix.size ? hoist_lower_joined(&m->c, m->prefix, *name) : *name;
    return hoist_lower_claim(&m->c, *name);
}

// Three tries: the tensor's own name, its place, its place with a number.
hoist_str darwinn_lower_models_name(darwinn_lower_models *m, hoist_str name, hoist_str otherwise)
{
    uint64_t next = 0;
    if (name.size && claim(m, &name)) {
        return name;
    }
    return claim(m, &otherwise) ? otherwise : hoist_lower_numbered(&m->c, otherwise, &next);
}

// A file's name without folder and ending: "a/b.c.tflite" gives "b.c", ".tflite" stays.
static hoist_str stem_of(hoist_str name)
{
    size_t begin = name.size;
    size_t end = name.size;
    while (begin > 0 && name.data[begin - 1] != '/' && name.data[begin - 1] != '\\') {
        begin--;
    }
    for (size_t i = name.size; i > begin + 1; i--) {
        if (name.data[i - 1] == '.') {
            end = i - 1;
            break;
        }
    }
    return hoist_str_slice(name, begin, end - begin);
}

// Names of entries: each file's stem, "-2" and so on after it where another has it. "run" and
// "main" are taken: a thread is called as its entry is, that of "run" is "main".
static bool name_entries(darwinn_lower_models *m, const hoist_file *files, size_t count,
                         hoist_str *out_names)
{
    hoist_map taken;
    hoist_map_init(&taken, m->c.arena.alloc);
    hoist_lower_fail(&m->c, hoist_map_add(&taken, HOIST_STR("run"), 0, NULL));
    hoist_lower_fail(&m->c, hoist_map_add(&taken, HOIST_STR("main"), 0, NULL));
    for (size_t i = 0; i < count && m->c.status == HOIST_OK; i++) {
        const hoist_str stem = stem_of(files[i].name);
        const hoist_str first = stem.size ? stem : HOIST_STR("model");
        hoist_str name = hoist_arena_str(&m->c.arena, first);
        hoist_status status = HOIST_BUSY;
        for (size_t k = 2; status == HOIST_BUSY; k++) {
            status = name.data ? hoist_map_add(&taken, name, 0, NULL) : HOIST_NO_MEMORY;
            out_names[i] = name;
            if (status == HOIST_BUSY) {
                name = hoist_lower_name(&m->c, first, "-%zu", k);
            }
        }
        hoist_lower_fail(&m->c, status);
    }
    hoist_map_deinit(&taken);
    return m->c.status == HOIST_OK;
}

// Entries ---------------------------------------------------------------------------------------

void darwinn_lower_models_call(darwinn_lower_models *m, hoist_ref function, hoist_str label,
                               const hoist_prog_value *element)
{
    const hoist_prog_argument argument = {
        .value = element ? *element : (hoist_prog_value){.reg = HOIST_NO_REF},
        .view = HOIST_NO_REF};
    const hoist_prog_target target = {
        .function = function, .arguments = &argument, .argument_count = element ? 1 : 0};
    (void)hoist_builder_step(
        m->c.b, &(hoist_prog_step){.kind = HOIST_STEP_CALL,
                                   .label = label,
                                   .as.call = {.unit = HOIST_NO_REF, .target = target}});
}

// What was made of files.
typedef struct prepared {
    const hoist_file *file;
    hoist_str name; // of its entry
    void *own;      // the format's; NULL: nothing was made
} prepared;

// An entry with one thread, which runs the files in order. Each thread has its own registers, and
// the chip's counters begin at zero.
static void add_entry(darwinn_lower_models *m, const darwinn_lower_models_kind *kind,
                      hoist_str name, const prepared *files, size_t count)
{
    const hoist_str thread_name = hoist_str_equal_c(name, "run") ? HOIST_STR("main") : name;
    const hoist_ref thread =
        hoist_builder_begin_thread(m->c.b, &(hoist_prog_thread){.name = thread_name});
    m->chip.thread++;
    for (size_t i = 0; i < count; i++) {
        m->file = files[i].file;
        kind->run(m, files[i].own);
    }
    hoist_builder_end_code(m->c.b);
    (void)hoist_builder_entry(
        m->c.b, &(hoist_prog_entry){.name = name, .threads = &thread, .thread_count = 1});
}

static void add_entries(darwinn_lower_models *m, const darwinn_lower_models_kind *kind,
                        const prepared *files, size_t count)
{
    // Tokens are remembered by one thread only.
    const bool alone = count == 1 || darwinn_lower_tokens_are_kept(&m->chip);
    add_entry(m, kind, HOIST_STR("run"), files, count);
    for (size_t i = 0; !alone && i < count; i++) {
        add_entry(m, kind, files[i].name, &files[i], 1);
    }
}

// Files -----------------------------------------------------------------------------------------

// Sources of places are numbered in the order of files, from 1; a single file is source 0.
static void prepare_file(darwinn_lower_models *m, const darwinn_lower_models_kind *kind,
                         prepared *file)
{
    m->file = file->file;
    hoist_diag_source(m->c.diag, file->file->name, HOIST_STR(""));
    if (file->name.size) {
        m->prefix = hoist_lower_name(&m->c, file->name, "/");
        m->source = hoist_builder_source(m->c.b, (hoist_source){.file = file->file->name});
    }
    if (m->c.status == HOIST_OK) {
        file->own = kind->prepare(m);
        hoist_lower_fail(&m->c, hoist_builder_status(m->c.b));
    }
}

// All files are prepared before the first thread: functions and buffers cannot be made in code.
// Each reports its own findings.
static void lower_files(darwinn_lower_models *m, const darwinn_lower_models_kind *kind,
                        const hoist_file *files, size_t count)
{
    prepared *all = hoist_lower_array(&m->c, count, sizeof *all);
    hoist_str *names = hoist_lower_array(&m->c, count, sizeof *names);
    if (!all || !names) {
        return;
    }
    if (count > 1 && !name_entries(m, files, count, names)) {
        return;
    }
    for (size_t i = 0; i < count && m->c.status == HOIST_OK; i++) {
        // names[i] is empty for a single file: its names get no prefix.
        all[i] = (prepared){.file = &files[i], .name = names[i]};
        prepare_file(m, kind, &all[i]);
    }
    hoist_diag_source(m->c.diag, files[0].name, HOIST_STR(""));
    if (hoist_lower_goes_on(&m->c)) {
        add_entries(m, kind, all, count);
    }
}

hoist_status darwinn_lower_models_lower(const darwinn_lower_models_kind *kind,
                                        const hoist_file *files, size_t count,
                                        const hoist_lower_options *options, hoist_diag *diag,
                                        hoist_program **out_program)
{
    darwinn_lower_models m = {0};
    *out_program = NULL;
    hoist_status status = hoist_lower_begin(&m.c, hoist_str_from(kind->name), files, options, diag);
    if (status == HOIST_OK) {
        m.host = hoist_builder_space(
            m.c.b, &(hoist_prog_space){.name = hoist_str_from(kind->space), .alignment = 1});
        m.chip = (darwinn_lower_chip){.c = &m.c, .host = m.host};
        lower_files(&m, kind, files, count);
        status = hoist_lower_finish(&m.c, NULL, 0, out_program);
    }
    hoist_lower_deinit(&m.c);
    return status;
}
