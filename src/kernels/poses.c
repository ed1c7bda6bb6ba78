// Poses of PoseNet and BodyPix from maps of keypoints, decoded by the greedy algorithm of PersonLab
// (Papandreou et al. 2018) as Coral's PosenetDecoderOp has it; rows of ops/compute_plain.h.
// pose_roots_f32 lists the greatest scores, poses_f32 follows the offsets from each of them through
// the tree of keypoints, pose_masks_f32 gives each place of the image to the nearest pose. What is
// remembered is in the outputs. score_queue.h has the order of equal scores.
#include <math.h>

#include "base/assert.h"
#include "kernels/compute_table.h"
#include "kernels/float_rows.h"
#include "kernels/score_queue.h"
#include "ops/compute_plain.h"

extern const hoist_compute_group hoist_poses_group;

enum {
    KEYPOINTS = HOIST_POSE_KEYPOINTS,
    EDGES = HOIST_POSE_EDGES,
    SCORES = 2 * KEYPOINTS, // columns of a pose after its points
    SCORE = SCORES + KEYPOINTS,
    COLUMNS = HOIST_POSE_COLUMNS,
    REFINEMENTS = 5, // of a keypoint by short offsets
    HOPS = 3,        // of a place by long offsets
};

// A place of the image or of a map, between whole ones.
typedef struct point {
    float y, x;
} point;

// A number of a map [H, W, C].
static float map_at(const hoist_view *map, int64_t y, int64_t x, int64_t channel)
{
    return hoist_float_load(hoist_row_element(map, y, x) + channel * map->stride[2]);
}

static float attr(const hoist_compute_call *call, size_t index)
{
    return call->attrs.value[index].number;
}

// What is found depends on what was found before: a call is one unit.
static size_t one(const hoist_compute_call *call)
{
    (void)call;
    return 1;
}

// Notes why the call stops, and is false for its caller to return.
static bool stop(hoist_compute_fault *out_fault, const char *what, point at, float value)
{
    *out_fault = (hoist_compute_fault){
        .what = what, .row = (uint64_t)at.y, .col = (uint64_t)at.x, .value = value};
    return false;
}

// Maps ------------------------------------------------------------------------------------------

// NaN stays.
static float within(float number, float low, float high)
{
    return number < low ? low : high < number ? high : number;
}

// The two places around a coordinate, and how far it is from the first.
typedef struct between {
    int64_t low, high;
    float part;
} between;

static between between_of(float at, int64_t extent)
{
    // The edge of the map is as far as it goes.
    const float inside = within(at, 0, (float)extent - 1.0F);
    const int64_t low = (int64_t)floorf(inside);
    return (between){low, (int64_t)ceilf(inside), at - (float)low};
}

// A map between its places, linear in both directions. The point is inside of it.
static float sample(const hoist_view *map, point at, int64_t channel)
{
    const between y = between_of(at.y, map->shape.dim[0]);
    const between x = between_of(at.x, map->shape.dim[1]);
    // Along x above and below, then along y.
    const float top = (1.0F - x.part) * map_at(map, y.low, x.low, channel) +
                      x.part * map_at(map, y.low, x.high, channel);
    const float bottom = (1.0F - x.part) * map_at(map, y.high, x.low, channel) +
                         x.part * map_at(map, y.high, x.high, channel);
    return (1.0F - y.part) * top + y.part * bottom;
}

// By an offset, as far as the edge of the map. False: the offset is NaN.
static bool move(const hoist_view *map, point *p, point by, hoist_compute_fault *out_fault)
{
    // NaN leads to no place of a map.
    if (isnan(by.y) || isnan(by.x)) {
        return stop(out_fault, "an offset that is no number", *p, isnan(by.y) ? by.y : by.x);
    }
    p->y = within(p->y + by.y, 0, (float)map->shape.dim[0] - 1.0F);
    p->x = within(p->x + by.x, 0, (float)map->shape.dim[1] - 1.0F);
    return true;
}

// `count` times by the offsets where it is, in the channels of its y and its x.
static bool follow(const hoist_view *map, point *p, int64_t y, int64_t x, int count,
                   hoist_compute_fault *out_fault)
{
    for (int i = 0; i < count; i++) {
        // The offset is that of where the point is now.
        const point by = {sample(map, *p, y), sample(map, *p, x)};
        if (!move(map, p, by, out_fault)) {
            return false;
        }
    }
    return true;
}

// Roots -----------------------------------------------------------------------------------------

// A place and keypoint by its number among the scores.
typedef struct root {
    int64_t y, x, keypoint;
} root;

static root root_of(const hoist_view *scores, int64_t number)
{
    const int64_t keypoints = scores->shape.dim[2];
    // Numbers go through keypoints first, then columns, then rows.
    const int64_t spot = number / keypoints;
    return (root){spot / scores->shape.dim[1], spot % scores->shape.dim[1], number % keypoints};
}

// For the queue: the score of the place that a number stands for.
static float root_score(const void *of, int32_t number)
{
    const hoist_view *scores = of;
    const root r = root_of(scores, number);
    return map_at(scores, r.y, r.x, r.keypoint);
}

// Whether none of the eight around it is greater.
static bool is_peak(const hoist_view *scores, root r)
{
    const float score = map_at(scores, r.y, r.x, r.keypoint);
    bool is_greatest = true;
    for (int64_t y = r.y - 1; y <= r.y + 1; y++) {
        for (int64_t x = r.x - 1; x <= r.x + 1; x++) {
            // Places outside of the map are no rivals.
            const bool is_inside =
                y >= 0 && y < scores->shape.dim[0] && x >= 0 && x < scores->shape.dim[1];
            is_greatest = is_greatest && !(is_inside && map_at(scores, y, x, r.keypoint) > score);
        }
    }
    return is_greatest;
}

// The logarithm of the odds of a probability, in double.
static float logit(float probability)
{
    return (float)-log(1.0 / ((double)probability + 1e-6) - 1.0);
}

// The heap and then the list are in the output: a number that is taken goes to the end.
static hoist_status run_roots(const hoist_compute_call *call, size_t begin, size_t end,
                              hoist_compute_fault *out_fault)
{
    const hoist_view *scores = &call->views[0];
    const hoist_view *y = &call->views[1];
    const int64_t all = y->shape.dim[0];
    const float least = logit(attr(call, HOIST_POSE_ROOTS_SCORE));
    hoist_score_queue queue = {.items = y->memory.data + y->offset,
                               .stride = y->stride[0],
                               .score = root_score,
                               .of = scores};
    (void)out_fault;
    for (int64_t i = 0; begin < end && i < all; i++) {
        const root r = root_of(scores, i);
        // Scores are odds: the threshold was made one, too.
        if (map_at(scores, r.y, r.x, r.keypoint) >= least && is_peak(scores, r)) {
            hoist_score_queue_push(&queue, (int32_t)i);
        }
    }
    const int64_t found = queue.count;
    for (int64_t i = found; begin < end && i < all; i++) {
        hoist_score_queue_put(&queue, i, -1);
    }
    while (queue.count > 0) {
        const int32_t first = hoist_score_queue_pop(&queue);
        hoist_score_queue_put(&queue, queue.count, first);
    }
    for (int64_t i = 0; i < found / 2; i++) {
        const int32_t low = hoist_score_queue_at(&queue, i);
        hoist_score_queue_put(&queue, i, hoist_score_queue_at(&queue, found - 1 - i));
        hoist_score_queue_put(&queue, found - 1 - i, low);
    }
    return HOIST_OK;
}

// Poses -----------------------------------------------------------------------------------------

// A call, and what is the same for all of its poses.
typedef struct decoder {
    const hoist_view *roots, *scores, *shorts, *mids, *y;
    float score, radius; // radius: squared, in places
    hoist_compute_fault *fault;
} decoder;

// From a keypoint to another one.
typedef struct edge {
    uint8_t from, to;
} edge;

// The tree of keypoints, in the order of the map's channels.
static const edge edges[EDGES] = {{0, 1},  {1, 3},  {0, 2},   {2, 4},   {0, 5}, {5, 7},
                                  {7, 9},  {5, 11}, {11, 13}, {13, 15}, {0, 6}, {6, 8},
                                  {8, 10}, {6, 12}, {12, 14}, {14, 16}};

// Keypoints that were found, and those still to be taken, by their scores.
typedef struct walk {
    struct found {
        point at;
        int64_t keypoint;
        float score;
    } found[KEYPOINTS];
    int32_t count; // of found: the edges are a tree, so that each keypoint is found once
    hoist_score_queue queue;
    uint8_t items[KEYPOINTS * sizeof(int32_t)];
} walk;

// For the queue of a walk.
static float found_score(const void *of, int32_t number)
{
    return ((const walk *)of)->found[number].score;
}

// Adds a keypoint with the score that the map has where it is.
static bool find(const decoder *d, walk *w, point at, int64_t keypoint)
{
    const float score = sample(d->scores, at, keypoint);
    if (isnan(score)) {
        return stop(d->fault, "a score that is no number", at, score);
    }
    HOIST_ASSERT(w->count < KEYPOINTS);
    // The number of the find is what the queue has.
    w->found[w->count] = (struct found){at, keypoint, score};
    hoist_score_queue_push(&w->queue, w->count++);
    return true;
}

// Of an edge, or (backward) of the way back: offsets of y, then of x, first of all edges, then of
// all ways back.
static bool find_next(const decoder *d, walk *w, const struct found *from, int64_t number,
                      bool backward)
{
    const int64_t channel = number + (backward ? 2 * EDGES : 0);
    const int64_t to = backward ? edges[number].from : edges[number].to;
    // One long step by the map of edges, then small ones towards the keypoint itself.
    point at = from->at;
    return follow(d->mids, &at, channel, channel + EDGES, 1, d->fault) &&
           follow(d->shorts, &at, to, to + KEYPOINTS, REFINEMENTS, d->fault) && find(d, w, at, to);
}

// The keypoint of the best score is next. Columns of `row`: points and scores, as odds.
static bool decode(const decoder *d, int64_t row, point at, int64_t keypoint)
{
    bool taken[KEYPOINTS] = {false};
    walk w = {.count = 0};
    w.queue = (hoist_score_queue){
        .items = w.items, .stride = sizeof(int32_t), .score = found_score, .of = &w};
    bool good = find(d, &w, at, keypoint);
    while (good && w.queue.count > 0) {
        const struct found *f = &w.found[hoist_score_queue_pop(&w.queue)];
        hoist_row_store(d->y, row, 2 * f->keypoint, f->at.y);
        hoist_row_store(d->y, row, 2 * f->keypoint + 1, f->at.x);
        hoist_row_store(d->y, row, SCORES + f->keypoint, f->score);
        // Its neighbours may be found from here, this one no more.
        taken[f->keypoint] = true;
        for (int64_t i = 0; i < 2 * EDGES && good; i++) {
            const edge *e = &edges[i % EDGES];
            // All edges are gone through forwards, then all backwards.
            const bool backward = i >= EDGES;
            const int64_t from = backward ? e->to : e->from;
            if (from == f->keypoint && !taken[backward ? e->from : e->to]) {
                good = find_next(d, &w, f, i % EDGES, backward);
            }
        }
    }
    return good;
}

// Squared, as only comparisons need it.
static float distance(point a, point b)
{
    const float dy = b.y - a.y;
    const float dx = b.x - a.x;
    return dy * dy + dx * dx;
}

// A keypoint of a pose.
static point point_of(const hoist_view *poses, int64_t row, int64_t keypoint)
{
    return (point){hoist_row_float(poses, row, 2 * keypoint),
                   hoist_row_float(poses, row, 2 * keypoint + 1)};
}

// Whether a pose that was found already has this keypoint about here.
static bool is_near(const decoder *d, int64_t count, point at, int64_t keypoint)
{
    bool near = false;
    for (int64_t i = 0; i < count && !near; i++) {
        near = distance(at, point_of(d->y, i, keypoint)) <= d->radius;
    }
    return near;
}

// The mean of a pose's scores, those that are hidden as 0, summed from the greatest on.
static float mean_score(const decoder *d, int64_t row, const bool *hidden)
{
    float sorted[KEYPOINTS];
    float sum = 0;
    int count = 0;
    for (int64_t k = 0; k < KEYPOINTS; k++) {
        const float score = hoist_row_float(d->y, row, SCORES + k);
        // An insertion sort, as the order of a sum of floats counts.
        int at = hidden[k] ? -1 : count++;
        while (at > 0 && sorted[at - 1] < score) {
            sorted[at] = sorted[at - 1];
            at--;
        }
        if (at >= 0) {
            sorted[at] = score;
        }
    }
    for (int i = 0; i < count; i++) {
        sum += sorted[i];
    }
    return sum / KEYPOINTS;
}

// Makes a pose of a root, unless one that is known is there. False: the call stops.
static bool decode_root(const decoder *d, int64_t number, int64_t *count)
{
    const root r = root_of(d->scores, number);
    const point by = {map_at(d->shorts, r.y, r.x, r.keypoint),
                      map_at(d->shorts, r.y, r.x, r.keypoint + KEYPOINTS)};
    // At first all keypoints count.
    const bool none[KEYPOINTS] = {false};
    point at = {(float)r.y, (float)r.x};
    if (!move(d->scores, &at, by, d->fault)) {
        return false;
    }
    // The pose is known already.
    if (is_near(d, *count, at, r.keypoint)) {
        return true;
    }
    if (!decode(d, *count, at, r.keypoint)) {
        return false;
    }
    for (int64_t k = SCORES; k < SCORE; k++) {
        const double odds = (double)hoist_row_float(d->y, *count, k);
        // From odds to probabilities.
        hoist_row_store(d->y, *count, k, 1.0F / (1.0F + (float)exp(-odds)));
    }
    const float score = mean_score(d, *count, none);
    hoist_row_store(d->y, *count, SCORE, score);
    // A pose of too low a score is overwritten by the next one.
    *count += score >= d->score;
    return true;
}

// By falling score, of equal ones the first.
static void sort(const decoder *d, int64_t count, int16_t *order)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t at = i;
        while (at > 0 &&
               hoist_row_float(d->y, order[at - 1], SCORE) < hoist_row_float(d->y, i, SCORE)) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = (int16_t)i;
    }
}

// Keypoints near those of a better pose do not count.
static void score_again(const decoder *d, int64_t count, const int16_t *order)
{
    for (int64_t i = 0; i < count; i++) {
        bool hidden[KEYPOINTS] = {false};
        for (int64_t k = 0; k < KEYPOINTS; k++) {
            const point at = point_of(d->y, order[i], k);
            for (int64_t j = 0; j < i && !hidden[k]; j++) {
                hidden[k] = distance(at, point_of(d->y, order[j], k)) <= d->radius;
            }
        }
        hoist_row_store(d->y, order[i], SCORE, mean_score(d, order[i], hidden));
    }
}

// Exchanges two poses.
static void swap(const decoder *d, int64_t a, int64_t b)
{
    for (int64_t i = 0; i < COLUMNS; i++) {
        const float number = hoist_row_float(d->y, a, i);
        hoist_row_store(d->y, a, i, hoist_row_float(d->y, b, i));
        hoist_row_store(d->y, b, i, number);
    }
}

// Rows in the order of the list: a row that was moved is found where it went.
static void arrange(const decoder *d, int64_t count, const int16_t *order)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t from = order[i];
        while (from < i) {
            from = order[from];
        }
        swap(d, i, from);
    }
}

// A row of zeros.
static void clear(const decoder *d, int64_t row)
{
    for (int64_t i = 0; i < COLUMNS; i++) {
        hoist_row_store(d->y, row, i, 0);
    }
}

// Roots by falling score, until there are enough poses or no roots.
static bool decode_all(const decoder *d, int64_t most, int64_t *out_count)
{
    const int64_t all = d->roots->shape.dim[0];
    bool good = true;
    for (int64_t i = 0; i < all && *out_count < most && good; i++) {
        const uint8_t *bytes = d->roots->memory.data + d->roots->offset + i * d->roots->stride[0];
        const int32_t number = (int32_t)hoist_load_u32le(bytes);
        // The list of roots ends.
        if (number < 0) {
            break;
        }
        good = number < all ? decode_root(d, number, out_count)
                            : stop(d->fault, "a root that is no place of the scores",
                                   (point){(float)i, 0}, (float)number);
    }
    return good;
}

static hoist_status run_poses(const hoist_compute_call *call, size_t begin, size_t end,
                              hoist_compute_fault *out_fault)
{
    const int64_t most = call->attrs.value[HOIST_POSES_MOST].integer;
    const float stride = (float)call->attrs.value[HOIST_POSES_STRIDE].integer;
    const float radius = attr(call, HOIST_POSES_RADIUS) / stride;
    // Numbers of poses by their scores.
    int16_t order[HOIST_POSES_LIMIT];
    int64_t count = 0;
    int64_t kept = 0;
    const decoder d = {.roots = &call->views[0],
                       .scores = &call->views[1],
                       .shorts = &call->views[2],
                       .mids = &call->views[3],
                       .y = &call->views[4],
                       .score = attr(call, HOIST_POSES_SCORE),
                       .radius = radius * radius,
                       .fault = out_fault};
    if (begin == end) {
        return HOIST_OK;
    }
    if (!decode_all(&d, most, &count)) {
        return HOIST_INVALID;
    }
    // By their first scores, as better poses hide keypoints of others; then by the new ones.
    sort(&d, count, order);
    score_again(&d, count, order);
    sort(&d, count, order);
    arrange(&d, count, order);
    // Poses below the threshold are at the end now.
    while (kept < count && hoist_row_float(d.y, kept, SCORE) >= d.score) {
        for (int64_t i = 0; i < SCORES; i++) {
            hoist_row_store(d.y, kept, i, hoist_row_float(d.y, kept, i) * stride);
        }
        kept++;
    }
    for (int64_t row = kept; row <= most; row++) {
        clear(&d, row);
    }
    // The row behind all poses says how many there are.
    hoist_row_store(d.y, most, 0, (float)kept);
    return HOIST_OK;
}

// Masks -----------------------------------------------------------------------------------------

// The pose whose keypoints are nearest to these, of equal ones the first; -1: there is none.
static int64_t nearest(const hoist_view *poses, int64_t count, const point *points)
{
    int64_t pose = -1;
    float best = 0;
    for (int64_t i = 0; i < count; i++) {
        float sum = 0;
        for (int64_t k = 0; k < KEYPOINTS; k++) {
            sum += distance(points[k], point_of(poses, i, k));
        }
        if (pose < 0 || sum < best) {
            best = sum;
            pose = i;
        }
    }
    return pose;
}

// Where the long offsets lead from a place, for each keypoint.
static bool embed(const hoist_compute_call *call, point from, point *points,
                  hoist_compute_fault *out_fault)
{
    const float stride = (float)call->attrs.value[HOIST_POSE_MASKS_STRIDE].integer;
    bool good = true;
    for (int64_t k = 0; k < KEYPOINTS && good; k++) {
        point at = from;
        good = follow(&call->views[1], &at, k, k + KEYPOINTS, HOPS, out_fault);
        points[k] = (point){at.y * stride, at.x * stride};
    }
    return good;
}

static hoist_status run_masks(const hoist_compute_call *call, size_t begin, size_t end,
                              hoist_compute_fault *out_fault)
{
    const hoist_view *poses = &call->views[0];
    const hoist_view *longs = &call->views[1];
    const hoist_view *masks = &call->views[2];
    const int64_t height = longs->shape.dim[0];
    const int64_t width = longs->shape.dim[1];
    const int64_t most = masks->shape.dim[0];
    // The masks are one list of numbers, cut into rows.
    const int64_t each = masks->shape.dim[1];
    const float count = hoist_row_float(poses, most, 0);
    // It comes from an operand, and may be NaN.
    if (!(count >= 0 && count <= (float)most)) {
        (void)stop(out_fault, "a number of poses that cannot be", (point){(float)most, 0}, count);
        return HOIST_INVALID;
    }
    for (int64_t i = 0; begin < end && i < most * each; i++) {
        hoist_row_store(masks, i / each, i % each, 0);
    }
    for (int64_t i = 0; begin < end && i < height * width; i++) {
        const point from = {(float)(i / width), (float)(i % width)};
        point points[KEYPOINTS];
        if (!embed(call, from, points, out_fault)) {
            return HOIST_INVALID;
        }
        const int64_t pose = nearest(poses, (int64_t)count, points);
        // As the operator has it: rows of masks that are not square overlap (ops/compute_plain.h).
        const int64_t at = (pose * width + i / width) * height + i % width;
        if (pose >= 0) {
            hoist_row_store(masks, at / each, at % each, 1);
        }
    }
    return HOIST_OK;
}

enum { FIRST = HOIST_TFLITE_POSE_ROOTS_F32 };

static const hoist_compute_row group_rows[] = {
    [HOIST_TFLITE_POSE_ROOTS_F32 - FIRST] = {.work = one, .run = run_roots},
    [HOIST_TFLITE_POSES_F32 - FIRST] = {.work = one, .run = run_poses},
    [HOIST_TFLITE_POSE_MASKS_F32 - FIRST] = {.work = one, .run = run_masks},
};
const hoist_compute_group hoist_poses_group = {FIRST, HOIST_COUNT_OF(group_rows), group_rows};
