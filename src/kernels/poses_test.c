// Poses of maps: cases by hand, vectors of Coral's own decoder (libcoral, built apart), and what
// stops a run; views whose strides are not those of dense ones.
#include <math.h>
#include <string.h>

#include "base/reader.h"
#include "kernels/compute.h"
#include "ops/compute_plain.h"
#include "tensor/float_bits.h"
#include "testing/test.h"

enum { HEIGHT = 3, WIDTH = 4, KEYPOINTS = 17, MOST = 3, BYTES = 1 << 15, VIEWS = 5 };

// Three maps of 3 rows and 4 columns, and what is made of them.
typedef struct bench {
    uint8_t memory[VIEWS + 2][BYTES];
    hoist_view scores, shorts, mids, longs, roots, poses, masks;
    hoist_compute_fault fault;
} bench;

static hoist_view view_of(hoist_test *t, bench *b, size_t index, hoist_dtype dtype,
                          const hoist_shape *shape, int64_t gap)
{
    hoist_view view;
    const hoist_mut_bytes bytes = {b->memory[index], BYTES};
    HOIST_EXPECT_EQ(t, hoist_view_init(bytes, dtype, shape, 0, NULL, &view), HOIST_OK);
    for (int i = 0; i < shape->rank; i++) {
        view.stride[i] *= gap;
    }
    return view;
}

static bench *begin(hoist_test *t, int64_t gap)
{
    static bench b;
    const hoist_shape maps[] = {{.rank = 3, .dim = {HEIGHT, WIDTH, KEYPOINTS}},
                                {.rank = 3, .dim = {HEIGHT, WIDTH, 2 * KEYPOINTS}},
                                {.rank = 3, .dim = {HEIGHT, WIDTH, 64}}};
    const hoist_shape roots = {.rank = 1, .dim = {HEIGHT * WIDTH * KEYPOINTS}};
    const hoist_shape rows = {.rank = 2, .dim = {MOST + 1, HOIST_POSE_COLUMNS}};
    const hoist_shape masks = {.rank = 2, .dim = {MOST, HEIGHT * WIDTH}};
    memset(&b, 0, sizeof b);
    b.scores = view_of(t, &b, 0, HOIST_DTYPE_F32, &maps[0], gap);
    b.shorts = view_of(t, &b, 1, HOIST_DTYPE_F32, &maps[1], gap);
    b.mids = view_of(t, &b, 2, HOIST_DTYPE_F32, &maps[2], gap);
    b.longs = view_of(t, &b, 3, HOIST_DTYPE_F32, &maps[1], gap);
    b.roots = view_of(t, &b, 4, HOIST_DTYPE_I32, &roots, gap);
    b.poses = view_of(t, &b, 5, HOIST_DTYPE_F32, &rows, gap);
    b.masks = view_of(t, &b, 6, HOIST_DTYPE_F32, &masks, gap);
    return &b;
}

static uint8_t *element(const hoist_view *view, int64_t a, int64_t b, int64_t c)
{
    return view->memory.data + view->offset + a * view->stride[0] + b * view->stride[1] +
           (view->shape.rank > 2 ? c * view->stride[2] : 0);
}

static void put(const hoist_view *map, int64_t y, int64_t x, int64_t channel, float number)
{
    hoist_store_u32le(element(map, y, x, channel), hoist_f32_to_bits(number));
}

// A channel of a map, at all places.
static void fill(const hoist_view *map, int64_t channel, float number)
{
    for (int64_t i = 0; i < HEIGHT * WIDTH; i++) {
        put(map, i / WIDTH, i % WIDTH, channel, number);
    }
}

static float got(const hoist_view *view, int64_t a, int64_t b, int64_t c)
{
    return hoist_f32_from_bits(hoist_load_u32le(element(view, a, b, c)));
}

static hoist_status run(bench *b, hoist_compute_op op, hoist_compute_attrs attrs,
                        const hoist_view *views, size_t inputs)
{
    const hoist_compute_call call = {
        .op = op, .attrs = attrs, .views = views, .input_count = inputs};
    return hoist_compute_run(hoist_compute_kernels_at(HOIST_CPU_BASELINE), &call, 0,
                             hoist_compute_work(&call), &b->fault);
}

// Roots and poses, of 16 pixels between two places.
static hoist_status decode(bench *b, float score, float radius)
{
    const hoist_view roots[] = {b->scores, b->roots};
    const hoist_view poses[] = {b->roots, b->scores, b->shorts, b->mids, b->poses};
    const hoist_compute_attrs attrs = {
        {{.integer = MOST}, {.number = score}, {.integer = 16}, {.number = radius}}};
    HOIST_TRY(
        run(b, HOIST_TFLITE_POSE_ROOTS_F32, (hoist_compute_attrs){{{.number = score}}}, roots, 1));
    return run(b, HOIST_TFLITE_POSES_F32, attrs, poses, 4);
}

static hoist_status mask(bench *b)
{
    const hoist_view masks[] = {b->poses, b->longs, b->masks};
    return run(b, HOIST_TFLITE_POSE_MASKS_F32, (hoist_compute_attrs){{{.integer = 16}}}, masks, 2);
}

// The point of a keypoint, in pixels.
static void expect_point(hoist_test *t, const bench *b, int64_t pose, int64_t keypoint, float y,
                         float x)
{
    HOIST_EXPECT(t, got(&b->poses, pose, 2 * keypoint, 0) == y);
    HOIST_EXPECT(t, got(&b->poses, pose, 2 * keypoint + 1, 0) == x);
}

// The numbers of roots, of those that are there; the rest is -1.
static void expect_roots(hoist_test *t, const bench *b, size_t count, const int32_t *numbers)
{
    for (size_t i = 0; i < HEIGHT * WIDTH * KEYPOINTS; i++) {
        const uint8_t *bytes = b->roots.memory.data + (int64_t)i * b->roots.stride[0];
        HOIST_EXPECT_EQ(t, (int32_t)hoist_load_u32le(bytes), i < count ? numbers[i] : -1);
    }
}

// The place of a keypoint among the scores.
static int32_t number_of(int32_t y, int32_t x, int32_t keypoint)
{
    return (y * WIDTH + x) * KEYPOINTS + keypoint;
}

HOIST_TEST(one_pose)
{
    for (int64_t gap = 1; gap < 3; gap++) {
        bench *b = begin(t, gap);
        put(&b->scores, 1, 1, 0, 3);
        put(&b->mids, 1, 1, 16, 1);             // from the nose to the left eye: a column
        fill(&b->shorts, KEYPOINTS + 1, 0.25F); // of the left eye: five times a quarter
        put(&b->mids, 1, 3, 1, -0.5F);          // to its ear: half a row
        HOIST_EXPECT_EQ(t, decode(b, 0.5F, 10), HOIST_OK);
        expect_roots(t, b, 1, (int32_t[]){number_of(1, 1, 0)});
        HOIST_EXPECT(t, got(&b->poses, MOST, 0, 0) == 1);
        expect_point(t, b, 0, 0, 16, 16);
        expect_point(t, b, 0, 1, 16, 48); // the edge of the map
        expect_point(t, b, 0, 3, 8, 48);
        expect_point(t, b, 0, 2, 16, 16);
        expect_point(t, b, 0, 16, 16, 16);
        const float best = 1.0F / (1.0F + (float)exp(-3.0));
        HOIST_EXPECT(t, got(&b->poses, 0, 34, 0) == best);
        HOIST_EXPECT(t, got(&b->poses, 0, 35, 0) == 0.5F);
        HOIST_EXPECT(t, got(&b->poses, 0, 51, 0) == (best + 8.0F) / 17.0F);
        for (int64_t i = 0; i < HOIST_POSE_COLUMNS; i++) {
            HOIST_EXPECT(t, got(&b->poses, 1, i, 0) == 0);
        }
    }
}

// The way back from a wrist to the nose: offsets in the second half of the middle ones.
HOIST_TEST(ways_back)
{
    bench *b = begin(t, 1);
    put(&b->scores, 2, 3, 5, 3);
    put(&b->mids, 2, 3, 32 + 4, -1);      // y of edge 4, back
    put(&b->mids, 2, 3, 32 + 16 + 4, -2); // its x
    put(&b->mids, 2, 3, 5, -2);           // to the left elbow
    HOIST_EXPECT_EQ(t, decode(b, 0.5F, 10), HOIST_OK);
    expect_point(t, b, 0, 5, 32, 48);
    expect_point(t, b, 0, 0, 16, 16);
    expect_point(t, b, 0, 7, 0, 48);
    expect_point(t, b, 0, 9, 0, 48);
    expect_point(t, b, 0, 16, 16, 16);
}

// Of each keypoint the greatest of its neighbours, equal ones, too; by falling score.
HOIST_TEST(roots)
{
    bench *b = begin(t, 2);
    put(&b->scores, 0, 0, 0, 3);
    put(&b->scores, 1, 1, 0, 2); // beside a greater one
    put(&b->scores, 1, 1, 1, 4);
    put(&b->scores, 2, 3, 0, 3);
    put(&b->scores, 2, 2, 0, 3);     // equal to its neighbour
    put(&b->scores, 0, 3, 2, 0.01F); // below 0.51
    put(&b->scores, 0, 3, 3, NAN);
    HOIST_EXPECT_EQ(t, decode(b, 0.51F, 10), HOIST_OK);
    expect_roots(t, b, 4,
                 (int32_t[]){number_of(1, 1, 1), number_of(2, 2, 0), number_of(0, 0, 0),
                             number_of(2, 3, 0)});
}

// A root within the radius of its keypoint in a pose is none; one beyond is another pose.
HOIST_TEST(radius)
{
    static const float radii[] = {15.99F, 16};
    for (size_t i = 0; i < 2; i++) {
        bench *b = begin(t, 1);
        for (int64_t k = 0; k < KEYPOINTS; k++) {
            put(&b->scores, 1, 1, k, 3);
            put(&b->scores, 1, 2, k, 3);
        }
        HOIST_EXPECT_EQ(t, decode(b, 0.5F, radii[i]), HOIST_OK);
        HOIST_EXPECT(t, got(&b->poses, MOST, 0, 0) == (i == 0 ? 2 : 1));
    }
}

// Keypoints of the second pose that lie on those of the first do not count, so that it falls below
// the score, or not.
HOIST_TEST(keypoints_that_are_shared)
{
    static const float limits[] = {0.5F, 0.65F};
    for (size_t i = 0; i < 2; i++) {
        bench *b = begin(t, 1);
        for (int64_t k = 0; k < KEYPOINTS; k++) {
            fill(&b->scores, k, 2);
            put(&b->scores, 0, 0, k, 3);
        }
        put(&b->scores, 2, 3, 0, 4);
        put(&b->mids, 2, 3, 0, -2); // to the first one's left eye
        put(&b->mids, 2, 3, 16, -3);
        HOIST_EXPECT_EQ(t, decode(b, limits[i], 10), HOIST_OK);
        HOIST_EXPECT(t, got(&b->poses, MOST, 0, 0) >= 1);
        HOIST_EXPECT(t, got(&b->poses, 0, 51, 0) >= got(&b->poses, 1, 51, 0));
    }
}

// Places of the left half belong to the one of the left; without long offsets all keypoints of a
// place are where it is. Numbers are in the order that the operator has, which is not by rows.
HOIST_TEST(masks)
{
    static const uint8_t expected[] = {0, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 0, //
                                       1, 1, 0, 1, 1, 0, 1, 1, 0, 0, 0, 0};
    bench *b = begin(t, 2);
    for (int64_t k = 0; k < KEYPOINTS; k++) {
        put(&b->scores, 1, 0, k, 3);
        put(&b->scores, 1, 3, k, 4);
    }
    HOIST_EXPECT_EQ(t, decode(b, 0.5F, 10), HOIST_OK);
    HOIST_EXPECT_EQ(t, mask(b), HOIST_OK);
    for (int64_t i = 0; i < MOST * HEIGHT * WIDTH; i++) {
        const uint8_t number = i < (int64_t)sizeof expected ? expected[i] : 0;
        HOIST_EXPECT(t, got(&b->masks, i / (HEIGHT * WIDTH), i % (HEIGHT * WIDTH), 0) == number);
    }
}

// Three steps of two thirds lead to the other one.
HOIST_TEST(masks_by_long_offsets)
{
    bench *b = begin(t, 1);
    for (int64_t k = 0; k < KEYPOINTS; k++) {
        put(&b->scores, 1, 0, k, 3);
        put(&b->scores, 1, 3, k, 4);
        fill(&b->longs, KEYPOINTS + k, 0.6F);
    }
    HOIST_EXPECT_EQ(t, decode(b, 0.5F, 10), HOIST_OK);
    HOIST_EXPECT_EQ(t, mask(b), HOIST_OK);
    HOIST_EXPECT(t, got(&b->masks, 0, 0, 0) == 1); // 0 and 1.8: nearer to 3 than to 0
    HOIST_EXPECT(t, got(&b->masks, 1, 0, 0) == 0);
}

HOIST_TEST(no_pose)
{
    bench *b = begin(t, 1);
    HOIST_EXPECT_EQ(t, decode(b, 0.6F, 10), HOIST_OK);
    HOIST_EXPECT(t, got(&b->poses, MOST, 0, 0) == 0);
    HOIST_EXPECT_EQ(t, mask(b), HOIST_OK);
    HOIST_EXPECT(t, got(&b->masks, 0, 0, 0) == 0);
}

static const struct {
    const char *name;
    enum { SHORT, MID, SCORE, ROOT, COUNT, LONG } at;
    const char *what;
} stops[] = {
    {"a short offset", SHORT, "an offset that is no number"},
    {"a middle offset", MID, "an offset that is no number"},
    {"a score between places", SCORE, "a score that is no number"},
    {"a root", ROOT, "a root that is no place of the scores"},
    {"a number of poses", COUNT, "a number of poses that cannot be"},
    {"a long offset", LONG, "an offset that is no number"},
};

HOIST_TEST_TABLE(what_stops_a_run, stops)
{
    bench *b = begin(t, 1);
    hoist_status status = HOIST_OK;
    put(&b->scores, 1, 1, 0, 3);
    put(row->at == SHORT ? &b->shorts : &b->mids, 1, 1, 0, row->at <= MID ? NAN : 0);
    put(&b->scores, 1, 1, 4, row->at == SCORE ? NAN : 0);
    put(&b->longs, 2, 2, 20, row->at == LONG ? NAN : 0);
    status = decode(b, 0.5F, 10);
    if (row->at == ROOT) {
        const hoist_view poses[] = {b->roots, b->scores, b->shorts, b->mids, b->poses};
        const hoist_compute_attrs attrs = {
            {{.integer = MOST}, {.number = 0.5F}, {.integer = 16}, {.number = 10}}};
        hoist_store_u32le(b->roots.memory.data, HEIGHT * WIDTH * KEYPOINTS);
        status = run(b, HOIST_TFLITE_POSES_F32, attrs, poses, 4);
    } else if (row->at >= COUNT) {
        HOIST_EXPECT_EQ(t, status, HOIST_OK);
        put(&b->poses, MOST, 0, 0, row->at == COUNT ? MOST + 1 : 1);
        status = mask(b);
    }
    HOIST_EXPECT_EQ(t, status, HOIST_INVALID);
    HOIST_EXPECT_STR(t, hoist_str_from(b->fault.what ? b->fault.what : ""), row->what);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(one_pose), HOIST_TEST_ROW(ways_back), HOIST_TEST_ROW(roots),
                HOIST_TEST_ROW(radius), HOIST_TEST_ROW(keypoints_that_are_shared),
                HOIST_TEST_ROW(masks), HOIST_TEST_ROW(masks_by_long_offsets),
                HOIST_TEST_ROW(no_pose), HOIST_TEST_ROW(what_stops_a_run))
