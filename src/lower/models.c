#include "lower/models.h"

#include "base/span.h"
#include "lower/darwinn_tokens.h"

uint32_t hoist_models_batch(const hoist_models *m)
{
    return m->options->batch ? m->options->batch : 1;
}

// Names -----------------------------------------------------------------------------------------

hoist_str hoist_models_name(hoist_models *m, hoist_str name)
{
    if (m->prefix.size) {
        name = hoist_arena_format(&m->arena, "%.*s%.*s", HOIST_STR_ARGS(m->prefix),
                                  HOIST_STR_ARGS(name));
    }
    const hoist_status status =
        name.data ? hoist_map_add(&m->names, name, 0, NULL) : HOIST_NO_MEMORY;
    if (status == HOIST_NO_MEMORY) {
        m->status = status;
    }
    return status == HOIST_OK ? name : (hoist_str){NULL, 0};
}

// A file's name without its folder and ending.
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

// The names of entries, "run" among them: each file's stem, with a number where that is taken.
static bool name_entries(hoist_models *m, const hoist_lower_file *files, size_t count,
                         hoist_str *out_names)
{
    hoist_map taken;
    hoist_map_init(&taken, m->arena.alloc);
    m->status = hoist_map_add(&taken, HOIST_STR("run"), 0, NULL);
    for (size_t i = 0; i < count && m->status == HOIST_OK; i++) {
        const hoist_str stem = stem_of(files[i].name);
        hoist_str name = hoist_arena_str(&m->arena, stem.size ? stem : HOIST_STR("model"));
        hoist_status status = HOIST_BUSY;
        for (size_t k = 2; status == HOIST_BUSY; k++) {
            status = name.data ? hoist_map_add(&taken, name, 0, NULL) : HOIST_NO_MEMORY;
            out_names[i] = name;
            if (status == HOIST_BUSY) {
                name = hoist_arena_format(&m->arena, "%.*s-%zu", HOIST_STR_ARGS(stem), k);
            }
        }
        m->status = status;
    }
    hoist_map_deinit(&taken);
    return m->status == HOIST_OK;
}

// Entries ---------------------------------------------------------------------------------------

void hoist_models_call(hoist_models *m, hoist_ref function, hoist_str label,
                       const hoist_prog_value *element)
{
    const hoist_prog_argument argument = {
        .value = element ? *element : (hoist_prog_value){.reg = HOIST_NO_REF},
        .view = HOIST_NO_REF};
    const hoist_prog_target target = {
        .function = function, .arguments = &argument, .argument_count = element ? 1 : 0};
    (void)hoist_builder_step(
        m->b, &(hoist_prog_step){.kind = HOIST_STEP_CALL,
                                 .label = label,
                                 .as.call = {.unit = HOIST_NO_REF, .target = target}});
}

// What was made of files.
typedef struct prepared {
    const hoist_lower_file *file;
    hoist_str name; // of its entry
    void *own;      // the format's; NULL: nothing was made
} prepared;

// An entry whose only thread runs files in order.
static void add_entry(hoist_models *m, const hoist_models_kind *kind, hoist_str name,
                      const prepared *files, size_t count)
{
    const hoist_str thread_name = hoist_str_equal_c(name, "run") ? HOIST_STR("main") : name;
    const hoist_ref thread =
        hoist_builder_begin_thread(m->b, &(hoist_prog_thread){.name = thread_name});
    m->chip.thread++;
    for (size_t i = 0; i < count; i++) {
        m->file = files[i].file;
        kind->run(m, files[i].own);
    }
    hoist_builder_end_code(m->b);
    (void)hoist_builder_entry(
        m->b, &(hoist_prog_entry){.name = name, .threads = &thread, .thread_count = 1});
}

static void add_entries(hoist_models *m, const hoist_models_kind *kind, const prepared *files,
                        size_t count)
{
    const bool alone = count == 1 || hoist_darwinn_tokens_are_kept(&m->chip);
    add_entry(m, kind, HOIST_STR("run"), files, count);
    for (size_t i = 0; !alone && i < count; i++) {
        add_entry(m, kind, files[i].name, &files[i], 1);
    }
}

// Files -----------------------------------------------------------------------------------------

// What became of the chip and of the builder is what becomes of the program.
static void take_chip(hoist_models *m)
{
    m->refused = m->refused || m->chip.refused;
    m->status = m->status == HOIST_OK ? m->chip.status : m->status;
    m->status = m->status == HOIST_OK ? hoist_builder_status(m->b) : m->status;
}

static void prepare_file(hoist_models *m, const hoist_models_kind *kind, prepared *file)
{
    m->file = file->file;
    hoist_diag_source(m->diag, file->file->name, HOIST_STR(""));
    if (file->name.size) {
        m->prefix = hoist_arena_format(&m->arena, "%.*s/", HOIST_STR_ARGS(file->name));
        m->source = hoist_builder_source(m->b, (hoist_source){.file = file->file->name});
        m->status = m->prefix.data ? m->status : HOIST_NO_MEMORY;
    }
    if (m->status == HOIST_OK) {
        file->own = kind->prepare(m);
        take_chip(m);
    }
}

static void lower_files(hoist_models *m, const hoist_models_kind *kind,
                        const hoist_lower_file *files, size_t count)
{
    prepared *all = hoist_arena_array(&m->arena, count, sizeof *all);
    hoist_str *names = hoist_arena_array(&m->arena, count, sizeof *names);
    if (!all || !names) {
        m->status = HOIST_NO_MEMORY;
        return;
    }
    if (count > 1 && !name_entries(m, files, count, names)) {
        return;
    }
    for (size_t i = 0; i < count && m->status == HOIST_OK; i++) {
        all[i] = (prepared){.file = &files[i], .name = names[i]};
        prepare_file(m, kind, &all[i]);
    }
    hoist_diag_source(m->diag, files[0].name, HOIST_STR(""));
    if (m->status == HOIST_OK && !m->refused) {
        add_entries(m, kind, all, count);
        take_chip(m);
    }
}

static hoist_status lower(hoist_models *m, const hoist_models_kind *kind,
                          const hoist_lower_file *files, size_t count, hoist_program **out_program)
{
    HOIST_TRY(hoist_builder_create(m->arena.alloc, hoist_str_from(kind->name), &m->b));
    hoist_builder_limit(m->b, files[0].module->deadline);
    hoist_builder_file(m->b, files[0].name);
    m->host = hoist_builder_space(
        m->b, &(hoist_prog_space){.name = hoist_str_from(kind->space), .alignment = 1});
    m->chip = (hoist_darwinn_chip){.options = m->options,
                                   .diag = m->diag,
                                   .b = m->b,
                                   .arena = &m->arena,
                                   .names = &m->names,
                                   .host = m->host};
    lower_files(m, kind, files, count);
    HOIST_TRY(m->status);
    if (m->refused) {
        return HOIST_UNSUPPORTED;
    }
    hoist_builder *b = m->b;
    m->b = NULL; // gone, whatever comes of it
    return hoist_builder_finish(b, out_program);
}

hoist_status hoist_models_lower(const hoist_models_kind *kind, const hoist_lower_file *files,
                                size_t count, const hoist_lower_options *options, hoist_diag *diag,
                                hoist_program **out_program)
{
    const hoist_allocator alloc = files[0].module->alloc;
    *out_program = NULL;
    hoist_models m = {.options = options, .diag = diag};
    hoist_arena_init(&m.arena, alloc);
    hoist_map_init(&m.names, alloc);
    const hoist_status status = lower(&m, kind, files, count, out_program);
    hoist_builder_destroy(m.b);
    hoist_map_deinit(&m.names);
    hoist_arena_deinit(&m.arena);
    return status;
}
