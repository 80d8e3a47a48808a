/* A disk with faults, for the files of a database; loaded into the program (LD_PRELOAD).
 * At each fsync or fdatasync of a file it copies it into $SYNCED, as it is at that instant: what a disk holds after a power cut.
 * While $SYNCED/full exists, nothing more can be written (ENOSPC); while $SYNCED/broken exists, neither (EIO).
 * Beside the disk, the clock on the wall: $SYNCED/clock holds by how many seconds it is off. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void keep(int fd) {
    char link[64], path[4096], part[4096], whole[4096], block[65536];
    const char *folder = getenv("SYNCED");
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (!folder || length <= 0) return;
    path[length] = 0;
    const char *name = strrchr(path, '/');
    if (!name || !strstr(name, ".db")) return;
    pthread_mutex_lock(&turn);
    /* Written beside and renamed: the process may be killed in between. */
    if (snprintf(part, sizeof part, "%s%s.part", folder, name) < (int)sizeof part
        && snprintf(whole, sizeof whole, "%s%s", folder, name) < (int)sizeof whole) {
        int to = open(part, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (to >= 0) {
            off_t at = 0;
            ssize_t some;
            while ((some = pread(fd, block, sizeof block, at)) > 0 && write(to, block, (size_t)some) == some) at += some;
            close(to);
            rename(part, whole);
        }
    }
    pthread_mutex_unlock(&turn);
}

/* The fault that is on for this file, or 0. */
static int fault(int fd) {
    char link[64], path[4096], sign[4096];
    const char *folder = getenv("SYNCED");
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (!folder || length <= 0) return 0;
    path[length] = 0;
    if (!strstr(path, ".db")) return 0;
    snprintf(sign, sizeof sign, "%s/full", folder);
    if (access(sign, F_OK) == 0) return ENOSPC;
    snprintf(sign, sizeof sign, "%s/broken", folder);
    return access(sign, F_OK) == 0 ? EIO : 0;
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
    ssize_t (*next)(int, const void *, size_t, off64_t) =
        (ssize_t (*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
    int wrong = fault(fd);
    if (!wrong) return next(fd, bytes, count, at);
    errno = wrong;
    return -1;
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
    return pwrite64(fd, bytes, count, at);
}

int fsync(int fd) {
    int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    int done = next(fd);
    if (done == 0) keep(fd);
    return done;
}

int fdatasync(int fd) {
    int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    int done = next(fd);
    if (done == 0) keep(fd);
    return done;
}

int clock_gettime(clockid_t which, struct timespec *now) {
    /* The system's own, past the library's, which this is in front of. */
    int done = (int)syscall(SYS_clock_gettime, which, now);
    const char *folder = getenv("SYNCED");
    if (done != 0 || which != CLOCK_REALTIME || !folder) return done;
    char path[4096], text[32];
    snprintf(path, sizeof path, "%s/clock", folder);
    int fd = open(path, O_RDONLY);
    if (fd < 0) return done;
    ssize_t length = read(fd, text, sizeof text - 1);
    close(fd);
    if (length > 0) {
        text[length] = 0;
        now->tv_sec += atol(text);
    }
    return done;
}
