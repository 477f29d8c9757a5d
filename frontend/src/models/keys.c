// Thread-specific data (POSIX keys; C11 calls them tss). Up to four keys; the number of a deleted key is not used again.

typedef unsigned int pthread_key_t;

static unsigned __monabs_keys;
static _Bool __monabs_has_destructors;
static void (*__monabs_destructors[4])(void *);
static _Thread_local void *__monabs_specific[4];
static _Bool __monabs_deleted[4];

// A key must not be used before it was created, nor when it was deleted.
static void __monabs_use_key(pthread_key_t key) {
  if (key >= __monabs_keys) {
    __monabs_limit("a key for thread-specific data is used that was not created: C and POSIX leave this undefined");
  }
  if (__monabs_deleted[key]) {
    __monabs_limit("a key for thread-specific data is used that was deleted: C and POSIX leave this undefined");
  }
}

// Set when a thread was asked to stop, and when there is something to be run at the end of a stopped thread. The
// combination is not modelled. Each side sets its own flag before it reads the other's, so that one of them notices.
static _Bool __monabs_cancelling;
static _Bool __monabs_cleaning;

// Where a cancelled thread stops. Over-approximated: it may go on here, and who was cancelled is not looked at.
static void __monabs_cancellation_point(void) {
  if (__monabs_cancelling) {
    __monabs_approximate("a cancelled thread may go on beyond a place where it stops");
  }
}

static void __monabs_needs_cleaning(void) {
  __monabs_cleaning = 1;
  if (__monabs_cancelling) {
    __monabs_limit("clean-up handlers of a cancelled thread are not modelled");
  }
}

// Exact for the first four keys: no thread has a value for a new key.
int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
  unsigned number;
  __CPROVER_atomic_begin();
  number = __monabs_keys;
  if (number < 4) {
    __monabs_keys = number + 1;
  }
  __CPROVER_atomic_end();
  if (number >= 4) {
    __monabs_limit("more than four keys for thread-specific data");
    return 11;
  }
  if (destructor != 0) {
    __monabs_destructors[number] = destructor;
    __monabs_has_destructors = 1;
    __monabs_needs_cleaning();
  }
  __monabs_store_unsigned(key, number);
  return 0;
}

// Exact: the destructor will not run any more.
int pthread_key_delete(pthread_key_t key) {
  __monabs_use_key(key);
  __monabs_deleted[key] = 1;
  __monabs_destructors[key] = 0;
  return 0;
}

// Exact.
void *pthread_getspecific(pthread_key_t key) {
  __monabs_use_key(key);
  return __monabs_specific[key];
}

// Exact.
int pthread_setspecific(pthread_key_t key, const void *value) {
  __monabs_use_key(key);
  __monabs_specific[key] = (void *)value;
  return 0;
}

static _Bool __monabs_destructor_due(unsigned key) {
  return __monabs_destructors[key] != 0 && __monabs_specific[key] != 0;
}

// Exact: a round visits each key once, in any order. Destructors may set new values, for which there is another round; after four
// rounds, PTHREAD_DESTRUCTOR_ITERATIONS of the system's library, the thread may end with values left.
static void __monabs_run_destructors(void) {
  unsigned key, left, visited, rounds = 0;
  void *value;
  void (*destructor)(void *);
  if (!__monabs_has_destructors) {
    return;
  }
  while (__monabs_destructor_due(0) || __monabs_destructor_due(1) || __monabs_destructor_due(2) ||
         __monabs_destructor_due(3)) {
    if (rounds < 4) {
      rounds = rounds + 1;
    } else if (__monabs_nondet_bool()) {
      return;
    }
    visited = 0;
    for (left = __monabs_keys; left > 0; left = left - 1) {
      key = __monabs_nondet_uint();
      __CPROVER_assume(key < 4 && key < __monabs_keys);
      __CPROVER_assume((visited >> key & 1) == 0);
      visited = visited | 1u << key;
      // Read once: the key may be deleted now, and then the destructor runs or does not.
      destructor = __monabs_destructors[key];
      if (destructor != 0 && __monabs_specific[key] != 0) {
        value = __monabs_specific[key];
        __monabs_specific[key] = 0;
        destructor(value);
      }
    }
  }
}
