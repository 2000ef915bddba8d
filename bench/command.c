#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

// Runs in the child process; never returns.
static void become(const char *folder, const char *output, const char *const *argv)
{
    int in = open("/dev/null", O_RDONLY);
    if (chdir(folder) == 0) {
        int out = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        if (in >= 0 && out >= 0 && dup2(in, 0) == 0 && dup2(out, 1) == 1 && dup2(out, 2) == 2)
            execvp(argv[0], (char *const *)argv);
    }
    _exit(errno == ENOENT ? COMMAND_MISSING : 126);
}

int command_run(const char *folder, const char *output, const char *const *argv)
{
    pid_t child = fork();
    if (child == 0) become(folder, output, argv);
    int state = -1;
    while (child > 0 && waitpid(child, &state, 0) < 0 && errno == EINTR) continue;
    return child > 0 && WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}
