// What the outside tells: texts, numbers, success and failure. Errors say why in errno.

// Over-approximated: a text of its own for each call. Linux has none that is longer.
static char *__monabs_text(void) {
  unsigned long length = __monabs_nondet_ulong();
  char *text;
  __CPROVER_assume(length < 131072);
  text = (char *)__monabs_alloc(length + 1);
  text[length] = 0;
  return text;
}

// Exact: sets errno to any error.
static void __monabs_fail(void) {
  int error = __monabs_nondet_int();
  __CPROVER_assume(error > 0 && error < 4096);
  __monabs_errno = error;
}

// Exact: errno becomes this error, if it is one.
static void __monabs_set_errno(int error) {
  if (error > 0 && error < 4096) {
    __monabs_errno = error;
  }
}

// Exact: 0, or -1 with an error.
static int __monabs_status(void) {
  if (__monabs_nondet_bool()) {
    return 0;
  }
  __monabs_fail();
  return -1;
}

// Exact: a number that is not negative, or -1 with an error.
static int __monabs_number(void) {
  int number = __monabs_nondet_int();
  __CPROVER_assume(number >= -1);
  if (number < 0) {
    __monabs_fail();
  }
  return number;
}

static int __monabs_last_file = -1;
static _Bool __monabs_file_closed;

// Exact as long as no file is closed: the lowest free number, which then is higher than those before; or -1 with an error.
// Over-approximated after that: any number.
static int __monabs_file(void) {
  int number = __monabs_number();
  _Bool closed;
  if (number < 0) {
    return -1;
  }
  __CPROVER_atomic_begin();
  closed = __monabs_file_closed;
  __CPROVER_assume(closed || number > __monabs_last_file);
  __monabs_last_file = number;
  __CPROVER_atomic_end();
  if (closed) {
    __monabs_approximate("the number of a file is any number after one was closed");
  }
  return number;
}

// Exact: a new object outside of the program's memory, or 0 with an error.
static void *__monabs_handle(void) {
  if (__monabs_nondet_bool()) {
    __monabs_fail();
    return 0;
  }
  return __monabs_alloc(1);
}

static _Bool __monabs_environment_known;

// Exact for one call: there is no such variable, or it has any text. Over-approximated for more: texts of their own.
char *getenv(const char *name) {
  _Bool again;
  __monabs_look_at_text(name);
  __CPROVER_atomic_begin();
  again = __monabs_environment_known;
  __monabs_environment_known = 1;
  __CPROVER_atomic_end();
  if (again) {
    __monabs_approximate("each text of the environment is any text");
  }
  return __monabs_nondet_bool() ? 0 : __monabs_text();
}

// Exact, see getenv.
char *secure_getenv(const char *name) {
  return getenv(name);
}

// Over-approximated: what getenv returns afterwards is any text.
int setenv(const char *name, const char *value, int replace) {
  __monabs_look_at_text(name);
  __monabs_look_at_text(value);
  __CPROVER_atomic_begin();
  __monabs_environment_known = 1;
  __CPROVER_atomic_end();
  return __monabs_status();
}

// Over-approximated: see setenv.
int unsetenv(const char *name) {
  return setenv(name, name, 1);
}

// Over-approximated: see setenv.
int clearenv(void) {
  return setenv("", "", 1);
}

// No answer: a text of the program becomes part of the environment.
int putenv(char *text) {
  __monabs_limit("putenv is not modelled; use setenv");
  return 0;
}

// Over-approximated: any text.
char *strerror(int error) {
  __monabs_approximate("the text of an error is any text");
  return __monabs_text();
}

// Over-approximated: any text.
char *strsignal(int number) {
  __monabs_approximate("the text of a signal is any text");
  return __monabs_text();
}

// Over-approximated: any text that fits. In glibc there are two functions of this name; both write to the buffer or not.
int strerror_r(int error, char *target, unsigned long size) {
  unsigned long position = __monabs_put_any(target, size, 0, 128);
  return __monabs_put_end(target, size, position) * 0;
}

// Exact for the C locale; no answer for others.
char *setlocale(int category, const char *locale) {
  if (locale != 0 && !(locale[0] == 'C' && locale[1] == 0)) {
    __monabs_limit("locales other than \"C\" are not modelled");
  }
  return "C";
}

// Exact: another process has no access to memory.
int system(const char *command) {
  return __monabs_nondet_int();
}

static int __monabs_process;

// Exact: any positive number, but always the same.
int getpid(void) {
  int process;
  __CPROVER_atomic_begin();
  if (__monabs_process == 0) {
    __monabs_process = __monabs_nondet_int();
    __CPROVER_assume(__monabs_process > 0);
  }
  process = __monabs_process;
  __CPROVER_atomic_end();
  return process;
}

// Exact: any number; it changes when the parent ends.
int getppid(void) {
  int process = __monabs_nondet_int();
  __CPROVER_assume(process >= 0);
  return process;
}

// Over-approximated: any number, which may change.
int getpgrp(void) {
  return __monabs_guess_int("the number of a group of processes") & 2147483647;
}

// Exact: any number, or -1 with an error.
int setsid(void) {
  return __monabs_number();
}

// Over-approximated: any number, or -1 with an error.
int getsid(int process) {
  int session = __monabs_guess_int("the number of a session");
  if (session < 0) {
    __monabs_fail();
    return -1;
  }
  return session;
}

// Over-approximated: any positive number, which may change.
int gettid(void) {
  return (__monabs_guess_int("the system's number of a thread") & 1073741823) + 1;
}

// Over-approximated: any number, which may change.
unsigned getuid(void) {
  return (unsigned)__monabs_guess_int("the number of a user or group");
}

// Over-approximated: any number, which may change.
unsigned geteuid(void) {
  return (unsigned)__monabs_guess_int("the number of a user or group");
}

// Over-approximated: any number, which may change.
unsigned getgid(void) {
  return (unsigned)__monabs_guess_int("the number of a user or group");
}

// Over-approximated: any number, which may change.
unsigned getegid(void) {
  return (unsigned)__monabs_guess_int("the number of a user or group");
}

// Exact: may fail.
int setuid(unsigned user) {
  return __monabs_status();
}

// Exact: may fail.
int seteuid(unsigned user) {
  return __monabs_status();
}

// Exact: may fail.
int setgid(unsigned user) {
  return __monabs_status();
}

// Exact: may fail.
int setegid(unsigned user) {
  return __monabs_status();
}
