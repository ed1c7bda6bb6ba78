// Threads that open and check files ahead of the report (check_ahead.h). Input: paths in their
// order; output: files with findings, in memory of their own, until they are reported. As many are
// open as there are threads, and as many wait to be reported.
#include "check_ahead.h"

#include "base/alloc.h"

// The next file that no thread has; false: there is none left. Waits while the window is full,
// so that memory does not grow with the number of files when the report is slower than the
// checks.
static bool take(check_ahead *ahead, size_t *out_index)
{
    (void)pthread_mutex_lock(&ahead->lock);
    while (ahead->next < ahead->count && ahead->next >= ahead->awaited + ahead->window) {
        (void)pthread_cond_wait(&ahead->changed, &ahead->lock);
    }
    const bool has_one = ahead->next < ahead->count;
    *out_index = ahead->next;
    ahead->next += has_one;
    (void)pthread_mutex_unlock(&ahead->lock);
    return has_one;
}

// A tool that has the command's options and a budget of its own.
static void copy_tool(check_ahead *ahead, size_t index)
{
    tool *const own = &ahead->tools[index];
    *own = *ahead->t;
    // The limit of --max-memory is per file, as without --jobs; the parent allocator is shared
    // and locked (cmd_check()).
    own->budget = (hoist_budget){.parent = ahead->t->budget.parent,
                                 .limit = own->max_memory ? own->max_memory : SIZE_MAX};
    own->alloc = hoist_budget_allocator(&own->budget);
    ahead->files[index].owner = own;
}

static void *run_thread(void *self)
{
    check_ahead *const ahead = self;
    size_t index = 0;
    // A file belongs to one thread from take() to `done`; afterwards it belongs to the
    // reporting thread alone. Nothing of it needs the lock.
    while (take(ahead, &index)) {
        ahead->work(&ahead->tools[index], ahead->self, ahead->t->arguments[index],
                    &ahead->files[index]);
        (void)pthread_mutex_lock(&ahead->lock);
        ahead->done[index] = true;
        (void)pthread_cond_broadcast(&ahead->changed);
        (void)pthread_mutex_unlock(&ahead->lock);
    }
    return NULL;
}

// The lists are of the command's memory, not of a file's budget.
static void free_all(check_ahead *ahead)
{
    const hoist_allocator alloc = ahead->t->budget.parent;
    hoist_free(alloc, ahead->tools, ahead->tools ? ahead->count * sizeof(ahead->tools[0]) : 0);
    hoist_free(alloc, ahead->done, ahead->done ? ahead->count * sizeof(ahead->done[0]) : 0);
    hoist_free(alloc, ahead->threads,
               ahead->threads ? ahead->thread_room * sizeof(ahead->threads[0]) : 0);
}

bool check_ahead_begin(check_ahead *ahead, tool *t, size_t threads, checked *files, size_t count)
{
    const hoist_allocator alloc = t->budget.parent;
    ahead->t = t;
    ahead->files = files;
    ahead->count = count;
    ahead->thread_room = threads < count ? threads : count;
    ahead->window = 2 * ahead->thread_room;
    ahead->tools = hoist_alloc_zero(alloc, count, sizeof(ahead->tools[0]));
    ahead->done = hoist_alloc_zero(alloc, count, sizeof(ahead->done[0]));
    ahead->threads = hoist_alloc_zero(alloc, ahead->thread_room, sizeof(ahead->threads[0]));
    if (!ahead->tools || !ahead->done || !ahead->threads) {
        free_all(ahead);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        copy_tool(ahead, i);
    }
    (void)pthread_mutex_init(&ahead->lock, NULL);
    (void)pthread_cond_init(&ahead->changed, NULL);
    while (ahead->thread_count < ahead->thread_room &&
           pthread_create(&ahead->threads[ahead->thread_count], NULL, run_thread, ahead) == 0) {
        ahead->thread_count++;
    }
    // Fewer threads than asked for are enough. With none the caller opens files itself, and no
    // file may have an owner whose budget is gone.
    if (ahead->thread_count == 0) {
        for (size_t i = 0; i < count; i++) {
            files[i].owner = NULL;
        }
        check_ahead_end(ahead);
    }
    return ahead->thread_count != 0;
}

void check_ahead_wait(check_ahead *ahead, size_t index)
{
    (void)pthread_mutex_lock(&ahead->lock);
    // This moves the window, which may wake threads that wait in take().
    ahead->awaited = index > ahead->awaited ? index : ahead->awaited;
    (void)pthread_cond_broadcast(&ahead->changed);
    while (!ahead->done[index]) {
        (void)pthread_cond_wait(&ahead->changed, &ahead->lock);
    }
    (void)pthread_mutex_unlock(&ahead->lock);
}

void check_ahead_end(check_ahead *ahead)
{
    for (size_t i = 0; i < ahead->thread_count; i++) {
        (void)pthread_join(ahead->threads[i], NULL);
    }
    (void)pthread_cond_destroy(&ahead->changed);
    (void)pthread_mutex_destroy(&ahead->lock);
    free_all(ahead);
}
