// EXPECT: safe
// SOLARIS-SM2: a space map in the style of Solaris' file system ZFS.
// Origin: the module's structure (a map of free segments under one mutex; it is loaded from disk when it is first needed, and
// who needs it meanwhile waits for a broadcast); written anew.
//
// The map says which segments of a device are free. To load it one thread marks it as loading, releases the mutex, reads the
// disk, takes the mutex again, and wakes all others. Loading may fail; then the next one tries. A map that is not needed is
// unloaded to save memory, and changes go to the disk when a transaction group is synchronised.
//
// Asserted: the routines that need the mutex hold it; a map is not loaded twice at a time, nor when it is loaded; who has
// waited for the load finds it over; segments are only changed in a loaded map.
// The twin 14-solaris-sm2-bug.c marks the map as loading after it has released the mutex.
#define SOLARIS
#include "kernel.h"

#define SEGMENTS 8
#define DISK_ERROR 5
#define NO_SPACE 28
#define EXISTS 17
#define NO_ENTRY 2

static struct {
  kmutex_t lock;
  kcondvar_t load_cv;
  _Bool loading;
  _Bool loaded;
  // One bit per segment: free in memory; free on disk; changed since the last synchronisation.
  unsigned char free;
  unsigned char disk;
  _Bool dirty;
} map;

// The disk is being read.
static _Bool reading;

// Whether the segment is free.
static _Bool map_contains(unsigned segment) {
  ASSERT(MUTEX_HELD(&map.lock));
  ASSERT(map.loaded);
  return (map.free >> segment % SEGMENTS & 1) != 0;
}

// Makes a segment free; 0 or EXISTS.
static int map_add(unsigned segment) {
  ASSERT(MUTEX_HELD(&map.lock));
  if (map_contains(segment))
    return EXISTS;
  map.free |= (unsigned char)(1u << segment % SEGMENTS);
  map.dirty = 1;
  return 0;
}

// Makes a segment used; 0 or NO_ENTRY.
static int map_remove(unsigned segment) {
  ASSERT(MUTEX_HELD(&map.lock));
  if (!map_contains(segment))
    return NO_ENTRY;
  map.free &= (unsigned char)~(1u << segment % SEGMENTS);
  map.dirty = 1;
  return 0;
}

// Waits until nobody loads.
static void map_load_wait(void) {
  ASSERT(MUTEX_HELD(&map.lock));
  while (map.loading) {
    ASSERT(!map.loaded);
    cv_wait(&map.load_cv, &map.lock);
  }
  ASSERT(MUTEX_HELD(&map.lock));
  ASSERT(!map.loading);
}

// What is on disk; 0 or DISK_ERROR. It takes long: no mutex is held, and one thread at a time reads.
static int disk_read(unsigned char *bits) {
  ASSERT(!MUTEX_HELD(&map.lock));
  ASSERT(!reading);
  reading = 1;
  *bits = map.disk;
  reading = 0;
  return __VERIFIER_nondet_bool() ? 0 : DISK_ERROR;
}

// Loads the map, which is neither loaded nor being loaded. The mutex is held, but released for a while.
static int map_load(void) {
  unsigned char bits = 0;
  ASSERT(MUTEX_HELD(&map.lock));
  ASSERT(!map.loaded);
  ASSERT(!map.loading);
  map.loading = 1;
  mutex_exit(&map.lock);
  int error = disk_read(&bits);
  mutex_enter(&map.lock);
  ASSERT(map.loading);
  ASSERT(!map.loaded);
  if (error == 0) {
    map.free = bits;
    map.dirty = 0;
    map.loaded = 1;
  }
  map.loading = 0;
  cv_broadcast(&map.load_cv);
  return error;
}

// Sees to it that the map is loaded. The mutex is held.
static int map_activate(void) {
  int error = 0;
  map_load_wait();
  if (!map.loaded)
    error = map_load();
  ASSERT(!map.loading);
  ASSERT(error != 0 || map.loaded);
  return error;
}

// Forgets the map, unless it has changes that are not on disk.
static void map_unload(void) {
  mutex_enter(&map.lock);
  if (map.loaded && !map.dirty) {
    map.loaded = 0;
    map.free = 0;
  }
  mutex_exit(&map.lock);
}

// Finds a free segment and uses it; 0, DISK_ERROR or NO_SPACE.
static int map_allocate(unsigned *segment) {
  mutex_enter(&map.lock);
  int error = map_activate();
  if (error == 0) {
    error = NO_SPACE;
    for (unsigned i = 0; i < SEGMENTS && error != 0; i++) {
      if (map_remove(i) == 0) {
        *segment = i;
        error = 0;
      }
    }
  }
  mutex_exit(&map.lock);
  return error;
}

// Gives a segment back; 0, DISK_ERROR or EXISTS.
static int map_free(unsigned segment) {
  mutex_enter(&map.lock);
  int error = map_activate();
  if (error == 0)
    error = map_add(segment);
  mutex_exit(&map.lock);
  return error;
}

// Uses a certain segment, when an intent log is replayed; 0, DISK_ERROR or NO_ENTRY.
static int map_claim(unsigned segment) {
  mutex_enter(&map.lock);
  int error = map_activate();
  if (error == 0)
    error = map_remove(segment);
  mutex_exit(&map.lock);
  return error;
}

// Writes the changes to disk.
static void map_sync(void) {
  mutex_enter(&map.lock);
  if (map.loaded && map.dirty) {
    map.disk = map.free;
    map.dirty = 0;
  }
  mutex_exit(&map.lock);
}

static void *file_system(void *unused) {
  unsigned segment = 0;
  (void)unused;
  if (map_allocate(&segment) == 0)
    map_free(segment);
  return 0;
}

static void *replay(void *unused) {
  (void)unused;
  map_claim(__VERIFIER_nondet_uint());
  return 0;
}

static void *maintenance(void *unused) {
  (void)unused;
  if (__VERIFIER_nondet_bool())
    map_sync();
  else
    map_unload();
  return 0;
}

int main(void) {
  pthread_t thread;
  mutex_init(&map.lock, 0, MUTEX_DEFAULT, 0);
  cv_init(&map.load_cv, 0, CV_DEFAULT, 0);
  map.disk = 0xff;
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool())
      pthread_create(&thread, 0, file_system, 0);
    else if (__VERIFIER_nondet_bool())
      pthread_create(&thread, 0, replay, 0);
    else
      pthread_create(&thread, 0, maintenance, 0);
  }
  return 0;
}
