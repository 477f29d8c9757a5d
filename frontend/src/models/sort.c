//! requires: qsort bsearch
//! accesses: user
// Sorting and searching with the user's comparison. How often and in which order it is called is not fixed by C: a comparison
// must be a pure function.

// Exchanges two elements.
static void __monabs_exchange(unsigned char *first, unsigned char *second, unsigned long size) {
  unsigned long index;
  unsigned char byte;
  for (index = 0; index < size; index = index + 1) {
    byte = first[index];
    first[index] = second[index];
    second[index] = byte;
  }
}

// Exact for a comparison that is a total order without effects: elements that compare equal come in any order.
void qsort(void *base, unsigned long count, unsigned long size, int (*compare)(const void *, const void *)) {
  unsigned char *bytes = (unsigned char *)base;
  unsigned long next;
  unsigned long place;
  int order;
  for (next = 1; next < count; next = next + 1) {
    place = next;
    while (place > 0) {
      order = compare(bytes + (place - 1) * size, bytes + place * size);
      if (order < 0 || (order == 0 && __monabs_nondet_bool())) {
        break;
      }
      __monabs_exchange(bytes + (place - 1) * size, bytes + place * size, size);
      place = place - 1;
    }
  }
}

// Exact for a sorted array: any of the elements that compare equal. Elements before it are looked at, too.
void *bsearch(const void *key, const void *base, unsigned long count, unsigned long size,
    int (*compare)(const void *, const void *)) {
  const unsigned char *bytes = (const unsigned char *)base;
  const unsigned char *found = 0;
  unsigned long index;
  for (index = 0; index < count; index = index + 1) {
    if (compare(key, bytes + index * size) == 0 && (found == 0 || __monabs_nondet_bool())) {
      found = bytes + index * size;
    }
  }
  return (void *)found;
}
