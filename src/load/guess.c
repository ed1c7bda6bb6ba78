// What a file of no known format may be (guess.h): kinds by their first bytes, in order, with what
// a user does about each. In: the bytes. Out: one finding. Nothing is parsed: a wrong guess costs a
// wrong hint only.
#include "load/guess.h"

#include <string.h>

#include "hoist/load.h"

#include "base/buffer.h"
#include "base/magic.h"
#include "base/span.h"
#include "load/load_rules.h"

enum { HEAD = 4096, SHOWN = 4 }; // bytes that are looked at, and that a message has

typedef struct guess {
    const char *what;               // with its article; NULL: as base/magic.h names it
    bool (*fits)(hoist_bytes head); // by the first HEAD bytes
    const char *next;               // what to do
    bool is_vague;                  // files of known formats may look like it, too
} guess;

// The texts have no NUL, so strlen is their size.
static bool begins(hoist_bytes head, const char *text)
{
    const size_t size = strlen(text);
    return head.size >= size && memcmp(head.data, text, size) == 0;
}

static bool has_at(hoist_bytes head, const char *text, size_t at)
{
    return head.size > at && begins((hoist_bytes){head.data + at, head.size - at}, text);
}

static bool has(hoist_bytes head, const char *text) // anywhere in the head
{
    return memmem(head.data, head.size, text, strlen(text)) != NULL;
}

static bool is_lfs(hoist_bytes head)
{
    return begins(head, "version https://git-lfs.github.com/");
}

static bool is_page(hoist_bytes head)
{
    return begins(head, "<!DOCTYPE") || begins(head, "<!doctype") || begins(head, "<html");
}

// A ZIP with a pickle, or a pickle of protocol 2 to 5 alone.
static bool is_torch(hoist_bytes head)
{
    return (begins(head, "PK\x03\x04") && has(head, "/data.pkl")) ||
           (head.size > 2 && head.data[0] == 0x80 && head.data[1] >= 2 && head.data[1] <= 5);
}

static bool is_zip(hoist_bytes head) // an entry, or the end of an empty archive
{
    return begins(head, "PK\x03\x04") || begins(head, "PK\x05\x06");
}

// A ModelProto of protobuf: field 1 (the version of the format, below 32), then field 2 or 7 (the
// name of the producer, or the graph).
static bool is_onnx(hoist_bytes head)
{
    return head.size > 4 && head.data[0] == 0x08 && head.data[1] < 32 &&
           (head.data[2] == 0x12 || head.data[2] == 0x3a);
}

static bool is_tar(hoist_bytes head)
{
    return has_at(head, "ustar", 257);
}

// .npy, or safetensors: a JSON object after the size of its header.
static bool is_array(hoist_bytes head)
{
    return begins(head, "\x93NUMPY") || has_at(head, "{\"", 8);
}

// gzip, bzip2, xz, zstd.
static bool is_packed(hoist_bytes head)
{
    return begins(head, "\x1f\x8b") || begins(head, "BZh") ||
           begins(head, "\xfd"
                        "7zXZ") ||
           begins(head, "\x28\xb5\x2f\xfd");
}

static bool is_utf16(hoist_bytes head) // a byte order mark
{
    return begins(head, "\xff\xfe") || begins(head, "\xfe\xff");
}

// The first byte that is no space; nothing else is looked at.
static bool is_json(hoist_bytes head)
{
    size_t i = 0;
    while (i < head.size && strchr(" \t\r\n", head.data[i]) && head.data[i]) {
        i++;
    }
    return i < head.size && (head.data[i] == '{' || head.data[i] == '[');
}

static bool is_zero(hoist_bytes head)
{
    size_t i = 0;
    while (i < head.size && head.data[i] == 0) {
        i++;
    }
    return i == head.size;
}

// No control characters but line ends and tabs; bytes above 127 may be UTF-8.
static bool is_text(hoist_bytes head)
{
    for (size_t i = 0; i < head.size; i++) {
        const uint8_t c = head.data[i];
        if (c < 32 && c != '\n' && c != '\r' && c != '\t') {
            return false;
        }
    }
    return true;
}

static bool is_magic(hoist_bytes head)
{
    return hoist_magic_find(head) != NULL;
}

// clang-format off
// The specific before the vague: a ZIP of PyTorch is a ZIP, and a pointer of LFS is text.
static const guess guesses[] = {
    {"a Git LFS pointer", is_lfs, "'git lfs pull' gets the file that it stands for", false},
    {"a web page", is_page, "the download gave a page instead of the file", false},
    {"a PyTorch file", is_torch, "weights have no compiled program: name what the compiler wrote", false},
    {"a ZIP archive", is_zip, "unpack it, and name a file that was in it", false},
    {"an ONNX model", is_onnx, "that is a compiler's input: name what the compiler wrote", false},
    {"a tar archive", is_tar, "unpack it, and name a file that was in it; in a NEFF a header of 1024 bytes is before it", false},
    {"an array", is_array, "arrays are inputs of a run, --input NAME=@FILE", false},
    {"a compressed file", is_packed, "unpack it first", false},
    {"text in UTF-16", is_utf16, "save it as UTF-8", false},
    {NULL, is_magic, "name the compiled program instead", false},
    {"JSON of another kind", is_json, "a model of ARK has 'Rank' and 'Nodes', a plan 'ProcessorGroups'", true},
    {"nothing but zeros", is_zero, "the copy or download was not complete", false},
    {"text", is_text, "a netlist begins with 'devices:', a program text with 'program'", true},
};
// clang-format on

static const guess *find_guess(hoist_bytes head)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(guesses); i++) {
        if (guesses[i].fits(head)) {
            return &guesses[i];
        }
    }
    return NULL;
}

// "buda, neff and program": `last` is between the last two.
static void write_formats(const char *last, hoist_buffer *out)
{
    const char *name = hoist_format_name(0);
    for (size_t i = 0; name; i++) {
        const char *const next = hoist_format_name(i + 1);
        hoist_buffer_format(out, "%s%s", i == 0 ? "" : next ? ", " : last, name);
        name = next;
    }
}

static void write_first_bytes(hoist_bytes head, hoist_buffer *out)
{
    for (size_t i = 0; i < head.size && i < SHOWN; i++) {
        hoist_buffer_format(out, " %02x", head.data[i]);
    }
}

// For a file that was taken for its name and failed: the user sees why it is none.
void hoist_load_doubt_bytes(hoist_bytes bytes, hoist_diag *diag)
{
    const hoist_bytes head = {bytes.data, bytes.size < HEAD ? bytes.size : HEAD};
    const guess *const found = head.size ? find_guess(head) : NULL;
    if (found && !found->is_vague) { // JSON and text are what some formats are made of
        hoist_report(
            diag, hoist_load_rule(LOAD_001), hoist_loc_none(),
            "by its first bytes the file looks like %s, and its name alone says otherwise; "
            "%s",
            found->what ? found->what : hoist_magic_find(head), found->next);
    }
}

// The message is as long as it has to be, since it is the first that a new user may see.
hoist_status hoist_load_refuse_bytes(hoist_bytes bytes, hoist_diag *diag, hoist_allocator alloc)
{
    const hoist_bytes head = {bytes.data, bytes.size < HEAD ? bytes.size : HEAD};
    const guess *const found = head.size ? find_guess(head) : NULL;
    hoist_buffer formats;
    hoist_buffer first;
    hoist_buffer_init(&formats, alloc);
    hoist_buffer_init(&first, alloc);
    write_formats(head.size ? " and " : " or ", &formats);
    write_first_bytes(head, &first);
    // As C strings below.
    hoist_buffer_char(&formats, '\0');
    hoist_buffer_char(&first, '\0');
    hoist_status status = formats.failed || first.failed ? HOIST_NO_MEMORY : HOIST_INVALID;
    const char *const known = (const char *)formats.data;
    const char *const shown = (const char *)first.data;
    const hoist_rule *const rule = hoist_load_rule(LOAD_001);
    // With no bytes there is nothing to guess by.
    if (status == HOIST_INVALID && head.size == 0) {
        hoist_report(
            diag, rule, hoist_loc_none(),
            "the file is empty, expected one of format %s; copy, download or write it again",
            known);
    } else if (status == HOIST_INVALID && found) {
        hoist_report(diag, rule, hoist_loc_none(),
                     "the file is of no known format: by its first bytes,%s, it looks like %s; %s; "
                     "the formats are %s",
                     shown, found->what ? found->what : hoist_magic_find(head), found->next, known);
    } else if (status == HOIST_INVALID) {
        hoist_report(diag, rule, hoist_loc_none(),
                     "the file is of no known format: its first bytes,%s, say nothing; the formats "
                     "are %s",
                     shown, known);
    }
    hoist_buffer_deinit(&first);
    hoist_buffer_deinit(&formats);
    return status;
}
