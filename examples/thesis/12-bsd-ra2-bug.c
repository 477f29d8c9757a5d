// EXPECT: unsafe
// BSD-RA2, buggy twin of 12-bsd-ra2.c.
// The mistake: any request that is not done yet is cancelled at once, also one that is being looked up. Its worker comes back
// and finds it done, free, or queued by somebody else.
#define FREEBSD
#include "kernel.h"
#include <stdatomic.h>

#define CANCELED 85
#define UNREACHABLE 65

enum state { FREE, QUEUED, LOOKUP, DONE };

static struct mtx address_lock;
static struct cv became_free;
static struct cv became_queued;
static struct cv became_done;

static struct {
  enum state state;
  unsigned network_address;
  unsigned link_address;
  int error;
  _Bool canceled;
} request;

// The neighbour that was heard of last.
static struct {
  atomic_uint network_address;
  atomic_uint link_address;
} neighbour;
// A worker looks up.
static _Bool looking;

// All changes of the state are made here, with the mutex; who waits for the new state is woken.
static void change_state(enum state state) {
  mtx_assert(&address_lock, MA_OWNED);
  request.state = state;
  if (state == FREE)
    cv_broadcast(&became_free);
  else if (state == QUEUED)
    cv_broadcast(&became_queued);
  else if (state == DONE)
    cv_broadcast(&became_done);
}

// Waits until nobody has the request, and fills it in.
static void queue_request(unsigned network_address) {
  while (request.state != FREE)
    cv_wait(&became_free, &address_lock);
  assert(request.state == FREE);
  request.network_address = network_address;
  request.link_address = 0;
  request.error = 0;
  request.canceled = 0;
  change_state(QUEUED);
}

// Waits for the answer and gives the request away.
static int finish_request(unsigned *link_address) {
  while (request.state != DONE)
    cv_wait(&became_done, &address_lock);
  assert(request.state == DONE);
  int error = request.canceled ? CANCELED : request.error;
  *link_address = request.link_address;
  change_state(FREE);
  return error;
}

// The link address of a network address; 0, CANCELED or UNREACHABLE.
static int resolve_address(unsigned network_address, unsigned *link_address) {
  mtx_lock(&address_lock);
  queue_request(network_address);
  int error = finish_request(link_address);
  mtx_unlock(&address_lock);
  return error;
}

// Takes long, and is not made for two threads.
static unsigned look_up(unsigned network_address) {
  mtx_assert(&address_lock, MA_NOTOWNED);
  assert(!looking);
  looking = 1;
  unsigned link_address = neighbour.network_address == network_address ? neighbour.link_address : 0;
  looking = 0;
  return link_address;
}

// A worker: does one request.
static void process_request(void) {
  mtx_lock(&address_lock);
  while (request.state != QUEUED)
    cv_wait(&became_queued, &address_lock);
  change_state(LOOKUP);
  unsigned network_address = request.network_address;
  mtx_unlock(&address_lock);

  unsigned link_address = look_up(network_address);

  mtx_lock(&address_lock);
  assert(request.state == LOOKUP);
  request.link_address = link_address;
  request.error = link_address == 0 ? UNREACHABLE : 0;
  change_state(DONE);
  mtx_unlock(&address_lock);
}

// Gives up the request, whosever it is.
static void cancel_request(void) {
  mtx_lock(&address_lock);
  if (request.state == QUEUED || request.state == LOOKUP) {
    request.canceled = 1;
    change_state(DONE);
  }
  mtx_unlock(&address_lock);
}

// A neighbour was heard of.
static void neighbour_event(unsigned network_address, unsigned link_address) {
  mtx_lock(&address_lock);
  neighbour.network_address = network_address;
  neighbour.link_address = link_address;
  cv_broadcast(&became_queued);
  mtx_unlock(&address_lock);
}

static void initialise(void) {
  mtx_init(&address_lock, "address", 0, MTX_DEF);
  cv_init(&became_free, "free");
  cv_init(&became_queued, "queued");
  cv_init(&became_done, "done");
}

static void *client(void *unused) {
  unsigned link_address;
  (void)unused;
  resolve_address(__VERIFIER_nondet_uint(), &link_address);
  return 0;
}

static void *worker(void *unused) {
  (void)unused;
  process_request();
  return 0;
}

static void *event(void *unused) {
  (void)unused;
  if (__VERIFIER_nondet_bool())
    cancel_request();
  else
    neighbour_event(__VERIFIER_nondet_uint(), __VERIFIER_nondet_uint());
  return 0;
}

int main(void) {
  pthread_t thread;
  initialise();
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool())
      pthread_create(&thread, 0, client, 0);
    else if (__VERIFIER_nondet_bool())
      pthread_create(&thread, 0, worker, 0);
    else
      pthread_create(&thread, 0, event, 0);
  }
  return 0;
}
