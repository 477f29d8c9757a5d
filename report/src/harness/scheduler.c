/* Runs a program with threads along a given schedule.

   The program is compiled with gcc -fsanitize=thread, which calls a function before each access to memory; these functions are defined here,
   and so are the functions of the library that threads wait in. Each of them asks the schedule whether it is this thread's turn. One thread
   runs at a time: from its turn to the place where the schedule has its next one. Memory that the schedule does not name is not looked at.

   Exit status: 0 the failure was reached along the whole schedule; 3 the program did not follow the schedule to its end; 4 it failed in another
   way; 5 nothing happened for a long time. */
#define _GNU_SOURCE
#include "harness.h"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NO_ITEM 0x7fffffff
#define PATIENCE 20
#define MOST 4096

int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __real_pthread_mutex_lock(pthread_mutex_t *);
int __real_pthread_mutex_trylock(pthread_mutex_t *);
int __real_pthread_mutex_unlock(pthread_mutex_t *);
int __real_pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int __real_pthread_cond_broadcast(pthread_cond_t *);
int __real_pthread_join(pthread_t, void **);
void __real_pthread_exit(void *) __attribute__((noreturn));
void *__real_malloc(size_t);

/* A thread of the schedule. */
struct thread {
  int number;
  int position;    /* the number of its next item */
  int executing;   /* it has the turn */
  int finished;
  int section;     /* depth of atomic sections; 0 outside */
  int in_turn;     /* whether the section had its turn */
  int input;       /* the next input to look at */
  void *(*function)(void *);
  int (*number_function)(void *); /* of C11 */
  void *argument;
  pthread_t handle;
  const char *call;        /* the function of the library that it has called last, and for what */
  const volatile void *called_for;
  int stuck;               /* it waits there for ever */
  const volatile void *condition; /* it waits for this condition variable, and nobody has woken it */
  int round;               /* it waits for the end of this round of a barrier */
  const void *from;        /* where in the program it accesses memory */
  const volatile char *at; /* what it was about to access when it had no item left */
  unsigned size;
  int writes, atomic;
};

static pthread_mutex_t token = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static int now;
static struct thread threads[MOST];
static __thread struct thread *self;

static int thread_count = 1; /* those that were created */
static struct thread *created[MOST] = {threads};

static void out(int status, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));

static void out(int status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fflush(stdout);
  vprintf(format, arguments);
  va_end(arguments);
  printf("\n%s\n", status == 0 ? "REPRODUCED" : "NOT REPRODUCED");
  fflush(stdout);
  _exit(status);
}

static const char *shown(const struct harness_item *item) {
  static const char *const words[] = {"starts", "reads", "writes", "reads and writes", "calls", "goes on in", "waits in", "fails"};
  return words[item->kind];
}

static void say(int number) {
  const struct harness_item *item = &harness_items[number];
  if (item->kind == HARNESS_FAIL)
    return;
  printf("%4d thread %d %s %s", number + 1, item->thread, shown(item), item->name);
  printf(item->text[0] ? "   %s\n" : "\n", item->text);
}

static int next_item(int thread, int from) {
  while (from < harness_item_count && harness_items[from].thread != thread)
    from++;
  return from < harness_item_count ? from : NO_ITEM;
}

static void diverge(const char *what) __attribute__((noreturn));
static void diverge(const char *what) {
  int at = now < harness_item_count ? now : harness_item_count - 1;
  out(3, "the program leaves the schedule at step %d of %d: %s", at + 1, harness_item_count, what);
}

/* Two threads about to access the same memory, one of them to write it. */
static void look_for_race(void) {
  for (int one = 0; one < harness_thread_count; one++)
    for (int other = 0; other < one; other++) {
      struct thread *a = &threads[one], *b = &threads[other];
      if (a->at && b->at && a->at < b->at + b->size && b->at < a->at + a->size && (a->writes || b->writes) &&
          !(a->atomic && b->atomic))
        out(0, "reached: %s: threads %d and %d are about to access the same memory", harness_goal.property, b->number,
            a->number);
    }
}

static void look_for_deadlock(void);

static void nothing_left(void) {
  if (!strcmp(harness_goal.kind, "data-race"))
    look_for_race();
  if (!strcmp(harness_goal.kind, "deadlock"))
    look_for_deadlock();
  diverge("all its steps were done, but the failure did not come");
}

/* The thread has done what it had the turn for. */
static void leave_turn(void) {
  if (self->executing) {
    self->executing = 0;
    now++;
    if (now == harness_item_count)
      nothing_left();
    __real_pthread_cond_broadcast(&moved);
  }
}

/* Waits for ever: this thread does no more in the run. */
static void stay(void) __attribute__((noreturn));
static void stay(void) {
  if (self->position != NO_ITEM)
    diverge("a thread waits that has steps left");
  leave_turn();
  for (;;)
    __real_pthread_cond_wait(&moved, &token);
}

/* Waits for the turn of the thread's next item. */
static const struct harness_item *turn(void) {
  int mine = self->position;
  leave_turn();
  while (now != mine)
    __real_pthread_cond_wait(&moved, &token);
  self->executing = 1;
  self->position = next_item(self->number, mine + 1);
  say(mine);
  return &harness_items[mine];
}

static void finish(void) {
  if (self->position != NO_ITEM)
    diverge("a thread ends that has steps left");
  self->finished = 1;
  leave_turn();
}

/* Failures. */

static void fail(const char *kind, int line, const char *what) __attribute__((noreturn));
static void fail(const char *kind, int line, const char *what) {
  if (self)
    __real_pthread_mutex_lock(&token);
  int same_kind = !strcmp(kind, harness_goal.kind) || (!strcmp(kind, "abort") && !strcmp(harness_goal.kind, "error-function"));
  int same_line = line == 0 || harness_goal.line == 0 || line == harness_goal.line ||
                  !strcmp(harness_goal.kind, "error-function");
  /* The thread does it when it is its turn: others may have steps before. */
  if (self && self->position != NO_ITEM && harness_items[self->position].kind == HARNESS_FAIL)
    turn();
  if (!same_kind || !same_line)
    out(4, "another failure: %s in line %d: %s", kind, line, what);
  if (now != harness_item_count - 1)
    diverge("the failure comes early");
  if (!self || (harness_goal.thread >= 0 && self->number != harness_goal.thread))
    diverge("the failure comes in another thread");
  if (line)
    out(0, "reached: %s: line %d, thread %d: %s", harness_goal.property, line, self->number, what);
  out(0, "reached: %s: thread %d: %s", harness_goal.property, self->number, what);
}

void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {
  char what[400];
  snprintf(what, sizeof what, "assertion `%s` does not hold (%s)", text, file);
  /* Many programs define their error function by a false assertion. */
  if (function && (!strcmp(function, "reach_error") || !strcmp(function, "__VERIFIER_error")))
    fail("error-function", 0, what);
  fail("assertion", (int)line, what);
}

__attribute__((weak)) void __VERIFIER_assert(int condition) {
  if (!condition)
    fail("assertion", 0, "__VERIFIER_assert does not hold");
}
__attribute__((weak)) void __CPROVER_assert(int condition, const char *text) {
  if (!condition)
    fail("assertion", 0, text);
}
__attribute__((weak)) void __VERIFIER_error(void) { fail("error-function", 0, "__VERIFIER_error is called"); }
__attribute__((weak)) void reach_error(void) { fail("error-function", 0, "reach_error is called"); }
void __wrap_abort(void) { fail("abort", 0, "the program aborts"); }

/* Run-time checks of gcc; what they are given starts with the place. */
struct place {
  const char *file;
  unsigned line, column;
};
#define CHECK(NAME, KIND, TEXT) \
  void __ubsan_handle_##NAME(struct place *place, ...) { fail(KIND, (int)place->line, TEXT); } \
  void __ubsan_handle_##NAME##_abort(struct place *place, ...) { fail(KIND, (int)place->line, TEXT); }
CHECK(out_of_bounds, "bounds", "an index is out of bounds")
CHECK(divrem_overflow, "division-by-zero", "a division by zero")
CHECK(shift_out_of_bounds, "shift", "a shift by a wrong amount")
CHECK(add_overflow, "overflow", "a sum does not fit")
CHECK(sub_overflow, "overflow", "a difference does not fit")
CHECK(mul_overflow, "overflow", "a product does not fit")
CHECK(negate_overflow, "overflow", "a negated number does not fit")
