/* Calls of the system that fail when they are told to, for `tests.support.faults.control`.
 *
 * Loaded by LD_PRELOAD. A page of memory that the test shares with this library (the file named by
 * TERTIUM_FAULT_PAGE) says which calls count and which of them fails: the n-th, or the n-th and all
 * that follow. Files count only below one folder, allocations only where the C++ core, its runtime
 * or SQLite ask for them, and threads only those of C++, so that the interpreter that runs the test
 * is spared. Nothing happens
 * until the page says `armed`.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WRITES = 1, READS = 2, ALLOCATIONS = 4, THREADS = 8 };

struct page {
  uint64_t armed;
  uint64_t calls_mask; /* which of the above count */
  uint64_t at;         /* the number of the call that fails, from 1 */
  uint64_t persistent; /* whether all later calls fail, too */
  uint64_t error;      /* errno; 0: the call does half of its work */
  uint64_t calls;      /* how many have counted */
  uint64_t fired;      /* how many have failed */
  char folder[PATH_MAX];
};

static struct page* page;
static __thread int inside;

__attribute__((constructor)) static void begin(void) {
  const char* name = getenv("TERTIUM_FAULT_PAGE");
  if (name == NULL) return;
  int fd = (int)syscall(SYS_openat, AT_FDCWD, name, O_RDWR | O_CLOEXEC, 0);
  if (fd < 0) return;
  void* shared = mmap(NULL, sizeof(struct page), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  syscall(SYS_close, fd);
  if (shared != MAP_FAILED) page = shared;
}

static int counts(uint64_t kind) { return page != NULL && page->armed && (page->calls_mask & kind); }

/* Whether this call is the one that fails. */
static int fails(void) {
  uint64_t number = __atomic_add_fetch(&page->calls, 1, __ATOMIC_SEQ_CST);
  if (number != page->at && !(page->persistent && number > page->at)) return 0;
  __atomic_add_fetch(&page->fired, 1, __ATOMIC_SEQ_CST);
  return 1;
}

static int below(const char* path) {
  size_t length = strlen(page->folder);
  return length > 0 && strncmp(path, page->folder, length) == 0;
}

static int of_path(uint64_t kind, const char* path) {
  return counts(kind) && path != NULL && below(path);
}

static int of_file(uint64_t kind, int fd) {
  if (!counts(kind)) return 0;
  char link[64] = "/proc/self/fd/";
  char path[PATH_MAX];
  char digits[16];
  int size = 0;
  unsigned value = fd < 0 ? 0 : (unsigned)fd;
  do digits[size++] = (char)('0' + value % 10);
  while ((value /= 10) != 0);
  size_t end = strlen(link);
  while (size > 0) link[end++] = digits[--size];
  link[end] = 0;
  int before = errno;
  long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  errno = before;
  if (length <= 0) return 0;
  path[length] = 0;
  return below(path);
}

static long refused(void) {
  errno = page->error ? (int)page->error : EIO;
  return -1;
}

#define NEXT(name) ((__typeof__(&name))next(#name))
static void* next(const char* name) {
  inside++;
  void* found = dlsym(RTLD_NEXT, name);
  inside--;
  return found;
}

/* Files */

static int opens(const char* path, int flags) {
  int writes = (flags & O_ACCMODE) != O_RDONLY;
  return !(page && page->error == 0) && of_path(writes ? WRITES : READS, path) && fails();
}

#define OPEN(name)                                                    \
  int name(const char* path, int flags, ...) {                        \
    va_list rest;                                                     \
    va_start(rest, flags);                                            \
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0; \
    va_end(rest);                                                     \
    if (opens(path, flags)) return (int)refused();                    \
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);     \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                  \
  int name(int folder, const char* path, int flags, ...) {            \
    va_list rest;                                                     \
    va_start(rest, flags);                                            \
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0; \
    va_end(rest);                                                     \
    if (opens(path, flags)) return (int)refused();                    \
    return (int)syscall(SYS_openat, folder, path, flags, mode);       \
  }
OPENAT(openat)
OPENAT(openat64)

/* A transfer that fails, or that does half of its work where no error is asked for. */
#define HALVED(kind, fd, size)               \
  do {                                       \
    if (of_file(kind, fd) && fails()) {      \
      if (page->error) return refused();     \
      if ((size) > 1) (size) /= 2;           \
    }                                        \
  } while (0)

ssize_t write(int fd, const void* data, size_t size) {
  HALVED(WRITES, fd, size);
  return NEXT(write)(fd, data, size);
}
ssize_t pwrite(int fd, const void* data, size_t size, off_t at) {
  HALVED(WRITES, fd, size);
  return NEXT(pwrite)(fd, data, size, at);
}
ssize_t pwrite64(int fd, const void* data, size_t size, off64_t at) {
  HALVED(WRITES, fd, size);
  return NEXT(pwrite64)(fd, data, size, at);
}
ssize_t writev(int fd, const struct iovec* parts, int count) {
  if (of_file(WRITES, fd) && fails()) {
    if (page->error) return refused();
    return NEXT(write)(fd, parts[0].iov_base, parts[0].iov_len > 1 ? parts[0].iov_len / 2 : parts[0].iov_len);
  }
  return NEXT(writev)(fd, parts, count);
}
ssize_t read(int fd, void* data, size_t size) {
  HALVED(READS, fd, size);
  return NEXT(read)(fd, data, size);
}
ssize_t pread(int fd, void* data, size_t size, off_t at) {
  HALVED(READS, fd, size);
  return NEXT(pread)(fd, data, size, at);
}
ssize_t pread64(int fd, void* data, size_t size, off64_t at) {
  HALVED(READS, fd, size);
  return NEXT(pread64)(fd, data, size, at);
}
ssize_t readv(int fd, const struct iovec* parts, int count) {
  if (of_file(READS, fd) && fails()) {
    if (page->error) return refused();
    return NEXT(read)(fd, parts[0].iov_base, parts[0].iov_len > 1 ? parts[0].iov_len / 2 : parts[0].iov_len);
  }
  return NEXT(readv)(fd, parts, count);
}
ssize_t sendfile(int target, int source, off_t* at, size_t size) {
  HALVED(WRITES, target, size);
  HALVED(READS, source, size);
  return NEXT(sendfile)(target, source, at, size);
}
ssize_t sendfile64(int target, int source, off64_t* at, size_t size) {
  HALVED(WRITES, target, size);
  HALVED(READS, source, size);
  return NEXT(sendfile64)(target, source, at, size);
}
ssize_t copy_file_range(int source, off64_t* from, int target, off64_t* to, size_t size, unsigned flags) {
  HALVED(WRITES, target, size);
  HALVED(READS, source, size);
  return NEXT(copy_file_range)(source, from, target, to, size, flags);
}

/* What either happens or does not; half of it cannot be done, so only errors count. */
#define ALL_OR_NOTHING(test) \
  if (page != NULL && page->error != 0 && (test) && fails()) return (int)refused()

int fsync(int fd) {
  ALL_OR_NOTHING(of_file(WRITES, fd));
  return NEXT(fsync)(fd);
}
int fdatasync(int fd) {
  ALL_OR_NOTHING(of_file(WRITES, fd));
  return NEXT(fdatasync)(fd);
}
int ftruncate(int fd, off_t size) {
  ALL_OR_NOTHING(of_file(WRITES, fd));
  return NEXT(ftruncate)(fd, size);
}
int ftruncate64(int fd, off64_t size) {
  ALL_OR_NOTHING(of_file(WRITES, fd));
  return NEXT(ftruncate64)(fd, size);
}
int rename(const char* from, const char* to) {
  ALL_OR_NOTHING(of_path(WRITES, to));
  return NEXT(rename)(from, to);
}
int renameat(int old_folder, const char* from, int new_folder, const char* to) {
  ALL_OR_NOTHING(of_path(WRITES, to));
  return NEXT(renameat)(old_folder, from, new_folder, to);
}
int mkdir(const char* path, mode_t mode) {
  ALL_OR_NOTHING(of_path(WRITES, path));
  return NEXT(mkdir)(path, mode);
}
/* A full disk or quota of a network file system is told when the file is closed. */
int close(int fd) {
  if (page != NULL && page->error != 0 && counts(WRITES)) {
    int flags = fcntl(fd, F_GETFL);
    if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && of_file(WRITES, fd) && fails()) {
      NEXT(close)(fd);
      return (int)refused();
    }
  }
  return (int)syscall(SYS_close, fd);
}
void* mmap64(void* address, size_t size, int protection, int flags, int fd, off64_t at) {
  if (fd >= 0 && page != NULL && page->error != 0 && of_file(READS, fd) && fails()) {
    refused();
    return MAP_FAILED;
  }
  return (void*)syscall(SYS_mmap, address, size, protection, flags, fd, at);
}

/* Memory */

void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);

/* The name of the library that an address is in, or NULL. */
static const char* library_of(void* address) {
  Dl_info info;
  inside++;
  int known = dladdr(address, &info) && info.dli_fname != NULL;
  inside--;
  if (!known) return NULL;
  const char* name = strrchr(info.dli_fname, '/');
  return name ? name + 1 : info.dli_fname;
}

/* Whether memory is refused: to SQLite any, to the C++ core what is larger than the little lists
 * in which nanobind hands arguments on, for it ends the process where it gets none. */
enum { LARGE = 4096 };

static int no_memory(size_t size, void* caller) {
  if (inside || !counts(ALLOCATIONS)) return 0;
  const char* name = library_of(caller);
  if (name == NULL) return 0;
  int native = strstr(name, "_native") || strstr(name, "stdc++");
  if (!(native && size >= LARGE) && !strstr(name, "sqlite")) return 0;
  if (!fails()) return 0;
  errno = ENOMEM;
  return 1;
}

void* malloc(size_t size) {
  return no_memory(size, __builtin_return_address(0)) ? NULL : __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  return no_memory(count * size, __builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}
void* realloc(void* block, size_t size) {
  return size && no_memory(size, __builtin_return_address(0)) ? NULL : __libc_realloc(block, size);
}

/* Threads */

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* data) {
  if (counts(THREADS)) {
    const char* name = library_of(__builtin_return_address(0));
    if (name != NULL && strstr(name, "stdc++") && fails()) return (int)page->error;
  }
  return NEXT(pthread_create)(thread, attributes, run, data);
}
