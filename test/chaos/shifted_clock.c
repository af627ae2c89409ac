/* Preloaded into a process: its wall clock is off by as many seconds as a file says, from one moment to the next. The
 * steady clock is left alone, as it is when somebody sets the clock of a machine. Waits until a wall time, which the
 * kernel compares with the true clock, are put back by the same shift; one that has begun is not changed any more. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *shift;

__attribute__((constructor)) static void open_shift(void) {
  const char *path = getenv("SHIFTED_CLOCK_FILE");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *place = mmap(NULL, sizeof *shift, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (place != MAP_FAILED) shift = place;
}

static int64_t seconds(void) { return shift ? *shift : 0; }

int clock_gettime(clockid_t clock, struct timespec *now) {
  int failed = syscall(SYS_clock_gettime, clock, now);
  if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += seconds();
  return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec exact;
  (void)zone;
  if (clock_gettime(CLOCK_REALTIME, &exact)) return -1;
  now->tv_sec = exact.tv_sec;
  now->tv_usec = exact.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *place) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (place) *place = now.tv_sec;
  return now.tv_sec;
}

/* A condition may wait by the steady clock too, whose times are those since the start of the machine. */
static struct timespec true_time(const struct timespec *end) {
  struct timespec moved = *end;
  if (moved.tv_sec > 1000000000) moved.tv_sec -= seconds();
  return moved;
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict end) {
  static int (*original)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
  if (!original) original = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2"); /* an older one is there too */
  if (!original) original = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
  struct timespec moved = true_time(end);
  return original(condition, mutex, &moved);
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict end) {
  static int (*original)(sem_t *, const struct timespec *);
  if (!original) original = dlsym(RTLD_NEXT, "sem_timedwait");
  struct timespec moved = true_time(end);
  return original(semaphore, &moved);
}
