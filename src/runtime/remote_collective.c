// Collectives between homes: the operand of a member goes to all other homes of its group as soon
// as the member is at its step; each home takes the operands of others as sources, in order of
// ranks.
#include "base/alloc.h"
#include "base/assert.h"
#include "runtime/remote_state.h"

// What names a member in messages: its group above, its rank below.
static uint64_t id_of(uint32_t group, uint32_t rank)
{
    return (uint64_t)group << 32 | rank;
}

uint64_t hoist_remote_pack_member(const hoist_prog_collective *step, hoist_dtype dtype)
{
    return (uint64_t)step->members << 32 | (uint64_t)dtype << 16 | (uint64_t)step->op << 8 |
           (uint64_t)step->kind;
}

// The type of an operand, as hoist_remote_pack_member() has put it there.
static hoist_dtype dtype_of(const hoist_remote_operand *operand)
{
    return (hoist_dtype)(operand->count >> 16 & 0xFFFF);
}

// Giving ------------------------------------------------------------------------------------------

// The source of the member at which `process` is, without gaps; an empty one of a barrier.
static hoist_status pack(const hoist_work_context *c, size_t process, hoist_allocator alloc,
                         hoist_mut_bytes *out_bytes, hoist_dtype *out_dtype)
{
    const hoist_prog_collective *step = hoist_machine_at(c->machine, process)->as.collective;
    hoist_view source;
    hoist_view packed;
    *out_bytes = (hoist_mut_bytes){NULL, 0};
    *out_dtype = HOIST_DTYPE_F32;
    if (step->kind == HOIST_COLLECTIVE_BARRIER) {
        return HOIST_OK;
    }
    // Tiles have an order of their own, which the other homes need not have.
    if (hoist_work_is_tiled(c, step->source)) {
        return HOIST_UNSUPPORTED;
    }
    if (!hoist_work_view(c, process, step->source, &source)) {
        return HOIST_INVALID;
    }
    *out_dtype = source.dtype;
    const size_t size =
        (size_t)hoist_shape_count(&source.shape) * hoist_dtype_get(source.dtype)->bits / 8;
    *out_bytes = (hoist_mut_bytes){size ? hoist_alloc(alloc, size) : NULL, size};
    if (size && !out_bytes->data) {
        return HOIST_NO_MEMORY;
    }
    HOIST_TRY(hoist_view_init(*out_bytes, source.dtype, &source.shape, 0, NULL, &packed));
    const hoist_view_move move = {.destination = packed, .sources = &source, .source_count = 1};
    return hoist_move_views(c->moves, &move, c->alloc);
}

// Queues a copy for one home: each message owns its bytes.
static hoist_status send_operand(hoist_remote *r, uint32_t to, const hoist_prog_collective *step,
                                 hoist_dtype dtype, hoist_bytes bytes)
{
    const hoist_comm_head head = {.kind = HOIST_REMOTE_MEMBER,
                                  .id = id_of(step->group, step->rank),
                                  .count = hoist_remote_pack_member(step, dtype),
                                  .size = bytes.size};
    uint8_t *copy = bytes.size ? hoist_alloc(r->comm->alloc, bytes.size) : NULL;
    if (bytes.size && !copy) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < bytes.size; i++) {
        copy[i] = bytes.data[i];
    }
    return hoist_remote_post(r, to, head, copy);
}

// Sends the operand of a member once to each other home that has members of its group.
static hoist_status give(hoist_remote *r, const hoist_work_context *c, size_t process)
{
    const hoist_prog_collective *step = hoist_machine_at(c->machine, process)->as.collective;
    hoist_mut_bytes bytes;
    hoist_dtype dtype;
    hoist_status status = pack(c, process, r->alloc, &bytes, &dtype);
    for (size_t i = 0; status == HOIST_OK && i < r->routes.meeting_count; i++) {
        const hoist_meeting *meeting = &r->routes.meetings[i];
        if (meeting->group == step->group && meeting->home != r->home) {
            status =
                send_operand(r, meeting->home, step, dtype, (hoist_bytes){bytes.data, bytes.size});
        }
    }
    r->gave[process] = true;
    hoist_free(r->alloc, bytes.data, bytes.size);
    return status;
}

hoist_status hoist_remote_give(hoist_session *session)
{
    hoist_remote *r = session->remote;
    const hoist_work_context context = hoist_session_context(session);
    const size_t count =
        r->routes.meeting_count ? hoist_machine_process_count(session->machine) : 0;
    // Of each process that waits in a collective and has not given its operand for it yet.
    for (size_t i = 0; i < count; i++) {
        const hoist_prog_step *step = hoist_machine_at(session->machine, i);
        if (!r->gave[i] && hoist_machine_is_member(session->machine, i) &&
            hoist_routes_meets(&r->routes, step->as.collective->group, r->home)) {
            HOIST_TRY(give(r, &context, i));
        }
    }
    return HOIST_OK;
}

// Taking ------------------------------------------------------------------------------------------

hoist_status hoist_remote_keep(hoist_remote *remote, const hoist_comm_head *head, uint8_t *body)
{
    hoist_remote_operand *operand = hoist_alloc_zero(remote->alloc, 1, sizeof *operand);
    if (!operand) {
        hoist_free(remote->alloc, body, (size_t)head->size);
        return HOIST_NO_MEMORY;
    }
    *operand = (hoist_remote_operand){.id = head->id,
                                      .count = head->count,
                                      .body = body,
                                      .size = (size_t)head->size,
                                      .used_by = SIZE_MAX};
    hoist_remote_operand **at = &remote->operands;
    // At the end: operands of one member come in the order of its steps.
    while (*at) {
        at = &(*at)->next;
    }
    *at = operand;
    return HOIST_OK;
}

// SIZE_MAX: all of them.
void hoist_remote_free_operands(hoist_remote *remote, size_t used_by)
{
    for (hoist_remote_operand **at = &remote->operands; *at;) {
        hoist_remote_operand *operand = *at;
        if (used_by == SIZE_MAX || operand->used_by == used_by) {
            *at = operand->next;
            hoist_free(remote->alloc, operand->body, operand->size);
            hoist_free(remote->alloc, operand, sizeof *operand);
        } else {
            at = &operand->next;
        }
    }
}

// The oldest operand of that member that no step has; NULL: none.
static hoist_remote_operand *find_operand(const hoist_remote *r, uint64_t id)
{
    hoist_remote_operand *operand = r->operands;
    while (operand && (operand->id != id || operand->used_by != SIZE_MAX)) {
        operand = operand->next;
    }
    return operand;
}

// Operands of a member that come after its oldest one are for later steps.
uint32_t hoist_remote_count_members(void *self, const hoist_prog_collective *mine,
                                    const char **out_fault)
{
    const hoist_remote *r = self;
    uint32_t count = 0;
    for (const hoist_remote_operand *o = r->operands; o; o = o->next) {
        // Each member counts once, by its oldest operand.
        const bool counts =
            o->used_by == SIZE_MAX && o->id >> 32 == mine->group && find_operand(r, o->id) == o;
        if (!counts) {
            continue;
        }
        if (hoist_remote_pack_member(mine, dtype_of(o)) != o->count) {
            *out_fault = "the members of a collective disagree about what it is";
        } else if ((uint32_t)o->id == mine->rank) {
            *out_fault = "two members of a collective have the same rank";
        }
        count++;
    }
    return count;
}

// A member of this home, whose operand the others may still have to get.
static hoist_status own_member(const hoist_work_context *c, size_t process,
                               hoist_collective_member *member)
{
    hoist_remote *r = c->remote;
    const hoist_prog_collective *step = hoist_machine_at(c->machine, process)->as.collective;
    if (!r->gave[process]) {
        HOIST_TRY(give(r, c, process));
    }
    r->gave[process] = false; // the next time it is there, it is there anew
    if (step->kind == HOIST_COLLECTIVE_BARRIER) {
        return HOIST_OK;
    }
    return hoist_work_view(c, process, step->source, &member->source) &&
                   hoist_work_view(c, process, step->destination, &member->destination)
               ? HOIST_OK
               : HOIST_INVALID;
}

// A member of another home: its source is what came, its destination is there.
static hoist_status other_member(hoist_remote_operand *operand, size_t process,
                                 hoist_collective_member *member)
{
    const hoist_dtype dtype = dtype_of(operand);
    *member = (hoist_collective_member){.is_elsewhere = true};
    // It stays until the next collective of this process, as the step reads it where it is.
    operand->used_by = process;
    if (operand->size == 0) {
        return HOIST_OK;
    }
    // The type came in a message, and is not yet known to be one.
    if (dtype >= HOIST_DTYPE_COUNT || hoist_dtype_get(dtype)->bits % 8) {
        return HOIST_INVALID;
    }
    const size_t element = hoist_dtype_get(dtype)->bits / 8;
    const hoist_shape shape = {.rank = 1, .dim = {(int64_t)(operand->size / element)}};
    return hoist_view_init((hoist_mut_bytes){operand->body, operand->size}, dtype, &shape, 0, NULL,
                           &member->source);
}

// All members in the order of ranks: those of this home by their steps, others by what they sent.
static hoist_status take_members(const hoist_work_context *c, size_t process, hoist_work *work)
{
    const hoist_prog_collective *mine = work->step->as.collective;
    const size_t own =
        hoist_machine_collective(c->machine, process, work->processes, mine->members);
    size_t next = 0;
    for (uint32_t rank = 0; rank < mine->members; rank++) {
        hoist_collective_member *member = &work->members[rank];
        const hoist_prog_step *step =
            next < own ? hoist_machine_at(c->machine, work->processes[next]) : NULL;
        hoist_remote_operand *operand = find_operand(c->remote, id_of(mine->group, rank));
        *member = (hoist_collective_member){.is_elsewhere = false};
        if (step && step->as.collective->rank == rank) {
            HOIST_TRY(own_member(c, work->processes[next++], member));
        } else {
            HOIST_ASSERT(operand);
            HOIST_TRY(other_member(operand, process, member));
        }
    }
    return HOIST_OK;
}

hoist_status hoist_remote_members(const hoist_work_context *context, size_t process,
                                  hoist_work *work)
{
    const hoist_prog_collective *mine = work->step->as.collective;
    hoist_remote_free_operands(context->remote, process); // of its last step
    if (!hoist_grow(context->alloc, (void **)&work->members, &work->member_capacity, mine->members,
                    sizeof *work->members) ||
        !hoist_grow(context->alloc, (void **)&work->processes, &work->process_capacity,
                    mine->members, sizeof *work->processes)) {
        return HOIST_NO_MEMORY;
    }
    HOIST_TRY(take_members(context, process, work));
    work->member_count = mine->kind == HOIST_COLLECTIVE_BARRIER ? 0 : mine->members;
    return HOIST_OK;
}
