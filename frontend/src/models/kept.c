//! unless-uses: pthread_mutex_destroy pthread_spin_destroy pthread_rwlock_destroy pthread_cond_destroy pthread_barrier_destroy sem_destroy mtx_destroy cnd_destroy
// Locks that nobody destroys.

static int __monabs_destroys(void) {
  return 0;
}
