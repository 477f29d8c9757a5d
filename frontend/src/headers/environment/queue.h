/* Lists of the kernels: those of the C library, and loops in which elements may be removed. Exact, and not atomic. */
#include_next <sys/queue.h>
#ifndef __MONABS_QUEUE_H
#define __MONABS_QUEUE_H
#define LIST_FOREACH_SAFE(at, head, field, rest) for ((at) = LIST_FIRST(head); (at) && ((rest) = LIST_NEXT(at, field), 1); (at) = (rest))
#define SLIST_FOREACH_SAFE(at, head, field, rest) for ((at) = SLIST_FIRST(head); (at) && ((rest) = SLIST_NEXT(at, field), 1); (at) = (rest))
#define STAILQ_FOREACH_SAFE(at, head, field, rest) for ((at) = STAILQ_FIRST(head); (at) && ((rest) = STAILQ_NEXT(at, field), 1); (at) = (rest))
#define SIMPLEQ_FOREACH_SAFE(at, head, field, rest) for ((at) = SIMPLEQ_FIRST(head); (at) && ((rest) = SIMPLEQ_NEXT(at, field), 1); (at) = (rest))
#define TAILQ_FOREACH_SAFE(at, head, field, rest) for ((at) = TAILQ_FIRST(head); (at) && ((rest) = TAILQ_NEXT(at, field), 1); (at) = (rest))
#define TAILQ_FOREACH_REVERSE_SAFE(at, head, name, field, rest) \
  for ((at) = TAILQ_LAST(head, name); (at) && ((rest) = TAILQ_PREV(at, name, field), 1); (at) = (rest))
#endif
