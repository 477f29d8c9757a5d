//! unless-uses: pthread_join pthread_tryjoin_np pthread_timedjoin_np pthread_cancel thrd_join
//! unless-uses-again: pthread_detach thrd_detach pthread_attr_setdetachstate
// Threads that nobody waits for, and that one place in the program detaches.

// Without effect. That this place is reached twice with the same thread is not looked for.
static void __monabs_detach(unsigned long thread) {
}
