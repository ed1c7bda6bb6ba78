// The algebra of views: which elements a view has, in which order, by the bytes where they are.
#include <stdio.h>

#include "base/buffer.h"
#include "lower/quant_testing.h"
#include "testing/test.h"

// Offsets of the elements of a view in C order, one after the other.
static hoist_str offsets(hoist_test *t, const hoist_lower_view *view)
{
    hoist_buffer text;
    hoist_buffer_init(&text, t->arena.alloc);
    const int64_t count = hoist_shape_count(&view->shape);
    for (int64_t i = 0; i < count; i++) {
        int64_t at = view->offset;
        int64_t rest = i;
        for (int d = view->shape.rank - 1; d >= 0; d--) {
            at += rest % view->shape.dim[d] * view->stride[d];
            rest /= view->shape.dim[d];
        }
        hoist_buffer_format(&text, "%s%d", i ? " " : "", (int)at);
    }
    const hoist_str kept = hoist_arena_str(&t->arena, hoist_buffer_text(&text));
    hoist_buffer_deinit(&text);
    return kept;
}

static const hoist_shape two_by_three = {.rank = 2, .dim = {2, 3}};

static hoist_lower_view i16s(const hoist_shape *shape)
{
    return hoist_lower_view_dense(7, HOIST_DTYPE_I16, shape);
}

HOIST_TEST(dense_views_are_in_c_order)
{
    const hoist_lower_view view = i16s(&two_by_three);
    HOIST_EXPECT_STR(t, offsets(t, &view), "0 2 4 6 8 10");
    HOIST_EXPECT(t, view.base == HOIST_VIEW_BUFFER && view.of == 7 && view.step == 0);
    HOIST_EXPECT(t, hoist_lower_view_is_dense(&view));
    const hoist_shape none = {.rank = 0};
    const hoist_lower_view scalar = hoist_lower_view_dense(0, HOIST_DTYPE_F32, &none);
    HOIST_EXPECT_STR(t, offsets(t, &scalar), "0");
    HOIST_EXPECT(t, hoist_lower_view_is_dense(&scalar));
}

HOIST_TEST(parts_begin_step_and_end_inside)
{
    const hoist_shape line = {.rank = 1, .dim = {6}};
    const hoist_lower_view all = i16s(&line);
    const hoist_lower_view odd = hoist_lower_view_part(&all, 0, (hoist_lower_range){1, 2, 3});
    HOIST_EXPECT_STR(t, offsets(t, &odd), "2 6 10");
    HOIST_EXPECT(t, !hoist_lower_view_is_dense(&odd));
    const hoist_lower_view back = hoist_lower_view_part(&odd, 0, (hoist_lower_range){2, -1, 3});
    HOIST_EXPECT_STR(t, offsets(t, &back), "10 6 2");
    const hoist_lower_view table = i16s(&two_by_three);
    const hoist_lower_view row = hoist_lower_view_part(&table, 0, (hoist_lower_range){1, 1, 1});
    HOIST_EXPECT_STR(t, offsets(t, &row), "6 8 10");
    HOIST_EXPECT(t, hoist_lower_view_is_dense(&row)); // the axis of one element has any stride
    const hoist_lower_view at = hoist_lower_view_at(&table, 0, 1);
    HOIST_EXPECT_EQ(t, at.shape.rank, 1);
    HOIST_EXPECT_STR(t, offsets(t, &at), "6 8 10");
    const hoist_lower_view down = hoist_lower_view_at(&table, 1, 2);
    HOIST_EXPECT_STR(t, offsets(t, &down), "4 10");
    const hoist_lower_view column = hoist_lower_view_part(&table, 1, (hoist_lower_range){1, 1, 1});
    HOIST_EXPECT_STR(t, offsets(t, &column), "2 8");
    HOIST_EXPECT(t, !hoist_lower_view_is_dense(&column));
}

HOIST_TEST(permutations_name_the_axes_they_take)
{
    const hoist_shape shape = {.rank = 3, .dim = {1, 2, 3}};
    const hoist_lower_view view = i16s(&shape);
    const hoist_lower_view turned =
        hoist_lower_view_permute(&view, (const int[HOIST_MAX_RANK]){2, 0, 1});
    HOIST_EXPECT(t,
                 turned.shape.dim[0] == 3 && turned.shape.dim[1] == 1 && turned.shape.dim[2] == 2);
    HOIST_EXPECT_STR(t, offsets(t, &turned), "0 6 2 8 4 10");
    HOIST_EXPECT(t, !hoist_lower_view_is_dense(&turned));
}

HOIST_TEST(shapes_change_where_all_elements_are_in_order)
{
    const hoist_lower_view view = i16s(&two_by_three);
    const hoist_shape three_by_two = {.rank = 2, .dim = {3, 2}};
    const hoist_shape four = {.rank = 1, .dim = {4}};
    const hoist_shape empty = {.rank = 2, .dim = {6, 0}};
    hoist_lower_view other;
    HOIST_EXPECT(t, hoist_lower_view_reshape(&view, &three_by_two, &other));
    HOIST_EXPECT(t, hoist_shape_equal(&other.shape, &three_by_two));
    HOIST_EXPECT_STR(t, offsets(t, &other), "0 2 4 6 8 10");
    HOIST_EXPECT(t, !hoist_lower_view_reshape(&view, &four, &other));
    HOIST_EXPECT(t, hoist_shape_equal(&other.shape, &two_by_three)); // as it was
    HOIST_EXPECT(t, !hoist_lower_view_reshape(&view, &empty, &other));
    const hoist_lower_view column = hoist_lower_view_part(&view, 1, (hoist_lower_range){0, 2, 2});
    HOIST_EXPECT(t, !hoist_lower_view_reshape(&column, &four, &other));
}

HOIST_TEST(broadcasts_repeat_axes_of_one_element)
{
    const hoist_shape row = {.rank = 2, .dim = {1, 3}};
    const hoist_shape column = {.rank = 2, .dim = {2, 1}};
    const hoist_shape line = {.rank = 1, .dim = {3}};
    const hoist_shape block = {.rank = 3, .dim = {2, 2, 3}};
    hoist_lower_view view = i16s(&row);
    hoist_lower_view wide;
    HOIST_EXPECT(t, hoist_lower_view_broadcast(&view, &two_by_three, &wide));
    HOIST_EXPECT_STR(t, offsets(t, &wide), "0 2 4 0 2 4");
    view = i16s(&column);
    HOIST_EXPECT(t, hoist_lower_view_broadcast(&view, &two_by_three, &wide));
    HOIST_EXPECT_STR(t, offsets(t, &wide), "0 0 0 2 2 2");
    view = i16s(&line);
    HOIST_EXPECT(t, hoist_lower_view_broadcast(&view, &block, &wide));
    HOIST_EXPECT_STR(t, offsets(t, &wide), "0 2 4 0 2 4 0 2 4 0 2 4");
    view = i16s(&two_by_three);
    HOIST_EXPECT(t, !hoist_lower_view_broadcast(&view, &row, &wide));  // 2 rows into 1
    HOIST_EXPECT(t, !hoist_lower_view_broadcast(&view, &line, &wide)); // fewer dimensions
}

// Views of as many dimensions as there may be.
HOIST_TEST(eight_dimensions_are_as_good_as_two)
{
    const hoist_shape wide = {.rank = HOIST_MAX_RANK, .dim = {1, 2, 1, 1, 3, 1, 1, 1}};
    const hoist_shape turned = {.rank = HOIST_MAX_RANK, .dim = {1, 3, 1, 1, 2, 1, 1, 1}};
    const hoist_shape flat = {.rank = 1, .dim = {6}};
    const hoist_lower_view view = i16s(&wide);
    hoist_lower_view other;
    HOIST_EXPECT_STR(t, offsets(t, &view), "0 2 4 6 8 10");
    HOIST_EXPECT(t, hoist_lower_view_is_dense(&view));
    other = hoist_lower_view_permute(&view, (const int[HOIST_MAX_RANK]){7, 4, 2, 3, 1, 5, 6, 0});
    HOIST_EXPECT(t, hoist_shape_equal(&other.shape, &turned));
    HOIST_EXPECT_STR(t, offsets(t, &other), "0 6 2 8 4 10");
    HOIST_EXPECT(t, !hoist_lower_view_is_dense(&other));
    const hoist_lower_view line = i16s(&flat);
    HOIST_EXPECT(t, hoist_lower_view_reshape(&line, &wide, &other));
    HOIST_EXPECT(t, hoist_lower_view_is_dense(&other));
    HOIST_EXPECT(t, hoist_lower_view_reshape(&view, &flat, &other));
    HOIST_EXPECT_STR(t, offsets(t, &other), "0 2 4 6 8 10");
    const hoist_shape row = {.rank = 1, .dim = {1}};
    const hoist_lower_view one = i16s(&row);
    HOIST_EXPECT(t, hoist_lower_view_broadcast(&one, &wide, &other));
    HOIST_EXPECT_STR(t, offsets(t, &other), "0 0 0 0 0 0");
    HOIST_EXPECT(t, hoist_lower_view_broadcast(&view, &wide, &other));
    HOIST_EXPECT_STR(t, offsets(t, &other), "0 2 4 6 8 10");
}

// What a step has of a view: strides where they are not those of a dense one, the offset, and the
// register that moves it.
HOIST_TEST(views_are_rows_of_the_program)
{
    quant_bench n;
    HOIST_EXPECT_EQ(t, quant_test_begin(&n, HOIST_REQUANTIZE_DOUBLE, t->arena.alloc, t->diag),
                    HOIST_OK);
    (void)hoist_builder_register(n.c.b, &(hoist_prog_register){.name = HOIST_STR("r")});
    const hoist_lower_view all = quant_test_view(n.a, HOIST_DTYPE_I16, two_by_three, 0);
    hoist_quant_unary layer = {hoist_lower_view_part(&all, 1, (hoist_lower_range){1, 1, 2}),
                               quant_test_view(n.y, HOIST_DTYPE_I16, two_by_three, 0)};
    layer.y = hoist_lower_view_part(&layer.y, 1, (hoist_lower_range){2, -2, 2});
    layer.y.step = 12;
    HOIST_EXPECT_EQ(t, hoist_quant_copy(&n.layers, &layer), HOIST_OK);
    HOIST_EXPECT_STR(
        t, quant_test_end(t, &n),
        "move copy from [a i16[2, 2] by [6, 2] + 2] to y i16[2, 2] by [6, -4] + 4 + r * 12\n");
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(dense_views_are_in_c_order),
                HOIST_TEST_ROW(parts_begin_step_and_end_inside),
                HOIST_TEST_ROW(permutations_name_the_axes_they_take),
                HOIST_TEST_ROW(shapes_change_where_all_elements_are_in_order),
                HOIST_TEST_ROW(broadcasts_repeat_axes_of_one_element),
                HOIST_TEST_ROW(eight_dimensions_are_as_good_as_two),
                HOIST_TEST_ROW(views_are_rows_of_the_program))
