// Looking up the ranks of a job by number and the tags of a rank (messages.h), for the other
// sources of jobs.
#include "base/order.h"
#include "formats/ark/messages_build.h"

static bool number_is_before(const void *rank, const void *number)
{
    return ((const ark_rank *)rank)->number < *(const int64_t *)number;
}

// Ranks ascend by number.
uint32_t ark_ranks_find(const ark_rank *ranks, uint32_t count, int64_t number)
{
    const size_t at = hoist_order_first(ranks, count, sizeof *ranks, number_is_before, &number);
    return at < count && ranks[at].number == number ? (uint32_t)at : ARK_NONE;
}

uint32_t ark_job_find_rank(const ark_job *job, int64_t number)
{
    return ark_ranks_find(job->ranks, job->rank_count, number);
}

// Memory is the last member, so rows of one tag in two buffers are next to each other (M72).
int ark_tag_compare(const void *a, const void *b)
{
    const ark_tag_row *const x = a;
    const ark_tag_row *const y = b;
    int order = (int)x->local - (int)y->local;
    order = order ? order : (int)x->receives - (int)y->receives;
    order = order ? order : hoist_order_i64(x->peer, y->peer);
    order = order ? order : hoist_order_i64(x->tag, y->tag);
    return order ? order : hoist_order_u64(x->memory, y->memory);
}

static bool tag_is_before(const void *tag, const void *row)
{
    return ark_tag_compare(tag, row) < 0;
}

const ark_tag_row *ark_rank_tag_from(const ark_rank *rank, const ark_tag_row *row)
{
    const size_t at =
        hoist_order_first(rank->tags, rank->tag_count, sizeof *rank->tags, tag_is_before, row);
    return at < rank->tag_count ? &rank->tags[at] : NULL;
}

// With memory 0 the row is the least of those with these members.
const ark_tag_row *ark_rank_find_tag(const ark_rank *rank, bool local, bool receives, int64_t peer,
                                     int64_t tag)
{
    const ark_tag_row row = {.local = local, .receives = receives, .peer = peer, .tag = tag};
    const ark_tag_row *const found = ark_rank_tag_from(rank, &row);
    const bool same = found && found->local == local && found->receives == receives &&
                      found->peer == peer && found->tag == tag;
    return same ? found : NULL;
}
