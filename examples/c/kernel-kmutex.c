// EXPECT: safe
// Solaris and NetBSD: callers wait in a loop for the condition. With any number of them.
#include <assert.h>
#include "verifier.h"

typedef struct {
  int opaque;
} kmutex_t;
typedef struct {
  int opaque;
} kcondvar_t;
void mutex_init(kmutex_t *mutex, char *name, int type, void *argument);
void mutex_enter(kmutex_t *mutex);
void mutex_exit(kmutex_t *mutex);
void cv_init(kcondvar_t *condition, char *name, int type, void *argument);
void cv_wait(kcondvar_t *condition, kmutex_t *mutex);
void cv_signal(kcondvar_t *condition);

static kmutex_t mutex;
static kcondvar_t condition;
static _Bool ready;

static void produce(void) {
  mutex_enter(&mutex);
  ready = 1;
  cv_signal(&condition);
  mutex_exit(&mutex);
}

static void consume(void) {
  mutex_enter(&mutex);
  while (!ready)
    cv_wait(&condition, &mutex);
  assert(ready);
  ready = 0;
  mutex_exit(&mutex);
}

int main(void) {
  mutex_init(&mutex, 0, 0, 0);
  cv_init(&condition, 0, 0, 0);
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool()) {
    __CPROVER_ASYNC_1:
      produce();
    } else {
    __CPROVER_ASYNC_2:
      consume();
    }
  }
  return 0;
}
