//! unless-uses: pthread_self thrd_current
// Programs in which nobody has the handle of the initial thread.

static _Bool __monabs_is_initial(unsigned long thread) {
  return 0;
}

static struct __monabs_thread *__monabs_record(unsigned long thread) {
  return (struct __monabs_thread *)thread;
}
