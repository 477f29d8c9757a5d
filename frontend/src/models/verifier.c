//! requires: __VERIFIER_nondet_memory __CPROVER_havoc_slice klee_make_symbolic
//! accesses: user
// What verifiers say about memory; functions for single values are built in.

// Exact: each byte has any value.
void __VERIFIER_nondet_memory(void *memory, unsigned long size) {
  unsigned long index = 0;
  while (index < size) {
    ((unsigned char *)memory)[index] = __monabs_nondet_uchar();
    index = index + 1;
  }
}

// Exact: each byte has any value.
void __CPROVER_havoc_slice(void *memory, unsigned long size) {
  __VERIFIER_nondet_memory(memory, size);
}

// Exact: each byte has any value.
void klee_make_symbolic(void *memory, unsigned long size, const char *name) {
  __VERIFIER_nondet_memory(memory, size);
}
