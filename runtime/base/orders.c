#include "orders.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "array.h"
#include "fibers.h"
#include "watchdog.h"

enum { READ_AT_ONCE = 1 << 16, LISTEN = 50 /* ms */ };

static struct {
    pthread_mutex_t lock;
    char *text; /* [size] what came; the first `taken` bytes were given on */
    int32_t size, capacity, taken;
    int working[FIBERS_HALVES]; /* lines that were taken and not answered, by whom */
    bool ended;
} orders = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Of the caller's half; who is on no fiber has the first for himself. */
static int *own_working(void) { return &orders.working[fibers_inside() ? fibers_half_of() : 0]; }

/* ---- under the lock */

/* What has come, without waiting for more. */
static void read_some(void)
{
    if (orders.taken > orders.size / 2) {
        orders.size -= orders.taken;
        memmove(orders.text, orders.text + orders.taken, (size_t)orders.size);
        orders.taken = 0;
    }
    if (!throng_array_reserve((void **)&orders.text, &orders.capacity, (int64_t)orders.size + READ_AT_ONCE, 1)) {
        orders.ended = true;
        return;
    }
    ssize_t got = recv(STDIN_FILENO, orders.text + orders.size, READ_AT_ONCE, MSG_DONTWAIT);
    orders.size += got > 0 ? (int32_t)got : 0;
    orders.ended = orders.ended || got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
}

static char *take_line(void)
{
    if (orders.ended || orders.taken == orders.size)
        return NULL;
    const char *from = orders.text + orders.taken, *end = memchr(from, '\n', (size_t)(orders.size - orders.taken));
    char *line = end ? strndup(from, (size_t)(end - from)) : NULL;
    orders.ended = end && !line;
    if (!line)
        return NULL;
    orders.taken += (int32_t)(end + 1 - from);
    ++*own_working();
    return line;
}

/* Until an answer may be written. Who gives orders may wait himself until they are read. */
static void await_room(void)
{
    struct pollfd asked[] = {{.fd = STDOUT_FILENO, .events = POLLOUT}, {.fd = STDIN_FILENO, .events = POLLIN}};
    if (poll(asked, orders.ended ? 1 : 2, -1) > 0 && asked[1].revents)
        read_some();
}

/* ---- for all */

/* Called when nobody of a half goes on by himself (fibers_wait): where nobody works, there is nothing to do but wait,
 * for a while, as the other half may end all, or have read more than it takes. */
static void hear(int32_t half)
{
    struct pollfd asked = {.fd = STDIN_FILENO, .events = POLLIN};
    pthread_mutex_lock(&orders.lock);
    bool works = orders.working[half] > 0;
    pthread_mutex_unlock(&orders.lock);
    poll(&asked, 1, works ? 0 : LISTEN);
    pthread_mutex_lock(&orders.lock);
    if (!orders.ended)
        read_some();
    pthread_mutex_unlock(&orders.lock);
}

char *throng_orders_take(void)
{
    char *line;
    pthread_mutex_lock(&orders.lock);
    if (!orders.ended)
        read_some();
    while (!(line = take_line()) && !orders.ended && !throng_interrupted_by()) {
        pthread_mutex_unlock(&orders.lock);
        if (fibers_inside())
            fibers_wait(hear);
        else
            hear(0);
        pthread_mutex_lock(&orders.lock);
    }
    pthread_mutex_unlock(&orders.lock);
    return line;
}

bool throng_orders_answer(const char *line, size_t size)
{
    bool heard = true;
    pthread_mutex_lock(&orders.lock);
    --*own_working();
    for (size_t sent = 0; heard && sent < size;) {
        ssize_t got = send(STDOUT_FILENO, line + sent, size - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (got >= 0)
            sent += (size_t)got;
        else if (errno == EAGAIN)
            await_room();
        else
            heard = errno == EINTR;
    }
    pthread_mutex_unlock(&orders.lock);
    return heard;
}

void throng_orders_end(void)
{
    pthread_mutex_lock(&orders.lock);
    orders.ended = true;
    pthread_mutex_unlock(&orders.lock);
}
