// erg scenes: lists the scenes that ship with erg.
#include "commands.h"
#include "erg/erg.h"
#include "json.h"
#include "options.h"
#include "shelf.h"

#include <stdio.h>

static const cli_option OPTIONS[] = {
    {"json", NULL, "print one JSON object on the last line", false},
    {0},
};

static const cli_command COMMAND = {
    "scenes",
    "",
    "Lists the scenes that ship with erg. They can be run by name from any folder: erg run pile.",
    OPTIONS,
    0,
    0,
    false,
};

static void print_one(const char *path, bool json, bool first)
{
    char       name[256];
    erg_error  err;
    erg_scene *scene = NULL;
    erg_run_scene_name(path, name, sizeof name);
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
    cli_shelf shelf;
    erg_error err;
    if (cli_shelf_open(&shelf, &err) != ERG_OK) return cli_error_usage("%s", err.text);
    if (json)
        printf("{\"folder\":"), cli_json_string(stdout, shelf.folder), printf(",\"scenes\":[");
    for (size_t i = 0; i < shelf.count; i++) print_one(shelf.path[i], json, i == 0);
    cli_shelf_close(&shelf);
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
