#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "output.h"

/* In the child. What is closed makes room for /dev/null, where no more files may be open. */
static bool take_files(const int files[THRONG_PROCESS_FILES])
{
    for (int k = 0; k < THRONG_PROCESS_FILES; k++) {
        int from = files[k];
        if (from < 0 && k == 0) {
            close(k);
            from = open("/dev/null", O_RDONLY | O_CLOEXEC);
        }
        if (from < 0 && k < 3)
            return false;
        if (from == k) /* it is there already, and would be closed */
            fcntl(k, F_SETFD, 0);
        else if (from >= 0 && dup2(from, k) < 0)
            return false;
    }
    return true;
}

_Noreturn static void become(char *const *argv, const int files[THRONG_PROCESS_FILES], pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() == parent && take_files(files))
        execv("/proc/self/exe", argv);
    dprintf(files[2], "cannot start: %s\n", strerror(errno));
    _exit(127);
}

static void refuse(throng_error *error)
{
    throng_fail(error, "cannot start another process: %s (fewer --jobs may do)", throng_output_cause(errno));
}

pid_t throng_process_start(char *const *argv, const int files[THRONG_PROCESS_FILES], throng_error *error)
{
    pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        become(argv, files, parent);
    if (pid > 0)
        return pid;
    refuse(error);
    return 0;
}

int throng_process_file(throng_error *error)
{
    int file = memfd_create("throng-process", MFD_CLOEXEC);
    if (file < 0)
        refuse(error);
    return file;
}

void throng_process_ended(int status, int *code, int *signal)
{
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    *signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}
