/* throng help, and the table of commands. */
#include <string.h>

#include "cli.h"
#include "script/script.h"
#include "base/version.h"

const throng_command throng_commands[] = {
    {"run", throng_cli_run,
     "throng run SCENARIO.lua [--seconds S | --steps N] [--seed N] [--backend auto|cpu|cuda] [--simd "
     "1|4|8|16] "
     "[--threads N] [--set NAME=VALUE] [--out DIR] [--png FILE [--at S [--probe ID]]] [--csv FILE] [--report] "
     "[--watch] "
     "[--keep-going] [--json] [--trust]",
     "run a scenario, print a summary and write files",
     "The run ends when all agents with goals have arrived, or at the scenario's time limit.\n\n"
     "  --seconds S        run at most S simulated seconds\n"
     "  --steps N          run at most N steps\n"
     "  --seed N           use this seed instead of the scenario's\n"
     "  --backend NAME     cpu, cuda, or auto: CUDA when a device is there and 4,096 agents or more begin\n"
     "  --simd N           CPU: SIMD width, agents computed at once: 1, 4, 8 or 16\n"
     "  --threads N        CPU: number of threads\n"
     "  --set NAME=VALUE   set a parameter of the scenario (throng.params); may be repeated\n"
     "  --out DIR          write files to this folder, default out/<scenario>; none: no files\n"
     "  --png FILE         draw one more picture: where people walked, or, with --at, where they were\n"
     "  --at S             ... after S seconds\n"
     "  --probe ID         ... with the local map of agent ID, whose planner must be bvp\n"
     "  --csv FILE         write what the scenario measures over time, a row a value\n"
     "  --film FILE.mp4    write a film with ffmpeg; PNGs in the folder FILE where ffmpeg is not installed\n"
     "  --report           write report.html beside the other files: one page for any browser, to be mailed, with the\n"
     "                     replay, curves, densities, exits, who was stuck, and the command that runs it again\n"
     "  --watch            reload the scenario when it is saved, between two frames. Agents keep their places, and "
     "the\n"
     "                     states of their machines by name. Timers keep their times; a timer that was due is not\n"
     "                     called again: whom it spawned goes on, handlers, timers and sources that it made do not.\n"
     "                     Lua variables, stories and measures start over. A file that says the same of who there is\n"
     "                     and where they go leaves all else as if it had not been saved, to the bit\n"
     "  --keep-going       go on when a callback fails; show each error once, count it, and exit with 1\n"
     "  --json             print the summary as one JSON object\n"
     "  --trust            let the script use files, processes and native modules\n"
     "  --deadline S       seconds that one callback may take, default 10; frames of worlds that it runs do not "
     "count,\n"
     "                     nor does the time in which other programs have the processor. Loading the scenario may "
     "take\n"
     "                     ten times as long. 0: no limit\n"
     "  --instructions N   Lua instructions that one callback may take, with all that it calls, default 200000000\n"
     "  --memory MIB       memory that the run may take, default three quarters of the machine's\n\n"
     "A signal (Ctrl-C, SIGTERM, SIGHUP) ends the run after the current step and writes its files. A step that takes\n"
     "longer than 0.1 s is cut off; what was recorded is kept. Pictures and a report take 1 to 3 s more; a second "
     "signal\n"
     "ends the run without them. The exit code is then 130, 143 or 129.\n"},
    {"view", throng_cli_view,
     "throng view SCENARIO.lua [--at S] [--colour COLUMN] [--screenshot FILE] [--seed N] [--set NAME=VALUE] ...",
     "watch a scenario in a window",
     "Space plays and pauses, ? lists the keys. The scenario reloads when it is saved, as with `throng run "
     "--watch`.\n\n"
     "  --at S             start S seconds into the scenario\n"
     "  --colour COLUMN    colour agents by a column, or by `walking`: their speed\n"
     "  --screenshot FILE  save the window (at --at S) as a PNG and exit; needs no display\n"
     "  --do ACTIONS       play user input, one word a frame: key:NAME type:TEXT click:X,Y double:X,Y\n"
     "                     drag:X,Y,X2,Y2 move:X,Y wheel:X,Y,N wait:FRAMES, 60 frames a second; --screenshot comes "
     "after\n"
     "  --frames N         exit after N frames and print the time that one took\n"
     "  --dark             light letters on a dark ground; L switches\n"
     "  --width N, --height N, --scale S   size of the window, and of letters and lines in it\n"
     "  --seed, --backend, --simd, --threads, --set, --trust, --deadline, --instructions, --memory as in `throng "
     "run`\n"},
    {"replay", throng_cli_replay, "throng replay RECORDING [--at S] [--screenshot FILE] ...",
     "watch a recording in the same window",
     "RECORDING is a .throng file, a JuPedSim SQLite file, or a folder written by `throng run`. Space plays, . and ,\n"
     "step, and the timeline at the bottom can be dragged; ? lists the keys. Doors and rigid bodies appear when\n"
     "doors.csv and bodies.csv, which `throng run` writes, lie beside the recording.\n\n"
     "  --at, --colour, --screenshot, --do, --frames, --width, --height, --scale, --dark as in `throng view`\n"},
    {"edit", throng_cli_edit, "throng edit MAP [--underlay IMAGE] [--screenshot FILE] ...",
     "draw or change a map in a window",
     "MAP is any plan that `throng map` reads. It is saved as the editor's .xml; a plan of another format stays as it "
     "is,\n"
     "and the .xml lies beside it. A new name that ends in .xml starts a new map: draw rooms, walls in them, doors "
     "through\n"
     "walls, where people come from and where they leave, and let them walk. ? lists the keys.\n\n"
     "  --underlay IMAGE   draw over this picture of a floor plan; the map remembers it\n"
     "  --screenshot, --do, --frames, --width, --height, --scale, --dark as in `throng view`\n"},
    {"repl", throng_cli_repl, "throng repl [SCENARIO.lua] [--seed N] [--set NAME=VALUE] ...",
     "run Lua line by line, on a scenario's world or none",
     "`world` is the scenario's world, its groups are variables with their names, and step(N) takes N steps. Values "
     "are\n"
     "printed: columns, groups, tables. Tab completes names, Ctrl-C stops a line that runs too long, Ctrl-D exits.\n"
     "Lines may also come from a pipe; then the exit code is 1 when one of them failed. help() prints more.\n\n"
     "  --seed, --backend, --simd, --threads, --set, --trust, --deadline, --instructions, --memory as in `throng "
     "run`\n"},
    {"test", throng_cli_test,
     "throng test [PATH...] [-o text|TAP|junit|...] [--jobs N] [--shard K/N] [--seeds LIST] [--out DIR] [busted's "
     "options]",
     "run Lua specs with busted, tests/specs by default",
     "A failed test writes a picture of the moment and the trajectory to DIR, and prints the command to run it "
     "again.\n\n"
     "  -o NAME            output: text, a short report (default); TAP; junit; or one of busted's (json, ...)\n"
     "  --jobs N           run N processes side by side, one spec file each; the output is the same for any N\n"
     "  --parts N          with --jobs: run each file in N processes, which share its tests out\n"
     "  --shard K/N        run every N-th spec file, from the K-th on, so that N machines share the work\n"
     "  --seeds LIST       seeds that `across` runs instead of its own: 7, 1-20, 3,5,8-10\n"
     "  --out DIR          folder for the files of failed tests, default out/test\n"
     "  --threads N        threads of worlds that do not set them; default: the cores divided by the jobs\n"
     "  --deadline S       seconds that one callback may take, default 10; a test may take ten times as long between "
     "the\n"
     "                     frames of its worlds; 0: no limit\n"
     "  --memory MIB, --instructions N as in `throng run`, for a process and a callback\n"
     "  --suite NAME       run a suite of verification cases, rimea, imo, nist, iso or all (tests/standards), instead\n"
     "  --planner NAMES    of suites: under these planners, like orca,rvo or all; default orca\n"
     "  --runs N           of suites: at most N runs of what is of chance\n"
     "  --report           write report.html to DIR: one page for any browser, to be mailed, with every test's "
     "outcome,\n"
     "                     seed, hash and picture; of suites each case's figures and criteria under each planner\n"
     "  --figures          of suites: print each case's criterion, where it is, and what it found\n"
     "  --sandbox          limit specs to what scenarios have: throng and files of their own folder, no io, os or "
     "debug\n"
     "  --filter PATTERN   only tests whose names match\n"
     "  --tags, --list, --repeat, ... as busted has them\n"},
    {"study", throng_cli_study,
     "throng study STUDY.lua [--out FILE] [--jobs N] [--worlds N] [--threads N] [--backend NAME] [--share | --join]\n"
     "                    [FILES]\n"
     "       throng study --show FILE [--report] [--csv FILE] [--curves FILE]",
     "run a scenario many times: vary its parameters, or fit them to measurements",
     "STUDY.lua returns a throng.study: the scenario, the factors, the number of runs and the measures (`throng help\n"
     "throng.study`); or a throng.calibrate: parameters, and the measurements to fit them to. Runs go side by side, "
     "in\n"
     "processes of their own, so that one may fail alone: of the runs of a process that ended, the one that ended it "
     "is\n"
     "found, and the others are done again. Results are written as they come, a row for each run, into one SQLite "
     "file.\n"
     "The same command resumes a study that was interrupted or has more runs now; no run is done twice. The number of\n"
     "processes and of worlds changes no result.\n\n"
     "  --out FILE         results, default out/<name>/study.sqlite\n"
     "  --jobs N           run N processes side by side; default: as many as there are cores, with --backend cuda as\n"
     "                     there are devices (CUDA_VISIBLE_DEVICES), which they take in turn\n"
     "  --worlds N         each with N worlds at a time, which share the launches of a device; default 1, with\n"
     "                     --backend cuda 1000\n"
     "  --threads N        threads of each process, which its worlds share; default: the cores divided by the jobs\n"
     "  --backend NAME     auto, cpu or cuda; auto is the CPU for small worlds, of which cuda steps many at a time\n"
     "  --share            let processes of other machines help, which see the same folders: the same command with\n"
     "  --join             there; they may come and go. `mpirun throng study FILE` and srun do both, with a job a "
     "rank;\n"
     "                     Open MPI's --enable-recovery lets the others go on when one is killed\n"
     "  --show FILE        print the results so far, without running anything\n"
     "  --report           write report.html beside the results: one page for any browser, with distributions, "
     "effects\n"
     "                     of factors, curves with their bands, and how to run each again; as `throng report FILE` "
     "does\n"
     "  --csv FILE         the runs as a table, of a calibration its evaluations; --curves FILE: the values over time\n"
     "                     as one, a row each\n"
     "  --deadline, --memory, --instructions as in `throng run`, for each process\n"},
    {"bench", throng_cli_bench,
     "throng bench [NAME...] [--quick] [--backend NAME] [--simd N] [--threads N] [--agents N] [--devices N] "
     "[--profile] "
     "[--against FILE [--tolerance P]] [--csv FILE] [--png FILE] [--json]",
     "measure frame times, and compare them with the machine's limits",
     "Without NAME all of these run, by size, SIMD width, threads and backend:\n\n"
     "  orca, clearpath... a crowd under that planner with its initial parameters, stage by stage\n"
     "  neighbours         the sense stage for the nearest 5, 10 and 16 neighbours\n"
     "  fsm                a crowd under a state machine of three states; changes: every agent changes its state in\n"
     "                     every step; hooked: the same with a hook in Lua, by the host's clock\n"
     "  program            a behaviour function of ten operations, and calling it from Lua instead\n"
     "  paths              searches on navigation meshes, one after the other, of a building, an office of 1,000\n"
     "                     rooms, 32 x 32 rooms and 400 boxes; an agent is a search\n"
     "  batch-paths        many queries at a time on the grids of the GPU A* paper, by searches and by goal trees,\n"
     "                     and on larger ones\n"
     "  bodies             forces among 0 to 1,500 rigid bodies, as a table, and from how many agents on CUDA is "
     "faster;\n"
     "                     with forces, too\n"
     "  floors             people on one floor, and on the floors of a tower of 40 storeys, of 100, as dense; at "
     "--agents\n"
     "                     N those that have 100 people a floor\n"
     "  local-maps         the plan stage under bvp on CUDA, or on all of the CPU, against one lane of one thread, for "
     "50\n"
     "                     to 1,000 agents and maps of 11, 16 and 21 cells a side: figure 9 of the BVP paper; alone, "
     "--png\n"
     "                     draws that; --agents N: up to N\n"
     "  fields             routes by a field: Willow, a perfect maze, a hall; an agent is a cell\n"
     "  evacuation         the scenario from its first step to its last; us/agent is of a step\n"
     "  scenarios          those of the papers on velocity obstacles, under orca, clearpath and rvo: their mean "
     "frame,\n"
     "                     and conflicts beside those of others\n\n"
     "bvp also measures frames with copies, \"copied\" (all goals to the device, all positions back; on CUDA with the\n"
     "bytes), 64 sweeps (bvp-21-64), and the residual after 8 to 64 sweeps.\n\n"
     "The host's clock times a frame, from its start until all of it is done. Then it times the stages one at a time;\n"
     "on CUDA the device's clock does, from the end of the stage before to the end of this one. That leaves out the\n"
     "launches and waits of the host, which overlap with a frame.\n\n"
     "  spread             distance between the quartiles, as a part of the median\n"
     "  B held             bytes of memory per agent or path: the device's where there is one\n"
     "  ops, B             operations on floats, and bytes read and written, per agent; counted by an instrumented\n"
     "                     build of the kernels on up to 1,000 of the agents\n"
     "  % ops, % B/s       their rates as a part of the limits of this SIMD width and these threads, measured in the\n"
     "                     same run; small crowds stay in caches and pass 100 %\n"
     "  growth             d log ms / d log agents\n"
     "  % link             bytes sent to the host by batches of paths and by frames with copies, as a part of what\n"
     "                     the link could send in that time\n"
     "  conflicts          pairs per step that the planner alone would have let overlap\n\n"
     "  --quick            small sizes; takes a minute\n"
     "  --backend NAME     cpu, cuda, or auto (default): the CPU, and CUDA when a device is there\n"
     "  --simd, --threads of the CPU; default: one thread, then all, and narrower SIMD at one size\n"
     "  --agents N         this size only\n"
     "  --devices N        of batch-paths on CUDA: N devices, which answer a share of each batch each\n"
     "  --steps N          measured steps of a crowd, after 5 that are not measured, and as many again for its "
     "stages;\n"
     "                     default 15\n"
     "  --profile          split the frames of the largest crowds: each stage's share and its distance from the "
     "limits\n"
     "  --results FILE     write rows, limits and the papers' figures, for `make results`\n"
     "  --against FILE     compare with the rows of FILE, which --results or --json wrote: prints how much longer "
     "each\n"
     "                     takes, and which rows FILE has not. Exit status 1 when one takes longer by more than\n"
     "  --tolerance P      P per cent (default 10), 2 when FILE has none of them\n"
     "  --csv FILE         write the rows as a table\n"
     "  --png FILE         draw frame times by agents, with the papers' figures\n"
     "  --json             print the rows as a JSON array\n"},
    {"info", throng_cli_info, "throng info [--json | --licences]", "version, backends, devices, licences",
     "  --json             the same as one JSON object on stdout\n"
     "  --licences         the licence of throng, and those of the libraries and fonts that it contains\n"},
    {"map", throng_cli_map,
     "throng map FILE [--png OUT] [--write OUT] [--scale S] [--layers LIST] [--level N] [--set NAME=VALUE] [--radius "
     "R] "
     "[--simplify S] [--pillars W] [--json]",
     "show what a map holds, and what may be wrong with it",
     "FILE is a PNG, PGM, BMP or JPEG image, a ROS map-server YAML beside one, a Tiled .tmx, a Moving AI .map,\n"
     "a .wkt polygon (JuPedSim), the map maker's .xml, or a drawing: SVG, or by GDAL (libgdal32) DXF, GeoJSON,\n"
     "GeoPackage (.gpkg), shapefile, OpenStreetMap (.osm); or a scenario, a .lua file whose world's map it is.\n\n"
     "  --png OUT          draw it: walls, regions, faces, what cannot be reached, findings\n"
     "  --write OUT        write the map as OUT.xml or OUT.wkt\n"
     "  --scale S          metres per pixel or grid cell, when the file does not say so, or per unit of a .wkt or "
     ".xml\n"
     "  --layers LIST      of a drawing: what its layers are, \"walls=A-WALL*,A-COLS;doors=A-DOOR;regions=A-AREA;\n"
     "                     boundary=A-SLAB\"; of attributes, \"walls=indoor=wall\"; default: by their names\n"
     "  --thickness M      of a drawing's walls that are lines, default 0.1 m\n"
     "  --level N          of a drawing whose features say a level (OpenStreetMap): leave out other storeys\n"
     "  --set NAME=VALUE   of a scenario: a parameter (throng.params)\n"
     "  --radius R         radius of the agents that the mesh and the findings are for, default 0.25 m\n"
     "  --simplify S       leave out corners of outlines that may move so far (m), as throng.map{ simplify = S } does\n"
     "  --pillars W        leave free-standing obstacles up to W m wide out of the mesh, as throng.map{ pillars = W } "
     "does;\n"
     "                     faces and time of a path with and without them\n"
     "  --json             print the same as one JSON object\n"},
    {"paths", throng_cli_paths,
     "throng paths MAP SCENARIO.scen | MAP --random N [--method navmesh|roadmap|grid|batch] [--radius R] "
     "[--backend NAME] [--csv FILE] [--json]",
     "find many paths on a map; print how fast, and how long they are",
     "Answers every query of a Moving AI scenario, or N random ones (from one free cell's middle to another's on grid\n"
     "maps), and prints paths a second, their lengths against the scenario's optimum, and how many have no path.\n\n"
     "  --random N         N random queries instead of a scenario's\n"
     "  --seed N           seed of the random queries, default 1\n"
     "  --method NAME      navmesh: shortest paths at any angle (default); grid: eight neighbours a cell, no cut\n"
     "                     corners, as in the scenarios' optima; batch: grid, all queries at once (throng.paths)\n"
     "  --backend NAME     of batch: cpu (default), cuda, auto\n"
     "  --radius R         distance kept from walls in m, default 0\n"
     "  --csv FILE         write a row per query: number from 1, length in m (inf: no path), the scenario's optimum, "
     "ends\n"
     "  --json             print the figures as one JSON object\n"},
    {"convert", throng_cli_convert,
     "throng convert RECORDING OUT [--from S] [--to S] [--every S] [--place LONGITUDE,LATITUDE]",
     "convert a recorded trajectory to another format",
     "RECORDING is a .throng file, a JuPedSim SQLite file, a text as Jülich's archive and PedPy have it, a .csv, or a "
     "folder\n"
     "written by `throng run`. By its ending, OUT is\n\n"
     "  .sqlite            JuPedSim SQLite, which PedPy reads; .throng: compact; both hold all that is known\n"
     "  .csv               a row a person and frame: position, heading, speed, group, radius, own columns; z and "
     "floor\n"
     "  .geojson           the plan, regions and doors, and a point a person and frame with its time, which QGIS "
     "plays\n"
     "  .pvd               VTK XML for ParaView: a .vtp of points and a .vti of the density for each frame in a "
     "folder\n"
     "                     beside it, and the plan; measures are fields. OUT.vtp and OUT.vti have one frame\n"
     "  .glb               glTF 2.0 for 3D programs: a figure a person, walking and turning, on the plan's floors\n\n"
     "Of these but the first:\n\n"
     "  --from S, --to S   the part of the time, s\n"
     "  --every S          fewer frames: one each S seconds\n"
     "  --place LON,LAT    where (0, 0) is on the Earth, in degrees, with y to the north: .geojson then has degrees\n"
     "                     (WGS 84) instead of metres\n"},
    {"report", throng_cli_report,
     "throng report RECORDING [RECORDING] [-o FILE]\n       throng report RESULTS [-o FILE]",
     "make a page of a recording: replay, curves, densities; of two side by side; or of a study's results",
     "RECORDING is a .throng file, a JuPedSim SQLite file, or a folder written by `throng run`. The page is one file,\n"
     "opens in any browser and needs no network. Recordings that others made have no groups, regions and measures.\n"
     "doors.csv, bodies.csv and summary.json are read where they lie beside the recording.\n\n"
     "Of two recordings on the same plan the page compares them: a table of figures of both, their curves in one\n"
     "chart, and maps of where density differs.\n\n"
     "RESULTS is what `throng study` wrote, study.sqlite or its folder: distributions, effects of factors, curves "
     "with\n"
     "their bands; `throng study --report` and `throng test --report` make pages like it.\n\n"
     "  -o FILE            write it there, default report.html beside the recording or the results; of two "
     "recordings:\n"
     "                     comparison.html\n"},
    {"help", throng_cli_help, "throng help [COMMAND | NAME]", "explain a command, or a name of the Lua API",
     "NAME is a function, class or field of the Lua API, in full (world:run) or its last word (spawn, radius); a\n"
     "command of that name comes first. lua/reference.md has all names.\n\n"
     "  --write FOLDER SOURCE...  make FOLDER/reference.md and FOLDER/meta/throng.lua from the comments of the "
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
    printf(
        "\nFor example\n\n"
        "  throng run scenarios/tutorial/01_one_agent.lua   the first of eleven files that teach it\n"
        "  throng help run                                  what a command can do\n"
        "  throng help world:spawn                          what a name in Lua is, or just: throng help spawn\n\n"
        "Exit codes: 0 done; 1 a test or scenario failed, or nobody was in its world; 2 wrong usage or input, or no\n"
        "test was found; 128 + N ended by signal N: 130 interrupted with Ctrl-C.\n");
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
