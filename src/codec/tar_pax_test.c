#include <inttypes.h>

#include "base/alloc.h"
#include "codec/tar_pax.h"
#include "testing/test.h"

static const hoist_rule rule_broken = {.id = "T-BROKEN", .severity = HOIST_ERROR};

static void add_text(hoist_buffer *out, const char *key, hoist_str text)
{
    if (text.data) {
        hoist_buffer_format(out, "%s=%.*s;", key, HOIST_STR_ARGS(text));
    }
}

static void add_number(hoist_buffer *out, const char *key, hoist_tar_extra_number number)
{
    if (number.given) {
        hoist_buffer_format(out, "%s=%" PRId64 ";", key, number.value);
    }
}

static hoist_str described(hoist_test *t, const hoist_tar_extra *extra)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    add_text(&out, "name", extra->name);
    add_text(&out, "link", extra->link);
    add_text(&out, "user", extra->user);
    add_text(&out, "group", extra->group);
    add_number(&out, "size", extra->size);
    add_number(&out, "uid", extra->uid);
    add_number(&out, "gid", extra->gid);
    add_number(&out, "mtime", extra->mtime);
    const hoist_str copy = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    return copy;
}

#define BROKEN(at, text) "+" at ": error: " text " [T-BROKEN]\n"
#define FORM "a PAX record is not of the form 'LENGTH KEY=VALUE' and a newline"
#define RECORDS(literal)                                                                           \
    {                                                                                              \
        (const uint8_t *)("" literal), sizeof(literal) - 1                                         \
    }

// clang-format off
static const struct {
    const char *name;
    hoist_bytes records; // at 0x400
    const char *extra;
    const char *findings;
} cases[] = {
    {"no records", RECORDS(""), "", ""},
    {"path", RECORDS("12 path=a/b\n"), "name=a/b;", ""},
    {"every key that is honoured",
     RECORDS("9 path=p\n" "14 linkpath=l\n" "11 uname=u\n" "11 gname=g\n"
             "11 size=12\n" "8 uid=3\n" "8 gid=4\n" "11 mtime=5\n"),
     "name=p;link=l;user=u;group=g;size=12;uid=3;gid=4;mtime=5;", ""},
    {"keys that are not",
     RECORDS("13 atime=1.5\n" "11 ctime=x\n" "19 comment=path=no\n"
             "20 SCHILY.xattr.a=1\n" "11 Path=no\n"),
     "", ""},
    {"the last of a key counts", RECORDS("14 path=first\n" "15 path=second\n"), "name=second;", ""},
    {"no value takes back", RECORDS("14 path=first\n" "9 size=3\n" "8 path=\n" "8 size=\n"),
     "", ""},
    {"equals sign in the value", RECORDS("12 path=a=b\n"), "name=a=b;", ""},
    {"newline in the value", RECORDS("12 path=a\nb\n"), "name=a\nb;", ""},
    {"length of two digits by its own", RECORDS("11 path=ab\n"), "name=ab;", ""},
    {"time with a fraction", RECORDS("24 mtime=1700000000.999\n"), "mtime=1700000000;", ""},
    {"time before 1970", RECORDS("15 mtime=-1.25\n"), "mtime=-2;", ""},
    {"whole time before 1970", RECORDS("16 mtime=-1.000\n"), "mtime=-1;", ""},
    {"least time", RECORDS("30 mtime=-9223372036854775808\n"), "mtime=-9223372036854775808;", ""},
    {"below the least time", RECORDS("32 mtime=-9223372036854775808.5\n"), "",
     BROKEN("0x400", "the PAX record 'mtime' has the value '-9223372036854775808.5', expected a "
            "number")},
    {"negative uid", RECORDS("9 uid=-2\n"), "uid=-2;", ""},
    {"largest size", RECORDS("28 size=9223372036854775807\n"), "size=9223372036854775807;", ""},
    {"no length", RECORDS(" path=a\n"), "", BROKEN("0x400", FORM)},
    {"length is no number", RECORDS("x path=a\n"), "", BROKEN("0x400", FORM)},
    {"length 0", RECORDS("0 path=a\n"), "", BROKEN("0x400", FORM)},
    {"length too small for anything", RECORDS("2 path=a\n"), "", BROKEN("0x400", FORM)},
    {"length too small", RECORDS("9 path=ab\n"), "", BROKEN("0x400", FORM)},
    {"length too large", RECORDS("12 path=ab\n"), "", BROKEN("0x400", FORM)},
    {"length beyond 64 bits", RECORDS("99999999999999999999 path=a\n"), "", BROKEN("0x400", FORM)},
    {"only a length", RECORDS("12"), "", BROKEN("0x400", FORM)},
    {"no space", RECORDS("10\tpath=ab\n"), "", BROKEN("0x400", FORM)},
    {"no newline", RECORDS("9 path=a "), "", BROKEN("0x400", FORM)},
    {"no equals sign", RECORDS("9 pathab\n"), "", BROKEN("0x400", FORM)},
    {"no key", RECORDS("5 =a\n"), "", BROKEN("0x400", FORM)},
    {"zeros", RECORDS("\0\0\0"), "", BROKEN("0x400", FORM)},
    {"second record", RECORDS("9 path=a\n" "9 path b\n" "14 linkpath=c\n"),
     "name=a;", BROKEN("0x409", FORM)},
    {"size is no number", RECORDS("13 size=many\n" "9 path=p\n"), "name=p;",
     BROKEN("0x400", "the PAX record 'size' has the value 'many', expected a number")},
    {"negative size", RECORDS("11 size=-1\n" "9 path=p\n"), "name=p;",
     BROKEN("0x400", "the PAX record 'size' has the value '-1', expected a number")},
    {"size with a fraction", RECORDS("12 size=1.5\n" "9 path=p\n"), "name=p;",
     BROKEN("0x400", "the PAX record 'size' has the value '1.5', expected a number")},
    {"size beyond 64 bits", RECORDS("28 size=9223372036854775808\n" "9 path=p\n"), "name=p;",
     BROKEN("0x400", "the PAX record 'size' has the value '9223372036854775808', expected a number")},
    {"size with a space", RECORDS("12 size=12 \n" "9 path=p\n"), "name=p;",
     BROKEN("0x400", "the PAX record 'size' has the value '12 ', expected a number")},
    {"uid with a fraction", RECORDS("11 uid=1.0\n" "9 path=p\n"), "name=p;",
     BROKEN("0x400", "the PAX record 'uid' has the value '1.0', expected a number")},
    {"time is a sign", RECORDS("11 mtime=-\n" "9 path=p\n"), "name=p;",
     BROKEN("0x400", "the PAX record 'mtime' has the value '-', expected a number")},
    {"time is a point", RECORDS("12 mtime=.5\n" "9 path=p\n"), "name=p;",
     BROKEN("0x400", "the PAX record 'mtime' has the value '.5', expected a number")},
    {"time whose fraction is a letter", RECORDS("13 mtime=1.e\n" "9 path=p\n"), "name=p;",
     BROKEN("0x400", "the PAX record 'mtime' has the value '1.e', expected a number")},
    {"time with an exponent", RECORDS("13 mtime=1e9\n" "9 path=p\n"), "name=p;",
     BROKEN("0x400", "the PAX record 'mtime' has the value '1e9', expected a number")},
};
// clang-format on

HOIST_TEST_TABLE(records, cases)
{
    hoist_tar_extra extra = {0};
    hoist_tar_pax_read(hoist_test_exact(t, row->records), 0x400, &rule_broken, t->diag, &extra);
    HOIST_EXPECT_STR(t, described(t, &extra), row->extra);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), row->findings);
}

// What is written is read again, whatever the lengths: now and then the length's own
// digits make it longer.
HOIST_TEST(written_records_are_read)
{
    char text[1100];
    for (size_t size = 1; size <= sizeof(text); size++) {
        for (size_t i = 0; i < size; i++) {
            text[i] = (char)('a' + i % 26);
        }
        hoist_buffer out;
        hoist_buffer_init(&out, hoist_allocator_system());
        hoist_tar_pax_text(&out, "path", (hoist_str){text, size});
        hoist_tar_pax_number(&out, "mtime", -(int64_t)size);
        hoist_tar_extra extra = {0};
        hoist_tar_pax_read(hoist_buffer_bytes(&out), 0, &rule_broken, t->diag, &extra);
        HOIST_EXPECT(t, hoist_str_equal(extra.name, (hoist_str){text, size}));
        HOIST_EXPECT_EQ(t, extra.mtime.value, -(int64_t)size);
        hoist_buffer_deinit(&out);
    }
    HOIST_EXPECT_RULE(t, NULL);
}

HOIST_TEST(written_bytes)
{
    static const char expected[] =
        "9 path=a\n11 path=ab\n12 path=abc\n30 mtime=-9223372036854775808\n";
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_tar_pax_text(&out, "path", HOIST_STR("a"));
    hoist_tar_pax_text(&out, "path", HOIST_STR("ab"));
    hoist_tar_pax_text(&out, "path", HOIST_STR("abc"));
    hoist_tar_pax_number(&out, "mtime", INT64_MIN);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), expected);
    hoist_buffer_deinit(&out);
}

HOIST_TEST(findings_may_be_unwanted)
{
    static const hoist_bytes records = RECORDS("8 size=x\n");
    hoist_tar_extra extra = {0};
    hoist_tar_pax_read(records, 0, NULL, t->diag, &extra);
    hoist_tar_pax_read(records, 0, &rule_broken, NULL, &extra);
    HOIST_EXPECT_RULE(t, NULL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(records), HOIST_TEST_ROW(written_records_are_read),
                HOIST_TEST_ROW(written_bytes), HOIST_TEST_ROW(findings_may_be_unwanted))
