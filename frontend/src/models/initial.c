//! uses: pthread_self thrd_current
// Programs that may ask for the handle of the initial thread, and so wait for it: it has a record, too.

static struct __monabs_thread __monabs_initial;

static _Bool __monabs_is_initial(unsigned long thread) {
  return thread == (unsigned long)-1 / 2 + 1;
}

static struct __monabs_thread *__monabs_record(unsigned long thread) {
  return __monabs_is_initial(thread) ? &__monabs_initial : (struct __monabs_thread *)thread;
}
