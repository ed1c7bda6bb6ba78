// Digests by libcrypto's EVP interface. Input is hashed in pieces, so that a deadline ends the
// work on large files within milliseconds.
#include "codec/hash.h"

#include <openssl/evp.h>
#include <string.h>

#include "base/alloc.h"

// Bytes that are hashed between two looks at the deadline: some milliseconds.
#define PIECE ((size_t)4 << 20)

// One row per hash.
static const struct {
    size_t size;                 // bytes of the digest
    const EVP_MD *(*kind)(void); // libcrypto's description, static
} hashes[] = {
    [HOIST_HASH_MD5] = {16, EVP_md5},
    [HOIST_HASH_SHA256] = {32, EVP_sha256},
};

size_t hoist_hash_size(hoist_hash_kind kind)
{
    return hashes[kind].size;
}

// No pieces for no bytes: the digest of an empty input is well defined.
static hoist_status hash_pieces(EVP_MD_CTX *context, hoist_bytes bytes, hoist_deadline *deadline)
{
    for (size_t at = 0; at < bytes.size; at += PIECE) {
        const size_t left = bytes.size - at;
        HOIST_TRY(hoist_deadline_look(deadline));
        if (EVP_DigestUpdate(context, bytes.data + at, left < PIECE ? left : PIECE) != 1) {
            return HOIST_UNSUPPORTED;
        }
    }
    return HOIST_OK;
}

hoist_status hoist_hash(hoist_hash_kind kind, hoist_bytes bytes, hoist_deadline *deadline,
                        uint8_t out[HOIST_HASH_MAX_SIZE])
{
    memset(out, 0, HOIST_HASH_MAX_SIZE);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    HOIST_TRY_MEMORY(context);
    // A machine may be set up to refuse a hash, MD5 under FIPS 140 above all: init fails then.
    hoist_status status = EVP_DigestInit_ex(context, hashes[kind].kind(), NULL) == 1
                              ? hash_pieces(context, bytes, deadline)
                              : HOIST_UNSUPPORTED;
    if (status == HOIST_OK && EVP_DigestFinal_ex(context, out, NULL) != 1) {
        status = HOIST_UNSUPPORTED;
    }
    EVP_MD_CTX_free(context);
    return status;
}

hoist_status hoist_hash_text(hoist_hash_kind kind, hoist_bytes bytes, hoist_deadline *deadline,
                             char out[HOIST_HASH_TEXT_SIZE])
{
    static const char digits[] = "0123456789abcdef";
    uint8_t digest[HOIST_HASH_MAX_SIZE];
    const hoist_status status = hoist_hash(kind, bytes, deadline, digest);
    const size_t size = status == HOIST_OK ? hashes[kind].size : 0;
    for (size_t i = 0; i < size; i++) {
        out[2 * i] = digits[digest[i] >> 4];
        out[2 * i + 1] = digits[digest[i] & 15];
    }
    out[2 * size] = '\0';
    return status;
}

hoist_status hoist_tree_digest(hoist_tree_sink *sink, hoist_str key, hoist_bytes bytes)
{
    char text[HOIST_HASH_TEXT_SIZE];
    // On a machine without SHA-256 the document ends with HOIST_UNSUPPORTED rather than without
    // the value.
    HOIST_TRY(hoist_hash_text(HOIST_HASH_SHA256, bytes, sink->deadline, text));
    hoist_tree_send(sink,
                    &(hoist_tree_event){.kind = HOIST_TREE_MAP, .key = key, .inline_hint = true});
    hoist_tree_uint(sink, "bytes", bytes.size, HOIST_UNIT_BYTES);
    hoist_tree_c(sink, "sha256", text);
    hoist_tree_end(sink);
    return HOIST_OK;
}
