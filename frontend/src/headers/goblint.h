// The vocabulary of programs that are written for Goblint.
#ifndef MONABS_GOBLINT_H
#define MONABS_GOBLINT_H
void __goblint_check(int condition);
void __goblint_assume(int condition);
void __goblint_assert(int condition);
void __goblint_unknown(void *pointer);
void __goblint_split_begin(int value);
void __goblint_split_end(int value);
void __goblint_globalize(void *pointer);
void __goblint_assume_join();
#endif
