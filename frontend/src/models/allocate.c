//! requires: posix_memalign reallocarray
//! accesses: user
// Allocation beyond what is built in.

// Exact, but for want of memory: 22 (EINVAL) if the alignment is none.
int posix_memalign(void **result, unsigned long alignment, unsigned long size) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) {
    return 22;
  }
  *result = malloc(size);
  return 0;
}

// Exact, but for want of memory: 0 if the product is too large.
void *reallocarray(void *object, unsigned long count, unsigned long size) {
  if (size != 0 && count > (unsigned long)-1 / size) {
    __monabs_errno = 12;
    return 0;
  }
  return realloc(object, count * size);
}
