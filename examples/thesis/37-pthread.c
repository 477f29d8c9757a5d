// EXPECT: unsafe
// PTHREAD: several functions with two mutexes change shared numbers; any number of threads.
// Origin: the thesis' program with POSIX threads that needs several threads to fail (Kaiser, Kroening and Wahl, Efficient
// coverability analysis by proof minimization, 2012).
// A shop takes orders, gets deliveries and ships; each of them may happen in any thread, as often as it likes.
// Asserted: a shared number that several functions change remains in its range: there are no more open orders than are accepted.
// The mistake: shipping looks for an order, gives the lock back to fetch the goods, and believes when it takes the lock again that
// the order is still there. Another thread may have shipped it: the number of orders wraps around.
#include "verifier.h"
#include <assert.h>
#include <pthread.h>

enum { MOST_ORDERS = 2, MOST_GOODS = 2 };

static pthread_mutex_t order_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t goods_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned orders;  // protected by order_lock
static unsigned goods;   // protected by goods_lock
static _Bool closed = 1; // no orders are taken until the first delivery; protected by order_lock

static void take_order(void) {
  pthread_mutex_lock(&order_lock);
  if (!closed && orders < MOST_ORDERS)
    orders++;
  pthread_mutex_unlock(&order_lock);
}

static void deliver(void) {
  pthread_mutex_lock(&goods_lock);
  if (goods < MOST_GOODS)
    goods++;
  pthread_mutex_unlock(&goods_lock);
  pthread_mutex_lock(&order_lock);
  closed = 0;
  pthread_mutex_unlock(&order_lock);
}

static _Bool fetch_goods(void) {
  _Bool found;
  pthread_mutex_lock(&goods_lock);
  found = goods > 0;
  if (found)
    goods--;
  pthread_mutex_unlock(&goods_lock);
  return found;
}

static _Bool is_ordered(void) {
  pthread_mutex_lock(&order_lock);
  _Bool ordered = orders > 0;
  pthread_mutex_unlock(&order_lock);
  return ordered;
}

static void ship(void) {
  if (!is_ordered() || !fetch_goods())
    return;
  pthread_mutex_lock(&order_lock);
  orders--;
  assert(orders <= MOST_ORDERS);
  pthread_mutex_unlock(&order_lock);
}

static void *thread(void *unused) {
  (void)unused;
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool())
      take_order();
    else if (__VERIFIER_nondet_bool())
      deliver();
    else
      ship();
  }
  return 0;
}

int main(void) {
  pthread_t handle;
  while (__VERIFIER_nondet_bool())
    pthread_create(&handle, 0, thread, 0);
  return 0;
}
