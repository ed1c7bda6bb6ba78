// Processes by their numbers (kill(2) with no signal): a number means the same process to those of
// one host name and one namespace of numbers.
#include "os/process.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// FNV-1a.
static uint64_t add_hash(uint64_t hash, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

hoist_process_id hoist_process_self(void)
{
    char name[256] = {0};
    struct stat numbering = {.st_ino = 0};
    (void)gethostname(name, sizeof name - 1);
    (void)stat("/proc/self/ns/pid", &numbering);
    const uint64_t host = add_hash(UINT64_C(0xcbf29ce484222325), name, strlen(name));
    return (hoist_process_id){.host = add_hash(host, &numbering.st_ino, sizeof numbering.st_ino),
                              .number = (int64_t)getpid()};
}

bool hoist_process_is_alive(hoist_process_id other)
{
    return other.host != hoist_process_self().host || kill((pid_t)other.number, 0) == 0 ||
           errno != ESRCH;
}
