// EXPECT: unsafe
// BSD-RA2, buggy twin of 12-bsd-ra2.c.
// The mistake: any request that is not done yet is cancelled at once, also one that is being looked up. Its worker
// comes back and finds it done, free, or queued by somebody else.
#define FREEBSD
#include "kernel.h"

// A request is looked up so often before its neighbour counts as unreachable.
#define TRIES 3
// Ticks of the clock until a queued request is given up.
#define PATIENCE 5
// Ticks of the clock until a neighbour is stale, and until it is forgotten.
#define STALE_AGE 4
#define FORGET_AGE 8

#define BUSY 16
#define NO_ROUTE 51
#define SHUT_DOWN 58
#define TIMED_OUT 60
#define UNREACHABLE 65
#define NOT_REGISTERED 69
#define CANCELED 85

enum request_state { FREE, QUEUED, LOOKUP, DONE };
enum service_state { DOWN, UP, STOPPING };
enum client_state { UNUSED, REGISTERED, LEAVING };
enum neighbour_state { UNKNOWN, INCOMPLETE, VALID, STALE };
enum route { ROUTE_NONE, ROUTE_LOOPBACK, ROUTE_MULTICAST, ROUTE_DIRECT, ROUTE_GATEWAY };

// What a client gets: how packets leave, and both ends of their way.
struct path {
  enum route route;
  unsigned source;
  unsigned target;
  int error;
};

struct neighbour {
  enum neighbour_state state;
  unsigned network_address;
  unsigned link_address;
  unsigned age;
};

struct interface {
  unsigned network_address;
  unsigned link_address;
  unsigned mask;
  unsigned gateway;
};

struct statistics {
  unsigned resolved;
  unsigned failed;
  unsigned canceled;
  unsigned expired;
  unsigned retried;
};

// The manager is there from the start.
static struct {
  struct mtx lock;
  struct cv became_free;
  struct cv became_queued;
  struct cv became_done;
  struct cv went_down;
  struct cv references_gone;
  struct cv client_gone;
  enum service_state service;
  unsigned clock;
  struct {
    enum request_state state;
    unsigned network_address;
    unsigned deadline;
    unsigned tries;
    _Bool canceled;
    struct path path;
  } request;
  struct {
    enum client_state state;
    unsigned references;
  } client;
  // A worker looks up.
  _Bool looking;
  struct statistics statistics;
} resolver = {.lock = {PTHREAD_MUTEX_INITIALIZER, 0}, .service = UP, .client = {REGISTERED, 1}};

// What is known of the network, with the same mutex: the interface and the two neighbours that were needed last.
static struct {
  struct interface interface;
  struct neighbour recent;
  struct neighbour previous;
} network;

static enum route find_route(struct interface interface, unsigned network_address) {
  if (network_address == interface.network_address)
    return ROUTE_LOOPBACK;
  if (network_address >> 28 == 14)
    return ROUTE_MULTICAST;
  if (((network_address ^ interface.network_address) & interface.mask) == 0)
    return ROUTE_DIRECT;
  return interface.gateway == 0 ? ROUTE_NONE : ROUTE_GATEWAY;
}

// All packets for a group go to one link address.
static unsigned multicast_link_address(unsigned network_address) { return 0x5e000000 | (network_address & 0x7fffff); }

static _Bool is_neighbour(struct neighbour neighbour, unsigned network_address) {
  return neighbour.state != UNKNOWN && neighbour.network_address == network_address;
}

// The entry after somebody has told its address.
static struct neighbour refreshed(struct neighbour neighbour, unsigned network_address, unsigned link_address) {
  struct neighbour fresh = {VALID, network_address, link_address, 0};
  return is_neighbour(neighbour, network_address) ? fresh : neighbour;
}

// The entry a tick later: who was not heard of for long becomes stale, then forgotten.
static struct neighbour aged(struct neighbour neighbour) {
  neighbour.age++;
  if (neighbour.state == VALID && neighbour.age >= STALE_AGE)
    neighbour.state = STALE;
  if (neighbour.age >= FORGET_AGE)
    neighbour.state = UNKNOWN;
  return neighbour;
}

// The link address of the neighbour, or 0. It becomes the recent one, with a new entry if it is not known.
static unsigned ask_neighbours(unsigned network_address) {
  struct neighbour wanted = {INCOMPLETE, network_address, 0, 0};
  struct neighbour recent = network.recent;
  struct neighbour previous = network.previous;
  mtx_assert(&resolver.lock, MA_OWNED);
  if (is_neighbour(recent, network_address)) {
    wanted = recent;
  } else {
    if (is_neighbour(previous, network_address))
      wanted = previous;
    previous = recent;
  }
  network.recent = wanted;
  network.previous = previous;
  return wanted.link_address;
}

// A neighbour told its link address: workers may have better luck now.
static void learn_neighbour(unsigned network_address, unsigned link_address) {
  mtx_lock(&resolver.lock);
  network.recent = refreshed(network.recent, network_address, link_address);
  network.previous = refreshed(network.previous, network_address, link_address);
  cv_broadcast(&resolver.became_queued);
  mtx_unlock(&resolver.lock);
}

// The interface was set up anew: what the neighbours said is void.
static void configure_interface(struct interface interface) {
  mtx_lock(&resolver.lock);
  network.interface = interface;
  network.recent.state = UNKNOWN;
  network.previous.state = UNKNOWN;
  mtx_unlock(&resolver.lock);
}

// All changes of the request's state are made here, with the mutex; who waits for the new state is woken.
static void change_state(enum request_state state) {
  enum request_state old = resolver.request.state;
  mtx_assert(&resolver.lock, MA_OWNED);
  switch (state) {
  case FREE:
    assert(old == DONE);
    cv_broadcast(&resolver.became_free);
    break;
  case QUEUED:
    assert(old == FREE || old == LOOKUP);
    cv_broadcast(&resolver.became_queued);
    break;
  case LOOKUP:
    assert(old == QUEUED);
    break;
  case DONE:
    assert(old == QUEUED || old == LOOKUP);
    cv_broadcast(&resolver.became_done);
    break;
  }
  resolver.request.state = state;
}

// Ends the request without an answer.
static void fail_request(int error) {
  resolver.request.path.error = error;
  change_state(DONE);
}

// Waits until nobody has the request, and fills it in; 0, or SHUT_DOWN if the service does not run, or ends meanwhile.
static int queue_request(unsigned network_address) {
  while (resolver.service == UP && resolver.request.state != FREE)
    cv_wait(&resolver.became_free, &resolver.lock);
  if (resolver.service != UP)
    return SHUT_DOWN;
  assert(resolver.service == UP);
  resolver.request.network_address = network_address;
  resolver.request.deadline = resolver.clock + PATIENCE;
  resolver.request.tries = 0;
  resolver.request.canceled = 0;
  change_state(QUEUED);
  return 0;
}

// Waits for the answer and gives the request away.
static struct path finish_request(void) {
  struct path path;
  while (resolver.request.state != DONE)
    cv_wait(&resolver.became_done, &resolver.lock);
  assert(resolver.request.state == DONE);
  path = resolver.request.path;
  if (path.error == 0)
    resolver.statistics.resolved++;
  else
    resolver.statistics.failed++;
  change_state(FREE);
  return path;
}

// 0, or BUSY if there is a client. One that is leaving does not count: its end is waited for.
static int register_client(void) {
  int error = BUSY;
  mtx_lock(&resolver.lock);
  while (resolver.client.state == LEAVING)
    cv_wait(&resolver.client_gone, &resolver.lock);
  assert(resolver.client.state != LEAVING);
  if (resolver.client.state == UNUSED) {
    resolver.client.state = REGISTERED;
    resolver.client.references = 1;
    error = 0;
  }
  mtx_unlock(&resolver.lock);
  return error;
}

static void drop_reference(void) {
  unsigned references = resolver.client.references - 1;
  mtx_assert(&resolver.lock, MA_OWNED);
  resolver.client.references = references;
  if (references == 0)
    cv_broadcast(&resolver.references_gone);
}

// From now on the client gets no requests; it goes when its last one is done.
static void unregister_client(void) {
  mtx_lock(&resolver.lock);
  if (resolver.client.state == REGISTERED) {
    resolver.client.state = LEAVING;
    drop_reference();
    while (resolver.client.references != 0)
      cv_wait(&resolver.references_gone, &resolver.lock);
    assert(resolver.client.state == LEAVING);
    resolver.client.state = UNUSED;
    cv_broadcast(&resolver.client_gone);
  }
  mtx_unlock(&resolver.lock);
}

// The path to a network address, for a thread of the client; its error is 0 or one of those above.
static struct path resolve_address(unsigned network_address) {
  struct path path = {ROUTE_NONE, 0, 0, NOT_REGISTERED};
  mtx_lock(&resolver.lock);
  if (resolver.client.state == REGISTERED) {
    resolver.client.references++;
    path.error = queue_request(network_address);
    if (path.error == 0)
      path = finish_request();
    drop_reference();
  }
  mtx_unlock(&resolver.lock);
  return path;
}

// Gives up the request, whosever it is.
static void cancel_request(void) {
  mtx_lock(&resolver.lock);
  if (resolver.request.state == QUEUED || resolver.request.state == LOOKUP) {
    fail_request(CANCELED);
    resolver.statistics.canceled++;
  }
  mtx_unlock(&resolver.lock);
}

// Waits until no request is on its way.
static void flush_requests(void) {
  mtx_lock(&resolver.lock);
  while (resolver.request.state == QUEUED || resolver.request.state == LOOKUP)
    cv_wait(&resolver.became_done, &resolver.lock);
  assert(resolver.request.state == FREE || resolver.request.state == DONE);
  mtx_unlock(&resolver.lock);
}

// What is known of the path before anybody is asked.
static struct path begin_path(unsigned network_address) {
  struct interface interface = network.interface;
  struct path path = {find_route(interface, network_address), interface.link_address, 0, 0};
  unsigned neighbour = ask_neighbours(path.route == ROUTE_GATEWAY ? interface.gateway : network_address);
  mtx_assert(&resolver.lock, MA_OWNED);
  if (path.route == ROUTE_NONE)
    path.error = NO_ROUTE;
  else if (path.route == ROUTE_LOOPBACK)
    path.target = interface.link_address;
  else if (path.route == ROUTE_MULTICAST)
    path.target = multicast_link_address(network_address);
  else
    path.target = neighbour;
  return path;
}

// Asks the interface, which takes long and is not made for two threads. Whether it was too busy.
static _Bool look_up(struct path *path) {
  _Bool busy;
  unsigned answer = 0;
  mtx_assert(&resolver.lock, MA_NOTOWNED);
  assert(!resolver.looking);
  resolver.looking = 1;
  busy = __VERIFIER_nondet_bool();
  if (!busy)
    answer = __VERIFIER_nondet_uint();
  resolver.looking = 0;
  if (path->target == 0)
    path->target = answer;
  if (path->error == 0)
    path->error = path->target == 0 ? UNREACHABLE : 0;
  return busy;
}

// Looks the request up. The mutex is held before and after, but not meanwhile.
static void process_request(void) {
  struct path path = begin_path(resolver.request.network_address);
  _Bool again;
  _Bool canceled;
  change_state(LOOKUP);
  mtx_unlock(&resolver.lock);

  again = look_up(&path);

  mtx_lock(&resolver.lock);
  assert(resolver.request.state == LOOKUP);
  assert(resolver.service != DOWN);
  canceled = resolver.request.canceled;
  path.error = canceled ? CANCELED : path.error;
  resolver.request.path = path;
  resolver.request.tries++;
  again &= resolver.request.tries < TRIES;
  // Who stops the service waits for the end of the request.
  if (again && !canceled && resolver.service == UP) {
    resolver.statistics.retried++;
    change_state(QUEUED);
  } else {
    change_state(DONE);
  }
}

static void start_service(void) {
  mtx_lock(&resolver.lock);
  while (resolver.service == STOPPING)
    cv_wait(&resolver.went_down, &resolver.lock);
  assert(resolver.service != STOPPING);
  resolver.service = UP;
  mtx_unlock(&resolver.lock);
}

// Ends the request, or lets its worker finish.
static void stop_service(void) {
  mtx_lock(&resolver.lock);
  if (resolver.service == UP) {
    resolver.service = STOPPING;
    cv_broadcast(&resolver.became_queued);
    cv_broadcast(&resolver.became_free);
    if (resolver.request.state == QUEUED)
      fail_request(SHUT_DOWN);
    while (resolver.request.state == LOOKUP)
      cv_wait(&resolver.became_done, &resolver.lock);
    assert(resolver.request.state == FREE || resolver.request.state == DONE);
    assert(resolver.service == STOPPING);
    resolver.service = DOWN;
    cv_broadcast(&resolver.went_down);
  }
  mtx_unlock(&resolver.lock);
}

// The clock ticks.
static void tick(void) {
  mtx_lock(&resolver.lock);
  resolver.clock++;
  if (resolver.request.state == QUEUED && resolver.request.deadline <= resolver.clock) {
    fail_request(TIMED_OUT);
    resolver.statistics.expired++;
  }
  network.recent = aged(network.recent);
  network.previous = aged(network.previous);
  mtx_unlock(&resolver.lock);
}

// How often what happened since the last call.
static struct statistics take_statistics(void) {
  struct statistics none = {0, 0, 0, 0, 0};
  struct statistics statistics;
  mtx_lock(&resolver.lock);
  statistics = resolver.statistics;
  resolver.statistics = none;
  mtx_unlock(&resolver.lock);
  return statistics;
}

// The connection manager comes or goes.
static void *manager(void *unused) {
  (void)unused;
  if (__VERIFIER_nondet_bool())
    register_client();
  else
    unregister_client();
  return 0;
}

// A thread of the client.
static void *requester(void *unused) {
  (void)unused;
  resolve_address(__VERIFIER_nondet_uint());
  return 0;
}

// Does requests until the service stops.
static void *worker(void *unused) {
  (void)unused;
  mtx_lock(&resolver.lock);
  while (resolver.service == UP) {
    if (resolver.request.state == QUEUED)
      process_request();
    else
      cv_wait(&resolver.became_queued, &resolver.lock);
  }
  mtx_unlock(&resolver.lock);
  return 0;
}

// What the network and the clock do.
static void *event(void *unused) {
  struct interface interface = {0, 0, 0xffffff00, 0};
  (void)unused;
  if (__VERIFIER_nondet_bool()) {
    learn_neighbour(__VERIFIER_nondet_uint(), __VERIFIER_nondet_uint());
  } else if (__VERIFIER_nondet_bool()) {
    tick();
  } else {
    interface.network_address = __VERIFIER_nondet_uint();
    interface.link_address = __VERIFIER_nondet_uint();
    interface.gateway = __VERIFIER_nondet_uint();
    configure_interface(interface);
  }
  return 0;
}

// What the administrator does.
static void *control(void *unused) {
  (void)unused;
  if (__VERIFIER_nondet_bool())
    cancel_request();
  else if (__VERIFIER_nondet_bool())
    flush_requests();
  else if (__VERIFIER_nondet_bool())
    take_statistics();
  else if (__VERIFIER_nondet_bool())
    start_service();
  else
    stop_service();
  return 0;
}

int main(void) {
  pthread_t thread;
  mtx_init(&resolver.lock, "resolver", 0, MTX_DEF);
  cv_init(&resolver.became_free, "free");
  cv_init(&resolver.became_queued, "queued");
  cv_init(&resolver.became_done, "done");
  cv_init(&resolver.went_down, "down");
  cv_init(&resolver.references_gone, "references");
  cv_init(&resolver.client_gone, "client");
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool())
      pthread_create(&thread, 0, requester, 0);
    else if (__VERIFIER_nondet_bool())
      pthread_create(&thread, 0, worker, 0);
    else if (__VERIFIER_nondet_bool())
      pthread_create(&thread, 0, manager, 0);
    else if (__VERIFIER_nondet_bool())
      pthread_create(&thread, 0, event, 0);
    else
      pthread_create(&thread, 0, control, 0);
  }
  return 0;
}
