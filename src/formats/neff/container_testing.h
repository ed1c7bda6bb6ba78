// formats/neff/container_testing.h - for tests: whole NEFF files from members.
#ifndef HOIST_SRC_FORMATS_NEFF_CONTAINER_TESTING_H
#define HOIST_SRC_FORMATS_NEFF_CONTAINER_TESTING_H

#include "formats/neff/neff.h"
#include "testing/test.h"

// One entry of an archive.
typedef struct neff_test_entry {
    hoist_str name;
    hoist_str text;
    char flag;        // as tar has it: '0' (also 0) file, '5' folder, '2' symbolic link ...
    const char *link; // target of a link
} neff_test_entry;

#define NEFF_TEST_ENTRY(member, content)                                                           \
    {                                                                                              \
        .name = {member, sizeof(member) - 1}, .text = { content, sizeof(content) - 1 }             \
    }

// A finding as the command prints it; `place` in hexadecimal digits.
#define NEFF_TEST_FINDING(place, severity, sentence, rule)                                         \
    "+0x" place ": " severity ": " sentence " [" rule "]\n"

// A ustar archive with its two end blocks, padded to 10,240 bytes; in the test's arena.
hoist_bytes neff_test_tar(hoist_test *t, const neff_test_entry *entries, size_t count);
// `archive` as one gzip member.
hoist_bytes neff_test_gzip(hoist_test *t, hoist_bytes archive);
// A file of `payload` after a header that breaks no rule: version 1.0, one core, the right hash.
// The bytes are the test's to patch.
hoist_mut_bytes neff_test_file(hoist_test *t, uint32_t pkg_version, hoist_bytes payload);
// The same of entries: raw for pkg_version 1, gzip for 2.
hoist_mut_bytes neff_test_packed(hoist_test *t, uint32_t pkg_version,
                                 const neff_test_entry *entries, size_t count);

// Reads header and container of `file`, without what the members say. `options` may be NULL. Free
// with neff_module_free, whatever the status.
hoist_status neff_test_open(hoist_test *t, hoist_mut_bytes file, const hoist_read_options *options,
                            neff_module **out_module);

#endif // HOIST_SRC_FORMATS_NEFF_CONTAINER_TESTING_H
