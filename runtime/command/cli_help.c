/* throng help, and the table of commands. */
#include <string.h>

#include "cli.h"
#include "script/script.h"
#include "base/version.h"

const throng_command throng_commands[] = {
    {"run", throng_cli_run,
     "throng run SCENARIO.lua [--seconds S | --steps N] [--seed N] [--backend auto|cpu|cuda] [--simd "
     "1|4|8|16] "
     "[--threads N] [--set NAME=VALUE] [--out DIR] [--png FILE [--at S [--probe ID]]] [--watch] [--keep-going] "
     "[--json] [--trust]",
     "run a scenario to its summary and files",
     "The run ends when everyone with a goal has arrived, or at the scenario's time limit.\n\n"
     "  --seconds S        at most S simulated seconds\n"
     "  --steps N          at most N steps\n"
     "  --seed N           another seed than the scenario's\n"
     "  --backend NAME     auto (CUDA when a device is there), cpu or cuda\n"
     "  --simd N          CPU: SIMD width, agents computed at once, 1, 4, 8 or 16\n"
     "  --threads N        CPU: threads\n"
     "  --set NAME=VALUE   a parameter of the scenario (throng.params); may be repeated\n"
     "  --out DIR          folder for the files, default out/<scenario>; none: no files\n"
     "  --png FILE         one more picture: where people walked, or with --at\n"
     "  --at S             ... where they were after S seconds\n"
     "  --probe ID         ... and what the agent of this number, whose planner is bvp, made of its surroundings\n"
     "  --film FILE.mp4    a film of the run through ffmpeg; where that is not installed, PNGs in the folder FILE\n"
     "  --watch            takes in what is saved while it runs: agents go on where they are, in the state of the "
     "name\n"
     "                     that they are in; what the files say of them now holds from the next frame on. Timers go "
     "on\n"
     "                     at their times, and what was due is called no more; Lua's variables, stories and\n"
     "                     measures begin again\n"
     "  --keep-going       a callback that fails does not end the run: each error is shown once, and counted; exit 1\n"
     "  --json             the summary as one JSON object on stdout\n"
     "  --trust            the script may use files, processes and native modules\n"
     "  --deadline S       seconds that one callback may take, default 10, without the frames of worlds that it runs;\n"
     "                     loading the scenario may take ten times as long; 0: no limit\n"
     "  --instructions N   Lua instructions that one callback may take, with all that it calls, default 200000000\n"
     "  --memory MIB       memory that the run may take, default three quarters of the machine's\n\n"
     "A signal (Ctrl-C, SIGTERM, SIGHUP) ends the run after its step, with its files; what does not come back within\n"
     "0.2 s is cut off, and what was recorded is kept. The exit code is 130, 143 or 129 then.\n"},
    {"view", throng_cli_view,
     "throng view SCENARIO.lua [--at S] [--colour COLUMN] [--screenshot FILE] [--seed N] [--set NAME=VALUE] ...",
     "watch a scenario in a window",
     "Space plays and pauses, ? lists the keys. What is saved is taken in, as with `throng run --watch`.\n\n"
     "  --at S             begins S seconds into the scenario\n"
     "  --colour COLUMN    agents coloured by a column, or by walking: how fast they are\n"
     "  --screenshot FILE  saves what the window shows (at --at S) as a PNG and ends; needs no display\n"
     "  --do ACTIONS       acts as a user, a word a frame: key:NAME type:TEXT click:X,Y double:X,Y\n"
     "                     drag:X,Y,X2,Y2 move:X,Y wheel:X,Y,N wait:FRAMES, 60 frames a second; --screenshot is taken "
     "after them\n"
     "  --frames N         ends after N frames and prints what one took\n"
     "  --dark             light letters on dark ground; L changes that\n"
     "  --width N, --height N, --scale S   size of the window, and of letters and lines in it\n"
     "  --seed, --backend, --simd, --threads, --set, --trust, --deadline, --instructions, --memory as in `throng "
     "run`\n"},
    {"replay", throng_cli_replay, "throng replay RECORDING [--at S] [--screenshot FILE] ...",
     "watch what was recorded, in the same window",
     "RECORDING is a .throng or JuPedSim SQLite file, or a folder that `throng run` left. Space plays, . and , step,\n"
     "the line at the bottom is dragged along; ? lists the keys. Doors and rigid bodies are shown where doors.csv and\n"
     "bodies.csv, which `throng run` writes, lie beside it.\n\n"
     "  --at, --colour, --screenshot, --do, --frames, --width, --height, --scale, --dark as in `throng view`\n"},
    {"edit", throng_cli_edit, "throng edit MAP [--underlay IMAGE] [--screenshot FILE] ...",
     "draw a map in a window, or change one",
     "MAP is any plan that `throng map` reads; it is saved as the map maker's .xml, beside it if it is of another "
     "kind.\n"
     "A name that is not there yet, ending in .xml, begins a new map. ? lists the keys.\n\n"
     "  --underlay IMAGE   a picture of a floor plan to draw over; the map remembers it\n"
     "  --screenshot, --do, --frames, --width, --height, --scale, --dark as in `throng view`\n"},
    {"repl", throng_cli_repl, "throng repl [SCENARIO.lua] [--seed N] [--set NAME=VALUE] ...",
     "try things in Lua, line by line, on a scenario's world or none",
     "`world` is the scenario's world, its groups are there by their names, and step(N) takes N steps. Values are\n"
     "printed: columns, groups, tables. Tab completes names, Ctrl-C ends a line that does not come back, Ctrl-D ends\n"
     "all. Lines may also come from a pipe. help() says more.\n\n"
     "  --seed, --backend, --simd, --threads, --set, --trust, --deadline, --instructions, --memory as in `throng "
     "run`\n"},
    {"test", throng_cli_test,
     "throng test [PATH...] [-o text|TAP|junit|...] [--jobs N] [--shard K/N] [--seeds LIST] [--out DIR] [busted's "
     "options]",
     "run Lua specs with busted, tests/specs by default",
     "A test that fails leaves a picture of the moment and the trajectory in DIR, and says how to run it again.\n\n"
     "  -o NAME            output: text, a short report (default); TAP; junit; or one of busted's (json, ...)\n"
     "  --jobs N           N processes side by side, a spec file each; the output is the same with any N\n"
     "  --shard K/N        only every N-th spec file, from the K-th on: N machines share the work\n"
     "  --seeds LIST       the seeds that `across` runs instead of its own: 7, 1-20, 3,5,8-10\n"
     "  --out DIR          folder for the files of tests that fail, default out/test\n"
     "  --threads N        of worlds that do not say how many; default: the cores, divided by the jobs\n"
     "  --deadline S       seconds that one callback may take, default 10; a test may take ten times as long between "
     "the\n"
     "                     frames of its worlds; 0: no limit\n"
     "  --memory MIB, --instructions N as in `throng run`, for a process and a callback\n"
     "  --sandbox          specs see what scenarios see: throng and files of their own folder, no io, os or debug\n"
     "  --filter PATTERN   only tests whose names match\n"
     "  --tags, --list, --repeat, ... as busted has them\n"},
    {"bench", throng_cli_bench,
     "throng bench [NAME...] [--quick] [--backend NAME] [--simd N] [--threads N] [--agents N] [--profile] "
     "[--csv FILE] [--png FILE] [--json]",
     "measure what frames cost, and how near the machine's limits that is",
     "Without names all of these, by size, SIMD width, threads and backend:\n\n"
     "  orca, clearpath... a crowd under that planner with its initial parameters, stage by stage\n"
     "  neighbours         the sense stage for the nearest 5, 10 and 16\n"
     "  fsm                a crowd under a state machine of three states; changes: everybody's state in every step;\n"
     "                     hooked: the same with a hook in Lua, by the host's clock\n"
     "  program            a behaviour function of ten operations, and calling it from Lua instead\n"
     "  paths              searches on a navigation mesh, one after the other; an agent is a search\n"
     "  batch-paths        many queries at a time on the grids of the GPU A* paper, by searches and by goal trees,\n"
     "                     and on larger ones\n"
     "  bodies             forces among 0 to 1,500 rigid bodies, as a table, and from how many agents on CUDA is "
     "faster;\n"
     "                     with forces, too\n"
     "  fields             routes by a field: Willow, a perfect maze, a hall; an agent is a cell\n"
     "  evacuation         the scenario from its first step to its last; us/agent is of a step\n"
     "  scenarios          those of the papers on velocity obstacles, under orca, clearpath and rvo: their mean "
     "frame,\n"
     "                     and conflicts beside those of others\n\n"
     "bvp also measures frames that copy, \"copied\" (everybody's goal there, positions back; on CUDA it counts the\n"
     "bytes), 64 sweeps (bvp-21-64), and what is left after 8 to 64.\n\n"
     "A frame is timed by the host's clock, from its start until all of it is done; then stages one at a time, on\n"
     "CUDA by the device's clock: from when it is done with the stage before to when it is done with this one,\n"
     "without what the host takes to launch kernels and to wait, which a frame does beside them.\n\n"
     "spread: between the quartiles, of the median; ops, B: operations on floats and bytes of memory, counted by\n"
     "running the kernels' counting build on up to 1,000 of the agents; % ops, % B/s: what that comes to of the "
     "limits\n"
     "of this SIMD width and these threads, measured in the same run (small crowds stay in caches and pass 100 %); "
     "growth:\n"
     "d log ms / d log agents; % link: what batches of paths and frames that copy send to the host, of what copies\n"
     "to it could in that time; conflicts: pairs a step that the planner alone would let overlap.\n\n"
     "  --quick            small sizes, a minute in all\n"
     "  --backend NAME     cpu, cuda, or auto (default): the CPU, and CUDA when a device is there\n"
     "  --simd, --threads of the CPU; default: one thread, then all, and narrower SIMD at one size\n"
     "  --agents N         this size only\n"
     "  --steps N          of a crowd, measured after 5 that are not, and as many more for its stages; default 15\n"
     "  --profile          where the largest crowds' frames go: each stage's share, and how far it is from the limits\n"
     "  --results FILE     rows, limits and the papers' figures, for `make results`\n"
     "  --csv FILE         the rows as a table\n"
     "  --png FILE         curves of frames by agents, with the papers' figures\n"
     "  --json             the rows as a JSON array on stdout\n"},
    {"info", throng_cli_info, "throng info [--json | --licences]", "version, backends, devices, licences",
     "  --json             the same as one JSON object on stdout\n"
     "  --licences         the licence of throng, and those of what it carries of others\n"},
    {"map", throng_cli_map, "throng map FILE [--png OUT] [--write OUT] [--scale S] [--radius R] [--json]",
     "what a map holds, and what to look at in it",
     "FILE is a PNG, PGM, BMP or JPEG image, a ROS map-server YAML beside one, a Tiled .tmx, a Moving AI .map,\n"
     "a .wkt polygon (JuPedSim), or the map maker's .xml.\n\n"
     "  --png OUT          a picture of it: walls, regions, faces, what cannot be reached, what to look at\n"
     "  --write OUT        the map as OUT.xml or OUT.wkt\n"
     "  --scale S          metres a pixel or grid cell is wide, when the file does not say so\n"
     "  --radius R         of the body that the mesh and the findings are for, default 0.25 m\n"
     "  --json             the same as one JSON object on stdout\n"},
    {"paths", throng_cli_paths,
     "throng paths MAP SCENARIO.scen | MAP --random N [--method navmesh|roadmap|grid|batch] [--radius R] "
     "[--backend NAME] [--csv FILE] [--json]",
     "find many paths on a map: how fast, and how long they are",
     "Answers every query of a Moving AI scenario, or N random ones (from one free cell's middle to another's on grid\n"
     "maps), and prints paths a second, their lengths against the scenario's optimum, and how many have no path.\n\n"
     "  --random N         N random queries instead of a scenario's\n"
     "  --seed N           other random ones, default 1\n"
     "  --method NAME      navmesh: the shortest path there is, any angle (default); grid: eight neighbours a cell,\n"
     "                     no cut corners, as the scenarios' optima are; batch: those, all at once (throng.paths)\n"
     "  --backend NAME     of batch: cpu (default), cuda, auto\n"
     "  --radius R         m kept from walls, default 0\n"
     "  --csv FILE         a row a query: its number from 1, length in m (inf: no path), the scenario's optimum, ends\n"
     "  --json             the figures as one JSON object on stdout\n"},
    {"convert", throng_cli_convert, "throng convert RECORDING OUT", "a recorded trajectory in another format",
     "From .throng (record = {format = \"compact\"}) to .sqlite (JuPedSim SQLite, for PedPy), or the other way.\n"},
    {"help", throng_cli_help, "throng help [COMMAND | NAME]", "this, what a command can do, or what a name in Lua is",
     "NAME is a function, class or field of the Lua API, in full (world:run) or its last word (spawn, radius); a\n"
     "command of that name goes first. All names are in lua/reference.md.\n\n"
     "  --write FOLDER SOURCE...  makes FOLDER/reference.md and FOLDER/meta/throng.lua from the comments of the "
     "sources\n"},
    {NULL, NULL, NULL, NULL, NULL},
};

const throng_command *throng_cli_command(const char *name)
{
    for (const throng_command *command = throng_commands; command->name; command++)
        if (strcmp(command->name, name) == 0)
            return command;
    return NULL;
}

static void print_all(void)
{
    printf("throng %s: crowds scripted in Lua\n\n", THRONG_VERSION);
    for (const throng_command *command = throng_commands; command->name; command++)
        printf("  throng %-6s %s\n", command->name, command->text);
    printf("\nFor example\n\n"
           "  throng run scenarios/tutorial/01_one_agent.lua   the first of ten files that teach it\n"
           "  throng help run                                  what a command can do\n"
           "  throng help world:spawn                          what a name in Lua is, or just: throng help spawn\n\n"
           "Exit codes: 0 done, 1 a test or scenario failed, 2 wrong usage or input, 128 + N ended by signal N.\n");
}

/* lua/throng/help.lua: a name of the Lua API, or --write */
static int run_help(int argc, char **argv)
{
    throng_error error;
    throng_script_def def = throng_script_def_default();
    def.trust = true; /* it reads and writes files */
    throng_script *script = throng_script_create(&def, &error);
    if (!script) {
        fprintf(stderr, "throng help: %s\n", error.text);
        return THRONG_EXIT_USAGE;
    }
    int code = throng_script_command(script, "help", argc, argv, &error);
    if (*throng_script_message(script))
        fprintf(stderr, "throng help: %s\n", error.text);
    throng_script_destroy(script);
    return code;
}

/* A name that is no command: with it go the commands, which may have been meant. */
static int explain(char *name)
{
    char *arguments[64];
    int count = 0;
    arguments[count++] = name;
    for (const throng_command *command = throng_commands; command->name && count < 64; command++)
        arguments[count++] = (char *)command->name;
    return run_help(count, arguments);
}

int throng_cli_help(int argc, char **argv)
{
    if (argc == 0) {
        print_all();
        return THRONG_EXIT_DONE;
    }
    const throng_command *command = throng_cli_command(argv[0]);
    if (strcmp(argv[0], "--write") == 0)
        return argc > 2 ? run_help(argc, argv) : throng_cli_misuse("help", "--write needs a folder and sources");
    if (!command)
        return explain(argv[0]);
    printf("%s\n\nusage: %s\n%s%s", command->text, command->usage, *command->more ? "\n" : "", command->more);
    return THRONG_EXIT_DONE;
}
