// The moves between the user's tensors and the chip's buffers.
// In: the boxes of a layer (boxes.c), and views of both sides. Out: a move for each box, which
// flips the sign on the way. Users: drive.c around requests, drive_chip.c between layers and
// outputs.
#include "lower/darwinn/border.h"

// Moves -----------------------------------------------------------------------------------------

// What both ends of moves are, and how they go.
typedef struct way {
    darwinn_lower_model *model;
    const darwinn_lower_border *border;
    const hoist_lower_view *user;
    const hoist_lower_view *buffer;
    hoist_dtype user_type;
    hoist_dtype chip_type;
    int64_t executions; // of the layer for one inference, each with buffers of its own
    bool to_user;       // else to the chip
    bool flips;         // the top bit: user's numbers are signed, the chip's are not
} way;

// One side of a box. Several executions are one more dimension in front: the user's lie behind each
// other packed, the chip's size_bytes apart.
static hoist_lower_view box_view(const way *w, const darwinn_lower_box *box, bool of_user)
{
    hoist_lower_view view = of_user ? *w->user : *w->buffer;
    const int64_t *const strides = of_user ? box->user_stride : box->chip_stride;
    const bool several = w->executions > 1;
    const darwinn_lower_border *const b = w->border;
    view.dtype = of_user ? w->user_type : w->chip_type;
    view.offset += of_user ? box->user : box->chip;
    view.shape = (hoist_shape){.rank = box->shape.rank + several};
    if (several) {
        view.shape.dim[0] = w->executions;
        view.stride[0] = of_user ? b->elements * b->type->size : b->layer->size_bytes;
    }
    for (int i = 0; i < box->shape.rank; i++) {
        view.shape.dim[i + several] = box->shape.dim[i];
        view.stride[i + several] = strides[i];
    }
    return view;
}

// A move, or a multiply-add of the middle number, which flips the top bit: +128 to the chip, -128
// to the user.
static void add_move(const way *w, const darwinn_lower_box *box)
{
    hoist_builder *const b = w->model->c->b;
    const hoist_lower_view from = box_view(w, box, !w->to_user);
    const hoist_lower_view to = box_view(w, box, w->to_user);
    hoist_move_source sources[2] = {{.view = hoist_lower_view_ref(b, &from), .scale = 1}};
    if (w->flips) {
        // A view of all zero strides: one number for all elements.
        hoist_lower_view middle = {.base = HOIST_VIEW_BUFFER,
                                   .of = w->border->middle,
                                   .dtype = HOIST_DTYPE_F32,
                                   .shape = from.shape};
        sources[1] = (hoist_move_source){.view = hoist_lower_view_ref(b, &middle),
                                         .scale = w->to_user ? -1.0F : 1.0F};
    }
    (void)hoist_builder_step(
        b, &(hoist_prog_step){
               .kind = HOIST_STEP_MOVE,
               .label = w->border->layer->name,
               .as.move = &(hoist_prog_move){.op = w->flips ? HOIST_MOVE_FMA : HOIST_MOVE_COPY,
                                             .destination = hoist_lower_view_ref(b, &to),
                                             .sources = sources,
                                             .source_count = w->flips ? 2 : 1}});
}

static void add_moves(const way *w)
{
    for (uint32_t i = 0; i < w->border->count; i++) {
        add_move(w, &w->border->boxes[i]);
    }
}

// The chip's types have no sign (darwinn reference section 5.3).
hoist_dtype darwinn_lower_chip_type(const darwinn_lower_border *border)
{
    switch (border->layer->data_type) {
    case DWN_FIXED_POINT8:
    case DWN_SIGNED_FIXED_POINT8:
        return HOIST_DTYPE_U8;
    case DWN_FIXED_POINT16:
    case DWN_SIGNED_FIXED_POINT16:
        return HOIST_DTYPE_U16;
    default:
        return border->type->dtype;
    }
}

// The way between the user's tensor and an element's buffer, to the chip. Types that are not
// flipped are copied bit by bit, whatever they are.
static way way_of(darwinn_lower_model *model, const darwinn_lower_border *border,
                  const hoist_lower_view *user, const hoist_lower_view *buffer)
{
    return (way){.model = model,
                 .border = border,
                 .user = user,
                 .buffer = buffer,
                 .user_type = user->dtype,
                 .chip_type =
                     border->type->is_flipped ? darwinn_lower_chip_type(border) : user->dtype,
                 .executions = border->layer->execution_count_per_inference,
                 .flips = border->type->is_flipped};
}

void darwinn_lower_to_chip(darwinn_lower_model *model, const darwinn_lower_border *border,
                           const hoist_lower_view *user, const hoist_lower_view *buffer)
{
    const way w = way_of(model, border, user, buffer);
    add_moves(&w);
}

// Zeros in the user's tensor, before slices are copied into it.
static void clear(darwinn_lower_model *model, const hoist_lower_view *user)
{
    darwinn_lower_chip *const chip = model->chip;
    hoist_quant_layers steps;
    hoist_lower_view zeros = *user;
    zeros.zero = 0;
    hoist_quant_init(&steps, chip->c, chip->host);
    hoist_lower_fail(chip->c, hoist_quant_fill(&steps, &zeros));
}

void darwinn_lower_from_chip(darwinn_lower_model *model, const darwinn_lower_border *border,
                             const hoist_lower_view *buffer, const hoist_lower_view *user)
{
    way w = way_of(model, border, user, buffer);
    w.to_user = true;
    if (border->may_miss) {
        clear(model, user);
    }
    add_moves(&w);
}

// One execution, without flips: the layers' results are unsigned already.
void darwinn_lower_order(darwinn_lower_model *model, const darwinn_lower_border *border,
                         const hoist_lower_view *numbers, const hoist_lower_view *buffer)
{
    const way w = {.model = model,
                   .border = border,
                   .user = numbers,
                   .buffer = buffer,
                   .user_type = numbers->dtype,
                   .chip_type = numbers->dtype,
                   .executions = 1};
    add_moves(&w);
}
