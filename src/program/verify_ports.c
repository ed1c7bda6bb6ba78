// Ports and needs (PRG-042 to 044): elements inside a buffer that stays, names that lead to one
// thing, needed bytes. What a program's other names lead to is in its index (index.c).
#include <inttypes.h>

#include "base/checked.h"
#include "base/span.h"
#include "program/verifier.h"

// A caller touches it before and after runs, which constants and the memory of calls are not for.
// Of both: a window may say less than the buffer whose bytes it has.
static bool check_memory(hoist_verifier *v, const hoist_prog_port *port)
{
    const hoist_prog_buffer *own = &v->program->buffers[port->buffer];
    const hoist_prog_buffer *root = &v->program->buffers[v->roots[port->buffer].buffer];
    const bool stays =
        (own->lifetime == HOIST_LIFETIME_RUN || own->lifetime == HOIST_LIFETIME_SESSION) &&
        (root->lifetime == HOIST_LIFETIME_RUN || root->lifetime == HOIST_LIFETIME_SESSION);
    return stays || hoist_verifier_fail(v, HOIST_PRG_042,
                                        "buffer '%.*s' is of one call or a constant, expected "
                                        "lifetime run or session",
                                        HOIST_STR_ARGS(own->name));
}

static bool check_elements(hoist_verifier *v, const hoist_prog_port *port)
{
    const hoist_measured_layout *layout = hoist_verifier_layout(v, port->layout);
    const int64_t bytes = hoist_verifier_element_bytes(port->dtype);
    if (!layout->ok) {
        return false;
    }
    if (layout->tiled || bytes == 0) {
        return hoist_verifier_fail(
            v, HOIST_PRG_042, "%s elements of type %s, expected strided ones of complete bytes",
            layout->tiled ? "tiled" : "strided", hoist_dtype_get(port->dtype)->name);
    }
    if (layout->elements == 0) {
        return hoist_verifier_fail(v, HOIST_PRG_042, "the port has no elements");
    }
    return hoist_verifier_lies_apart(&v->program->layouts[port->layout], (uint64_t)bytes) ||
           hoist_verifier_fail(v, HOIST_PRG_042, "elements of the port share bytes");
}

// Lowest and highest byte, over all dimensions and strides of either sign.
static void check_bounds(hoist_verifier *v, const hoist_prog_port *port)
{
    const hoist_measured_layout *layout = hoist_verifier_layout(v, port->layout);
    const hoist_prog_buffer *buffer = &v->program->buffers[port->buffer];
    int64_t offset = 0;
    int64_t low = 0;
    int64_t high = 0;
    const bool wraps = port->offset > INT64_MAX ||
                       hoist_ckd_add_i64(&low, layout->low, offset = (int64_t)port->offset) ||
                       hoist_ckd_add_i64(&high, layout->high, offset) ||
                       hoist_ckd_add_i64(&high, high, hoist_verifier_element_bytes(port->dtype));
    if (wraps) {
        (void)hoist_verifier_fail(
            v, HOIST_PRG_042, "bytes of the port, at offset %" PRIu64 ", are beyond all addresses",
            port->offset);
    } else if (low < 0 || (uint64_t)high > buffer->size) {
        (void)hoist_verifier_fail(v, HOIST_PRG_042,
                                  "the port covers bytes %" PRId64 " to %" PRId64
                                  " of buffer '%.*s', which has %" PRIu64,
                                  low, high, HOIST_STR_ARGS(buffer->name), buffer->size);
    }
}

// The first row of a name has it in the index: fifos, then buffers, then ports.
static void check_name(hoist_verifier *v, uint32_t index)
{
    const hoist_program *p = v->program;
    const size_t own = (size_t)p->fifo_count + p->index.buffer_count + index;
    size_t at = own;
    if (hoist_map_find(&p->index.port_names, p->ports[index].name, &at) && at < own &&
        at < (size_t)p->fifo_count + p->index.buffer_count) {
        (void)hoist_verifier_fail(v, HOIST_PRG_043, "a %s that callers name has the same name",
                                  at < p->fifo_count ? "fifo" : "buffer");
    }
}

// Contents are written again at each run, over what the caller gave.
static bool replaces(const hoist_prog_buffer *buffer)
{
    return buffer->lifetime == HOIST_LIFETIME_RUN && buffer->contents != HOIST_CONTENTS_UNDEFINED &&
           buffer->contents != HOIST_CONTENTS_CALLER;
}

// Bytes count from the begin of the port's buffer, not of the port.
static void check_need(hoist_verifier *v, const hoist_prog_need *need)
{
    const hoist_program *p = v->program;
    const hoist_ref index = p->ports[need->port].buffer;
    const hoist_prog_buffer *buffer = &p->buffers[index];
    const hoist_prog_buffer *root = &p->buffers[v->roots[index].buffer];
    if (need->begin >= need->end || need->end > buffer->size) {
        (void)hoist_verifier_fail(
            v, HOIST_PRG_044,
            "bytes %" PRIu64 " to %" PRIu64 " are needed of buffer '%.*s', which has %" PRIu64,
            need->begin, need->end, HOIST_STR_ARGS(buffer->name), buffer->size);
    } else if (replaces(buffer) || replaces(root)) {
        (void)hoist_verifier_fail(v, HOIST_PRG_044,
                                  "the contents of buffer '%.*s', of lifetime run, would replace "
                                  "the bytes that are needed",
                                  HOIST_STR_ARGS((replaces(buffer) ? buffer : root)->name));
    }
}

void hoist_verify_ports(hoist_verifier *v)
{
    const hoist_program *p = v->program;
    for (uint32_t i = 0; hoist_verifier_at(v, HOIST_NAMES_PORT, i); i++) {
        check_name(v, i);
        if (check_memory(v, &p->ports[i]) && check_elements(v, &p->ports[i])) {
            check_bounds(v, &p->ports[i]);
        }
    }
    for (uint32_t i = 0; i < p->need_count; i++) {
        v->name = p->ports[p->needs[i].port].name;
        v->loc = p->needs[i].loc;
        check_need(v, &p->needs[i]);
    }
}
