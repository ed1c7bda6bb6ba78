// Messages that wait until this process may send them, counts of what was sent, and the end of a
// run that another process is the reason of. What messages mean is remote_messages.c.
#include <stdarg.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "machine/schedule.h"
#include "program/run_rules.h"
#include "runtime/remote_state.h"

hoist_status hoist_remote_post(hoist_remote *remote, uint32_t to, hoist_comm_head head,
                               uint8_t *body)
{
    hoist_remote_letter *letter = hoist_alloc_zero(remote->alloc, 1, sizeof *letter);
    if (!letter) {
        hoist_free(remote->comm->alloc, body, (size_t)head.size);
        return HOIST_NO_MEMORY;
    }
    // The receiver leaves messages of a later run alone until it is there.
    head.run = remote->run;
    *letter = (hoist_remote_letter){.to = to, .head = head, .body = body};
    *remote->last = letter;
    remote->last = &letter->next;
    return HOIST_OK;
}

// Messages that may let the receiver go on are counted; those about counts and failures are not.
void hoist_remote_count_sent(hoist_remote *r, uint32_t to, uint32_t kind)
{
    if (kind != HOIST_REMOTE_STILL && kind != HOIST_REMOTE_FAILED) {
        r->peers[r->home].sent[to]++;
        r->is_announced = false;
        r->still_since = 0;
    }
}

hoist_status hoist_remote_flush(hoist_remote *remote)
{
    hoist_status status = HOIST_OK;
    while (remote->first) {
        hoist_remote_letter *letter = remote->first;
        remote->first = letter->next;
        if (status == HOIST_OK) {
            hoist_remote_count_sent(remote, letter->to, letter->head.kind);
            status = remote->comm->calls->send(remote->comm, letter->to, &letter->head,
                                               letter->body, HOIST_COMM_OWNED);
        } else {
            // After a failure the rest is dropped: the run ends.
            hoist_free(remote->comm->alloc, letter->body, (size_t)letter->head.size);
        }
        hoist_free(remote->alloc, letter, sizeof *letter);
    }
    remote->last = &remote->first;
    return status;
}

void hoist_remote_leave(hoist_remote *remote, hoist_status status)
{
    // The first reason stays.
    if (!remote->leaves) {
        remote->leaves = true;
        remote->why = status;
    }
}

void hoist_remote_fail(hoist_session *session, hoist_status status, const char *format, ...)
{
    hoist_buffer text;
    hoist_buffer_init(&text, session->alloc);
    va_list args;
    va_start(args, format);
    hoist_buffer_vformat(&text, format, args);
    va_end(args);
    const hoist_rule *rule = hoist_runtime_rule_row(HOIST_RUNTIME_PEER);
    hoist_report(session->diag, rule, hoist_loc_none(), "%.*s",
                 HOIST_STR_ARGS(hoist_buffer_text(&text)));
    hoist_report_waits(session->machine, rule, session->diag);
    hoist_buffer_deinit(&text);
    hoist_remote_leave(session->remote, status);
}
