// Packages from executables: buffers in buffers, from the inside out, with the pages and paddings
// of released files (darwinn reference sections 1.3 and 13). In: rows of the schema; out: the bytes
// of a package or of custom_options.
#include "formats/darwinn/write_testing.h"

#include "base/alloc.h"
#include "base/span.h"
#include "codec/flexbuffer_testing.h"
#include "formats/darwinn/package_parts.h"

// Released files have zeros where an inner buffer could have an identifier (1.3).
static const char no_identifier[4] = {0};

// The executables one after the other in `out`, each filled to a page; where each lies in `texts`.
static hoist_status write_executables(const dwn_executable *const *executables, size_t count,
                                      hoist_str *texts, hoist_buffer *out)
{
    for (size_t i = 0; i < count; i++) {
        const size_t start = out->size;
        HOIST_TRY(hoist_fb_write(&dwn_executable_rows, executables[i], no_identifier, out));
        dwn_fill_page(out, start);
        texts[i].size = out->size - start;
    }
    if (out->failed) {
        return HOIST_NO_MEMORY;
    }
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        texts[i].data = (const char *)out->data + at;
        at += texts[i].size;
    }
    return HOIST_OK;
}

static hoist_status write_multi(const dwn_executable *const *executables, size_t count,
                                hoist_buffer *out)
{
    hoist_str *const texts = hoist_alloc_zero(out->alloc, count ? count : 1, sizeof(*texts));
    if (!texts) {
        return HOIST_NO_MEMORY;
    }
    hoist_buffer buffers;
    hoist_buffer_init(&buffers, out->alloc);
    hoist_status status = write_executables(executables, count, texts, &buffers);
    const dwn_multi_executable multi = {
        .serialized_executables = {.items = texts, .count = (uint32_t)count}};
    if (status == HOIST_OK) {
        status = hoist_fb_write(&dwn_multi_executable_rows, &multi, no_identifier, out);
    }
    dwn_fill_page(out, 0);
    hoist_buffer_deinit(&buffers);
    hoist_free(out->alloc, texts, (count ? count : 1) * sizeof(*texts));
    return status;
}

hoist_status dwn_make_package(const dwn_package *package, const dwn_executable *const *executables,
                              size_t count, hoist_buffer *out)
{
    hoist_buffer multi;
    hoist_buffer_init(&multi, out->alloc);
    hoist_status status = write_multi(executables, count, &multi);
    const size_t start = out->size;
    if (status == HOIST_OK && !multi.failed) {
        dwn_package copy = *package;
        copy.serialized_multi_executable = hoist_buffer_bytes(&multi);
        status = hoist_fb_write(&dwn_package_rows, &copy, "DWN1", out);
        dwn_fill_page(out, start);
    }
    const bool failed = multi.failed || out->failed;
    hoist_buffer_deinit(&multi);
    return status == HOIST_OK && failed ? HOIST_NO_MEMORY : status;
}

static void put_key(hoist_flex_writer *w, const char *key)
{
    hoist_flex_put_key(w, hoist_str_from(key));
}

static void put_text(hoist_flex_writer *w, const char *key, hoist_str text)
{
    if (text.data) {
        put_key(w, key);
        hoist_flex_put_string(w, dwn_text_bytes(text));
    }
}

// Keys in the order in which the compiler puts them.
hoist_status dwn_make_custom(const dwn_custom *custom, const hoist_bytes *packages, size_t count,
                             hoist_buffer *out)
{
    hoist_flex_writer w;
    hoist_flex_writer_init(&w, out);
    const size_t map = hoist_flex_open(&w);
    put_key(&w, "1");
    hoist_flex_put_int(&w, custom->version);
    put_text(&w, "2", custom->chip_name);
    put_text(&w, "3", custom->legacy);
    put_key(&w, "4");
    hoist_flex_put_string(&w, packages[0]);
    put_key(&w, "5");
    hoist_flex_put_int(&w, custom->preference);
    if (custom->chips) {
        put_key(&w, "6");
        const size_t chips = hoist_flex_open(&w);
        for (uint32_t i = 0; i < custom->chip_count; i++) {
            hoist_flex_put_int(&w, custom->chips[i]);
        }
        hoist_flex_close(&w, chips, HOIST_FLEX_VECTOR);
        put_key(&w, "7");
        const size_t more = hoist_flex_open(&w);
        for (size_t i = 1; i < count; i++) {
            hoist_flex_put_string(&w, packages[i]);
        }
        hoist_flex_close(&w, more, HOIST_FLEX_VECTOR);
    }
    hoist_flex_close(&w, map, HOIST_FLEX_MAP);
    return hoist_flex_finish(&w);
}
