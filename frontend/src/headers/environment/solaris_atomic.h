/* Atomic operations with the names that Solaris has given them, which illumos and NetBSD use: exact, and stronger than asked for. */
#ifndef __MONABS_SOLARIS_ATOMIC_H
#define __MONABS_SOLARIS_ATOMIC_H
#define __MONABS_ATOMIC(name, type, difference) \
  static inline void atomic_inc_##name(volatile type *p) { __sync_fetch_and_add(p, 1); } \
  static inline void atomic_dec_##name(volatile type *p) { __sync_fetch_and_sub(p, 1); } \
  static inline void atomic_add_##name(volatile type *p, difference v) { __sync_fetch_and_add(p, (type)v); } \
  static inline type atomic_inc_##name##_nv(volatile type *p) { return __sync_add_and_fetch(p, 1); } \
  static inline type atomic_dec_##name##_nv(volatile type *p) { return __sync_sub_and_fetch(p, 1); } \
  static inline type atomic_add_##name##_nv(volatile type *p, difference v) { return __sync_add_and_fetch(p, (type)v); } \
  static inline void atomic_or_##name(volatile type *p, type v) { __sync_fetch_and_or(p, v); } \
  static inline void atomic_and_##name(volatile type *p, type v) { __sync_fetch_and_and(p, v); } \
  static inline type atomic_or_##name##_nv(volatile type *p, type v) { return __sync_or_and_fetch(p, v); } \
  static inline type atomic_and_##name##_nv(volatile type *p, type v) { return __sync_and_and_fetch(p, v); } \
  static inline type atomic_cas_##name(volatile type *p, type old, type new) { return __sync_val_compare_and_swap(p, old, new); } \
  static inline type atomic_swap_##name(volatile type *p, type v) { return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST); }
__MONABS_ATOMIC(8, uint8_t, int8_t)
__MONABS_ATOMIC(16, uint16_t, int16_t)
__MONABS_ATOMIC(32, uint32_t, int32_t)
__MONABS_ATOMIC(64, uint64_t, int64_t)
__MONABS_ATOMIC(uint, unsigned, int)
__MONABS_ATOMIC(ulong, unsigned long, long)
#undef __MONABS_ATOMIC
/* What the two systems call differently for the same types: NetBSD adds to unsigned numbers as add_int and add_long, illumos likewise. */
#define atomic_add_int(p, v) atomic_add_uint((p), (v))
#define atomic_add_int_nv(p, v) atomic_add_uint_nv((p), (v))
#define atomic_add_long(p, v) atomic_add_ulong((p), (v))
#define atomic_add_long_nv(p, v) atomic_add_ulong_nv((p), (v))
static inline void *atomic_cas_ptr(volatile void *p, void *old, void *new) {
  return __sync_val_compare_and_swap((void *volatile *)p, old, new);
}
static inline void *atomic_swap_ptr(volatile void *p, void *new) {
  return __atomic_exchange_n((void *volatile *)p, new, __ATOMIC_SEQ_CST);
}
#define membar_enter() __sync_synchronize()
#define membar_exit() __sync_synchronize()
#define membar_producer() __sync_synchronize()
#define membar_consumer() __sync_synchronize()
#define membar_sync() __sync_synchronize()
#define membar_acquire() __sync_synchronize()
#define membar_release() __sync_synchronize()
#endif
