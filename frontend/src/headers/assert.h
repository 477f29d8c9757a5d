/* Assertions as the verifier wants to see them: one call, with the condition and how it was written. */
#undef assert
#ifdef NDEBUG
#define assert(...) ((void)0)
#else
#define assert(...) __monabs_assert((_Bool)(__VA_ARGS__), #__VA_ARGS__)
#endif

#ifndef __MONABS_ASSERT_H
#define __MONABS_ASSERT_H
extern void __monabs_assert(_Bool, const char *);
#define static_assert _Static_assert
#endif
