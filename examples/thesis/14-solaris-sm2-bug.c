// EXPECT: unsafe
// SOLARIS-SM2, buggy twin of 14-solaris-sm2.c.
// The mistake: who needs the map waits with `if` instead of `while` until nobody loads it. When the load has failed,
// another thread may have begun the next one before the woken thread has the mutex, which then goes on while the map is
// loading.
#define SOLARIS
#include "kernel.h"

#define BLOCKS 64
#define WORDS 2
#define RECORD_BITS 16
#define RECORDS 8
#define NOWHERE BLOCKS

// What a routine returns if not 0.
enum { NO_ENTRY = 2, DISK_ERROR = 5, TOO_MANY = 7, EXISTS = 17, BAD_REQUEST = 22, NO_SPACE = 28, DAMAGED = 52 };

enum map_state { MAP_UNLOADED, MAP_LOADING, MAP_LOADED };
enum request_kind { REQUEST_ALLOCATE, REQUEST_CLAIM, REQUEST_FREE };
enum record_kind { RECORD_ALLOCATED, RECORD_FREED };

// A set of blocks: one bit for each.
typedef unsigned long blocks_t;

// Neighbouring blocks.
struct run {
  unsigned start;
  unsigned size;
};

// What a transaction group has changed.
struct group {
  blocks_t allocated;
  blocks_t freed;
};

// What is on disk: changes, the oldest first, to a map without any free block. A word has several records,
// and a record that is 0 ends the log.
struct log {
  unsigned long word[WORDS];
  unsigned checksum;
};

struct request {
  enum request_kind kind;
  struct run run;
};

struct statistics {
  unsigned loads;
  unsigned load_errors;
  unsigned unloads;
  unsigned allocated;
  unsigned freed;
  unsigned refused;
  unsigned syncs;
  unsigned condensed;
  unsigned trims;
};

// How many blocks are in use, and how many are free but wait for two groups, as the disk says.
struct space {
  unsigned used;
  unsigned deferred;
};

struct report {
  unsigned free;
  unsigned pending;
  unsigned untrimmed;
  unsigned largest;
  unsigned runs;
  unsigned fragmentation;
  unsigned long histogram;
};

static struct {
  kmutex_t lock;
  // A load is over; a write is over; the map is open again; nobody uses the map or writes it.
  kcondvar_t load_cv;
  kcondvar_t write_cv;
  kcondvar_t open_cv;
  kcondvar_t idle_cv;
  enum map_state state;
  _Bool writing;
  _Bool closing;
  // Blocks are free twice; changes are not yet on disk; the last group could not be written.
  _Bool damaged;
  _Bool dirty;
  _Bool retry;
  unsigned users;
  // What can be allocated; the changes of the open group, and of the one on its way to disk; and what was freed by the
  // last group on disk and by the one before: a crash may bring these back, so that they are not yet reused.
  blocks_t free;
  struct group open;
  struct group quiesced;
  blocks_t young;
  blocks_t old;
  // All of the freed ones that are not yet in `free`.
  blocks_t pending;
  // Free blocks that are being trimmed, and blocks that have been since they were freed.
  blocks_t trimming;
  blocks_t trimmed;
  // Where the last allocation ended, and how many records are on disk.
  unsigned cursor;
  unsigned log_length;
  // What the administrator can see.
  struct space space;
  struct statistics statistics;
  struct report report;
  // The disk, and whether it is at work.
  struct log disk;
  _Bool disk_busy;
} map;

//
// Sets of blocks.
//

static blocks_t set_of(struct run run) {
  blocks_t low = run.size < BLOCKS ? (1ul << run.size) - 1 : ~0ul;
  return run.start < BLOCKS ? low << run.start : 0;
}

// Adds neighbouring bits, then pairs, and then fours; the product adds the bytes.
static unsigned set_count(blocks_t set) {
  set -= set >> 1 & 0x5555555555555555;
  set = (set & 0x3333333333333333) + (set >> 2 & 0x3333333333333333);
  set = (set + (set >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return (unsigned)(set * 0x0101010101010101 >> 56);
}

// The first run of blocks at or behind one; of size 0 if there is none.
static struct run set_next_run(blocks_t set, unsigned from) {
  struct run run = {from, 0};
  while (run.start < BLOCKS && (set >> run.start & 1) == 0)
    run.start++;
  while (run.start + run.size < BLOCKS && (set >> (run.start + run.size) & 1) != 0)
    run.size++;
  return run;
}

// The size of the largest run.
static unsigned set_largest(blocks_t set) {
  unsigned largest = 0;
  // Each step shortens all runs by one block.
  for (; set != 0; set &= set << 1)
    largest++;
  return largest;
}

// How many runs there are: each has one block without a neighbour below.
static unsigned set_runs(blocks_t set) { return set_count(set & ~(set << 1)); }

//
// How to find free blocks: where they start, or NOWHERE.
//

// The first run that is large enough: it keeps the end of the device free.
static unsigned find_first(blocks_t set, unsigned size, unsigned cursor) {
  struct run run = {0, 0};
  (void)cursor;
  do
    run = set_next_run(set, run.start + run.size);
  while (run.size != 0 && run.size < size);
  return run.start;
}

// The smallest run that is large enough: for a map that is almost full.
static unsigned find_best(blocks_t set, unsigned size, unsigned cursor) {
  struct run best = {NOWHERE, BLOCKS + 1};
  struct run run = {0, 0};
  (void)cursor;
  for (;;) {
    run = set_next_run(set, run.start + run.size);
    if (run.size == 0)
      break;
    if (run.size >= size && run.size < best.size)
      best = run;
  }
  return best.start;
}

// The first run behind the last allocation, so that what is written together lies together; else the first one.
static unsigned find_next(blocks_t set, unsigned size, unsigned cursor) {
  unsigned found = NOWHERE;
  struct run run = {0, 0};
  do {
    run = set_next_run(set, run.start + run.size);
    if (run.size >= size && (found == NOWHERE || run.start >= cursor))
      found = run.start;
  } while (run.size != 0 && (found == NOWHERE || found < cursor));
  return found;
}

//
// The log.
//

// Never 0, as a run is not empty.
static unsigned long record_encode(enum record_kind kind, struct run run) {
  return (kind == RECORD_FREED ? 1ul << 15 : 0) | run.start << 8 | run.size;
}

static enum record_kind record_kind(unsigned long record) {
  return (record >> 15 & 1) != 0 ? RECORD_FREED : RECORD_ALLOCATED;
}

static struct run record_run(unsigned long record) {
  struct run run = {record >> 8 & 0x3f, record & 0x7f};
  return run;
}

static void log_clear(struct log *log) {
  for (unsigned i = 0; i < WORDS; i++)
    log->word[i] = 0;
}

static unsigned long log_record(const struct log *log, unsigned i) {
  unsigned long word = i < RECORDS / WORDS ? log->word[0] : log->word[1];
  return word >> i % (RECORDS / WORDS) * RECORD_BITS & 0xffff;
}

static unsigned log_checksum(const struct log *log) {
  unsigned sum = 1;
  for (unsigned i = 0; i < RECORDS; i++)
    sum = sum * 31 + (unsigned)log_record(log, i);
  return sum;
}

// Appends one record; 0 or TOO_MANY.
static int log_append(struct log *log, unsigned long record) {
  unsigned at = 0;
  while (at < RECORDS && log_record(log, at) != 0)
    at++;
  if (at == RECORDS)
    return TOO_MANY;
  unsigned shift = at % (RECORDS / WORDS) * RECORD_BITS;
  if (at < RECORDS / WORDS)
    log->word[0] |= record << shift;
  else
    log->word[1] |= record << shift;
  return 0;
}

// Appends one record per run of the set; 0 or TOO_MANY.
static int log_append_set(struct log *log, enum record_kind kind, blocks_t set) {
  int error = 0;
  struct run run = {0, 0};
  while (error == 0) {
    run = set_next_run(set, run.start + run.size);
    if (run.size == 0)
      break;
    error = log_append(log, record_encode(kind, run));
  }
  return error;
}

// Does again what the log says, and counts the records; 0 or DAMAGED.
static int log_replay(const struct log *log, blocks_t *free, unsigned *length) {
  blocks_t set = 0;
  if (log_checksum(log) != log->checksum)
    return DAMAGED;
  unsigned i = 0;
  for (; i < RECORDS && log_record(log, i) != 0; i++) {
    unsigned long record = log_record(log, i);
    blocks_t blocks = set_of(record_run(record));
    // What is freed was in use, and the other way round.
    if ((set & blocks) != (record_kind(record) == RECORD_FREED ? 0 : blocks))
      return DAMAGED;
    set ^= blocks;
  }
  *free = set;
  *length = i;
  return 0;
}

//
// The disk. It is slow: who works with it does not hold the mutex, and is alone.
//

static void disk_enter(void) {
  ASSERT(!MUTEX_HELD(&map.lock));
  ASSERT(!map.disk_busy);
  map.disk_busy = 1;
}

static void disk_leave(void) {
  ASSERT(map.disk_busy);
  map.disk_busy = 0;
}

// 0 or DISK_ERROR.
static int disk_read(struct log *log) {
  disk_enter();
  *log = map.disk;
  disk_leave();
  return __VERIFIER_nondet_bool() ? 0 : DISK_ERROR;
}

// Writes the log, after what is there or instead of it; 0, DISK_ERROR or TOO_MANY. An error leaves the disk as it was.
static int disk_write(const struct log *log, _Bool append) {
  int error = DISK_ERROR;
  disk_enter();
  if (__VERIFIER_nondet_bool()) {
    struct log whole = map.disk;
    if (!append)
      log_clear(&whole);
    error = 0;
    for (unsigned i = 0; i < RECORDS && log_record(log, i) != 0 && error == 0; i++)
      error = log_append(&whole, log_record(log, i));
    whole.checksum = log_checksum(&whole);
    if (error == 0)
      map.disk = whole;
  }
  disk_leave();
  return error;
}

// Has one command for each run; returns how many.
static unsigned disk_trim(blocks_t set) {
  unsigned commands = 0;
  struct run run = {0, 0};
  disk_enter();
  for (;;) {
    run = set_next_run(set, run.start + run.size);
    if (run.size == 0)
      break;
    commands++;
  }
  disk_leave();
  return commands;
}

//
// States.
//

static void map_set_state(enum map_state state) {
  ASSERT(MUTEX_HELD(&map.lock));
  // A load begins in an unloaded map, and ends with a loaded one or not; a loaded map can only be unloaded.
  if (state == MAP_LOADING)
    ASSERT(map.state == MAP_UNLOADED);
  else if (state == MAP_LOADED)
    ASSERT(map.state == MAP_LOADING);
  else
    ASSERT(map.state != MAP_UNLOADED);
  map.state = state;
}

// Waits until nobody loads or writes.
static void map_quiet_wait(void) {
  while (map.state == MAP_LOADING || map.writing) {
    if (map.writing)
      cv_wait(&map.write_cv, &map.lock);
    else
      cv_wait(&map.load_cv, &map.lock);
  }
  ASSERT(MUTEX_HELD(&map.lock));
  ASSERT(map.state != MAP_LOADING);
  ASSERT(!map.writing);
}

// Waits until the map is loaded, or can be.
static void map_load_wait(void) {
  if (map.state == MAP_LOADING || (map.state == MAP_UNLOADED && map.writing)) {
    if (map.state == MAP_LOADING)
      cv_wait(&map.load_cv, &map.lock);
    else
      cv_wait(&map.write_cv, &map.lock);
  }
  ASSERT(MUTEX_HELD(&map.lock));
  ASSERT(map.state != MAP_LOADING);
}

// Loads the map. The mutex is held, but released for a while.
static void map_load(void) {
  struct log log;
  blocks_t free = 0;
  unsigned length = 0;
  ASSERT(!map.writing);
  map_set_state(MAP_LOADING);
  mutex_exit(&map.lock);
  int error = disk_read(&log);
  if (error == 0)
    error = log_replay(&log, &free, &length);
  mutex_enter(&map.lock);
  ASSERT(map.state == MAP_LOADING);
  ASSERT(!map.writing);
  if (error == 0) {
    // What has changed since; and what a crash may bring back is free on disk, but must not be used.
    map.free = free & ~(map.open.allocated | map.quiesced.allocated | map.pending);
    map.log_length = length;
    map.cursor = 0;
    map.damaged = ((map.young | map.old) & ~free) != 0;
    map.statistics.loads++;
    map_set_state(MAP_LOADED);
  } else {
    map.statistics.load_errors++;
    map_set_state(MAP_UNLOADED);
  }
  cv_broadcast(&map.load_cv);
}

// Sees to it that the map is loaded, unless that fails.
static void map_activate(void) {
  map_load_wait();
  if (map.state == MAP_UNLOADED)
    map_load();
  ASSERT(MUTEX_HELD(&map.lock));
  ASSERT(map.state != MAP_LOADING);
}

// Forgets the map.
static void map_forget(void) {
  map_set_state(MAP_UNLOADED);
  map.free = 0;
  map.statistics.unloads++;
}

// Begins to use the map: it cannot be closed any more.
static void map_hold(void) {
  while (map.closing)
    cv_wait(&map.open_cv, &map.lock);
  ASSERT(MUTEX_HELD(&map.lock));
  ASSERT(!map.closing);
  map.users++;
}

static void map_release(void) {
  ASSERT(MUTEX_HELD(&map.lock));
  map.users--;
  if (map.users == 0)
    cv_broadcast(&map.idle_cv);
}

//
// Requests.
//

// Finds blocks for an allocation, in the way that suits what is free.
static unsigned map_find(unsigned size) {
  unsigned (*find)(blocks_t set, unsigned size, unsigned cursor) = find_next;
  blocks_t set = map.free;
  ASSERT(map.state == MAP_LOADED);
  if (set_count(set) < BLOCKS / 8)
    find = find_best;
  else if (set_largest(set) < BLOCKS / 4)
    find = find_first;
  return find(set, size, map.cursor);
}

// Takes blocks that are free; 0, NO_SPACE or NO_ENTRY.
static int map_take(struct run run) {
  blocks_t blocks = set_of(run);
  ASSERT(MUTEX_HELD(&map.lock));
  ASSERT(map.state == MAP_LOADED);
  if (run.start == NOWHERE)
    return NO_SPACE;
  if ((map.free & blocks) != blocks)
    return NO_ENTRY;
  map.free &= ~blocks;
  map.open.allocated |= blocks;
  map.trimmed &= ~blocks;
  map.dirty = 1;
  map.cursor = run.start + run.size;
  map.statistics.allocated += run.size;
  return 0;
}

// Gives blocks back. They can be used when two more groups are on disk; 0 or EXISTS.
static int map_give(struct run run) {
  blocks_t blocks = set_of(run);
  ASSERT(MUTEX_HELD(&map.lock));
  ASSERT(map.state == MAP_LOADED);
  if (((map.free | map.pending | map.trimming) & blocks) != 0)
    return EXISTS;
  map.open.freed |= blocks;
  map.pending |= blocks;
  map.dirty = 1;
  map.statistics.freed += run.size;
  return 0;
}

// Does what a loaded map is asked for.
static int map_serve(struct request *request) {
  if (map.damaged)
    return DAMAGED;
  if (request->kind == REQUEST_FREE)
    return map_give(request->run);
  if (request->kind == REQUEST_ALLOCATE)
    request->run.start = map_find(request->run.size);
  return map_take(request->run);
}

// A request from outside, by any thread.
static int map_request(struct request *request) {
  int error = DISK_ERROR;
  if (request->run.size == 0 || request->run.start + request->run.size > BLOCKS)
    return BAD_REQUEST;
  mutex_enter(&map.lock);
  map_hold();
  map_activate();
  if (map.state == MAP_LOADED)
    error = map_serve(request);
  map.statistics.refused += error != 0;
  map_release();
  mutex_exit(&map.lock);
  return error;
}

//
// Writing. The mutex is released meanwhile: the map may be used, but neither loaded nor unloaded.
//

static void map_write_begin(void) {
  ASSERT(map.state != MAP_LOADING);
  ASSERT(!map.writing);
  map.writing = 1;
  mutex_exit(&map.lock);
}

static void map_write_end(void) {
  mutex_enter(&map.lock);
  ASSERT(map.state != MAP_LOADING);
  ASSERT(map.writing);
  map.writing = 0;
  cv_broadcast(&map.write_cv);
  cv_broadcast(&map.idle_cv);
}

//
// Transaction groups.
//

// The open group is closed, unless the last one still has to go to disk because of an error.
static void map_quiesce(void) {
  if (!map.retry) {
    map.quiesced = map.open;
    map.open.allocated = 0;
    map.open.freed = 0;
  }
}

// Whether to write all instead of the changes: if the log gets too long, or much longer than it has to be.
static _Bool map_should_condense(unsigned length, unsigned condensed) {
  if (map.damaged || condensed > RECORDS)
    return 0;
  return length > RECORDS || length > 2 * condensed + 1;
}

// Everything that is free after this group. A log with only that says the same with fewer records.
static blocks_t map_contents(void) {
  ASSERT(map.state == MAP_LOADED);
  return map.free | map.open.allocated | (map.pending & ~map.open.freed);
}

// Accounts for a group on disk.
static void map_account(const struct group *group) {
  ASSERT(MUTEX_HELD(&map.lock));
  map.space.used += set_count(group->allocated);
  map.space.used -= set_count(group->freed);
  map.space.deferred += set_count(group->freed);
  map.space.deferred -= set_count(map.old);
}

// The group is on disk. What was freed before the last group can be used again.
static void map_sync_done(void) {
  ASSERT(MUTEX_HELD(&map.lock));
  if (map.state == MAP_LOADED)
    map.free |= map.old;
  map_account(&map.quiesced);
  map.pending &= ~map.old;
  map.old = map.young;
  map.young = map.quiesced.freed;
  map.quiesced.allocated = 0;
  map.quiesced.freed = 0;
  map.dirty = (map.open.allocated | map.open.freed) != 0;
  map.statistics.syncs++;
}

// Brings a group to disk, while the next one goes on.
static int map_sync(void) {
  struct log log;
  _Bool condense = 0;
  mutex_enter(&map.lock);
  map_quiet_wait();
  if (!map.dirty && map.pending == 0) {
    mutex_exit(&map.lock);
    return 0;
  }
  map_quiesce();
  blocks_t allocated = map.quiesced.allocated;
  blocks_t freed = map.quiesced.freed;
  unsigned length = map.log_length + set_runs(allocated) + set_runs(freed);
  if (map.state == MAP_LOADED) {
    blocks_t contents = map_contents();
    condense = map_should_condense(length, set_runs(contents));
    if (condense) {
      allocated = 0;
      freed = contents;
      length = set_runs(contents);
    }
  }
  map_write_begin();
  log_clear(&log);
  int error = log_append_set(&log, RECORD_ALLOCATED, allocated);
  if (error == 0)
    error = log_append_set(&log, RECORD_FREED, freed);
  if (error == 0)
    error = disk_write(&log, !condense);
  map_write_end();
  map.retry = error != 0;
  if (error == 0) {
    map.log_length = length;
    map.statistics.condensed += condense;
    map_sync_done();
  }
  mutex_exit(&map.lock);
  return error;
}

//
// Maintenance.
//

// Tells the disk about free blocks whose contents it may forget. They cannot be allocated meanwhile.
static void map_trim(void) {
  mutex_enter(&map.lock);
  map_quiet_wait();
  if (map.state == MAP_LOADED) {
    blocks_t blocks = map.free & ~map.trimmed;
    map.free &= ~blocks;
    map.trimming = blocks;
    map_write_begin();
    unsigned commands = disk_trim(blocks);
    map_write_end();
    ASSERT(map.state == MAP_LOADED);
    map.free |= blocks;
    map.trimming = 0;
    map.trimmed |= blocks;
    map.statistics.trims += commands;
  }
  mutex_exit(&map.lock);
}

// How many runs there are of 1, 2 to 3, 4 to 7, ... blocks: 8 bits for each of these.
static unsigned long map_histogram(blocks_t set) {
  unsigned long histogram = 0;
  struct run run = {0, 0};
  for (;;) {
    run = set_next_run(set, run.start + run.size);
    if (run.size == 0)
      break;
    unsigned shift = 0;
    for (unsigned size = run.size; size > 1; size /= 2)
      shift += 8;
    histogram += 1ul << shift;
  }
  return histogram;
}

// Reports to the administrator; also says whether much can be trimmed.
static _Bool map_report(void) {
  struct report report;
  mutex_enter(&map.lock);
  blocks_t free = map.free;
  report.free = set_count(free);
  report.pending = set_count(map.pending);
  report.untrimmed = set_count(free & ~map.trimmed);
  report.largest = set_largest(free);
  report.runs = set_runs(free);
  report.histogram = map_histogram(free);
  // In per cent: 0 if all that is free is one run.
  report.fragmentation = report.free == 0 ? 0 : 100 - report.largest * 100 / report.free;
  map.report = report;
  mutex_exit(&map.lock);
  return report.untrimmed >= BLOCKS / 4;
}

// Saves memory. A map that is in use, being written or changed stays.
static void map_unload(void) {
  mutex_enter(&map.lock);
  if (map.state == MAP_LOADED && !map.writing && map.users == 0 && !map.dirty)
    map_forget();
  mutex_exit(&map.lock);
}

// Looks for blocks that are free twice; then the map is not used until it is loaded again.
static _Bool map_audit(void) {
  mutex_enter(&map.lock);
  if (map.state == MAP_LOADED && (map.free & map.pending) != 0)
    map.damaged = 1;
  _Bool damaged = map.damaged;
  mutex_exit(&map.lock);
  return damaged;
}

// Closes the map, forgets it, and opens it again. Only one thread does so at a time.
static void map_reset(void) {
  mutex_enter(&map.lock);
  if (!map.closing) {
    map.closing = 1;
    while (map.users != 0 || map.writing)
      cv_wait(&map.idle_cv, &map.lock);
    ASSERT(MUTEX_HELD(&map.lock));
    ASSERT(map.closing);
    ASSERT(!map.writing);
    if (map.state == MAP_LOADED)
      map_forget();
    map.closing = 0;
    cv_broadcast(&map.open_cv);
  }
  mutex_exit(&map.lock);
}

//
// Threads.
//

// Allocates or, if it replays an intent log, claims blocks, and frees them.
static void *file_system(void *unused) {
  struct request request;
  (void)unused;
  request.kind = __VERIFIER_nondet_bool() ? REQUEST_ALLOCATE : REQUEST_CLAIM;
  request.run.start = __VERIFIER_nondet_uint() % BLOCKS;
  request.run.size = __VERIFIER_nondet_uint() % 8;
  for (unsigned i = 0; i < 2; i++) {
    if (map_request(&request) != 0)
      break;
    request.kind = REQUEST_FREE;
  }
  return 0;
}

// Tries again after an error, but not for ever.
static void *group_writer(void *unused) {
  (void)unused;
  while (map_sync() == DISK_ERROR && __VERIFIER_nondet_bool())
    ;
  return 0;
}

// Does what is most urgent.
static void *maintenance(void *unused) {
  (void)unused;
  if (map_audit())
    map_reset();
  else if (map_report())
    map_trim();
  else
    map_unload();
  return 0;
}

// A new map: all blocks are free on disk, and nothing is loaded.
static void map_create(void) {
  mutex_init(&map.lock, 0, MUTEX_DEFAULT, 0);
  cv_init(&map.load_cv, 0, CV_DEFAULT, 0);
  cv_init(&map.write_cv, 0, CV_DEFAULT, 0);
  cv_init(&map.open_cv, 0, CV_DEFAULT, 0);
  cv_init(&map.idle_cv, 0, CV_DEFAULT, 0);
  struct run all = {0, BLOCKS};
  struct log log;
  log_clear(&log);
  log.word[0] = record_encode(RECORD_FREED, all);
  log.checksum = log_checksum(&log);
  map.disk = log;
}

int main(void) {
  pthread_t thread;
  map_create();
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool())
      pthread_create(&thread, 0, file_system, 0);
    else if (__VERIFIER_nondet_bool())
      pthread_create(&thread, 0, group_writer, 0);
    else
      pthread_create(&thread, 0, maintenance, 0);
  }
  return 0;
}
