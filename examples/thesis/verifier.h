// What verifiers understand beyond C, declared so that a compiler accepts the programs; runtime.c defines it so that they run.
// Include it before any system header.
#ifndef VERIFIER_H
#define VERIFIER_H

// POSIX with all of its threads, also under -std=c11.
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif

// Any value of the type. When a program runs: pseudo-random values; a bool is true three times out of four, so that
// "while (__VERIFIER_nondet_bool()) pthread_create(...)" makes a few threads, and ends. For a verifier it makes any number.
_Bool __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);
int __VERIFIER_nondet_int(void);
unsigned int __VERIFIER_nondet_uint(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);

// Only runs in which the condition holds are of interest; a thread cannot pass while it does not hold. When a program runs the
// condition cannot be looked at again, so that the thread ends there.
void __VERIFIER_assume(int condition);
void __CPROVER_assume(int condition);

// The condition must hold. Control must not get to the last two.
void __VERIFIER_assert(int condition);
void __CPROVER_assert(int condition, const char *text);
void __VERIFIER_error(void);
void reach_error(void);

// What is between them is one step. When a program runs it is one step only for other such sections.
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);

// Predicates for the abstraction, and the passive thread's copy of a thread-local variable in them and in broadcasts.
void __CPROVER_predicate(int condition);
int __CPROVER_passive(int variable);

// Labels: "__CPROVER_ASYNC_1: f();" starts a thread that runs f;
// "__CPROVER_passive_broadcast: x = e;" assigns the thread-local x of all other threads.
// When a program runs they are only labels: f is called in place, and x is the thread's own. So the few programs with them
// (26 and 29) run, but with less concurrency than they have.
#pragma GCC diagnostic ignored "-Wunused-label"

#endif
