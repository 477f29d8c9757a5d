// What verifiers understand beyond C, declared so that a compiler accepts the examples.
#ifndef VERIFIER_H
#define VERIFIER_H

// Any value of the type.
_Bool __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
int __VERIFIER_nondet_int(void);
unsigned int __VERIFIER_nondet_uint(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);

// Only runs in which the condition holds are of interest; a thread cannot pass while it does not hold.
void __VERIFIER_assume(int condition);
void __CPROVER_assume(int condition);

// The condition must hold. Control must not get to these.
void __VERIFIER_assert(int condition);
void __CPROVER_assert(int condition, const char *text);
void __VERIFIER_error(void);
void reach_error(void);

// What is between them is one step.
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);

// Predicates for the abstraction, and the passive thread's copy of a thread-local variable in them and in broadcasts.
void __CPROVER_predicate(int condition);
int __CPROVER_passive(int variable);

// Labels: "__CPROVER_ASYNC_1: f();" starts a thread that runs f;
// "__CPROVER_passive_broadcast: x = e;" assigns the thread-local x of all other threads.

#endif
