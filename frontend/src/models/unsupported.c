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

// Exact for SIG_DFL (0) and SIG_IGN (1); no answer for handlers, which could run at any time.
void (*signal(int number, void (*handler)(int)))(int) {
  if (handler != (void (*)(int))0 && handler != (void (*)(int))1) {
    __monabs_limit("signal handlers are not modelled, which could run at any time; take this call out, or start the handler as a thread");
  }
  return (void (*)(int))0;
}

// No answer: see signal.
int sigaction(int number, const void *action, void *old) {
  if (action != 0) {
    __monabs_limit("signal handlers are not modelled, which could run at any time; take this call out, or start the handler as a thread");
  }
  return 0;
}

// No answer but for signal 0, which only asks.
int raise(int number) {
  if (number != 0) {
    __monabs_limit("signals are not modelled");
  }
  return 0;
}

// No answer but for signal 0, which only asks.
int kill(int process, int number) {
  return raise(number);
}

// No answer but for signal 0, which only asks.
int pthread_kill(unsigned long thread, int number) {
  return raise(number);
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
