// hoist run: pops entries during the run, reads rams and buffers after it, and writes NAME.npy for
// each output.
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/diag.h"
#include "base/map.h"
#include "base/name_list.h"
#include "base/span.h"
#include "ranks.h"
#include "report/plain.h"
#include "run.h"

run_output *run_find_output(run *r, hoist_str name)
{
    size_t port = 0;
    return hoist_program_find_port(r->program, name, &port) ? &r->outputs[port] : NULL;
}

// The list of names is made with the system's allocator: a message about a misspelled name
// needs no budget.
tool_exit run_refuse_output(const run *r, hoist_str name, bool given_out)
{
    HOIST_ASSERT(r->outputs || r->output_count == 0);
    hoist_name_list there;
    hoist_name_list_init(&there, hoist_allocator_system());
    for (size_t i = 0; i < r->output_count; i++) {
        if (!given_out || r->outputs[i].port.result || r->outputs[i].wanted) {
            hoist_name_list_add(&there, r->outputs[i].port.name);
        }
    }
    tool_complain(r->t, "%s has no %s '%.*s'; there are: %s", r->file->path,
                  given_out ? "output" : "queue or ram", HOIST_STR_ARGS(name),
                  hoist_name_list_text(&there));
    hoist_name_list_deinit(&there);
    return TOOL_USAGE;
}

// Names are bytes of the file; what a terminal would obey is escaped once, here.
static bool show_name(run *r, run_output *output)
{
    hoist_buffer plain;
    hoist_buffer_init(&plain, r->t->alloc);
    hoist_plain_write(&plain, output->port.name);
    output->shown =
        plain.failed ? (hoist_str){NULL, 0} : hoist_arena_str(&r->arena, hoist_buffer_text(&plain));
    hoist_buffer_deinit(&plain);
    return output->shown.data;
}

// A row for each port: what is no output may still be fetched.
// Index in r->outputs = index of the port, which run_find_output() relies on.
static tool_exit list_outputs(run *r)
{
    const size_t ports = hoist_program_port_count(r->program);
    r->outputs = hoist_arena_array(&r->arena, ports, sizeof(r->outputs[0]));
    if (!r->outputs) {
        return TOOL_LIMIT;
    }
    // A command without --fetch outputs nothing.
    const bool chosen = tool_given(r->t, OPT_FETCH) || !tool_takes(r->t->command, OPT_FETCH);
    for (size_t i = 0; i < ports; i++) {
        run_output *output = &r->outputs[r->output_count++];
        output->port = hoist_program_port(r->program, i);
        output->name = hoist_arena_str(&r->arena, output->port.name).data;
        if (!output->name || !show_name(r, output)) {
            return TOOL_LIMIT;
        }
        output->wanted = output->port.result && !chosen && run_uses_port(r, &output->port) &&
                         ranks_have(r->t->ranks, output->port.home);
        output->dtype = tool_read_dtype(r->t, &output->port);
        output->entry_size =
            (size_t)run_entry_elements(&output->port) * hoist_array_element_size(output->dtype);
    }
    return TOOL_OK;
}

tool_exit run_open_outputs(run *r)
{
    const tool_exit code = list_outputs(r);
    if (code != TOOL_OK) {
        return code;
    }
    size_t at = 0;
    for (const char *name; (name = tool_next_value(r->t, OPT_FETCH, &at));) {
        // Anything that has a port can be fetched, also what is no result.
        run_output *output = run_find_output(r, hoist_str_from(name));
        if (!output) {
            return run_refuse_output(r, hoist_str_from(name), false);
        }
        output->wanted = ranks_have(r->t->ranks, output->port.home);
    }
    return TOOL_OK;
}

void run_close_outputs(run *r)
{
    for (size_t i = 0; i < r->output_count; i++) {
        hoist_free(r->t->alloc, r->outputs[i].data, r->outputs[i].capacity);
    }
}

// The memory is kept: the next iteration gives as many entries.
void run_rewind_outputs(run *r)
{
    for (size_t i = 0; i < r->output_count; i++) {
        r->outputs[i].size = 0;
        r->outputs[i].entries = 0;
    }
}

// Space for one more entry; what is not wanted always takes the same.
// Entries of a queue that is not given out have to be popped nevertheless, or the program would
// stop when the queue is full; each overwrites the last.
static bool make_room(run *r, run_output *output, hoist_mut_bytes *out_entry)
{
    if (!output->wanted) {
        output->size = 0;
    }
    void *data = output->data;
    if (!hoist_grow(r->t->alloc, &data, &output->capacity, output->size + output->entry_size, 1)) {
        run_fail(r, HOIST_NO_MEMORY);
        return false;
    }
    output->data = data;
    *out_entry = (hoist_mut_bytes){output->data + output->size, output->entry_size};
    return true;
}

// Other statuses than these mean that there is no entry (in time), or that the run itself has
// failed, which the thread that runs it reports.
static bool pop_one(run *r, run_output *output, double timeout)
{
    hoist_mut_bytes entry;
    if (!make_room(r, output, &entry)) {
        return false;
    }
    const hoist_status status =
        hoist_session_pop(r->session, output->name, output->dtype, entry, timeout);
    if (status == HOIST_OK) {
        output->size += entry.size;
        output->entries++;
    } else if (status == HOIST_NO_MEMORY || status == HOIST_UNSUPPORTED) {
        run_fail(r, status);
    }
    return status == HOIST_OK;
}

// Only queues that the host is expected to empty; a ram is read by its slots after the run.
static bool is_popped(const run_output *output)
{
    return output->port.output && output->port.is_queue;
}

// Whether what pops and pushes has to end, whatever is there still.
// A program that pushes without end would keep the loop below going for ever.
static bool is_over(run *r)
{
    return atomic_load(&r->stop) || hoist_deadline_look(r->t->deadline) != HOIST_OK;
}

bool run_pop(run *r)
{
    bool moved = false;
    for (size_t i = 0; i < r->output_count; i++) {
        run_output *output = &r->outputs[i];
        // Asked for first: pop_one() takes the memory of an entry before it knows whether there
        // is one.
        while (is_popped(output) && !is_over(r) &&
               // Asked first: hoist_session_pop() with no time to wait would allocate space for
               // nothing.
               hoist_session_available(r->session, output->name) > 0 && pop_one(r, output, 0)) {
            r->popped_lately = output;
            moved = true;
        }
    }
    return moved;
}

bool run_pop_waiting(run *r, double seconds)
{
    return r->popped_lately && pop_one(r, r->popped_lately, seconds);
}

// Bytes that instructions without public meaning may have written (--on-unknown=poison).
static hoist_status add_unknown(run *r, run_output *output, uint32_t slot)
{
    uint64_t bytes = 0;
    HOIST_TRY(hoist_session_unknown(r->session, output->name, slot, &bytes));
    output->unknown += bytes;
    return HOIST_OK;
}

// Rams and buffers are read after the last iteration only, whatever happened to them before.
hoist_status run_read_rest(run *r)
{
    for (size_t i = 0; i < r->output_count; i++) {
        run_output *output = &r->outputs[i];
        if (!output->wanted) {
            continue;
        }
        if (is_popped(output)) {
            HOIST_TRY(add_unknown(r, output, HOIST_POPPED));
            continue;
        }
        for (uint32_t slot = 0; slot < output->port.slots; slot++) {
            hoist_mut_bytes entry;
            if (!make_room(r, output, &entry)) {
                return HOIST_NO_MEMORY;
            }
            HOIST_TRY(hoist_session_read(r->session, output->name, slot, output->dtype, entry));
            HOIST_TRY(add_unknown(r, output, slot));
            output->size += entry.size;
            output->entries++;
        }
    }
    return HOIST_OK;
}

tool_exit run_check_unknown(run *r)
{
    tool_exit code = TOOL_OK;
    for (size_t i = 0; i < r->output_count; i++) {
        const run_output *output = &r->outputs[i];
        if (output->wanted && output->unknown) {
            tool_complain(r->t,
                          "%s: %llu %s of '%s' %s unknown: an instruction that was not run may "
                          "have made %s",
                          r->file->path, (unsigned long long)output->unknown,
                          hoist_plural(output->unknown, "byte", "bytes"), output->name,
                          hoist_plural(output->unknown, "is", "are"),
                          hoist_plural(output->unknown, "it", "them"));
            code = TOOL_UNSUPPORTED;
        }
    }
    return code;
}

// Only netlists have several numerics to choose from; for other formats naming one says
// nothing.
bool run_has_numerics(const run *r)
{
    return strcmp(hoist_job_format(r->file->job), "buda") == 0;
}

const char *run_numbers(const run *r, const run_output *output, char text[RUN_NUMBERS])
{
    static const char *const rounded[] = {[HOIST_NUMERICS_DECLARED] = ", rounded as declared",
                                          [HOIST_NUMERICS_DEVICE] = ", as the device packs it",
                                          [HOIST_NUMERICS_FAST] = NULL};
    const char *type = hoist_dtype_get(output->port.dtype)->name;
    const char *how = rounded[tool_word_of(r->t, OPT_NUMERICS)]; // NULL: as the reference
    (void)snprintf(text, RUN_NUMBERS, "%s%s",
                   run_has_numerics(r) && !how ? "float32 of the reference model" : type,
                   run_has_numerics(r) && how ? how : "");
    return text;
}

// Small floats are written as bits under --raw-bits, hence the other type; no bytes change.
hoist_array run_output_array(const run_output *output)
{
    hoist_array array = {.dtype = tool_bits_dtype(output->dtype),
                         .data = {output->data, output->size}};
    const uint32_t own = output->port.is_buffer ? 0 : 1; // a buffer has no entries
    array.rank = output->port.rank + own;
    array.shape[0] = (int64_t)output->entries;
    memcpy(&array.shape[own], output->port.shape, output->port.rank * sizeof(array.shape[0]));
    return array;
}

// NAME.npy, of a rank rankR/NAME.npy, with `numbered` the number of the output in it; NULL: memory
// ran out. Names of views have a colon before what they are of: buffer:3 is in buffer_3.npy.
// The rank's folder is kept apart from the name: tool_file_name() would turn its '/' into %2F.
static const char *file_of(run *r, const run_output *output, bool numbered)
{
    hoist_buffer path;
    hoist_buffer_init(&path, r->t->alloc);
    const uint64_t number = (uint64_t)(output - r->outputs) + 1;
    const size_t rank = run_rank_prefix(output->port.name);
    hoist_buffer_str(&path, hoist_str_slice(output->port.name, 0, rank));
    tool_file_name(hoist_str_slice(output->port.name, rank, output->port.name.size - rank), number,
                   &path);
    // Several systems have no colon in names of files.
    for (size_t i = rank; output->port.is_view && !path.failed && i < path.size; i++) {
        path.data[i] = path.data[i] == ':' ? '_' : path.data[i];
    }
    if (numbered) {
        tool_file_number(rank, number, &path);
    }
    hoist_buffer_c(&path, ".npy");
    const char *kept =
        path.failed ? NULL : hoist_arena_str(&r->arena, hoist_buffer_text(&path)).data;
    hoist_buffer_deinit(&path);
    return kept;
}

// Chooses the file of each output: one that another has already gets a number.
static hoist_status choose_files(run *r, hoist_map *files)
{
    for (size_t i = 0; i < r->output_count; i++) {
        run_output *const output = &r->outputs[i];
        hoist_status status = HOIST_BUSY;
        // A second collision is impossible: a name with a number is no complete name (tool.h).
        for (int numbered = 0; output->wanted && numbered < 2 && status == HOIST_BUSY; numbered++) {
            output->file = file_of(r, output, numbered);
            status = output->file ? hoist_map_add(files, hoist_str_from(output->file), i, NULL)
                                  : HOIST_NO_MEMORY;
        }
        if (status == HOIST_NO_MEMORY) {
            return status;
        }
    }
    return HOIST_OK;
}

// That no output has the name of a file that is read.
static tool_exit check_outputs(run *r, const char *folder)
{
    hoist_map files;
    hoist_map_init(&files, r->t->alloc);
    hoist_status status = choose_files(r, &files);
    hoist_map_deinit(&files);
    for (size_t i = 0; status == HOIST_OK && i < r->output_count; i++) {
        const char *const file = r->outputs[i].file;
        status = file ? tool_spares_inputs_in(r->t, folder, hoist_str_from(file)) : HOIST_OK;
    }
    return status == HOIST_OK ? TOOL_OK : status == HOIST_BUSY ? TOOL_USAGE : TOOL_LIMIT;
}

// From here on findings are about the folder.
static void name_folder(run *r, const char *folder)
{
    hoist_diag_source(r->file->diag, hoist_str_from(folder), HOIST_STR(""));
}

// The same about the file, and the result of the folder.
// Each name_folder() is followed by one of these, whatever the result.
static tool_exit check_folder(run *r, hoist_status status)
{
    hoist_diag_source(r->file->diag, hoist_str_from(r->file->path), HOIST_STR(""));
    return tool_report(r->t, status, r->file);
}

// Each process has the folder of its rank, in one that the first of them makes.
// mkdir() of a folder that another process has just made fails, which is fine.
static tool_exit open_rank(run *r, const char *folder)
{
    (void)mkdir(folder, 0777); // what it lacks shows when the rank's folder is made
    hoist_buffer path;
    hoist_buffer_init(&path, r->t->alloc);
    hoist_buffer_format(&path, "%s/rank%u", folder, hoist_comm_rank(r->t->ranks->comm));
    // The NUL at the end.
    hoist_buffer_add(&path, (hoist_bytes){(const uint8_t *)"", 1});
    const hoist_status status =
        path.failed ? HOIST_NO_MEMORY
                    : hoist_folder_output_begin(&r->folder, (const char *)path.data, true,
                                                r->t->temporaries, r->file->diag);
    hoist_buffer_deinit(&path);
    return check_folder(r, status);
}

tool_exit run_open_folder(run *r, const char *folder)
{
    const tool_exit checked = check_outputs(r, folder);
    if (checked != TOOL_OK) {
        return checked;
    }
    name_folder(r, folder);
    if (!r->t->ranks || !r->t->ranks->comm) {
        return check_folder(r, hoist_folder_output_begin(&r->folder, folder, true,
                                                         r->t->temporaries, r->file->diag));
    }
    return open_rank(r, folder);
}

// Header and elements are two pieces of one file: the entries are not copied.
static hoist_status write_output(run *r, const run_output *output)
{
    uint8_t header[HOIST_NPY_MAX_HEADER];
    size_t size = 0;
    const hoist_array array = run_output_array(output);
    HOIST_TRY(hoist_npy_begin(&array, r->t->alloc, r->file->diag, header, &size));
    const hoist_folder_write_options options = {.head = {header, size}};
    // The folder of a process is that of its rank.
    hoist_str file = hoist_str_from(output->file);
    const size_t rank = r->t->ranks && r->t->ranks->comm ? run_rank_prefix(file) : 0;
    file = hoist_str_slice(file, rank, file.size - rank);
    return hoist_folder_output_write(&r->folder, file, array.data, &options, r->file->diag);
}

// Files get their names when all of them are written.
tool_exit run_write_outputs(run *r, const char *folder)
{
    hoist_status status = HOIST_OK;
    name_folder(r, folder);
    for (size_t i = 0; status == HOIST_OK && i < r->output_count; i++) {
        if (r->outputs[i].wanted) {
            status = write_output(r, &r->outputs[i]);
        }
    }
    if (status == HOIST_OK) {
        status = hoist_folder_output_finish(&r->folder, r->file->diag);
    }
    return check_folder(r, status);
}
