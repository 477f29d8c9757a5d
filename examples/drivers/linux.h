// What the drivers here need of a Linux kernel: shapes of its structs, written anew.
#include <assert.h>
#define BUG_ON(condition) assert(!(condition))
typedef struct { int opaque; } spinlock_t;
typedef enum { IRQ_NONE, IRQ_HANDLED } irqreturn_t;
struct inode;
struct file;
struct file_operations {
  int (*open)(struct inode *, struct file *);
  long (*unlocked_ioctl)(struct file *, unsigned, unsigned long);
};
void spin_lock_init(spinlock_t *);
void spin_lock(spinlock_t *);
void spin_unlock(spinlock_t *);
void spin_lock_irqsave(spinlock_t *, unsigned long);
void spin_unlock_irqrestore(spinlock_t *, unsigned long);
