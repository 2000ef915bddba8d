#include "mesh_args.h"

#include "scene_args.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

const char *const CLI_MESH_ONLY[] = {"radius", "offset", "field", "samples", NULL};

bool cli_is_mesh(const char *word)
{
    static const char *const endings[] = {"obj", "stl", "ply"};
    const char              *dot = strrchr(word, '.');
    if (!dot || cli_is_folder(word)) return false;
    for (int i = 0; i < 3; i++) {
        const char *a = dot + 1, *b = endings[i];
        while (*b && tolower((unsigned char)*a) == *b) a++, b++;
        if (!*a && !*b) return true;
    }
    return false;
}

bool cli_mesh_args_read(const cli_args *args, cli_mesh_args *mesh)
{
    *mesh = (cli_mesh_args){.sample = erg_sample_def_default(ERG_SAMPLE_SURFACE),
                            .field = cli_has(args, "field"),
                            .samples = cli_has(args, "samples")};
    if (!cli_number(args, "radius", 0, &mesh->sample.radius) ||
        !cli_number(args, "offset", -1e6, &mesh->sample.offset))
        return false;
    if (cli_has(args, "radius") && !(mesh->sample.radius > 0)) {
        cli_error_usage("--radius must be above 0 m, got %s", cli_value(args, "radius"));
        return false;
    }
    for (int i = 1; CLI_MESH_ONLY[i]; i++)
        if (cli_has(args, CLI_MESH_ONLY[i]) && !cli_has(args, "radius")) {
            cli_error_usage("--%s needs --radius R, in metres", CLI_MESH_ONLY[i]);
            return false;
        }
    return true;
}

bool cli_mesh_refuse(const cli_args *args, const char *const *names)
{
    for (int i = 0; names[i]; i++)
        if (cli_has(args, names[i])) {
            cli_error_usage("--%s applies to scenes, but '%s' is a mesh", names[i], args->words[0]);
            return false;
        }
    return true;
}

static void note(void *user, erg_log_level level, const char *text)
{
    (void)user, (void)level;
    fprintf(stderr, "note: %s\n", text);
}

erg_status cli_mesh_read(const char *path, erg_mesh **mesh, erg_error *err)
{
    erg_mesh_def def = erg_mesh_def_default();
    def.log = note;
    return erg_mesh_read(path, &def, mesh, err);
}
