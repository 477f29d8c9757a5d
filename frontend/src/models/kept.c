//! unless-uses: pthread_mutex_destroy pthread_spin_destroy pthread_rwlock_destroy pthread_cond_destroy pthread_barrier_destroy sem_destroy mtx_destroy cnd_destroy mutex_destroy __monabs_sx_destroy
// Locks that nobody destroys.

static void __monabs_is_kept(const _Bool *destroyed) {
}
