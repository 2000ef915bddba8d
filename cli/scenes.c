// erg scenes: what ships with erg.
#include "commands.h"
#include "erg/erg.h"
#include "json.h"
#include "options.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cli_option OPTIONS[] = {
    {"json", NULL, "print one JSON object on the last line", false},
    {0},
};

static const cli_command COMMAND = {
    "scenes",
    "",
    "Lists the scenes that ship with erg. Their bare names work from any folder: erg run pile.",
    OPTIONS,
    0,
    0,
    false,
};

static int is_scene(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 5 && strcmp(entry->d_name + length - 5, ".yaml") == 0;
}

static void print_one(const char *folder, const char *file, bool json, bool first)
{
    char       path[8192], name[256];
    erg_error  err;
    erg_scene *scene = NULL;
    snprintf(path, sizeof path, "%s/%s", folder, file);
    erg_run_scene_name(file, name, sizeof name);
    bool        good = erg_scene_load(path, NULL, 0, &scene, &err) == ERG_OK;
    const char *title = good ? erg_scene_get_settings(scene)->title : "(does not load)";
    if (!title) title = "";
    if (json) {
        printf("%s{\"name\":", first ? "" : ",");
        cli_json_string(stdout, name);
        printf(",\"title\":");
        cli_json_string(stdout, title);
        printf(",\"path\":");
        cli_json_string(stdout, path);
        printf("}");
    } else {
        printf("%-20s %s\n", name, title);
    }
    erg_scene_destroy(scene);
}

static int list(bool json)
{
    char            folder[4096];
    erg_error       err;
    struct dirent **entries = NULL;
    if (erg_scene_find("", folder, sizeof folder, &err) != ERG_OK)
        return cli_complain("%s", err.text);
    int count = scandir(folder, &entries, is_scene, alphasort);
    if (count < 0) return cli_complain("cannot read the folder '%s'", folder);
    if (json) printf("{\"folder\":"), cli_json_string(stdout, folder), printf(",\"scenes\":[");
    for (int i = 0; i < count; i++) {
        print_one(folder, entries[i]->d_name, json, i == 0);
        free(entries[i]);
    }
    free(entries);
    if (json) printf("]}\n");
    return CLI_DONE;
}

int erg_cli_scenes(int argc, char **argv)
{
    cli_args args;
    int      exit_code;
    if (!cli_parse(&COMMAND, argc, argv, &args, &exit_code)) return exit_code;
    exit_code = list(cli_has(&args, "json"));
    cli_args_free(&args);
    return exit_code;
}
