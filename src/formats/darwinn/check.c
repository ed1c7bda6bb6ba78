// The order of all checks of a module: of each package (check_package.c), of each executable in it
// (check_streams.c, check_links.c, check_hints.c, check_layers.c), of its parameters and its
// operator. Findings carry the object path "packages/0/executables/1/..." by the frames that are
// pushed here.
#include "formats/darwinn/check.h"

#include <string.h>

#include "base/span.h"
#include "formats/darwinn/darwinn.h"

// In the order of the rules. The deadline is looked at between parts, each of which is linear.
static hoist_status check_image(dwn_check *c)
{
    static hoist_status (*const parts[])(dwn_check * c) = {dwn_check_streams, dwn_check_links,
                                                           dwn_check_hints, dwn_check_layers};
    dwn_check_executable(c);
    for (size_t i = 0; i < HOIST_COUNT_OF(parts); i++) {
        HOIST_TRY(parts[i](c));
        HOIST_TRY(hoist_deadline_look(c->module->base.deadline));
    }
    return HOIST_OK;
}

// Calls `check` for each of `count` items under the object path "what/index".
static hoist_status check_each(dwn_check *c, const char *what, uint32_t count,
                               hoist_status (*check)(dwn_check *c, uint32_t index))
{
    for (uint32_t i = 0; i < count; i++) {
        hoist_frame frame;
        hoist_diag_push_item(c->diag, &frame, what, i);
        const hoist_status status = check(c, i);
        hoist_diag_pop(c->diag, &frame);
        HOIST_TRY(status);
        HOIST_TRY(hoist_deadline_look(c->module->base.deadline));
    }
    return HOIST_OK;
}

static hoist_status check_executable(dwn_check *c, uint32_t index)
{
    c->image = &c->contents->images[index];
    if (!c->image->rows) {
        return HOIST_OK; // reading has said why
    }
    HOIST_TRY(dwn_check_enter(c));
    const hoist_status status = check_image(c);
    dwn_check_leave(c);
    return status;
}

static hoist_status check_contents(dwn_check *c)
{
    if (!c->contents->rows) {
        return HOIST_OK; // reading has said why
    }
    c->first = NULL; // types and the first executable are of one package
    memset(c->types, 0, sizeof(c->types));
    dwn_check_package(c);
    HOIST_TRY(check_each(c, "executables", c->contents->image_count, check_executable));
    return dwn_check_parameters(c);
}

// Packages of a bundle are checked like packages, under "chips/0".
static hoist_status check_chip(dwn_check *c, uint32_t index)
{
    const dwn_contents *const bundle = c->contents;
    c->contents = &bundle->chips[index];
    const hoist_status status = check_contents(c);
    c->contents = bundle;
    return status;
}

// A bundle has no executables of its own, a package no chips: one of both loops is empty.
static hoist_status check_package(dwn_check *c, uint32_t index)
{
    c->contents = &c->module->packages[index];
    HOIST_TRY(check_contents(c));
    HOIST_TRY(dwn_check_border(c));
    return check_each(c, "chips", c->contents->chip_count, check_chip);
}

hoist_status dwn_check_all(hoist_module *module, const hoist_check_options *options,
                           hoist_diag *diag)
{
    dwn_check c = {.module = dwn_of(module), .diag = diag, .options = options};
    hoist_arena_init(&c.arena, module->alloc);
    const hoist_status status =
        // Bare packages have no "packages/0" in their paths.
        c.module->is_custom ? check_each(&c, "packages", c.module->package_count, check_package)
                            : check_package(&c, 0);
    hoist_arena_deinit(&c.arena);
    return status;
}
