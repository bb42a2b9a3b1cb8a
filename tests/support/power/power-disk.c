/*
 * A disk with a volatile write cache whose power can be cut, as a FUSE file system for a loop device to lie on.
 *
 *   power-disk MOUNTPOINT BYTES FLUSH_MICROSECONDS SWEEPER...
 *
 * MOUNTPOINT has three kinds of files:
 *   disk.N    the disk as it is since its N-th power cut. Only the newest answers; the earlier ones have no power (EIO).
 *   control   takes "cut SEED MODE SECTOR WRITES", which is answered once the power is gone: after so many more writes,
 *             or after two seconds; and "lie": from now on a flush is answered and nothing is done, as bad disks do,
 *             which is the proof that a test would notice; until then all is made durable
 *   status    tells in JSON what was counted, and about the last cut
 *
 * A write is answered once it is in the cache. A flush (FSYNC, which is what the loop driver makes of REQ_OP_FLUSH, and
 * the block layer of FUA) takes a while and then makes durable what was answered before it arrived, and nothing more.
 * A cut happens at one instant, under the lock that every write and the end of every flush hold. What was durable is
 * there afterwards; of the sectors in the cache each may be, by MODE:
 *   none      nothing of the cache was kept
 *   all       all of it
 *   prefix    the first so many writes, and the sectors at the beginning of the next
 *   writes    each write or not, whole
 *   sectors   each sector of each write or not
 *
 * When its standard input ends, whoever started it is gone: SWEEPER is run, which takes down what lies on it.
 */
#define FUSE_USE_VERSION 31
#define _GNU_SOURCE
#include <errno.h>
#include <fuse.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#ifndef PR_SET_IO_FLUSHER
#define PR_SET_IO_FLUSHER 57
#endif

struct write {
  uint8_t *bytes;
  size_t length;
  off_t at;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t size;
static unsigned flush_microseconds;
static int lies;
static char **sweeper;

/* What a reader sees, and what is there for good. */
static uint8_t *seen, *durable;
/* The cache: the writes not yet durable, in the order they were answered. `settled` counts all before them. */
static struct write *cache;
static size_t cached, room;
static uint64_t settled;

static long cuts;
static uint64_t flushes;
/* The cut that is to come. */
static struct { char mode[16]; uint64_t seed; size_t sector, writes; } coming;
static pthread_cond_t came = PTHREAD_COND_INITIALIZER;
static char last_cut[256] = "null";

static uint64_t state;
static uint64_t draw(void) {
  uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
static double chance(void) { return (double)(draw() >> 11) / 9007199254740992.0; }

/* The first `count` writes leave the cache. */
static void forget(size_t count) {
  for (size_t i = 0; i < count; i++) free(cache[i].bytes);
  memmove(cache, cache + count, (cached - count) * sizeof *cache);
  cached -= count;
  settled += count;
}

/* Makes the first `count` writes durable. */
static void settle(size_t count) {
  for (size_t i = 0; i < count; i++) memcpy(durable + cache[i].at, cache[i].bytes, cache[i].length);
  forget(count);
}

/* Takes the power, with the lock held. */
static void cut(void) {
  state = coming.seed;
  const double share = chance();
  const size_t whole = cached ? draw() % (cached + 1) : 0;
  const int all = !strcmp(coming.mode, "all"), prefix = !strcmp(coming.mode, "prefix");
  const int writes = !strcmp(coming.mode, "writes"), sectors = !strcmp(coming.mode, "sectors");
  const size_t sector = coming.sector;
  uint64_t waiting = 0, kept = 0;
  for (size_t i = 0; i < cached; i++) {
    const struct write *w = &cache[i];
    const size_t count = (w->length + sector - 1) / sector;
    const size_t torn = prefix && i == whole ? draw() % (count + 1) : 0;
    const int luck = chance() < share;
    for (size_t s = 0; s < count; s++) {
      const int keep = all || (prefix && (i < whole || s < torn)) || (writes && luck) || (sectors && chance() < share);
      const size_t from = s * sector, length = w->length - from < sector ? w->length - from : sector;
      waiting++;
      if (!keep) continue;
      memcpy(durable + w->at + from, w->bytes + from, length);
      kept++;
    }
  }
  snprintf(last_cut, sizeof last_cut,
           "{\"seed\":%llu,\"mode\":\"%s\",\"sector\":%zu,\"writes\":%zu,\"sectors\":%llu,\"kept\":%llu}",
           (unsigned long long)coming.seed, coming.mode, sector, cached, (unsigned long long)waiting, (unsigned long long)kept);
  for (size_t i = 0; i < cached; i++) memcpy(seen + cache[i].at, durable + cache[i].at, cache[i].length);
  forget(cached);
  cuts++;
  coming.writes = 0;
  pthread_cond_broadcast(&came);
}

/* Takes a command, with the lock held, and answers 0 or what is wrong. */
static int command(const char *text) {
  if (!strcmp(text, "lie")) {
    settle(cached);
    lies = 1;
    return 0;
  }
  unsigned long long seed;
  if (coming.writes || sscanf(text, "cut %llu %15s %zu %zu", &seed, coming.mode, &coming.sector, &coming.writes) != 4)
    return -EINVAL;
  if (!coming.sector) return -EINVAL;
  coming.seed = seed;
  const long before = cuts;
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 2;
  while (coming.writes && cuts == before)
    if (pthread_cond_timedwait(&came, &lock, &until)) break;
  if (cuts == before) cut();
  return 0;
}

/* The cut after which the disk of this path is, or -1. */
static long disk_of(const char *path) {
  char *end;
  if (strncmp(path, "/disk.", 6)) return -1;
  const long made = strtol(path + 6, &end, 10);
  return *end || end == path + 6 || made < 0 || made > cuts ? -1 : made;
}

static size_t tell(char *text, size_t most) {
  const int length = snprintf(text, most, "{\"cuts\":%ld,\"writes\":%llu,\"flushes\":%llu,\"cached\":%zu,\"cut\":%s}", cuts,
                              (unsigned long long)(settled + cached), (unsigned long long)flushes, cached, last_cut);
  return (size_t)length;
}

static int on_getattr(const char *path, struct stat *found, struct fuse_file_info *info) {
  (void)info;
  memset(found, 0, sizeof *found);
  found->st_nlink = 1;
  found->st_mode = S_IFREG | 0600;
  if (!strcmp(path, "/")) found->st_mode = S_IFDIR | 0700;
  else if (strcmp(path, "/control") && strcmp(path, "/status")) {
    pthread_mutex_lock(&lock);
    const long disk = disk_of(path);
    pthread_mutex_unlock(&lock);
    if (disk < 0) return -ENOENT;
    found->st_size = (off_t)size;
  }
  return 0;
}

static int on_truncate(const char *path, off_t length, struct fuse_file_info *info) {
  (void)length, (void)info;
  return strcmp(path, "/control") ? -EPERM : 0;
}

/* Nothing stays in a page cache between the loop device and here. */
static int on_open(const char *path, struct fuse_file_info *info) {
  pthread_mutex_lock(&lock);
  info->fh = (uint64_t)disk_of(path);
  pthread_mutex_unlock(&lock);
  info->direct_io = 1;
  return 0;
}

static int on_read(const char *path, char *into, size_t length, off_t at, struct fuse_file_info *info) {
  (void)path;
  int answer = -EIO;
  pthread_mutex_lock(&lock);
  if ((long)info->fh < 0) {
    char text[1024];
    const size_t told = tell(text, sizeof text);
    answer = at >= (off_t)told ? 0 : (int)(told - (size_t)at < length ? told - (size_t)at : length);
    memcpy(into, text + (answer ? at : 0), (size_t)answer);
  } else if ((long)info->fh == cuts) {
    answer = at >= (off_t)size ? 0 : (int)(size - (size_t)at < length ? size - (size_t)at : length);
    memcpy(into, seen + (answer ? at : 0), (size_t)answer);
  }
  pthread_mutex_unlock(&lock);
  return answer;
}

static int on_write(const char *path, const char *from, size_t length, off_t at, struct fuse_file_info *info) {
  (void)path;
  int answer = (int)length;
  pthread_mutex_lock(&lock);
  if ((long)info->fh < 0) {
    char text[128] = "";
    memcpy(text, from, length < sizeof text ? length : sizeof text - 1);
    const int told = command(text);
    if (told) answer = told;
  } else if ((long)info->fh != cuts) {
    answer = -EIO;
  } else if ((size_t)at + length > size) {
    answer = -ENOSPC;
  } else {
    if (cached == room) cache = realloc(cache, (room = room ? 2 * room : 1024) * sizeof *cache);
    uint8_t *bytes = malloc(length);
    if (!cache || !bytes) abort();
    memcpy(bytes, from, length);
    memcpy(seen + at, from, length);
    cache[cached++] = (struct write){bytes, length, at};
    if (coming.writes && --coming.writes == 0) cut();
  }
  pthread_mutex_unlock(&lock);
  return answer;
}

static int on_fsync(const char *path, int only_data, struct fuse_file_info *info) {
  (void)path, (void)only_data;
  if ((long)info->fh < 0) return 0;
  pthread_mutex_lock(&lock);
  const uint64_t before = settled + cached;
  pthread_mutex_unlock(&lock);
  if (flush_microseconds) usleep(flush_microseconds);
  pthread_mutex_lock(&lock);
  int answer = -EIO;
  if ((long)info->fh == cuts) {
    /* Another flush that began later may have ended already. */
    if (!lies && before > settled) settle(before - settled);
    flushes++;
    answer = 0;
  }
  pthread_mutex_unlock(&lock);
  return answer;
}

static void *until_alone(void *nothing) {
  char bytes[64];
  while (read(0, bytes, sizeof bytes) > 0) continue;
  if (sweeper[0] && fork() == 0) {
    execv(sweeper[0], sweeper);
    _exit(127);
  }
  return nothing;
}

static void *on_init(struct fuse_conn_info *connection, struct fuse_config *config) {
  (void)connection;
  pthread_t watcher;
  config->attr_timeout = config->entry_timeout = config->negative_timeout = 0;
  pthread_create(&watcher, NULL, until_alone, NULL);
  return NULL;
}

static const struct fuse_operations operations = {
    .init = on_init, .getattr = on_getattr, .truncate = on_truncate, .open = on_open,
    .read = on_read, .write = on_write,     .fsync = on_fsync,
};

int main(int count, char **words) {
  if (count < 4) return fprintf(stderr, "power-disk MOUNTPOINT BYTES FLUSH_MICROSECONDS SWEEPER...\n"), 2;
  size = strtoull(words[2], NULL, 10);
  flush_microseconds = (unsigned)strtoul(words[3], NULL, 10);
  sweeper = words + 4;
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  seen = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
  durable = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (seen == MAP_FAILED || durable == MAP_FAILED) return perror("mmap"), 1;
  /* Memory that this process asks for must not wait for writes to this very disk. */
  prctl(PR_SET_IO_FLUSHER, 1, 0, 0, 0);
  char *fuse_words[] = {words[0], "-f", "-o", "fsname=power-disk,default_permissions", words[1], NULL};
  return fuse_main(5, fuse_words, &operations, NULL);
}
