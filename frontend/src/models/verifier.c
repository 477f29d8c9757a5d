//! requires: __VERIFIER_nondet_memory
//! accesses: user
// What the conventions of SV-COMP say about memory; functions for single values are built in.

// Exact: each byte has any value.
void __VERIFIER_nondet_memory(void *memory, unsigned long size) {
  unsigned long index = 0;
  while (index < size) {
    ((unsigned char *)memory)[index] = __monabs_nondet_uchar();
    index = index + 1;
  }
}
