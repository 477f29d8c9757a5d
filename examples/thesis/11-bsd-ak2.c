// EXPECT: safe
// BSD-AK2: a keyboard driver in the style of FreeBSD's for the Apple desktop bus.
// Origin: the driver's structure (a buffer of scan codes and one command to the bus at a time under one mutex,
// condition variables for readers, for the answer to the command and for the idle bus); written anew.
//
// `keyboard_interrupt` gets packets of up to two keys that went down or up, the ends of commands, and the clock, which
// repeats the key that is held. A key wakes all readers with a broadcast: the console and any number of programs may
// wait in `keyboard_read` at the same time, and each code goes to one of them, unless the debugger has the keyboard.
// `keyboard_control` attaches, detaches, suspends, resumes, locks, clears, configures and examines the device. To
// attach it and to show its lights takes a command: the thread that sends it waits for the answer, and all who need
// the bus wait until it is idle.
//
// Asserted: the routines exclude each other (`enter`), and each of them holds the mutex; who has waited finds what he
// waited for: a scan code, the bus idle, or the answer to his command, which nobody else has taken; no change of the
// state loses a command or its answer (`become`).
// The twin 11-bsd-ak2-bug.c waits for a scan code with "if" instead of "while".
#define FREEBSD
#include "kernel.h"
#include <errno.h>

#define BUFFER_SIZE 4
#define KEY_RELEASE 0x80
#define KEY_MASK 0x7f
#define KEY_CONTROL 0x36
#define KEY_COMMAND 0x37
#define KEY_SHIFT 0x38
#define KEY_CAPS_LOCK 0x39
#define KEY_OPTION 0x3a
#define KEY_RIGHT_SHIFT 0x7b
#define KEY_POWER 0x7f
// In a packet: there is no (second) key.
#define EMPTY 0xff
// For a program: there is none, or it has no character.
#define NO_KEY (-1)

#define SHIFT_DOWN 1
#define CONTROL_DOWN 2
#define OPTION_DOWN 4
#define COMMAND_DOWN 8
#define CAPS_LOCKED 16
#define POWER_PRESSED 32

#define LIGHT_NUM 1
#define LIGHT_CAPS 2
#define LIGHT_SCROLL 4
#define ALL_LIGHTS (LIGHT_NUM | LIGHT_CAPS | LIGHT_SCROLL)

// Ticks of the clock.
#define DEFAULT_DELAY 5
#define DEFAULT_RATE 1
#define MAX_TICKS 100

// Registers of the keyboard on the bus, and what to write there to tell left modifiers from right ones.
#define REGISTER_LIGHTS 2
#define REGISTER_HANDLER 3
#define HANDLER_EXTENDED 3

// A command is under way in the last two. The steps from state to state:
//   ABSENT -> SENT            attach
//   IDLE -> SENT              show the lights
//   SENT -> ANSWERED          the bus has done the command
//   ANSWERED -> IDLE          the thread that sent the command takes the answer
//   IDLE -> ASLEEP -> IDLE    suspend, resume
//   IDLE, ASLEEP -> ABSENT    detach; the keyboard has refused to be attached
enum state { ABSENT, ASLEEP, IDLE, SENT, ANSWERED };

enum mode { MODE_RAW, MODE_CODE, MODE_TRANSLATED };

// What the hardware calls for.
enum event { PACKET, ANSWER, TICK };

// What the rest of the system calls for.
enum request {
  ATTACH,
  DETACH,
  SUSPEND,
  RESUME,
  CHECK,
  CLEAR,
  SHOW_LIGHTS,
  LOCK,
  UNLOCK,
  POLL_BEGIN,
  POLL,
  POLL_END,
  COUNT_WORK,
  COUNT_TROUBLE,
  GET_MODE,
  SET_MODE,
  GET_STATE,
  SET_STATE,
  GET_LIGHTS,
  SET_LIGHTS,
  GET_REPEAT,
  SET_REPEAT,
  GET_KEY,
  SET_KEY,
  REQUESTS
};

struct statistics {
  unsigned packets;
  unsigned lost;
  unsigned repeated;
  unsigned read;
  unsigned commands;
  unsigned failed;
  unsigned stray;
};

static struct {
  struct mtx mutex;
  // There may be a scan code for readers, or the keyboard is gone.
  struct cv arrived;
  // The command has its answer.
  struct cv answered;
  // No command is under way.
  struct cv idle;
  enum state state;
  // The command: the bus reads where to write what, and says whether the keyboard took it.
  unsigned char target;
  unsigned char value;
  _Bool refused;
  // Scan codes, a byte each, the oldest one lowest.
  unsigned codes;
  unsigned count;
  // A reader may take a code: there is one, and the debugger does not have the keyboard.
  _Bool ready;
  // The key that repeats, if `repeating`. The clock reads `interval` to know when.
  unsigned char held;
  _Bool repeating;
  unsigned interval;
  unsigned delay;
  unsigned rate;
  enum mode mode;
  unsigned char modifiers;
  // A key that has the meaning of another one.
  unsigned char renamed;
  unsigned char meaning;
  unsigned char lights;
  // A program needs the keyboard; the debugger has it.
  _Bool locked;
  _Bool polling;
  struct statistics statistics;
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
static void sleep_on(struct cv *condition) {
  mtx_assert(&keyboard.mutex, MA_OWNED);
  keyboard.busy = 0;
  cv_wait(condition, &keyboard.mutex);
  assert(!keyboard.busy);
  keyboard.busy = 1;
}

// Goes to the next state.
static void become(enum state next) {
  mtx_assert(&keyboard.mutex, MA_OWNED);
  switch (next) {
  case ABSENT:
    // Nobody waits for an answer that will not come.
    assert(keyboard.state < SENT);
    break;
  case ASLEEP:
    assert(keyboard.state == IDLE);
    break;
  case IDLE:
    assert(keyboard.state != SENT);
    break;
  case SENT:
    // One command at a time.
    assert(keyboard.state < SENT);
    break;
  case ANSWERED:
    assert(keyboard.state == SENT);
  }
  keyboard.state = next;
}

// Stores a scan code for the readers. It is lost if the buffer is full.
static void store(unsigned char code) {
  mtx_assert(&keyboard.mutex, MA_OWNED);
  if (keyboard.count < BUFFER_SIZE) {
    keyboard.codes |= (unsigned)code << 8 * keyboard.count;
    keyboard.count++;
  } else {
    keyboard.statistics.lost++;
  }
  keyboard.ready = !keyboard.polling;
  cv_broadcast(&keyboard.arrived);
}

// The oldest scan code.
static unsigned char take(void) {
  mtx_assert(&keyboard.mutex, MA_OWNED);
  unsigned char code = keyboard.codes & 0xff;
  keyboard.codes >>= 8;
  keyboard.count--;
  keyboard.statistics.read++;
  return code;
}

// Forgets what was typed and which keys are down. Caps lock stays: its light does.
static void forget_keys(void) {
  mtx_assert(&keyboard.mutex, MA_OWNED);
  keyboard.codes = 0;
  keyboard.count = 0;
  keyboard.ready = 0;
  keyboard.repeating = 0;
  keyboard.modifiers &= CAPS_LOCKED;
}

// The bit of a modifier that is active while its key is down, or 0 for other keys.
static unsigned char modifier_of(unsigned char key) {
  switch (key) {
  case KEY_SHIFT:
  case KEY_RIGHT_SHIFT:
    return SHIFT_DOWN;
  case KEY_CONTROL:
    return CONTROL_DOWN;
  case KEY_OPTION:
    return OPTION_DOWN;
  case KEY_COMMAND:
    return COMMAND_DOWN;
  default:
    return 0;
  }
}

// A key goes down or up. One that goes down repeats until the next event; modifiers do not.
static void press(unsigned char code) {
  keyboard.repeating = code < KEY_CONTROL || (code > KEY_OPTION && code < KEY_RIGHT_SHIFT);
  if ((code & KEY_MASK) == keyboard.renamed)
    code = (code & KEY_RELEASE) | keyboard.meaning;
  keyboard.held = code;
  keyboard.interval = keyboard.delay;
  store(code);
}

// A packet: one or two scan codes. The power key comes as a packet of its own.
static void receive(unsigned char one, unsigned char two) {
  if (keyboard.state < IDLE) {
    keyboard.statistics.stray++;
    return;
  }
  keyboard.statistics.packets++;
  if (one == KEY_POWER && two == KEY_POWER) {
    keyboard.modifiers |= POWER_PRESSED;
    return;
  }
  while (one != EMPTY) {
    press(one);
    one = two;
    two = EMPTY;
  }
}

// The key that is held comes once more when its time is over.
static void tick(void) {
  if (!keyboard.repeating)
    return;
  keyboard.interval = keyboard.rate;
  keyboard.statistics.repeated++;
  store(keyboard.held);
}

// The command is done, or the bus says so by mistake. Its thread takes the answer.
static void answer(_Bool refused) {
  if (keyboard.state != SENT) {
    keyboard.statistics.stray++;
    return;
  }
  keyboard.refused = refused;
  become(ANSWERED);
  cv_broadcast(&keyboard.answered);
}

// Waits until no command is under way.
static void await_idle(void) {
  while (keyboard.state > IDLE)
    sleep_on(&keyboard.idle);
  assert(keyboard.state <= IDLE);
}

// Sends the command and waits until the bus has done it.
static void transmit(void) {
  keyboard.statistics.commands++;
  become(SENT);
  while (keyboard.state != ANSWERED) {
    sleep_on(&keyboard.answered);
    // Nobody else has taken the answer.
    assert(keyboard.state >= SENT);
  }
  become(IDLE);
  cv_broadcast(&keyboard.idle);
}

// The character of a key that goes down, with the modifiers that are active.
static int character_of(unsigned char key) {
  int character = key + ' ';
  if (keyboard.modifiers & CONTROL_DOWN)
    return character & 0x1f;
  if (character >= 'a' && character <= 'z' && (keyboard.modifiers & (SHIFT_DOWN | CAPS_LOCKED)) != 0)
    character -= 'a' - 'A';
  if (keyboard.modifiers & OPTION_DOWN)
    character |= 0x80;
  return character;
}

// What a program gets for a scan code in the mode it has chosen.
static int translate(unsigned char code) {
  if (keyboard.mode == MODE_RAW)
    return code;
  if (code == KEY_CAPS_LOCK) {
    keyboard.modifiers ^= CAPS_LOCKED;
    keyboard.lights ^= LIGHT_CAPS;
  }
  if (code & KEY_RELEASE)
    keyboard.modifiers &= ~modifier_of(code & KEY_MASK);
  else
    keyboard.modifiers |= modifier_of(code);
  if (keyboard.mode == MODE_CODE)
    return code;
  if (code >= KEY_RELEASE || code == KEY_CAPS_LOCK)
    return NO_KEY;
  if (modifier_of(code) != 0)
    return NO_KEY;
  return character_of(code);
}

// What a program gets for the next key, or NO_KEY: if there is none and it does not wait, or the keyboard is gone.
static int read_key(_Bool wait) {
  if (!wait && !keyboard.ready)
    return NO_KEY;
  while (!keyboard.ready) {
    if (keyboard.state == ABSENT)
      return NO_KEY;
    sleep_on(&keyboard.arrived);
  }
  assert(keyboard.ready);
  // For the next reader.
  keyboard.ready = keyboard.count > 1;
  return translate(take());
}

// The entry for readers.
static int keyboard_read(_Bool wait) {
  enter();
  int key = read_key(wait);
  leave();
  return key;
}

// A program wants the keyboard for itself, so that nobody detaches it: 0, or an error.
static int lock_device(void) {
  if (keyboard.state == ABSENT)
    return ENXIO;
  if (keyboard.locked)
    return EBUSY;
  keyboard.locked = 1;
  return 0;
}

// The debugger takes the keyboard. It must not wait: 0, or EBUSY if it is there already, on another processor.
static int poll_begin(void) {
  if (keyboard.polling)
    return EBUSY;
  keyboard.polling = 1;
  keyboard.ready = 0;
  keyboard.repeating = 0;
  return 0;
}

// For the debugger: a scan code, or NO_KEY. The bus does not interrupt now, so that its command is ended here.
static int poll_key(void) {
  if (!keyboard.polling)
    return NO_KEY;
  answer(0);
  return keyboard.count != 0 ? take() : NO_KEY;
}

// What has arrived meanwhile is for the readers again.
static void poll_end(void) {
  keyboard.polling = 0;
  keyboard.ready = keyboard.count != 0;
  cv_broadcast(&keyboard.arrived);
}

// What was typed before is not for the new mode. To clear the device its mode is set again.
static int set_mode(unsigned mode) {
  forget_keys();
  if (mode > MODE_TRANSLATED)
    return EINVAL;
  keyboard.mode = (enum mode)mode;
  return 0;
}

// Gets or sets what can be configured: 0, or an error.
static int configure(enum request request, unsigned *argument) {
  switch (request) {
  case GET_MODE:
    *argument = keyboard.mode;
    return 0;
  case GET_STATE:
    *argument = keyboard.modifiers;
    return 0;
  case SET_STATE:
    keyboard.modifiers = *argument & CAPS_LOCKED;
    return 0;
  case GET_LIGHTS:
    *argument = keyboard.lights;
    return 0;
  case SET_LIGHTS:
    keyboard.lights = *argument & ALL_LIGHTS;
    return 0;
  case GET_REPEAT:
    *argument = keyboard.delay << 8 | keyboard.rate;
    return 0;
  case SET_REPEAT:
    if (*argument >> 8 > MAX_TICKS || (*argument & 0xff) > MAX_TICKS)
      return EINVAL;
    keyboard.delay = *argument >> 8;
    keyboard.rate = *argument & 0xff;
    return 0;
  case GET_KEY:
    *argument = (unsigned)keyboard.meaning << 8 | keyboard.renamed;
    return 0;
  case SET_KEY:
    keyboard.renamed = *argument & KEY_MASK;
    keyboard.meaning = *argument >> 8 & KEY_MASK;
    return 0;
  default:
    return ENOTTY;
  }
}

// The machine goes to sleep. What was typed before is not for who comes after.
static int suspend(void) {
  if (keyboard.state != IDLE)
    return ENXIO;
  forget_keys();
  become(ASLEEP);
  return 0;
}

// It wakes up. The keyboard has lost its lights.
static int resume(void) {
  if (keyboard.state != ASLEEP)
    return ENXIO;
  become(IDLE);
  return 0;
}

// There is no keyboard any more. Readers do not wait for it.
static void go_away(void) {
  forget_keys();
  become(ABSENT);
  cv_broadcast(&keyboard.arrived);
}

// To attach a keyboard that is on the bus, tells it to be an extended one; else shows the lights that are wanted.
static int command(_Bool attach) {
  if (keyboard.state != (attach ? ABSENT : IDLE))
    return attach ? EBUSY : ENXIO;
  if (attach) {
    keyboard.target = REGISTER_HANDLER;
    keyboard.value = HANDLER_EXTENDED;
  } else {
    // A light is on if its bit is 0.
    keyboard.target = REGISTER_LIGHTS;
    keyboard.value = ~keyboard.lights & ALL_LIGHTS;
  }
  transmit();
  if (!keyboard.refused)
    return 0;
  keyboard.statistics.failed++;
  if (attach)
    go_away();
  return EIO;
}

// 0, or an error if a program needs the keyboard or there is none.
static int detach(void) {
  if (keyboard.locked)
    return EBUSY;
  if (keyboard.state == ABSENT)
    return ENXIO;
  go_away();
  return 0;
}

// What has to wait until no command is under way.
static int when_idle(enum request request) {
  await_idle();
  switch (request) {
  case DETACH:
    return detach();
  case SUSPEND:
    return suspend();
  case RESUME:
    return resume();
  default:
    return command(request == ATTACH);
  }
}

// The interrupt handler.
static void keyboard_interrupt(enum event event, unsigned char one, unsigned char two) {
  enter();
  switch (event) {
  case PACKET:
    receive(one, two);
    break;
  case ANSWER:
    answer(one != 0);
    break;
  case TICK:
    tick();
  }
  leave();
}

// The entry for all others: 0, an error, or what is asked for.
static int keyboard_control(enum request request, unsigned *argument) {
  int result = 0;
  enter();
  switch (request) {
  case ATTACH:
  case DETACH:
  case SUSPEND:
  case RESUME:
  case SHOW_LIGHTS:
    result = when_idle(request);
    break;
  case LOCK:
    result = lock_device();
    break;
  case UNLOCK:
    keyboard.locked = 0;
    break;
  case POLL_BEGIN:
    result = poll_begin();
    break;
  case POLL:
    result = poll_key();
    break;
  case POLL_END:
    poll_end();
    break;
  case CHECK:
    result = keyboard.ready;
    break;
  case CLEAR:
  case SET_MODE:
    result = set_mode(request == CLEAR ? keyboard.mode : *argument);
    break;
  case COUNT_WORK:
    *argument = keyboard.statistics.packets + keyboard.statistics.repeated + keyboard.statistics.read +
                keyboard.statistics.commands;
    break;
  case COUNT_TROUBLE:
    *argument = keyboard.statistics.lost + keyboard.statistics.stray + keyboard.statistics.failed;
    break;
  default:
    result = configure(request, argument);
  }
  leave();
  return result;
}

// Before there are other threads. The machine has been started with this keyboard.
static void keyboard_load(void) {
  mtx_init(&keyboard.mutex, "keyboard", 0, MTX_DEF);
  cv_init(&keyboard.arrived, "keyboard arrived");
  cv_init(&keyboard.answered, "keyboard answered");
  cv_init(&keyboard.idle, "keyboard idle");
  keyboard.state = IDLE;
  keyboard.mode = MODE_TRANSLATED;
  keyboard.delay = DEFAULT_DELAY;
  keyboard.rate = DEFAULT_RATE;
}

static void *bus(void *unused) {
  (void)unused;
  keyboard_interrupt((enum event)(__VERIFIER_nondet_uchar() % 3), __VERIFIER_nondet_uchar(), __VERIFIER_nondet_uchar());
  return 0;
}

static void *program(void *unused) {
  unsigned argument = __VERIFIER_nondet_uint();
  (void)unused;
  if (__VERIFIER_nondet_bool())
    keyboard_read(__VERIFIER_nondet_bool());
  else
    keyboard_control((enum request)(__VERIFIER_nondet_uchar() % (REQUESTS + 1)), &argument);
  return 0;
}

int main(void) {
  pthread_t thread;
  keyboard_load();
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool())
      pthread_create(&thread, 0, bus, 0);
    else
      pthread_create(&thread, 0, program, 0);
  }
  return 0;
}
