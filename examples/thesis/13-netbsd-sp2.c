// EXPECT: safe
// NETBSD-SP2: power monitoring in the style of NetBSD's system monitor.
// Origin: the module's structure (a queue of events under one mutex, condition variables for the power daemon and the
// kernel's task, switches, sensors and a battery that send events, a watchdog); written anew.
//
// Drivers register switches, sensors and batteries, and report what they read from the hardware. If there is a power
// daemon the event goes to a queue, and a broadcast wakes all threads that read from the device; if not, the kernel
// follows its own policy and asks for sleep or for switching off. The daemon opens the device, once at a time, and
// reads one event per call, with as many threads as it likes. On close the queue is emptied. A task of the kernel
// changes the phase of the machine, one at a time: it asks the daemon, waits for the answer, and stops or starts the
// drivers without the mutex. A driver that goes waits for those who are in the middle of a report.
//
// Asserted: the device's routines are called with the mutex held and exclude each other; who takes an event finds one;
// the device is opened once at a time, so that who closes it finds it open; only one thread changes the phase, and it
// still does when it ends; who has waited for events, for the end of a change, or for the last reference finds what it
// waited for; hardware and the reader's memory are used without the mutex.
// The twin 13-netbsd-sp2-bug.c copies an event to the reader before it removes it, and releases the mutex for the copy.
#define NETBSD
#include "kernel.h"

#define QUEUE_SIZE 4
#define VERSION 2

#define NO_DEVICE 6
#define NO_MEMORY 12
#define BUSY 16
#define INVALID 22
#define TRY_AGAIN 35

// What the daemon is told about.
enum event_type { EVENT_NONE, EVENT_SWITCH, EVENT_SENSOR, EVENT_SUPPLY, EVENT_PHASE };

enum switch_kind { POWER_SWITCH, SLEEP_SWITCH, LID_SWITCH, RESET_SWITCH, ADAPTER_SWITCH, HOTKEY_SWITCH, SWITCH_KINDS };
enum switch_state { RELEASED, PRESSED };

enum sensor_kind { CPU_SENSOR, BOARD_SENSOR, FAN_SENSOR, VOLTAGE_SENSOR, SENSOR_KINDS };
enum sensor_state { STATE_UNKNOWN, STATE_NORMAL, WARNING_UNDER, WARNING_OVER, CRITICAL_UNDER, CRITICAL_OVER };

enum source_class { SWITCH_CLASS, SENSOR_CLASS, BATTERY_CLASS };

enum charge_level { CHARGE_FULL, CHARGE_NORMAL, CHARGE_WARNING, CHARGE_LOW };

// What the kernel does by itself when the battery is low.
enum low_policy { LOW_IGNORE, LOW_SLEEP, LOW_OFF };

// Requests to change the phase of the machine, as bits, and the phases: each is the set of requests that it allows.
enum request { REQUEST_NONE = 0, REQUEST_WAKE = 1, REQUEST_SLEEP = 2, REQUEST_OFF = 4, REQUEST_ANY = 7 };
enum phase { PHASE_RUNNING = REQUEST_SLEEP | REQUEST_OFF, PHASE_ASLEEP = REQUEST_WAKE | REQUEST_OFF, PHASE_OFF = 0 };

// Who must tickle the watchdog: nobody, the kernel's own timer, a process by ioctl, or any process that reads.
enum watchdog_mode { DISARMED, KERNEL_TICKLE, USER_TICKLE, READER_TICKLE };

enum command {
  GET_VERSION,
  COUNT_EVENTS,
  COUNT_SWITCHES,
  GET_SWITCH,
  GET_DICTIONARY,
  GET_SENSOR,
  SET_WARNING_LIMITS,
  SET_CRITICAL_LIMITS,
  MONITOR_SENSOR,
  IGNORE_SENSOR,
  GET_SUPPLY,
  SET_SUPPLY_LEVELS,
  SET_LOW_POLICY,
  SEND_ANSWER,
  SEND_REQUEST,
  GET_PHASE,
  ARM_WATCHDOG,
  TICKLE_WATCHDOG,
  DISARM_WATCHDOG,
  GET_WATCHDOG,
  GET_ESTIMATE,
  GET_COMFORT,
  SET_COMFORT,
  GET_RECORD,
  CLEAR_RECORD,
  GET_HISTORY,
  CLEAR_HISTORY,
  GET_PRESSED,
  CLEAR_PRESSED,
  GET_STATISTICS,
  CLEAR_STATISTICS,
  COMMANDS
};

// An event as it is read: the meaning of source and state depends on the type.
struct event {
  enum event_type type;
  unsigned source;
  unsigned state;
};

// The last event in full, for a daemon that wants to know more than it can read.
struct dictionary {
  _Bool filled;
  struct event event;
  unsigned number;
  int value;
  int limit;
};

struct pswitch {
  // Drivers that have registered it: two may serve the same button.
  unsigned users;
  enum switch_state state;
  unsigned reports;
};

struct sensor {
  unsigned users;
  _Bool monitored;
  int value;
  int critical_under;
  int warning_under;
  int warning_over;
  int critical_over;
  enum sensor_state state;
  unsigned changes;
};

struct supply {
  unsigned batteries;
  _Bool adapter;
  unsigned charge;
  unsigned warning_charge;
  unsigned low_charge;
  enum charge_level level;
  enum low_policy policy;
};

// What a sensor has shown since it was registered.
struct record {
  int lowest;
  int highest;
  int last;
  unsigned samples;
};

// What keys change, in steps from 0 to 10.
struct comfort {
  unsigned brightness;
  unsigned volume;
  unsigned cooling;
};

// The last phases, the newest first.
struct history {
  unsigned newest;
  unsigned second;
  unsigned third;
  unsigned oldest;
};

// What the battery is expected to do.
struct estimate {
  unsigned before;
  unsigned used;
  unsigned minutes;
};

struct watchdog {
  enum watchdog_mode mode;
  unsigned period;
  unsigned left;
  unsigned tickles;
};

struct statistics {
  unsigned opened;
  unsigned refused;
  unsigned sent;
  unsigned lost;
  unsigned read;
  unsigned flushed;
  unsigned sleeps;
  unsigned wakes;
  unsigned aborted;
  unsigned expired;
};

// What a driver reports about.
struct source {
  enum source_class class;
  unsigned kind;
};

// What a process passes to ioctl and gets from it.
struct argument {
  unsigned which;
  unsigned word;
  int low;
  int high;
};

static struct {
  kmutex_t lock;
  // An event is in the queue.
  kcondvar_t arrived;
  // The daemon has said yes or no, or is gone.
  kcondvar_t answered;
  // A change of the phase has ended.
  kcondvar_t settled;
  // The last user of switches and sensors is gone.
  kcondvar_t released;

  // A thread works on this structure.
  _Bool busy;
  // The daemon has the device open.
  _Bool open;

  struct event events[QUEUE_SIZE];
  unsigned head;
  unsigned count;
  struct dictionary dictionary;

  // Threads that use a switch or a sensor without the mutex: none goes before they have ended.
  unsigned references;

  struct pswitch pswitch;
  unsigned switches_present;
  struct sensor sensor;
  unsigned sensors_present;

  struct supply supply;
  struct estimate estimate;
  struct record record;
  struct comfort comfort;
  struct history history;
  // Bits of the kinds of switches that were pressed.
  unsigned pressed;
  // What was asked for, and what the daemon agrees to.
  unsigned requests;
  unsigned agreed;
  // A thread changes the phase, and waits for the daemon's word.
  _Bool changing;
  _Bool awaiting;
  unsigned phase;
  struct watchdog watchdog;
  struct statistics statistics;
} power;

// The device's routines run between these two, with the mutex held.
static void device_enter(void) {
  KASSERT(mutex_owned(&power.lock));
  KASSERT(!power.busy);
  power.busy = 1;
}

static void device_leave(void) {
  KASSERT(power.busy);
  power.busy = 0;
}

static void power_begin(void) {
  mutex_enter(&power.lock);
  device_enter();
}

static void power_end(void) {
  device_leave();
  mutex_exit(&power.lock);
}

// Others work on the device meanwhile: the caller looks again at what it waits for.
static void power_wait(kcondvar_t *condition) {
  device_leave();
  cv_wait(condition, &power.lock);
  device_enter();
}

// The queue of events, and the dictionary.

// Whether there was room.
static _Bool queue_put(enum event_type type, unsigned source, unsigned state) {
  struct event *slot;
  if (power.count == QUEUE_SIZE)
    return 0;
  slot = &power.events[(power.head + power.count) % QUEUE_SIZE];
  slot->type = type;
  slot->source = source;
  slot->state = state;
  power.count++;
  return 1;
}

// The oldest event. There must be one.
static void queue_get(struct event *event) {
  KASSERT(power.count != 0);
  *event = power.events[power.head % QUEUE_SIZE];
  power.head = (power.head + 1) % QUEUE_SIZE;
  power.count--;
}

static void queue_flush(void) {
  power.statistics.flushed += power.count;
  power.head = 0;
  power.count = 0;
}

// Begins a new dictionary. The caller may add numbers to it.
static void dictionary_fill(enum event_type type, unsigned source, unsigned state) {
  power.dictionary.filled = 1;
  power.dictionary.event.type = type;
  power.dictionary.event.source = source;
  power.dictionary.event.state = state;
  power.dictionary.number++;
  power.dictionary.value = 0;
  power.dictionary.limit = 0;
}

static void dictionary_add(int value, int limit) {
  power.dictionary.value = value;
  power.dictionary.limit = limit;
}

static int dictionary_take(struct argument *argument) {
  int error = power.dictionary.filled ? 0 : TRY_AGAIN;
  argument->which = power.dictionary.event.source;
  argument->word = power.dictionary.event.state;
  argument->low = power.dictionary.value;
  argument->high = power.dictionary.limit;
  power.dictionary.filled = 0;
  return error;
}

// An event for the daemon, if there is one; 0, NO_DEVICE or NO_MEMORY.
static int send_event(enum event_type type, unsigned source, unsigned state) {
  KASSERT(mutex_owned(&power.lock));
  if (!power.open)
    return NO_DEVICE;
  dictionary_fill(type, source, state);
  if (!queue_put(type, source, state)) {
    power.statistics.lost++;
    return NO_MEMORY;
  }
  power.statistics.sent++;
  cv_broadcast(&power.arrived);
  return 0;
}

// Requests are collected until the kernel's task looks at them.
static void request_note(unsigned requests) {
  power.requests |= requests;
}

// Slow buses are not used with the mutex held.
static int hardware_read(void) {
  KASSERT(!mutex_owned(&power.lock));
  return __VERIFIER_nondet_int();
}

// A reference to switches and sensors, for use without the mutex.
static void reference_take(void) {
  power.references++;
}

static void reference_drop(void) {
  power.references--;
  if (power.references == 0)
    cv_broadcast(&power.released);
}

// Those who remove something wait for all who may still use it.
static void reference_drain(void) {
  while (power.references != 0)
    power_wait(&power.released);
  KASSERT(power.references == 0);
}

// Battery and adapter.

static enum charge_level supply_judge(unsigned charge) {
  if (charge <= power.supply.low_charge)
    return CHARGE_LOW;
  if (charge <= power.supply.warning_charge)
    return CHARGE_WARNING;
  if (charge >= 100)
    return CHARGE_FULL;
  return CHARGE_NORMAL;
}

static void supply_adapter(_Bool connected) {
  power.supply.adapter = connected;
}

static void supply_register(void) {
  power.supply.batteries++;
  power.supply.charge = 100;
  power.supply.warning_charge = 20;
  power.supply.low_charge = 5;
  power.supply.level = CHARGE_FULL;
}

static void supply_unregister(void) {
  power.supply.batteries--;
}

// What follows from the policy if no daemon takes care.
static enum request supply_default(void) {
  if (power.supply.adapter || power.supply.level != CHARGE_LOW)
    return REQUEST_NONE;
  switch (power.supply.policy) {
  case LOW_SLEEP:
    return REQUEST_SLEEP;
  case LOW_OFF:
    return REQUEST_OFF;
  default:
    return REQUEST_NONE;
  }
}

// A charge in percent.
static unsigned supply_clip(int value) {
  return value < 0 ? 0 : value > 100 ? 100 : value;
}

static unsigned estimate_used(unsigned before, unsigned now) {
  return before > now ? before - now : 0;
}

// Reports come once a minute. A battery that loses nothing lasts for a day at least.
static unsigned estimate_minutes(unsigned charge, unsigned used) {
  if (used == 0)
    return 24 * 60;
  if (used >= 50)
    return 1;
  if (used >= 10)
    return charge / 10;
  if (used >= 5)
    return charge / 5;
  return charge;
}

static void estimate_store(unsigned charge) {
  power.estimate.used = estimate_used(power.estimate.before, charge);
  power.estimate.minutes = estimate_minutes(charge, power.estimate.used);
  power.estimate.before = charge;
}

static int estimate_get(struct argument *argument) {
  argument->word = power.estimate.minutes;
  argument->low = power.estimate.before;
  argument->high = power.estimate.used;
  return 0;
}

static void supply_store(int value) {
  power.supply.charge = supply_clip(value);
  power.supply.level = supply_judge(power.supply.charge);
  estimate_store(power.supply.charge);
}

static int supply_get(struct argument *argument) {
  argument->which = power.supply.adapter;
  argument->word = power.supply.level;
  argument->low = power.supply.charge;
  argument->high = power.supply.low_charge;
  return 0;
}

static int supply_set_levels(const struct argument *argument) {
  if (argument->low < 0 || argument->low >= argument->high || argument->high >= 100)
    return INVALID;
  power.supply.low_charge = argument->low;
  power.supply.warning_charge = argument->high;
  power.supply.level = supply_judge(power.supply.charge);
  return 0;
}

static int supply_set_policy(unsigned policy) {
  if (policy > LOW_OFF)
    return INVALID;
  power.supply.policy = policy;
  return 0;
}

// Power switches.

static void switch_register(struct pswitch *pswitch) {
  pswitch->users++;
  pswitch->state = RELEASED;
  power.switches_present++;
}

static void switch_unregister(struct pswitch *pswitch) {
  pswitch->users--;
  power.switches_present--;
}

// What the kernel does itself when a switch changes and no daemon takes care.
static enum request switch_default(enum switch_kind kind, enum switch_state state) {
  switch (kind) {
  case POWER_SWITCH:
  case RESET_SWITCH:
    return state == PRESSED ? REQUEST_OFF : REQUEST_NONE;
  case SLEEP_SWITCH:
    return state == PRESSED ? REQUEST_SLEEP : REQUEST_NONE;
  case LID_SWITCH:
    return state == PRESSED ? REQUEST_SLEEP : REQUEST_WAKE;
  default:
    return REQUEST_NONE;
  }
}

// A step up or down, within the limits.
static unsigned comfort_step(unsigned level, int direction) {
  if (direction > 0)
    return level >= 10 ? 10 : level + 1;
  if (direction < 0)
    return level == 0 ? 0 : level - 1;
  return level;
}

// Which way a hotkey goes for the function whose code is given.
static int comfort_direction(unsigned code, unsigned up, unsigned down) {
  if (code == up)
    return 1;
  if (code == down)
    return -1;
  return 0;
}

static void comfort_key(unsigned code) {
  power.comfort.brightness = comfort_step(power.comfort.brightness, comfort_direction(code, 1, 2));
  power.comfort.volume = comfort_step(power.comfort.volume, comfort_direction(code, 3, 4));
}

// How fast the fan should be at a temperature.
static unsigned comfort_fan(int temperature) {
  if (temperature < 40)
    return 0;
  if (temperature < 60)
    return 3;
  if (temperature < 80)
    return 6;
  return 10;
}

static int comfort_get(struct argument *argument) {
  argument->which = power.comfort.cooling;
  argument->word = power.comfort.brightness;
  argument->low = power.comfort.volume;
  argument->high = 10;
  return 0;
}

static int comfort_set(const struct argument *argument) {
  if (argument->which > 10 || argument->word > 10)
    return INVALID;
  power.comfort.brightness = argument->which;
  power.comfort.volume = argument->word;
  return 0;
}

static void switch_store(struct pswitch *pswitch, enum switch_kind kind, int value) {
  pswitch->state = value > 0 ? PRESSED : RELEASED;
  pswitch->reports++;
  power.pressed |= (value > 0) << kind % SWITCH_KINDS;
  comfort_key(kind == HOTKEY_SWITCH ? value : 0);
  if (kind == ADAPTER_SWITCH)
    supply_adapter(pswitch->state == PRESSED);
}

static int switch_get(const struct pswitch *pswitch, struct argument *argument) {
  if (pswitch->users == 0)
    return NO_DEVICE;
  argument->word = pswitch->state;
  argument->low = pswitch->reports;
  return 0;
}

// Sensors.

// A fan cannot be too fast, nor a processor too cold.
static void sensor_default_limits(struct sensor *sensor, enum sensor_kind kind) {
  sensor->critical_under = kind == FAN_SENSOR ? 300 : -1000;
  sensor->warning_under = kind == FAN_SENSOR ? 600 : -1000;
  sensor->warning_over = kind == FAN_SENSOR ? 100000 : 80;
  sensor->critical_over = kind == FAN_SENSOR ? 100000 : 95;
  if (kind == VOLTAGE_SENSOR) {
    sensor->critical_under = 10;
    sensor->warning_under = 11;
    sensor->warning_over = 13;
    sensor->critical_over = 14;
  }
}

static void sensor_register(struct sensor *sensor, enum sensor_kind kind) {
  sensor->users++;
  sensor->monitored = 1;
  sensor->state = STATE_UNKNOWN;
  sensor_default_limits(sensor, kind);
  power.sensors_present++;
}

static void sensor_unregister(struct sensor *sensor) {
  sensor->users--;
  power.sensors_present--;
}

static enum sensor_state sensor_judge(const struct sensor *sensor) {
  if (sensor->value <= sensor->critical_under)
    return CRITICAL_UNDER;
  if (sensor->value >= sensor->critical_over)
    return CRITICAL_OVER;
  if (sensor->value <= sensor->warning_under)
    return WARNING_UNDER;
  if (sensor->value >= sensor->warning_over)
    return WARNING_OVER;
  return STATE_NORMAL;
}

// The limit that the sensor's state speaks of.
static int sensor_limit(const struct sensor *sensor) {
  switch (sensor->state) {
  case CRITICAL_UNDER:
    return sensor->critical_under;
  case CRITICAL_OVER:
    return sensor->critical_over;
  case WARNING_UNDER:
    return sensor->warning_under;
  case WARNING_OVER:
    return sensor->warning_over;
  default:
    return 0;
  }
}

static int record_lower(int old, int value, unsigned samples) {
  return samples == 0 || value < old ? value : old;
}

static int record_higher(int old, int value, unsigned samples) {
  return samples == 0 || value > old ? value : old;
}

static void record_store(int value) {
  power.record.lowest = record_lower(power.record.lowest, value, power.record.samples);
  power.record.highest = record_higher(power.record.highest, value, power.record.samples);
  power.record.last = value;
  power.record.samples++;
}

static void record_clear(void) {
  power.record.lowest = 0;
  power.record.highest = 0;
  power.record.last = 0;
  power.record.samples = 0;
}

static int record_get(struct argument *argument) {
  argument->which = power.record.samples;
  argument->word = power.record.last;
  argument->low = power.record.lowest;
  argument->high = power.record.highest;
  return 0;
}

static void sensor_store(struct sensor *sensor, int value) {
  enum sensor_state before = sensor->state;
  sensor->value = value;
  record_store(value);
  power.comfort.cooling = comfort_fan(value);
  // A sensor that nobody monitors has a value, but no state.
  sensor->state = sensor->monitored ? sensor_judge(sensor) : STATE_UNKNOWN;
  if (sensor->state != before)
    sensor->changes++;
}

// The heat of the processor is the only thing that the kernel itself acts on.
// Its limit for that is not the daemon's.
static enum request sensor_default(enum sensor_kind kind, int value) {
  return kind == CPU_SENSOR && value > 110 ? REQUEST_OFF : REQUEST_NONE;
}

static int sensor_get(const struct sensor *sensor, struct argument *argument) {
  if (sensor->users == 0)
    return NO_DEVICE;
  argument->word = sensor->state;
  argument->low = sensor->value;
  argument->high = sensor_limit(sensor);
  return 0;
}

// The daemon's own limits.
static int sensor_set_limits(struct sensor *sensor, const struct argument *argument, _Bool critical) {
  if (argument->low >= argument->high)
    return INVALID;
  if (critical) {
    sensor->critical_under = argument->low;
    sensor->critical_over = argument->high;
  } else {
    sensor->warning_under = argument->low;
    sensor->warning_over = argument->high;
  }
  sensor->state = sensor_judge(sensor);
  return 0;
}

static int sensor_monitor(struct sensor *sensor, _Bool monitored) {
  if (sensor->users == 0)
    return NO_DEVICE;
  sensor->monitored = monitored;
  // What happens while nobody looks is news again afterwards.
  if (!monitored)
    sensor->state = STATE_UNKNOWN;
  return 0;
}

// Drivers: what is common to switches, sensors and the battery.

static void source_register(const struct source *source) {
  switch (source->class) {
  case SWITCH_CLASS:
    switch_register(&power.pswitch);
    break;
  case SENSOR_CLASS:
    sensor_register(&power.sensor, source->kind);
    break;
  default:
    supply_register();
  }
}

static void source_unregister(const struct source *source) {
  switch (source->class) {
  case SWITCH_CLASS:
    switch_unregister(&power.pswitch);
    break;
  case SENSOR_CLASS:
    sensor_unregister(&power.sensor);
    break;
  default:
    supply_unregister();
  }
}

static void source_store(const struct source *source, int value) {
  switch (source->class) {
  case SWITCH_CLASS:
    switch_store(&power.pswitch, source->kind, value);
    break;
  case SENSOR_CLASS:
    sensor_store(&power.sensor, value);
    break;
  default:
    supply_store(value);
  }
}

static enum event_type source_event(const struct source *source) {
  switch (source->class) {
  case SWITCH_CLASS:
    return EVENT_SWITCH;
  case SENSOR_CLASS:
    return EVENT_SENSOR;
  default:
    return EVENT_SUPPLY;
  }
}

static unsigned source_state(const struct source *source) {
  switch (source->class) {
  case SWITCH_CLASS:
    return power.pswitch.state;
  case SENSOR_CLASS:
    return power.sensor.state;
  default:
    return power.supply.level;
  }
}

static void source_describe(const struct source *source) {
  switch (source->class) {
  case SWITCH_CLASS:
    dictionary_add(power.pswitch.reports, 0);
    break;
  case SENSOR_CLASS:
    dictionary_add(power.sensor.value, sensor_limit(&power.sensor));
    break;
  default:
    dictionary_add(power.supply.charge, power.supply.low_charge);
  }
}

// What the kernel does without a daemon.
static enum request source_default(const struct source *source, int value) {
  switch (source->class) {
  case SWITCH_CLASS:
    return switch_default(source->kind, power.pswitch.state);
  case SENSOR_CLASS:
    return sensor_default(source->kind, value);
  default:
    return supply_default();
  }
}

static void driver_attach(const struct source *source) {
  power_begin();
  source_register(source);
  power_end();
}

// Afterwards nobody is in the middle of a report.
static void driver_detach(const struct source *source) {
  power_begin();
  source_unregister(source);
  reference_drain();
  power_end();
}

// An interrupt, or the timer of the refresh task: something may have changed. Reads it and tells the daemon, or acts
// itself if that is not possible. Not while drivers are being stopped or started.
static void driver_report(const struct source *source) {
  int value;
  power_begin();
  while (power.changing)
    power_wait(&power.settled);
  KASSERT(!power.changing);
  reference_take();
  power_end();
  value = hardware_read();
  power_begin();
  source_store(source, value);
  if (send_event(source_event(source), source->kind, source_state(source)) == 0)
    source_describe(source);
  else
    request_note(source_default(source, value));
  reference_drop();
  power_end();
}

// The watchdog.

static int watchdog_arm(unsigned mode, unsigned period) {
  if (mode == DISARMED || mode > READER_TICKLE || period == 0)
    return INVALID;
  power.watchdog.mode = mode;
  power.watchdog.period = period;
  power.watchdog.left = period;
  return 0;
}

static void watchdog_disarm(void) {
  power.watchdog.mode = DISARMED;
  power.watchdog.left = 0;
}

static int watchdog_tickle(enum watchdog_mode by) {
  if (power.watchdog.mode != by)
    return INVALID;
  power.watchdog.left = power.watchdog.period;
  power.watchdog.tickles++;
  return 0;
}

// What is left after a tick of the clock.
static unsigned watchdog_next(enum watchdog_mode mode, unsigned left) {
  if (mode == DISARMED || mode == KERNEL_TICKLE || left == 0)
    return left;
  return left - 1;
}

// The clock's interrupt. If the time is over the machine goes down, whatever the daemon says: it may be what hangs.
static void watchdog_tick(void) {
  _Bool expired;
  power_begin();
  power.watchdog.left = watchdog_next(power.watchdog.mode, power.watchdog.left);
  expired = power.watchdog.mode != DISARMED && power.watchdog.left == 0;
  power.statistics.expired += expired;
  request_note(expired ? REQUEST_OFF : REQUEST_NONE);
  power_end();
}

static int watchdog_get(struct argument *argument) {
  argument->which = power.watchdog.mode;
  argument->word = power.watchdog.left;
  argument->low = power.watchdog.tickles;
  argument->high = power.watchdog.period;
  return 0;
}

// Sleep, waking up, and switching off.

// Where the strongest of the requests leads to.
static unsigned phase_after(unsigned phase, unsigned requests) {
  if (requests & REQUEST_OFF)
    return PHASE_OFF;
  if (requests & REQUEST_SLEEP)
    return PHASE_ASLEEP;
  if (requests & REQUEST_WAKE)
    return PHASE_RUNNING;
  return phase;
}

// Waits until no other thread changes the phase; then only this one does.
static void phase_begin(void) {
  while (power.changing)
    power_wait(&power.settled);
  KASSERT(!power.changing);
  power.changing = 1;
}

static void phase_end(void) {
  KASSERT(mutex_owned(&power.lock));
  KASSERT(power.changing);
  power.changing = 0;
  cv_broadcast(&power.settled);
}

// Tells the daemon and waits for its word, if there is a daemon and it can be told.
static void phase_negotiate(unsigned requests) {
  power.agreed = REQUEST_ANY;
  if (send_event(EVENT_PHASE, requests, power.phase) != 0)
    return;
  power.awaiting = 1;
  while (power.awaiting)
    power_wait(&power.answered);
}

// The daemon agrees to some requests. It is asked out of courtesy only if the machine is to be switched off.
static void phase_answer(unsigned agreed) {
  power.agreed = agreed | REQUEST_OFF;
  power.awaiting = 0;
  cv_broadcast(&power.answered);
}

// A driver stops or starts. It may sleep, and it may refuse; not if the machine is to be switched off. What it agrees
// to.
static unsigned driver_change(unsigned requests) {
  return requests & (__VERIFIER_nondet_uint() | REQUEST_OFF);
}

// All drivers, one after the other. What all agree to.
static unsigned drivers_change(unsigned requests) {
  KASSERT(!mutex_owned(&power.lock));
  requests = driver_change(requests);
  requests = driver_change(requests);
  return driver_change(requests);
}

static void history_push(unsigned phase) {
  power.history.oldest = power.history.third;
  power.history.third = power.history.second;
  power.history.second = power.history.newest;
  power.history.newest = phase;
}

static void history_clear(void) {
  power.history.newest = power.phase;
  power.history.second = power.phase;
  power.history.third = power.phase;
  power.history.oldest = power.phase;
}

static int history_get(struct argument *argument) {
  argument->which = power.history.newest;
  argument->word = power.history.second;
  argument->low = power.history.third;
  argument->high = power.history.oldest;
  return 0;
}

static void phase_reach(unsigned requests) {
  power.phase = phase_after(power.phase, requests);
  history_push(power.phase);
  power.statistics.sleeps += requests == REQUEST_SLEEP;
  power.statistics.wakes += requests == REQUEST_WAKE;
  power.statistics.aborted += requests == REQUEST_NONE;
}

// The kernel's task, which changes the phase. What the phase does not allow, or the daemon or a driver refuses, is
// dropped.
static void phase_change(void) {
  unsigned requests;
  power_begin();
  phase_begin();
  requests = power.requests & power.phase;
  power.requests = 0;
  phase_negotiate(requests);
  requests &= power.agreed;
  power_end();
  requests = drivers_change(requests);
  power_begin();
  phase_reach(requests);
  phase_end();
  power_end();
}

// The device, as processes see it.

// 0, or BUSY if there is a daemon already.
static int power_open(void) {
  int error = 0;
  power_begin();
  if (power.open) {
    power.statistics.refused++;
    error = BUSY;
  } else {
    power.open = 1;
    power.statistics.opened++;
  }
  power_end();
  return error;
}

// By the one who has opened it. Nobody will answer any more: who waits for that goes on.
static void power_close(void) {
  power_begin();
  KASSERT(power.open);
  queue_flush();
  power.dictionary.filled = 0;
  power.open = 0;
  phase_answer(REQUEST_ANY);
  power_end();
}

// What copies to the reader's memory may sleep: the mutex must not be held.
static void copy_out(struct event *target, const struct event *event) {
  KASSERT(!mutex_owned(&power.lock));
  *target = *event;
}

// One event; 0, or TRY_AGAIN if there is none and the reader does not wait.
static int power_read(_Bool wait, struct event *target) {
  struct event event;
  power_begin();
  watchdog_tickle(READER_TICKLE);
  if (!wait && power.count == 0) {
    power_end();
    return TRY_AGAIN;
  }
  while (power.count == 0)
    power_wait(&power.arrived);
  KASSERT(power.count != 0);
  queue_get(&event);
  power.statistics.read++;
  power_end();
  copy_out(target, &event);
  return 0;
}

static int statistics_get(struct argument *argument) {
  argument->which = power.statistics.opened;
  switch (argument->word) {
  case 0:
    argument->low = power.statistics.sent;
    argument->high = power.statistics.read;
    break;
  case 1:
    argument->low = power.statistics.lost;
    argument->high = power.statistics.flushed;
    break;
  case 2:
    argument->low = power.statistics.sleeps;
    argument->high = power.statistics.wakes;
    break;
  case 3:
    argument->low = power.statistics.aborted;
    argument->high = power.statistics.expired;
    break;
  default:
    return INVALID;
  }
  return 0;
}

static void statistics_clear(void) {
  power.statistics.opened = 0;
  power.statistics.refused = 0;
  power.statistics.sent = 0;
  power.statistics.lost = 0;
  power.statistics.read = 0;
  power.statistics.flushed = 0;
  power.statistics.sleeps = 0;
  power.statistics.wakes = 0;
  power.statistics.aborted = 0;
  power.statistics.expired = 0;
}

static int power_command(enum command command, struct argument *argument) {
  struct pswitch *pswitch = &power.pswitch;
  struct sensor *sensor = &power.sensor;
  switch (command) {
  case GET_VERSION:
    argument->word = VERSION;
    return 0;
  case COUNT_EVENTS:
    argument->word = power.count;
    return 0;
  case COUNT_SWITCHES:
    argument->word = power.switches_present;
    return 0;
  case GET_SWITCH:
    return switch_get(pswitch, argument);
  case GET_DICTIONARY:
    return dictionary_take(argument);
  case GET_SENSOR:
    return sensor_get(sensor, argument);
  case SET_WARNING_LIMITS:
  case SET_CRITICAL_LIMITS:
    return sensor_set_limits(sensor, argument, command == SET_CRITICAL_LIMITS);
  case MONITOR_SENSOR:
  case IGNORE_SENSOR:
    return sensor_monitor(sensor, command == MONITOR_SENSOR);
  case GET_SUPPLY:
    return supply_get(argument);
  case SET_SUPPLY_LEVELS:
    return supply_set_levels(argument);
  case SET_LOW_POLICY:
    return supply_set_policy(argument->word);
  case SEND_ANSWER:
    phase_answer(argument->word);
    return 0;
  case SEND_REQUEST:
      request_note(argument->word & REQUEST_ANY);
    return 0;
  case GET_PHASE:
    argument->word = power.phase;
    return 0;
  case ARM_WATCHDOG:
    return watchdog_arm(argument->which, argument->word);
  case TICKLE_WATCHDOG:
    return watchdog_tickle(USER_TICKLE);
  case DISARM_WATCHDOG:
    watchdog_disarm();
    return 0;
  case GET_WATCHDOG:
    return watchdog_get(argument);
  case GET_ESTIMATE:
    return estimate_get(argument);
  case GET_COMFORT:
    return comfort_get(argument);
  case SET_COMFORT:
    return comfort_set(argument);
  case GET_RECORD:
    return record_get(argument);
  case CLEAR_RECORD:
    record_clear();
    return 0;
  case GET_HISTORY:
    return history_get(argument);
  case CLEAR_HISTORY:
    history_clear();
    return 0;
  case GET_PRESSED:
    argument->word = power.pressed;
    return 0;
  case CLEAR_PRESSED:
    power.pressed = 0;
    return 0;
  case GET_STATISTICS:
    return statistics_get(argument);
  case CLEAR_STATISTICS:
    statistics_clear();
    return 0;
  default:
    return INVALID;
  }
}

static int power_ioctl(enum command command, struct argument *argument) {
  int error;
  power_begin();
  error = power_command(command, argument);
  power_end();
  return error;
}

// Processes.

// One of the daemon's threads gets an event.
static void process_event(_Bool wait) {
  struct event event = {EVENT_NONE, 0, 0};
  power_read(wait, &event);
}

static void process_control(void) {
  struct argument argument;
  argument.which = __VERIFIER_nondet_uint() % 8;
  argument.word = __VERIFIER_nondet_uint() % 8;
  argument.low = __VERIFIER_nondet_int();
  argument.high = __VERIFIER_nondet_int();
  power_ioctl(__VERIFIER_nondet_uint() % COMMANDS, &argument);
}

// The daemon has opened the device. Its other threads, and control programs, use it too.
static void process(void) {
  _Bool opener = __VERIFIER_nondet_bool() && power_open() == 0;
  while (__VERIFIER_nondet_bool()) {
    process_event(__VERIFIER_nondet_bool());
    process_control();
  }
  if (opener)
    power_close();
}

// The kernel.

static void driver(enum source_class class, unsigned kind) {
  struct source source = {class, kind};
  driver_attach(&source);
  while (__VERIFIER_nondet_bool())
    driver_report(&source);
  driver_detach(&source);
}

// A thread of one of four kinds.
static void *start(void *unused) {
  (void)unused;
  if (__VERIFIER_nondet_bool())
    process();
  else if (__VERIFIER_nondet_bool())
    driver(__VERIFIER_nondet_uint() % 3, __VERIFIER_nondet_uint() % SWITCH_KINDS);
  else if (__VERIFIER_nondet_bool())
    watchdog_tick();
  else
    phase_change();
  return 0;
}

static void power_init(void) {
  mutex_init(&power.lock, MUTEX_DEFAULT, IPL_NONE);
  cv_init(&power.arrived, "arrived");
  cv_init(&power.answered, "answered");
  cv_init(&power.settled, "settled");
  cv_init(&power.released, "released");
  power.phase = PHASE_RUNNING;
}

int main(void) {
  pthread_t thread;
  power_init();
  while (__VERIFIER_nondet_bool())
    pthread_create(&thread, 0, start, 0);
  return 0;
}
