//! uses: thrd_join
//! unless-defined: thrd_create mtx_lock mtx_unlock
// Waiting for C11 threads.

// See __monabs_join.
int thrd_join(unsigned long thread, int *result) {
  void *value = __monabs_join(thread, 1);
  if (result != 0) {
    __monabs_store_int(result, (int)(long)value);
  }
  return 0;
}
