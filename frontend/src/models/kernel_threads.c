//! requires: __monabs_kernel_thread
// Threads of kernels, for the headers of environments. The record of a thread is its handle, as a pointer: to compare records is exact, to look
// into them is not modelled. A record is taken to be one thread's only, also after the thread has ended.

// Exact but that it never fails. Returns the handle.
unsigned long __monabs_kernel_thread(void (*function)(void *), void *argument) {
  unsigned long handle = __monabs_new_handle(0);
  __monabs_spawn(function, argument, handle);
  return handle;
}

// Exact: the same for a function that returns a number.
unsigned long __monabs_kernel_worker(int (*function)(void *), void *argument) {
  unsigned long handle = __monabs_new_handle(0);
  __monabs_spawn(function, argument, handle);
  return handle;
}

// Exact: who this thread is.
unsigned long __monabs_current(void) {
  return __monabs_self;
}

// Exact: the thread ends here.
void __monabs_kernel_exit(void) {
  __monabs_thread_finish(0);
  __monabs_stop();
}
