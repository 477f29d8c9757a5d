// What is not modelled and must not be taken for a function without effect: where control can get here there is no answer.

// No answer: a second process.
int fork(void) {
  __monabs_limit("fork is not modelled");
  return __monabs_nondet_int();
}

// No answer: a second process.
int vfork(void) {
  __monabs_limit("vfork is not modelled");
  return __monabs_nondet_int();
}

static _Bool __monabs_is_signal(int number) {
  if (number > 0 && number <= 64) {
    return 1;
  }
  __monabs_errno = 22;
  return 0;
}

// For SIG_DFL (0) and SIG_IGN (1) exact but for the result, which is over-approximated; no answer for handlers, which could run at any time.
// 9 and 19 are SIGKILL and SIGSTOP, -1 is SIG_ERR.
void (*signal(int number, void (*handler)(int)))(int) {
  if (handler != (void (*)(int))0 && handler != (void (*)(int))1) {
    __monabs_limit("signal handlers are not modelled, which could run at any time; take this call out, or start the handler as a thread");
  }
  if (!__monabs_is_signal(number) || number == 9 || number == 19) {
    __monabs_errno = 22;
    return (void (*)(int))-1;
  }
  return __monabs_guess_int("what was to be done with a signal") ? (void (*)(int))1 : (void (*)(int))0;
}

// No answer: see signal.
int sigaction(int number, const void *action, void *old) {
  if (action != 0 || old != 0) {
    __monabs_limit("signal handlers are not modelled, which could run at any time; take this call out, or start the handler as a thread");
  }
  return __monabs_is_signal(number) ? 0 : -1;
}

// No answer but for signal 0, which only asks.
int raise(int number) {
  if (number != 0) {
    __monabs_limit("signals are not modelled");
  }
  return 0;
}

// No answer but for signal 0, which only asks: any answer.
int kill(int process, int number) {
  raise(number);
  return __monabs_status();
}

// No answer but for signal 0, which only asks: over-approximated, any answer; 3 is ESRCH.
int pthread_kill(unsigned long thread, int number) {
  raise(number);
  return __monabs_guess_int("whether a thread is there") ? 3 : 0;
}

// Over-approximated: any set.
static void __monabs_any_signals(void *set) {
  unsigned index;
  __monabs_approximate("the content of a set of signals is any");
  while (__monabs_nondet_bool()) {
    index = __monabs_nondet_uint();
    __CPROVER_assume(index < 128);
    ((unsigned char *)set)[index] = __monabs_nondet_uchar();
  }
}

// Over-approximated: any set.
int sigemptyset(void *set) {
  __monabs_any_signals(set);
  return 0;
}

// Over-approximated: any set.
int sigfillset(void *set) {
  __monabs_any_signals(set);
  return 0;
}

// Over-approximated: any set.
int sigaddset(void *set, int number) {
  if (!__monabs_is_signal(number)) {
    return -1;
  }
  __monabs_any_signals(set);
  return 0;
}

// Over-approximated: see sigaddset.
int sigdelset(void *set, int number) {
  return sigaddset(set, number);
}

// Exact in its effect, because signals do nothing here; over-approximated in the old mask: any set. 0 to 2 are what can be done.
int pthread_sigmask(int how, const void *set, void *old) {
  if (old != 0) {
    __monabs_any_signals(old);
  }
  return set == 0 || (how >= 0 && how <= 2) ? 0 : 22;
}

// See pthread_sigmask.
int sigprocmask(int how, const void *set, void *old) {
  if (pthread_sigmask(how, set, old) != 0) {
    __monabs_errno = 22;
    return -1;
  }
  return 0;
}

// No answer: functions that run at the end of the process.
int atexit(void (*function)(void)) {
  __monabs_limit("functions that run at exit are not modelled; call the function where 'main' returns");
  return 0;
}

// Exact: fork is not modelled, so that they never run.
int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
  return 0;
}

// Exact for the first return. The second comes from longjmp, for which there is no answer.
int setjmp(void *buffer) {
  return 0;
}

// See setjmp.
int _setjmp(void *buffer) {
  return 0;
}

// See setjmp.
int __sigsetjmp(void *buffer, int mask) {
  return 0;
}

// See setjmp; glibc's pthread_cleanup_push calls it.
int __sigsetjmp_cancel(void *buffer, int mask) {
  return 0;
}

// No answer.
void longjmp(void *buffer, int value) {
  __monabs_limit("longjmp is not modelled; return a value that says what went wrong");
  __monabs_stop();
}

// No answer.
void _longjmp(void *buffer, int value) {
  __monabs_limit("longjmp is not modelled; return a value that says what went wrong");
  __monabs_stop();
}

// No answer.
void siglongjmp(void *buffer, int value) {
  __monabs_limit("siglongjmp is not modelled");
  __monabs_stop();
}
