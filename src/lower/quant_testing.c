// The bench of quant_testing.h: a program of three buffers and one function.
#include "lower/quant_testing.h"

#include "base/alloc.h"
#include "lower/program_text_testing.h"
#include "program/verify.h"

static hoist_ref buffer(quant_bench *n, const char *name)
{
    return hoist_builder_buffer(n->c.b, &(hoist_prog_buffer){.name = hoist_str_from(name),
                                                             .space = n->layers.space,
                                                             .size = QUANT_TEST_BYTES,
                                                             .alignment = 1,
                                                             .window_of = HOIST_NO_REF,
                                                             .contents = HOIST_CONTENTS_ZERO,
                                                             .lifetime = HOIST_LIFETIME_RUN,
                                                             .layout = HOIST_NO_REF});
}

hoist_status quant_test_begin(quant_bench *n, hoist_requantization how, hoist_allocator alloc,
                              hoist_diag *diag)
{
    *n = (quant_bench){.module = {.alloc = alloc}};
    const hoist_file file = {.module = &n->module, .name = HOIST_STR("test")};
    HOIST_TRY(hoist_lower_begin(&n->c, HOIST_STR("test"), &file, NULL, diag));
    const hoist_ref space =
        hoist_builder_space(n->c.b, &(hoist_prog_space){.name = HOIST_STR("m"), .alignment = 1});
    hoist_quant_init(&n->layers, &n->c, space);
    n->layers.requantization = how;
    n->a = buffer(n, "a");
    n->w = buffer(n, "w");
    n->y = buffer(n, "y");
    (void)hoist_builder_begin_function(n->c.b, &(hoist_prog_function){.name = HOIST_STR("f")});
    return hoist_builder_status(n->c.b);
}

hoist_str quant_test_end(hoist_test *t, quant_bench *n)
{
    hoist_program *program = NULL;
    hoist_str text = HOIST_STR("");
    hoist_builder_end_code(n->c.b);
    HOIST_EXPECT_EQ(t, hoist_lower_finish(&n->c, NULL, 0, &program), HOIST_OK);
    if (program) {
        HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
        text = lower_test_piece(t, program, "buffer constant|compute|move|step");
    }
    hoist_lower_deinit(&n->c);
    hoist_program_destroy(program);
    return text;
}

hoist_status quant_test_drop(quant_bench *n)
{
    hoist_program *program = NULL;
    hoist_status status = HOIST_NO_MEMORY;
    if (n->c.b) {
        hoist_builder_end_code(n->c.b);
        status = hoist_lower_finish(&n->c, NULL, 0, &program);
    }
    hoist_lower_deinit(&n->c);
    hoist_program_destroy(program);
    return status;
}

hoist_lower_view quant_test_view(hoist_ref of, hoist_dtype dtype, hoist_shape shape, int64_t zero)
{
    hoist_lower_view view = hoist_lower_view_dense(of, dtype, &shape);
    view.zero = zero;
    return view;
}
