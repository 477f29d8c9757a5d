// EXPECT: safe
// NETBSD-SP2: power monitoring in the style of NetBSD's system monitor.
// Origin: the module's structure (a queue of events under one mutex, one condition variable for the power daemon, switches that
// send events); written anew.
//
// Drivers register power switches, and report when one is pressed or a sensor has changed. If there is a power daemon the event
// goes to a queue, and a broadcast wakes all threads that read from the device; if not, pressing the switch ends in a shutdown
// by the kernel itself. The daemon opens the device, once at a time, and reads one event per call, with as many threads as it
// likes. On close the queue is emptied.
//
// Asserted: the queue's routines are called with the mutex held and exclude each other; who takes an event finds one; the
// device is opened once at a time.
// The twin 13-netbsd-sp2-bug.c copies an event to the reader before it removes it, and releases the mutex for the copy.
#define NETBSD
#include "kernel.h"

#define QUEUE_SIZE 4
#define NO_DEVICE 6
#define NO_MEMORY 12
#define BUSY 16
#define INVALID 22
#define TRY_AGAIN 35

enum event { NONE, PRESSED, RELEASED, CRITICAL, NORMAL };
enum switch_kind { POWER_SWITCH, SLEEP_SWITCH, LID_SWITCH };

static kmutex_t power_lock;
static kcondvar_t power_arrived;

static struct {
  enum event events[QUEUE_SIZE];
  unsigned head;
  unsigned count;
} queue;

static struct {
  // The daemon has the device open.
  _Bool open;
  // The kernel has begun to shut down by itself, which only the release of the switch ends.
  _Bool shutting_down;
  unsigned switches;
} power;

// A thread works on the queue; a thread has opened the device and not closed it.
static _Bool queue_busy;
static _Bool opener_inside;

static void queue_enter(void) {
  KASSERT(mutex_owned(&power_lock));
  KASSERT(!queue_busy);
  queue_busy = 1;
}

static void queue_leave(void) {
  KASSERT(queue_busy);
  queue_busy = 0;
}

// Whether there was room.
static _Bool queue_put(enum event event) {
  _Bool room;
  queue_enter();
  room = queue.count < QUEUE_SIZE;
  if (room) {
    queue.events[(queue.head + queue.count) % QUEUE_SIZE] = event;
    queue.count++;
  }
  queue_leave();
  return room;
}

// The oldest event. There must be one.
static enum event queue_get(void) {
  enum event event;
  queue_enter();
  KASSERT(queue.count != 0);
  event = queue.events[queue.head % QUEUE_SIZE];
  queue.head = (queue.head + 1) % QUEUE_SIZE;
  queue.count--;
  queue_leave();
  return event;
}

static void queue_flush(void) {
  queue_enter();
  queue.head = 0;
  queue.count = 0;
  queue_leave();
}

// An event for the daemon, if there is one; 0, NO_DEVICE or NO_MEMORY. The mutex is held.
static int send_event(enum event event) {
  if (!power.open)
    return NO_DEVICE;
  if (!queue_put(event))
    return NO_MEMORY;
  cv_broadcast(&power_arrived);
  return 0;
}

// A driver says that its switch was pressed or released.
static void switch_event(enum switch_kind kind, enum event event) {
  mutex_enter(&power_lock);
  if (send_event(event) != 0 && kind == POWER_SWITCH) {
    if (event == PRESSED)
      power.shutting_down = 1;
    else if (event == RELEASED)
      power.shutting_down = 0;
  }
  mutex_exit(&power_lock);
}

// A sensor is in a critical state, or no longer. A daemon that has too much to do loses the event.
static void sensor_event(_Bool critical) {
  mutex_enter(&power_lock);
  send_event(critical ? CRITICAL : NORMAL);
  mutex_exit(&power_lock);
}

static void switch_register(void) {
  mutex_enter(&power_lock);
  power.switches++;
  mutex_exit(&power_lock);
}

static void switch_unregister(void) {
  mutex_enter(&power_lock);
  if (power.switches != 0)
    power.switches--;
  mutex_exit(&power_lock);
}

// 0, or BUSY if there is a daemon already.
static int power_open(void) {
  int error = 0;
  mutex_enter(&power_lock);
  if (power.open)
    error = BUSY;
  else
    power.open = 1;
  mutex_exit(&power_lock);
  return error;
}

static void power_close(void) {
  mutex_enter(&power_lock);
  queue_flush();
  power.open = 0;
  mutex_exit(&power_lock);
}

// What copies to the reader's memory may sleep: the mutex must not be held.
static void copy_out(enum event *target, enum event event) {
  KASSERT(!mutex_owned(&power_lock));
  *target = event;
}

// One event; 0, or TRY_AGAIN if there is none and the reader does not wait.
static int power_read(_Bool wait, enum event *target) {
  mutex_enter(&power_lock);
  if (!wait && queue.count == 0) {
    mutex_exit(&power_lock);
    return TRY_AGAIN;
  }
  while (queue.count == 0)
    cv_wait(&power_arrived, &power_lock);
  KASSERT(queue.count != 0);
  enum event event = queue_get();
  mutex_exit(&power_lock);
  copy_out(target, event);
  return 0;
}

// Whether there is something to read.
static _Bool power_poll(void) {
  mutex_enter(&power_lock);
  _Bool ready = queue.count != 0;
  mutex_exit(&power_lock);
  return ready;
}

// The kinds of switches, or how many there are; 0 or INVALID.
static int power_ioctl(unsigned command, unsigned *argument) {
  int error = 0;
  mutex_enter(&power_lock);
  switch (command) {
  case 0:
    *argument = LID_SWITCH;
    break;
  case 1:
    *argument = power.switches;
    break;
  default:
    error = INVALID;
  }
  mutex_exit(&power_lock);
  return error;
}

static void *daemon_main(void *unused) {
  enum event event = NONE;
  (void)unused;
  if (power_open() != 0)
    return 0;
  KASSERT(!opener_inside);
  opener_inside = 1;
  power_read(1, &event);
  opener_inside = 0;
  power_close();
  return 0;
}

static void *daemon_reader(void *unused) {
  enum event event = NONE;
  (void)unused;
  power_read(__VERIFIER_nondet_bool(), &event);
  return 0;
}

static void *driver(void *unused) {
  (void)unused;
  if (__VERIFIER_nondet_bool())
    switch_event(POWER_SWITCH, __VERIFIER_nondet_bool() ? PRESSED : RELEASED);
  else
    sensor_event(__VERIFIER_nondet_bool());
  return 0;
}

static void *control(void *unused) {
  unsigned argument = 0;
  (void)unused;
  if (__VERIFIER_nondet_bool())
    power_poll();
  else if (__VERIFIER_nondet_bool())
    switch_register();
  else if (__VERIFIER_nondet_bool())
    switch_unregister();
  else
    power_ioctl(__VERIFIER_nondet_uint(), &argument);
  return 0;
}

int main(void) {
  pthread_t thread;
  mutex_init(&power_lock, MUTEX_DEFAULT, IPL_NONE);
  cv_init(&power_arrived, "power");
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool())
      pthread_create(&thread, 0, daemon_main, 0);
    else if (__VERIFIER_nondet_bool())
      pthread_create(&thread, 0, daemon_reader, 0);
    else if (__VERIFIER_nondet_bool())
      pthread_create(&thread, 0, driver, 0);
    else
      pthread_create(&thread, 0, control, 0);
  }
  return 0;
}
