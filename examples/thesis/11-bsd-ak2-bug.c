// EXPECT: unsafe
// BSD-AK2, buggy twin of 11-bsd-ak2.c.
// The mistake: a reader waits with "if" instead of "while". The broadcast for one key wakes all readers: the second one finds
// the buffer empty again.
#define FREEBSD
#include "kernel.h"

#define BUFFER_SIZE 4
#define KEY_RELEASE 0x80
#define KEY_SHIFT 0x38
#define KEY_CAPS_LOCK 0x39
#define NO_KEY (-1)

enum mode { MODE_RAW, MODE_CODE, MODE_TRANSLATED };
enum command { GET_MODE, SET_MODE, GET_LIGHTS, SET_LIGHTS };

static struct {
  struct mtx mutex;
  struct cv arrived;
  // Scan codes in the order of their arrival.
  unsigned char buffer[BUFFER_SIZE];
  unsigned count;
  enum mode mode;
  unsigned char lights;
  _Bool shift;
  _Bool suspended;
  // A routine works on the device.
  _Bool busy;
} keyboard;

// All routines work on the device between these two.
static void enter(void) {
  mtx_lock(&keyboard.mutex);
  assert(!keyboard.busy);
  keyboard.busy = 1;
}

static void leave(void) {
  mtx_assert(&keyboard.mutex, MA_OWNED);
  keyboard.busy = 0;
  mtx_unlock(&keyboard.mutex);
}

// Others may work on the device during the wait.
static void wait_for_key(void) {
  keyboard.busy = 0;
  cv_wait(&keyboard.arrived, &keyboard.mutex);
  assert(!keyboard.busy);
  keyboard.busy = 1;
}

// The oldest scan code. There must be one.
static unsigned char take(void) {
  mtx_assert(&keyboard.mutex, MA_OWNED);
  assert(keyboard.count != 0);
  unsigned char code = keyboard.buffer[0];
  for (unsigned i = 1; i < BUFFER_SIZE; i++)
    keyboard.buffer[i - 1] = keyboard.buffer[i];
  keyboard.count--;
  return code;
}

// The bus has received a scan code. It is lost if the buffer is full.
static void keyboard_receive(unsigned char code) {
  enter();
  if (!keyboard.suspended && keyboard.count < BUFFER_SIZE) {
    keyboard.buffer[keyboard.count] = code;
    keyboard.count++;
    cv_broadcast(&keyboard.arrived);
  }
  leave();
}

// Stores a scan code, and says whether there is one; waits for it if so wanted.
static _Bool keyboard_read(_Bool wait, unsigned char *code) {
  enter();
  if (!wait && keyboard.count == 0) {
    leave();
    return 0;
  }
  if (keyboard.count == 0)
    wait_for_key();
  *code = take();
  leave();
  return 1;
}

// Whether there is something to read.
static _Bool keyboard_check(void) {
  enter();
  _Bool ready = keyboard.count != 0;
  leave();
  return ready;
}

// A character, or NO_KEY for keys that have none. In raw mode the scan code.
static int keyboard_read_character(_Bool wait) {
  unsigned char code;
  if (!keyboard_read(wait, &code))
    return NO_KEY;
  enter();
  int character = code;
  if (keyboard.mode != MODE_RAW) {
    _Bool down = (code & KEY_RELEASE) == 0;
    code &= 0x7f;
    if (code == KEY_SHIFT)
      keyboard.shift = down;
    if (code == KEY_CAPS_LOCK && down)
      keyboard.lights ^= 1;
    character = down && code != KEY_SHIFT && code != KEY_CAPS_LOCK ? code : NO_KEY;
    if (keyboard.mode == MODE_TRANSLATED && character != NO_KEY)
      character += keyboard.shift != (keyboard.lights & 1) ? 'A' : 'a';
  }
  leave();
  return character;
}

// Forgets all keys.
static void keyboard_clear(void) {
  enter();
  keyboard.count = 0;
  keyboard.shift = 0;
  leave();
}

// Configures the device; 0, or 22 (EINVAL).
static int keyboard_ioctl(enum command command, unsigned char *argument) {
  int error = 0;
  enter();
  switch (command) {
  case GET_MODE:
    *argument = (unsigned char)keyboard.mode;
    break;
  case SET_MODE:
    if (*argument > MODE_TRANSLATED)
      error = 22;
    else
      keyboard.mode = (enum mode)*argument;
    break;
  case GET_LIGHTS:
    *argument = keyboard.lights;
    break;
  case SET_LIGHTS:
    keyboard.lights = *argument & 7;
    break;
  default:
    error = 22;
  }
  leave();
  return error;
}

// The machine goes to sleep or wakes up. What was typed before is not for who comes after.
static void keyboard_suspend(_Bool suspend) {
  enter();
  keyboard.suspended = suspend;
  if (suspend)
    keyboard.count = 0;
  leave();
}

static void keyboard_attach(void) {
  mtx_init(&keyboard.mutex, "keyboard", 0, MTX_DEF);
  cv_init(&keyboard.arrived, "keyboard");
  keyboard.mode = MODE_TRANSLATED;
}

static void *bus(void *unused) {
  (void)unused;
  keyboard_receive(__VERIFIER_nondet_uchar());
  return 0;
}

static void *reader(void *unused) {
  (void)unused;
  keyboard_read_character(__VERIFIER_nondet_bool());
  return 0;
}

static void *control(void *unused) {
  unsigned char argument = __VERIFIER_nondet_uchar();
  (void)unused;
  if (__VERIFIER_nondet_bool())
    keyboard_check();
  else if (__VERIFIER_nondet_bool())
    keyboard_clear();
  else if (__VERIFIER_nondet_bool())
    keyboard_suspend(__VERIFIER_nondet_bool());
  else
    keyboard_ioctl((enum command)(__VERIFIER_nondet_uchar() % 8), &argument);
  return 0;
}

int main(void) {
  pthread_t thread;
  keyboard_attach();
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool())
      pthread_create(&thread, 0, bus, 0);
    else if (__VERIFIER_nondet_bool())
      pthread_create(&thread, 0, reader, 0);
    else
      pthread_create(&thread, 0, control, 0);
  }
  return 0;
}
