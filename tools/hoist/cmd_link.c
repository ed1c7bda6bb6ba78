// hoist link: writes buffer addresses into the instructions of an Edge TPU file, or zeros the
// fields again (--undo). --transport goes to link_usb.c instead.
#include <string.h>

#include "base/span.h"
#include "link_usb.h"
#include "parse.h"
#include "tool.h"

// What the steps of the command share.
typedef struct linking {
    tool *t;
    tool_input input;
    hoist_link_address *addresses; // owned
    char *names;                   // owned: those of `addresses`, one after the other
    size_t names_size;
    size_t count;
} linking;

// The values of --address as the library takes them. False when out of memory.
// The library takes C strings, but a value is BUFFER[@BATCH]=ADDRESS: names are copied, each
// with the NUL that its '=' leaves space for.
static bool read_addresses(linking *l)
{
    size_t at = 0;
    for (const char *v = NULL; (v = tool_next_value(l->t, OPT_ADDRESS, &at));) {
        l->count++;
        l->names_size += strlen(v);
    }
    l->addresses = hoist_alloc_zero(l->t->alloc, l->count + 1, sizeof(*l->addresses));
    l->names = hoist_alloc_zero(l->t->alloc, l->names_size + 1, 1);
    if (!l->addresses || !l->names) {
        return false;
    }
    char *next = l->names;
    at = 0;
    for (size_t i = 0; i < l->count; i++) {
        hoist_str name;
        hoist_link_address *const a = &l->addresses[i];
        // The form was checked when options were parsed; only a valid value gets here.
        (void)tool_parse_address(tool_next_value(l->t, OPT_ADDRESS, &at), &name, &a->batch,
                                 &a->address);
        memcpy(next, name.data, name.size); // the sign behind it leaves space for a NUL
        a->buffer = next;
        next += name.size + 1;
    }
    return true;
}

// Links the file in memory, saves it, and reports how many fields were filled.
static tool_exit link_file(linking *l)
{
    const hoist_link_options options = {.struct_size = sizeof(options),
                                        .undo = tool_given(l->t, OPT_UNDO),
                                        .addresses = l->addresses,
                                        .address_count = l->count};
    const char *const path = l->t->values[OPT_PACK_FILE];
    hoist_mut_bytes linked = {NULL, 0};
    hoist_link_result result;
    l->t->doing = "linking";
    const hoist_status status =
        hoist_job_link(l->input.job, &options, l->input.diag, &linked, &result);
    // TOOL_USAGE: a buffer that the file lacks is an error of --address.
    const tool_exit code = tool_save_made(l->t, &l->input, path, status, linked, TOOL_USAGE);
    // The report would be mixed with the file when that goes to standard output.
    if (code == TOOL_OK && !tool_is_stdout(path)) {
        hoist_document doc;
        tool_document(l->t, &doc, false);
        hoist_tree_c(&doc.sink, "file", l->input.path);
        hoist_tree_c(&doc.sink, "output", l->t->values[OPT_PACK_FILE]);
        hoist_tree_uint(&doc.sink, tool_given(l->t, OPT_UNDO) ? "emptied" : "filled", result.filled,
                        HOIST_UNIT_NONE);
        hoist_tree_uint(&doc.sink, "left", result.skipped, HOIST_UNIT_NONE);
        return tool_document_end(&doc);
    }
    return code;
}

// That no buffer is given two addresses.
// Quadratic, which is enough: a command line has few of them.
static bool check_addresses(const linking *l)
{
    for (size_t i = 0; i < l->count; i++) {
        const hoist_link_address *const a = &l->addresses[i];
        for (size_t k = 0; k < i; k++) {
            if (l->addresses[k].batch == a->batch &&
                strcmp(l->addresses[k].buffer, a->buffer) == 0) {
                tool_complain(l->t, "--address gives '%s' twice", a->buffer);
                return false;
            }
        }
    }
    return true;
}

// Whether the options go together.
static bool check_options(tool *t)
{
    const bool streams = tool_given(t, OPT_TRANSPORT);
    if (!t->values[OPT_PACK_FILE]) {
        tool_complain(t, "link needs a file to write: --output FILE");
        return false;
    }
    if (!streams && tool_given(t, OPT_INPUT)) {
        tool_complain(t, "--input is about --transport, which is not given");
        return false;
    }
    // Without --transport exactly one of --undo and --address is expected.
    if (streams ? tool_given(t, OPT_UNDO) : tool_given(t, OPT_UNDO) == tool_given(t, OPT_ADDRESS)) {
        tool_complain(t, streams ? "--transport links, and --undo is the opposite"
                                 : "link needs either addresses (--address BUFFER=ADDRESS) or "
                                   "--undo, or --transport");
        return false;
    }
    return tool_spares_inputs(t, t->values[OPT_PACK_FILE]);
}

// A file with addresses in it, or the bytes that a run sends to the device.
static tool_exit link_or_send(linking *l)
{
    return tool_given(l->t, OPT_TRANSPORT) ? link_usb(l->t, &l->input, l->addresses, l->count)
                                           : link_file(l);
}

tool_exit cmd_link(tool *t)
{
    linking l = {.t = t};
    if (!check_options(t)) {
        return TOOL_USAGE;
    }
    tool_exit code = tool_open_file(t, t->arguments[0], &l.input);
    if (code == TOOL_OK) {
        code = !read_addresses(&l)    ? TOOL_LIMIT
               : !check_addresses(&l) ? TOOL_USAGE
                                      : link_or_send(&l);
    }
    hoist_free(t->alloc, l.addresses, (l.count + 1) * sizeof(*l.addresses));
    hoist_free(t->alloc, l.names, l.names_size + 1);
    tool_close(t, &l.input, code);
    return code;
}
