// EXPECT: unsafe
// BOOP: the skeleton of a Linux driver, unloaded while any number of programs open, control and close its device.
// Origin: driver skeletons of text books on Linux; table 7 of the thesis gives it 5 shared variables and 2 local ones, and no
// mutex.
// Asserted: the device's use counter is zero when it is unregistered.
// It is not: a program looks whether the device is registered, and counts itself as a user, in two steps. Between them the
// module finds no users and goes. (Both steps would have to be one under a lock, and the module's as well.) That takes a
// program, the module, and the thread that starts them.
#include "verifier.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NO_DEVICE 19
#define BUSY 16
#define INVALID 22

static atomic_bool registered;
static atomic_int users;
// One program at a time may have the device open.
static atomic_flag opened = ATOMIC_FLAG_INIT;
// What the device does.
static atomic_int level;
static atomic_bool muted;

static int device_open(void) {
  if (!registered)
    return -NO_DEVICE;
  atomic_fetch_add(&users, 1);
  if (atomic_flag_test_and_set(&opened)) {
    atomic_fetch_sub(&users, 1);
    return -BUSY;
  }
  return 0;
}

static void device_close(void) {
  atomic_flag_clear(&opened);
  atomic_fetch_sub(&users, 1);
}

static int device_ioctl(int command, int argument) {
  switch (command) {
  case 0:
    level = argument;
    return 0;
  case 1:
    muted = argument != 0;
    return 0;
  default:
    return -INVALID;
  }
}

static void register_device(void) { registered = 1; }

static void unregister_device(void) {
  registered = 0;
  assert(users == 0);
}

static int module_start(void) {
  level = 0;
  muted = 0;
  register_device();
  return 0;
}

// Refused while there are users.
static int module_exit(void) {
  if (users != 0)
    return -BUSY;
  unregister_device();
  return 0;
}

static void *module(void *unused) {
  (void)unused;
  if (module_start() != 0)
    return 0;
  while (module_exit() != 0) {
  }
  return 0;
}

static void *program(void *unused) {
  (void)unused;
  if (device_open() != 0)
    return 0;
  while (__VERIFIER_nondet_bool())
    device_ioctl(__VERIFIER_nondet_int(), __VERIFIER_nondet_int());
  device_close();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, module, 0);
  while (__VERIFIER_nondet_bool())
    pthread_create(&thread, 0, program, 0);
  return 0;
}
