/* C11 atomics (7.17) by way of the compiler's type-generic built-in functions, which the verifier knows. They take operands
   of any type here, structures too. */
#ifndef __MONABS_STDATOMIC_H
#define __MONABS_STDATOMIC_H

typedef enum {
  memory_order_relaxed = 0,
  memory_order_consume = 1,
  memory_order_acquire = 2,
  memory_order_release = 3,
  memory_order_acq_rel = 4,
  memory_order_seq_cst = 5
} memory_order;

typedef _Atomic(_Bool) atomic_bool;
typedef _Atomic(char) atomic_char;
typedef _Atomic(signed char) atomic_schar;
typedef _Atomic(unsigned char) atomic_uchar;
typedef _Atomic(short) atomic_short;
typedef _Atomic(unsigned short) atomic_ushort;
typedef _Atomic(int) atomic_int;
typedef _Atomic(unsigned int) atomic_uint;
typedef _Atomic(long) atomic_long;
typedef _Atomic(unsigned long) atomic_ulong;
typedef _Atomic(long long) atomic_llong;
typedef _Atomic(unsigned long long) atomic_ullong;
typedef _Atomic(__CHAR16_TYPE__) atomic_char16_t;
typedef _Atomic(__CHAR32_TYPE__) atomic_char32_t;
typedef _Atomic(__WCHAR_TYPE__) atomic_wchar_t;
typedef _Atomic(__INT_LEAST8_TYPE__) atomic_int_least8_t;
typedef _Atomic(__UINT_LEAST8_TYPE__) atomic_uint_least8_t;
typedef _Atomic(__INT_LEAST16_TYPE__) atomic_int_least16_t;
typedef _Atomic(__UINT_LEAST16_TYPE__) atomic_uint_least16_t;
typedef _Atomic(__INT_LEAST32_TYPE__) atomic_int_least32_t;
typedef _Atomic(__UINT_LEAST32_TYPE__) atomic_uint_least32_t;
typedef _Atomic(__INT_LEAST64_TYPE__) atomic_int_least64_t;
typedef _Atomic(__UINT_LEAST64_TYPE__) atomic_uint_least64_t;
typedef _Atomic(__INT_FAST8_TYPE__) atomic_int_fast8_t;
typedef _Atomic(__UINT_FAST8_TYPE__) atomic_uint_fast8_t;
typedef _Atomic(__INT_FAST16_TYPE__) atomic_int_fast16_t;
typedef _Atomic(__UINT_FAST16_TYPE__) atomic_uint_fast16_t;
typedef _Atomic(__INT_FAST32_TYPE__) atomic_int_fast32_t;
typedef _Atomic(__UINT_FAST32_TYPE__) atomic_uint_fast32_t;
typedef _Atomic(__INT_FAST64_TYPE__) atomic_int_fast64_t;
typedef _Atomic(__UINT_FAST64_TYPE__) atomic_uint_fast64_t;
typedef _Atomic(__INTPTR_TYPE__) atomic_intptr_t;
typedef _Atomic(__UINTPTR_TYPE__) atomic_uintptr_t;
typedef _Atomic(__SIZE_TYPE__) atomic_size_t;
typedef _Atomic(__PTRDIFF_TYPE__) atomic_ptrdiff_t;
typedef _Atomic(__INTMAX_TYPE__) atomic_intmax_t;
typedef _Atomic(__UINTMAX_TYPE__) atomic_uintmax_t;

#define ATOMIC_BOOL_LOCK_FREE 2
#define ATOMIC_CHAR_LOCK_FREE 2
#define ATOMIC_CHAR16_T_LOCK_FREE 2
#define ATOMIC_CHAR32_T_LOCK_FREE 2
#define ATOMIC_WCHAR_T_LOCK_FREE 2
#define ATOMIC_SHORT_LOCK_FREE 2
#define ATOMIC_INT_LOCK_FREE 2
#define ATOMIC_LONG_LOCK_FREE 2
#define ATOMIC_LLONG_LOCK_FREE 2
#define ATOMIC_POINTER_LOCK_FREE 2

#define ATOMIC_VAR_INIT(value) (value)
/* Nobody else knows the object yet: a plain write, which races with all others. */
#define atomic_init(object, value) __c11_atomic_init((object), (value))
#define atomic_is_lock_free(object) __atomic_is_lock_free(sizeof(*(object)), (object))
#define kill_dependency(value) (value)

#define atomic_thread_fence(order) __atomic_thread_fence(order)
#define atomic_signal_fence(order) __atomic_signal_fence(order)

#ifdef __MONABS_CHECK
/* For the compiler that says what is C: its functions on `_n` take no structures, these do. They convert as C does and yield a value of the type without
   qualifiers. */
#define __MONABS_PLAIN(object) __typeof__((void)0, *(object))
#define atomic_load_explicit(object, order) \
  __extension__({ __MONABS_PLAIN(object) __value; __atomic_load((object), &__value, (order)); __value; })
#define atomic_store_explicit(object, value, order) \
  __extension__({ __MONABS_PLAIN(object) __value = (value); __atomic_store((object), &__value, (order)); })
#define atomic_exchange_explicit(object, value, order) \
  __extension__({ \
    __MONABS_PLAIN(object) __value = (value); \
    __MONABS_PLAIN(object) __old; \
    __atomic_exchange((object), &__value, &__old, (order)); \
    __old; \
  })
#define __MONABS_COMPARE_EXCHANGE(object, expected, value, weak, success, failure) \
  __extension__({ \
    __MONABS_PLAIN(object) __value = (value); \
    __atomic_compare_exchange((object), (expected), &__value, (weak), (success), (failure)); \
  })
#else
#define atomic_load_explicit(object, order) __atomic_load_n((object), (order))
#define atomic_store_explicit(object, value, order) __atomic_store_n((object), (value), (order))
#define atomic_exchange_explicit(object, value, order) __atomic_exchange_n((object), (value), (order))
#define __MONABS_COMPARE_EXCHANGE(object, expected, value, weak, success, failure) \
  __atomic_compare_exchange_n((object), (expected), (value), (weak), (success), (failure))
#endif

#define atomic_load(object) atomic_load_explicit(object, 5)
#define atomic_store(object, value) atomic_store_explicit(object, value, 5)
#define atomic_exchange(object, value) atomic_exchange_explicit(object, value, 5)
#define atomic_compare_exchange_strong_explicit(object, expected, value, success, failure) \
  __MONABS_COMPARE_EXCHANGE(object, expected, value, 0, success, failure)
#define atomic_compare_exchange_strong(object, expected, value) \
  __MONABS_COMPARE_EXCHANGE(object, expected, value, 0, 5, 5)
#define atomic_compare_exchange_weak_explicit(object, expected, value, success, failure) \
  __MONABS_COMPARE_EXCHANGE(object, expected, value, 1, success, failure)
#define atomic_compare_exchange_weak(object, expected, value) \
  __MONABS_COMPARE_EXCHANGE(object, expected, value, 1, 5, 5)

#define atomic_fetch_add_explicit(object, value, order) __atomic_fetch_add((object), (value), (order))
#define atomic_fetch_add(object, value) __atomic_fetch_add((object), (value), 5)
#define atomic_fetch_sub_explicit(object, value, order) __atomic_fetch_sub((object), (value), (order))
#define atomic_fetch_sub(object, value) __atomic_fetch_sub((object), (value), 5)
#define atomic_fetch_or_explicit(object, value, order) __atomic_fetch_or((object), (value), (order))
#define atomic_fetch_or(object, value) __atomic_fetch_or((object), (value), 5)
#define atomic_fetch_xor_explicit(object, value, order) __atomic_fetch_xor((object), (value), (order))
#define atomic_fetch_xor(object, value) __atomic_fetch_xor((object), (value), 5)
#define atomic_fetch_and_explicit(object, value, order) __atomic_fetch_and((object), (value), (order))
#define atomic_fetch_and(object, value) __atomic_fetch_and((object), (value), 5)

typedef struct {
  _Atomic(_Bool) __value;
} atomic_flag;

#define ATOMIC_FLAG_INIT { 0 }
#define atomic_flag_test_and_set_explicit(object, order) __atomic_exchange_n(&(object)->__value, (_Bool)1, (order))
#define atomic_flag_test_and_set(object) __atomic_exchange_n(&(object)->__value, (_Bool)1, 5)
#define atomic_flag_clear_explicit(object, order) __atomic_store_n(&(object)->__value, (_Bool)0, (order))
#define atomic_flag_clear(object) __atomic_store_n(&(object)->__value, (_Bool)0, 5)

#endif
