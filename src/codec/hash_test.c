#include <string.h>

#include "codec/hash.h"
#include "testing/test.h"

// Test suites of RFC 1321 (MD5) and FIPS 180-2 (SHA-256).
static const struct {
    const char *name;
    hoist_hash_kind kind;
    const char *text;
    const char *expected; // hexadecimal
} cases[] = {
    {"md5 empty", HOIST_HASH_MD5, "", "d41d8cd98f00b204e9800998ecf8427e"},
    {"md5 abc", HOIST_HASH_MD5, "abc", "900150983cd24fb0d6963f7d28e17f72"},
    {"md5 message digest", HOIST_HASH_MD5, "message digest", "f96b697d7cb7938d525a2f31aaf161d0"},
    {"sha256 empty", HOIST_HASH_SHA256, "",
     "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"sha256 abc", HOIST_HASH_SHA256, "abc",
     "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"sha256 two blocks", HOIST_HASH_SHA256,
     "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
};

HOIST_TEST_TABLE(digests, cases)
{
    uint8_t digest[HOIST_HASH_MAX_SIZE];
    memset(digest, 0xee, sizeof(digest));
    const hoist_bytes text = {(const uint8_t *)row->text, strlen(row->text)};
    HOIST_EXPECT_EQ(t, hoist_hash(row->kind, hoist_test_exact(t, text), NULL, digest), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_hash_size(row->kind), strlen(row->expected) / 2);
    for (size_t i = 0; i < sizeof(digest); i++) {
        const char *hex = i < hoist_hash_size(row->kind)
                              ? hoist_arena_format(&t->arena, "%.2s", row->expected + 2 * i).data
                              : "00";
        HOIST_EXPECT_STR(t, hoist_arena_format(&t->arena, "%02x", digest[i]), hex);
    }
}

HOIST_TEST(no_bytes_at_all)
{
    uint8_t digest[HOIST_HASH_MAX_SIZE];
    HOIST_EXPECT_EQ(t, hoist_hash(HOIST_HASH_MD5, (hoist_bytes){NULL, 0}, NULL, digest), HOIST_OK);
    HOIST_EXPECT_EQ(t, digest[0], 0xd4);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(digests), HOIST_TEST_ROW(no_bytes_at_all))
