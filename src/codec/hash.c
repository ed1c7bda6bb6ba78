#include "codec/hash.h"

#include <openssl/evp.h>
#include <string.h>

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

hoist_status hoist_hash(hoist_hash_kind kind, hoist_bytes bytes, uint8_t out[HOIST_HASH_MAX_SIZE])
{
    memset(out, 0, HOIST_HASH_MAX_SIZE);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (!context) {
        return HOIST_NO_MEMORY;
    }
    // A machine may be set up to refuse a hash, MD5 under FIPS 140 above all: init fails then.
    const bool good = EVP_DigestInit_ex(context, hashes[kind].kind(), NULL) == 1 &&
                      EVP_DigestUpdate(context, bytes.data, bytes.size) == 1 &&
                      EVP_DigestFinal_ex(context, out, NULL) == 1;
    EVP_MD_CTX_free(context);
    return good ? HOIST_OK : HOIST_UNSUPPORTED;
}
