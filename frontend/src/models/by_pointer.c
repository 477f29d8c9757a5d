//! requires: free malloc calloc realloc memcpy memmove memset exit abort
//! accesses: user
// Functions that are built in, for calls through pointers.

// Exact, see free.
void __monabs_by_pointer_free(void *object) {
  free(object);
}

// Exact, see malloc.
void *__monabs_by_pointer_malloc(unsigned long size) {
  return malloc(size);
}

// Exact, see calloc.
void *__monabs_by_pointer_calloc(unsigned long count, unsigned long size) {
  return calloc(count, size);
}

// Exact, see realloc.
void *__monabs_by_pointer_realloc(void *object, unsigned long size) {
  return realloc(object, size);
}

// Exact, see memcpy.
void *__monabs_by_pointer_memcpy(void *target, const void *source, unsigned long size) {
  return memcpy(target, source, size);
}

// Exact, see memmove.
void *__monabs_by_pointer_memmove(void *target, const void *source, unsigned long size) {
  return memmove(target, source, size);
}

// Exact, see memset.
void *__monabs_by_pointer_memset(void *target, int value, unsigned long size) {
  return memset(target, value, size);
}

// Exact, see exit.
void __monabs_by_pointer_exit(int status) {
  exit(status);
}

// Exact, see abort.
void __monabs_by_pointer_abort(void) {
  abort();
}
