// Boxes of an SSD head, decoded, and those that overlap a better one left out (ops/compute_plain.h;
// TFLite's detection_postprocess). Boxes that are kept are rows of the output, so that nothing else
// is remembered: the next candidate is the best one after the last, and it is compared with them.
#include <math.h>

#include "kernels/compute_table.h"
#include "kernels/float_rows.h"
#include "ops/compute_plain.h"

extern const hoist_compute_group hoist_detections_group;

enum { BOX = 4, CLASS = BOX, SCORE, COLUMNS };

typedef struct box {
    float top, left, bottom, right;
} box;

// A call, and what is the same for all of its boxes.
typedef struct head {
    const hoist_compute_call *call;
    int64_t boxes, classes;
    int64_t background; // classes before the first that counts
    int64_t most;       // boxes that are kept
    int64_t each;       // rows of one that is kept
    float least_score, most_overlap;
} head;

// Attributes of the call, by their kinds.
static int64_t integer(const hoist_compute_call *call, size_t index)
{
    return call->attrs.value[index].integer;
}

static float real(const hoist_compute_call *call, size_t index)
{
    return call->attrs.value[index].number;
}

// A number of the output, which is a matrix.
static void put(const head *h, int64_t row, int64_t column, float number)
{
    hoist_row_store(&h->call->views[3], row, column, number);
}

// Columns of scores before the classes are for the background.
static float score_of(const head *h, int64_t index, int64_t class)
{
    return hoist_row_float(&h->call->views[1], index, class + h->background);
}

// Boxes -----------------------------------------------------------------------------------------

// One axis: centre and size of a box in those of its anchor, in double as TFLite has them.
static void decode_axis(const head *h, int64_t index, int64_t axis, float *out_low, float *out_high)
{
    const hoist_view *encoded = &h->call->views[0];
    const hoist_view *anchors = &h->call->views[2];
    const double scale = (double)real(h->call, HOIST_DETECTIONS_Y_SCALE + (size_t)axis);
    const double scale_of_size = (double)real(h->call, HOIST_DETECTIONS_H_SCALE + (size_t)axis);
    const double size = (double)hoist_row_float(anchors, index, axis + 2);
    const float centre = (float)((double)hoist_row_float(encoded, index, axis) / scale * size +
                                 (double)hoist_row_float(anchors, index, axis));
    // Sizes are encoded as logarithms.
    const float half =
        (float)(0.5 * exp((double)hoist_row_float(encoded, index, axis + 2) / scale_of_size) *
                size);
    *out_low = centre - half;
    *out_high = centre + half;
}

// The box of a row, decoded anew each time it is needed: nothing is kept for it.
static box box_of(const head *h, int64_t index)
{
    box b;
    decode_axis(h, index, 0, &b.top, &b.bottom);
    decode_axis(h, index, 1, &b.left, &b.right);
    return b;
}

// A box of the output, as it was put there.
static box kept_box(const head *h, int64_t row)
{
    const hoist_view *y = &h->call->views[3];
    return (box){hoist_row_float(y, row, 0), hoist_row_float(y, row, 1), hoist_row_float(y, row, 2),
                 hoist_row_float(y, row, 3)};
}

// With a NaN the first operand comes out.
static float greater(float a, float b)
{
    return a < b ? b : a;
}

static float lesser(float a, float b)
{
    return b < a ? b : a;
}

// The area that both have over the area that either has.
static float overlap_of(box a, box b)
{
    const float area_a = (a.bottom - a.top) * (a.right - a.left);
    const float area_b = (b.bottom - b.top) * (b.right - b.left);
    // Without an area there is no share of it.
    if (area_a <= 0 || area_b <= 0) {
        return 0;
    }
    const float height = greater(lesser(a.bottom, b.bottom) - greater(a.top, b.top), 0);
    const float width = greater(lesser(a.right, b.right) - greater(a.left, b.left), 0);
    const float both = height * width;
    return both / (area_a + area_b - both);
}

// A row of the output: the box, its class and its score.
static void put_row(const head *h, int64_t row, box b, float class, float score)
{
    const float numbers[COLUMNS] = {b.top, b.left, b.bottom, b.right, class, score};
    for (int64_t i = 0; i < COLUMNS; i++) {
        put(h, row, i, numbers[i]);
    }
}

// Candidates ------------------------------------------------------------------------------------

// A box by its score, of one class or (-1) of the best of all.
typedef struct candidate {
    int64_t index; // -1: before the first, or none
    float score;
} candidate;

// The first of the greatest after `from`, whose score is at most `limit`; of equal ones, those
// after `after` only. -1: none.
static int64_t best_class(const head *h, int64_t index, float limit, int64_t after)
{
    int64_t best = -1;
    for (int64_t class = 0; class < h->classes; class ++) {
        const float score = score_of(h, index, class);
        const bool is_left = after < 0 || score < limit || (score == limit && class > after);
        if (is_left && (best < 0 || score > score_of(h, index, best))) {
            best = class;
        }
    }
    return best;
}

// By the class that is looked for, or the best of all.
static float candidate_score(const head *h, int64_t index, int64_t class)
{
    const int64_t of = class >= 0 ? class : best_class(h, index, 0, -1);
    return score_of(h, index, of);
}

// By falling score; of equal ones by rising index.
static candidate next_candidate(const head *h, int64_t class, candidate last)
{
    candidate best = {.index = -1};
    for (int64_t i = 0; i < h->boxes; i++) {
        const float score = candidate_score(h, i, class);
        const bool is_left =
            last.index < 0 || score < last.score || (score == last.score && i > last.index);
        if (is_left && score >= h->least_score && (best.index < 0 || score > best.score)) {
            best = (candidate){i, score};
        }
    }
    return best;
}

// Whether it overlaps one of the first `count` that are kept; of one class, where that is not -1.
static bool is_covered(const head *h, box b, int64_t class, int64_t count)
{
    bool covered = false;
    for (int64_t i = 0; i < count && !covered; i++) {
        const int64_t row = i * h->each;
        const bool is_of_class =
            class < 0 || hoist_row_float(&h->call->views[3], row, CLASS) == (float)class;
        covered = is_of_class && overlap_of(kept_box(h, row), b) > h->most_overlap;
    }
    return covered;
}

// The best class of each box decides; its best classes are the rows.
static int64_t keep_fast(const head *h)
{
    const int64_t shown = h->each < h->classes ? h->each : h->classes;
    int64_t count = 0;
    candidate c = {.index = -1};
    while (count < h->most && (c = next_candidate(h, -1, c)).index >= 0) {
        const box b = box_of(h, c.index);
        // A better box is there already.
        if (is_covered(h, b, -1, count)) {
            continue;
        }
        int64_t class = -1;
        for (int64_t i = 0; i < shown; i++) {
            class = best_class(h, c.index, class < 0 ? 0 : score_of(h, c.index, class), class);
            put_row(h, count * h->each + i, b, (float)class, score_of(h, c.index, class));
        }
        count++;
    }
    return count;
}

// Puts a row among those that are kept, by falling score, before equal ones of other classes. The
// last one falls out where there are `most`. False: it would be the one.
static bool insert(const head *h, int64_t *count, box b, int64_t class, float score)
{
    const hoist_view *y = &h->call->views[3];
    int64_t at = *count;
    while (at > 0 && (hoist_row_float(y, at - 1, SCORE) < score ||
                      (hoist_row_float(y, at - 1, SCORE) == score &&
                       hoist_row_float(y, at - 1, CLASS) != (float)class))) {
        at--;
    }
    if (at == h->most) {
        return false;
    }
    *count += *count < h->most;
    for (int64_t row = *count - 1; row > at; row--) {
        put_row(h, row, kept_box(h, row - 1), hoist_row_float(y, row - 1, CLASS),
                hoist_row_float(y, row - 1, SCORE));
    }
    put_row(h, at, b, (float)class, score);
    return true;
}

// Each class by itself. One of a class never falls out for another one of it.
static int64_t keep_regular(const head *h)
{
    const int64_t limit = integer(h->call, HOIST_DETECTIONS_PER_CLASS);
    int64_t count = 0;
    for (int64_t class = 0; class < h->classes; class ++) {
        candidate c = {.index = -1};
        int64_t of_class = 0;
        bool fits = true;
        while (fits && of_class < limit && (c = next_candidate(h, class, c)).index >= 0) {
            const box b = box_of(h, c.index);
            if (!is_covered(h, b, class, count)) {
                fits = insert(h, &count, b, class, c.score);
                of_class++;
            }
        }
    }
    return count;
}

// The call ----------------------------------------------------------------------------------------

// Boxes depend on each other: the call is one unit.
static size_t one(const hoist_compute_call *call)
{
    (void)call;
    return 1;
}

static bool boxes_are_good(const head *h, hoist_compute_fault *out_fault)
{
    for (int64_t i = 0; i < h->boxes; i++) {
        const box b = box_of(h, i);
        if (!(b.top < b.bottom && b.left < b.right)) {
            // The size of the anchor along the first axis that has no length.
            const int64_t col = b.top < b.bottom ? 3 : 2;
            *out_fault = (hoist_compute_fault){.what = "a box without an area",
                                               .row = (uint64_t)i,
                                               .col = (uint64_t)col,
                                               .value = hoist_row_float(&h->call->views[2], i, col),
                                               .operand = 3};
            return false;
        }
    }
    return true;
}

static hoist_status detections(const hoist_compute_call *call, size_t begin, size_t end,
                               hoist_compute_fault *out_fault)
{
    const bool is_regular = integer(call, HOIST_DETECTIONS_REGULAR) != 0;
    const head h = {.call = call,
                    .boxes = call->views[1].shape.dim[0],
                    .classes = integer(call, HOIST_DETECTIONS_CLASSES),
                    .background =
                        call->views[1].shape.dim[1] - integer(call, HOIST_DETECTIONS_CLASSES),
                    .most = integer(call, HOIST_DETECTIONS_MOST),
                    .each = is_regular ? 1 : integer(call, HOIST_DETECTIONS_EACH),
                    .least_score = real(call, HOIST_DETECTIONS_SCORE),
                    .most_overlap = real(call, HOIST_DETECTIONS_OVERLAP)};
    const int64_t rows = call->views[3].shape.dim[0];
    // No unit, and so no boxes.
    if (begin == end) {
        return HOIST_OK;
    }
    if (!boxes_are_good(&h, out_fault)) {
        return HOIST_INVALID;
    }
    // Rows that no box takes are zeros.
    for (int64_t row = 0; row < rows; row++) {
        put_row(&h, row, (box){0, 0, 0, 0}, 0, 0);
    }
    // The last row says how many boxes there are.
    put(&h, rows - 1, 0, (float)(is_regular ? keep_regular(&h) : keep_fast(&h)));
    return HOIST_OK;
}

enum { FIRST = HOIST_TFLITE_DETECTIONS_F32 };

static const hoist_compute_row group_rows[] = {
    [HOIST_TFLITE_DETECTIONS_F32 - FIRST] = {.work = one, .run = detections},
};
const hoist_compute_group hoist_detections_group = {FIRST, HOIST_COUNT_OF(group_rows), group_rows};
