// A scan (scan.h): walks the trees (walk.c), has the files that are new read, by several threads at
// a time (contents.c), and keeps what they hold (store.c), all by the calling thread but reading.
#include "scan/scan.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/progress.h"
#include "base/span.h"
#include "os/thread.h"
#include "scan/store.h"

// Enough that the walk seldom waits for a thread, and few enough that paths take no memory to speak
// of.
enum { SLOTS_OF_JOB = 8 }; // files that wait or are read, for each thread

// Free, filled by the walk, taken by a thread, filled by the thread; then the walk keeps it.
typedef enum slot_state { SLOT_FREE, SLOT_WAITS, SLOT_READ, SLOT_DONE } slot_state;

// A file on its way through a thread.
typedef struct slot {
    slot_state state;
    hoist_walk_file file; // `path` is owned
    size_t path_size;
    hoist_scan_found found;
    hoist_status status;
} slot;

struct hoist_scan {
    hoist_allocator alloc;
    hoist_scan_options options;
    hoist_store store;
    hoist_scan_counts counts;
    bool has_db; // whose files are left out of the scan
    uint64_t db_device, db_inode;
    bool is_partial; // a folder could not be read
    // Of the threads; none of it is used without them.
    pthread_mutex_t lock;
    pthread_cond_t changed;
    slot *slots; // owned
    size_t slot_count;
    bool ends;
};

hoist_allocator hoist_scan_allocator(const hoist_scan *scan)
{
    return scan->alloc;
}

const char *hoist_scan_message(const hoist_scan *scan)
{
    return scan->store.message;
}

hoist_status hoist_scan_open(const hoist_scan_options *options, hoist_scan **out_scan)
{
    const hoist_allocator alloc = options->alloc;
    hoist_scan *const scan = hoist_alloc_zero(alloc, 1, sizeof(*scan));
    *out_scan = scan;
    if (!scan) {
        return HOIST_NO_MEMORY;
    }
    scan->alloc = alloc;
    scan->options = *options;
    HOIST_TRY(hoist_store_open(&scan->store, options->db));
    // Device and inode, since the path may name the database in another way.
    scan->has_db =
        options->db && hoist_file_identity(options->db, &scan->db_device, &scan->db_inode);
    for (size_t i = 0; i < options->merged_count; i++) {
        HOIST_TRY(hoist_store_merge(&scan->store, options->merged[i]));
    }
    return HOIST_OK;
}

void hoist_scan_close(hoist_scan *scan)
{
    if (scan) {
        hoist_store_close(&scan->store);
        hoist_free(scan->alloc, scan, sizeof(*scan));
    }
}

// One file --------------------------------------------------------------------------------------

static void complain(hoist_scan *scan, const char *path, const char *sentence)
{
    scan->options.complain(scan->options.self, hoist_str_from(path), sentence);
}

static void complain_failed(hoist_scan *scan, const char *path, int error)
{
    scan->counts.unreadable++;
    complain(scan, path, strerror(error));
}

// What is below the folder is not known: nothing of it may be swept.
static void miss(void *self, const char *path, int error)
{
    hoist_scan *const scan = self;
    scan->is_partial = true;
    complain_failed(scan, path, error);
}

// A file with other threads at work has its share of the memory; where that is too little it is
// read once more, alone, with all of it.
static hoist_status read_alone(hoist_scan *scan, const hoist_walk_file *file,
                               hoist_scan_found *found)
{
    hoist_scan_found_deinit(found);
    hoist_scan_found_init(found, scan->alloc);
    return hoist_scan_read(file->path, file->is_named, scan->options.memory, scan->options.deadline,
                           found);
}

static void count_file(hoist_scan *scan)
{
    hoist_stage_add(scan->options.deadline, HOIST_STAGE_SCANNING, 1);
}

// Keeps the result of a file.
static hoist_status put(hoist_scan *scan, const hoist_walk_file *file, hoist_scan_found *found)
{
    if (found->is_limited && scan->options.jobs > 1) { // a thread's share is not all of the memory
        HOIST_TRY(read_alone(scan, file, found));
    }
    if (found->error) {
        complain_failed(scan, file->path, found->error);
    } else if (found->is_limited) {
        scan->counts.limited++;
        complain(scan, file->path,
                 "something in it takes more memory than there is, --max-memory allows more");
    }
    count_file(scan);
    // Kept also when it is incomplete, so that it is counted; it will be read again.
    return hoist_store_put(&scan->store, file, found, !found->error && !found->is_limited);
}

static hoist_status read_here(hoist_scan *scan, const hoist_walk_file *file)
{
    hoist_scan_found found;
    hoist_scan_found_init(&found, scan->alloc);
    hoist_status status = hoist_scan_read(file->path, file->is_named, scan->options.memory,
                                          scan->options.deadline, &found);
    status = status == HOIST_OK ? put(scan, file, &found) : status;
    hoist_scan_found_deinit(&found);
    return status;
}

// Threads ---------------------------------------------------------------------------------------

static slot *find_slot(hoist_scan *scan, slot_state state)
{
    for (size_t i = 0; i < scan->slot_count; i++) {
        if (scan->slots[i].state == state) {
            return &scan->slots[i];
        }
    }
    return NULL;
}

static void *run_thread(void *self)
{
    hoist_scan *const scan = self;
    // An even share: together they stay within the limit.
    const size_t memory = scan->options.memory / scan->options.jobs;
    (void)pthread_mutex_lock(&scan->lock);
    for (;;) {
        slot *const next = find_slot(scan, SLOT_WAITS);
        if (!next && scan->ends) {
            break;
        }
        if (!next) {
            (void)pthread_cond_wait(&scan->changed, &scan->lock);
            continue;
        }
        next->state = SLOT_READ;
        // Without the lock: only this thread touches a slot that is READ.
        (void)pthread_mutex_unlock(&scan->lock);
        next->status = hoist_scan_read(next->file.path, next->file.is_named, memory,
                                       scan->options.deadline, &next->found);
        (void)pthread_mutex_lock(&scan->lock);
        next->state = SLOT_DONE;
        (void)pthread_cond_broadcast(&scan->changed);
    }
    (void)pthread_mutex_unlock(&scan->lock);
    return NULL;
}

// Keeps the result of a slot, and frees it.
static hoist_status collect(hoist_scan *scan, slot *done)
{
    const hoist_status status =
        done->status == HOIST_OK ? put(scan, &done->file, &done->found) : done->status;
    hoist_scan_found_deinit(&done->found);
    hoist_free(scan->alloc, (char *)(uintptr_t)done->file.path, done->path_size);
    // The state last, under the lock: threads look at it.
    (void)pthread_mutex_lock(&scan->lock);
    done->state = SLOT_FREE;
    (void)pthread_mutex_unlock(&scan->lock);
    return status;
}

// Waits until a slot is in one of the two states, the first preferred, or all are free; NULL: they
// are.
static slot *await(hoist_scan *scan, slot_state state, slot_state other)
{
    slot *found = NULL;
    (void)pthread_mutex_lock(&scan->lock);
    for (;;) {
        // Results before free slots: they have memory that can go.
        found = find_slot(scan, state);
        found = found ? found : find_slot(scan, other);
        if (found || (!find_slot(scan, SLOT_WAITS) && !find_slot(scan, SLOT_READ))) {
            break;
        }
        (void)pthread_cond_wait(&scan->changed, &scan->lock);
    }
    (void)pthread_mutex_unlock(&scan->lock);
    return found;
}

// Gives a file to the threads; results that are there meanwhile are kept.
static hoist_status give(hoist_scan *scan, const hoist_walk_file *file)
{
    slot *free_slot = await(scan, SLOT_DONE, SLOT_FREE);
    while (free_slot && free_slot->state == SLOT_DONE) {
        HOIST_TRY(collect(scan, free_slot));
        free_slot = await(scan, SLOT_DONE, SLOT_FREE);
    }
    HOIST_ASSERT(free_slot); // some are always free, done or on their way
    const size_t size = strlen(file->path) + 1;
    char *const path = hoist_alloc(scan->alloc, size);
    if (!path) {
        return HOIST_NO_MEMORY;
    }
    memcpy(path, file->path, size); // the walk's path is good for the call only
    (void)pthread_mutex_lock(&scan->lock);
    free_slot->file = *file;
    free_slot->file.path = path;
    free_slot->path_size = size;
    hoist_scan_found_init(&free_slot->found, scan->alloc);
    free_slot->state = SLOT_WAITS;
    (void)pthread_cond_broadcast(&scan->changed);
    (void)pthread_mutex_unlock(&scan->lock);
    return HOIST_OK;
}

// Keeps all results that are still to come; after a failure they are dropped.
static hoist_status drain(hoist_scan *scan, hoist_status status)
{
    for (;;) {
        slot *const done = await(scan, SLOT_DONE, SLOT_DONE);
        if (!done) {
            return status;
        }
        done->status = status == HOIST_OK ? done->status : status;
        status = collect(scan, done);
    }
}

// The trees -------------------------------------------------------------------------------------

// The database itself, and what SQLite has next to it, are no part of what is scanned.
static bool is_own(const hoist_scan *scan, const hoist_walk_file *file)
{
    static const char *const endings[] = {"-journal", "-wal", "-shm"};
    if (!scan->has_db) {
        return false;
    }
    if (file->device == scan->db_device && file->inode == scan->db_inode) {
        return true;
    }
    // The files of SQLite have the database's name with an ending; they come and go, so that inodes
    // do not help.
    const char *const slash = strrchr(scan->options.db, '/');
    const char *const name = strrchr(file->path, '/');
    const hoist_str db = hoist_str_from(slash ? slash + 1 : scan->options.db);
    const hoist_str own = hoist_str_from(name ? name + 1 : file->path);
    for (size_t i = 0; i < HOIST_COUNT_OF(endings); i++) {
        if (hoist_str_starts_with(own, db.data) &&
            hoist_str_equal_c(hoist_str_slice(own, db.size, own.size - db.size), endings[i])) {
            return true;
        }
    }
    return false;
}

// Whether the file is one that this scan is about.
static bool is_scanned(const hoist_scan *scan, const hoist_walk_file *file)
{
    // Each process of a divided scan has its own share of the paths.
    const uint64_t shards = scan->options.shards;
    return !is_own(scan, file) &&
           (!shards || hoist_scan_shard_of(file->path, shards) == scan->options.shard);
}

static hoist_status meet(void *self, const hoist_walk_file *file)
{
    hoist_scan *const scan = self;
    bool known = false;
    HOIST_TRY(hoist_deadline_look(scan->options.deadline));
    if (!is_scanned(scan, file)) {
        return HOIST_OK;
    }
    scan->counts.files++;
    HOIST_TRY(hoist_store_find(&scan->store, file, &known));
    // Size and time are as they were: the entries in the database are this file's.
    if (known) {
        scan->counts.known++;
        count_file(scan);
        return HOIST_OK;
    }
    return scan->slots ? give(scan, file) : read_here(scan, file);
}

static hoist_status walk(hoist_scan *scan)
{
    hoist_walk w = {.alloc = scan->alloc, .self = scan, .file = meet, .failed = miss};
    hoist_status status = HOIST_OK;
    for (size_t i = 0; i < scan->options.path_count && status == HOIST_OK; i++) {
        status = hoist_walk_run(&w, scan->options.paths[i]);
    }
    scan->counts.links = w.links;
    scan->counts.special = w.special;
    return status;
}

static hoist_status walk_with_threads(hoist_scan *scan)
{
    const size_t jobs = scan->options.jobs;
    pthread_t *const threads = hoist_alloc_zero(scan->alloc, jobs, sizeof(threads[0]));
    scan->slot_count = jobs * SLOTS_OF_JOB;
    scan->slots = hoist_alloc_zero(scan->alloc, scan->slot_count, sizeof(scan->slots[0]));
    size_t started = 0;
    (void)pthread_mutex_init(&scan->lock, NULL);
    // A condition of the monotonic clock, as all in hoist.
    const bool ready = threads && scan->slots && hoist_cond_init(&scan->changed);
    scan->ends = false;
    while (ready && started < jobs &&
           pthread_create(&threads[started], NULL, run_thread, scan) == 0) {
        started++;
    }
    hoist_status status = HOIST_NO_MEMORY;
    // Fewer threads than asked for are enough: one will do.
    if (started) {
        status = drain(scan, walk(scan));
    }
    (void)pthread_mutex_lock(&scan->lock);
    scan->ends = true;
    (void)pthread_mutex_unlock(&scan->lock);
    if (ready) {
        (void)pthread_cond_broadcast(&scan->changed);
        for (size_t i = 0; i < started; i++) {
            (void)pthread_join(threads[i], NULL);
        }
        (void)pthread_cond_destroy(&scan->changed);
    }
    (void)pthread_mutex_destroy(&scan->lock);
    hoist_free(scan->alloc, scan->slots,
               scan->slots ? scan->slot_count * sizeof(scan->slots[0]) : 0);
    hoist_free(scan->alloc, threads, threads ? jobs * sizeof(threads[0]) : 0);
    scan->slots = NULL;
    return status;
}

static hoist_status see(void *self, const hoist_walk_file *file)
{
    hoist_scan *const scan = self;
    HOIST_TRY(hoist_deadline_look(scan->options.deadline));
    return is_scanned(scan, file) ? hoist_store_see(&scan->store, file->path) : HOIST_OK;
}

static void pass_over(void *self, const char *path, int error)
{
    hoist_scan *const scan = self;
    (void)path;
    (void)error;
    scan->is_partial = true;
}

// Removes files that are gone. Every file that was met is in the database, so there are none when
// it has as many; else the trees are walked once more, to note which there are.
static hoist_status sweep(hoist_scan *scan)
{
    const hoist_scan_options *const options = &scan->options;
    const hoist_store_range range = {.paths = options->paths,
                                     .path_count = options->path_count,
                                     .shard = options->shard,
                                     .shards = options->shards};
    // Silent: the first walk has complained already.
    hoist_walk again = {.alloc = scan->alloc, .self = scan, .file = see, .failed = pass_over};
    uint64_t count = 0;
    HOIST_TRY(hoist_store_count(&scan->store, &range, &count));
    if (count == scan->counts.files) {
        return HOIST_OK;
    }
    for (size_t i = 0; i < options->path_count; i++) {
        HOIST_TRY(hoist_walk_run(&again, options->paths[i]));
    }
    // Of a tree with a folder that cannot be read it is not known what is gone.
    return scan->is_partial ? HOIST_OK : hoist_store_sweep(&scan->store, &range);
}

hoist_status hoist_scan_run(hoist_scan *scan, hoist_scan_counts *out_counts)
{
    scan->counts = (hoist_scan_counts){0};
    scan->is_partial = false;
    const bool is_own = hoist_stage_begin(scan->options.deadline, HOIST_STAGE_SCANNING, 0);
    hoist_status status = scan->options.jobs > 1 ? walk_with_threads(scan) : walk(scan);
    status = status == HOIST_OK ? sweep(scan) : status;
    hoist_stage_end(scan->options.deadline, is_own);
    *out_counts = scan->counts;
    // A scan that was stopped keeps what it has: the next one goes on from there.
    if (status == HOIST_OK || status == HOIST_LIMIT || status == HOIST_CANCELLED) {
        const hoist_status saved = hoist_store_save(&scan->store);
        status = saved == HOIST_OK ? status : saved;
    }
    return status;
}

hoist_status hoist_scan_each(hoist_scan *scan,
                             hoist_status (*take)(void *self, const hoist_scan_entry *entry),
                             void *self)
{
    return hoist_store_each(&scan->store, take, self);
}

hoist_status hoist_scan_tokens(hoist_scan *scan, bool shared,
                               hoist_status (*take)(void *self, hoist_str token, hoist_str file,
                                                    hoist_str member),
                               void *self)
{
    return hoist_store_tokens(&scan->store, shared, take, self);
}
