-- `throng test`: busted inside the host. Called with the host's functions, throng's library folder
-- and the arguments; returns the exit code.
local host, library = ...
local arguments = { select(3, ...) }

-- a release carries busted and what it needs in share/ and lib/
package.path = ("%s/?.lua;%s/share/?.lua;%s/share/?/init.lua;"):format(library, library, library) .. package.path
package.cpath = ("%s/lib/?.so;"):format(library) .. package.cpath

local real_exit = os.exit

local DONE = {} -- thrown by our exit, so that the host closes everything itself

local function exit(code) error(setmetatable({ code = code == 0 and 0 or 1 }, DONE), 0) end

local found, compatibility = pcall(require, "busted.compatibility")
if not found then
  io.stderr:write("throng test needs busted (on Debian: apt install lua-busted)\n")
  return 2
end
compatibility.exit = exit

local options, rest = host.library "test_options"(host, arguments)
if not options then
  io.stderr:write("throng test: ", rest, "; `throng help test` lists the options\n")
  return 2
end

local function given(...)
  for _, one in ipairs(rest) do
    for _, wanted in ipairs { ... } do
      if one == wanted then return true end
    end
  end
  return false
end

-- ---- which files

local function in_shard(files)
  local shard, chosen = options.shard, {}
  for i, file in ipairs(files) do
    if not shard or options.worker or (i - 1) % shard.of == shard.which - 1 then chosen[#chosen + 1] = file end
  end
  return chosen
end

-- Suites of verification are the folder tests/standards, here or where the host is.
local function suite_files(suite)
  local folder = "tests/standards"
  if not require("pl.path").exists(folder) then folder = library .. "/../tests/standards" end
  local names = suite == "all" and { "rimea", "imo", "nist", "iso" } or { suite }
  for i, name in ipairs(names) do names[i] = ("%s/%s_spec.lua"):format(folder, name) end
  return names
end

local function check_there(roots)
  for _, root in ipairs(roots) do
    if not require("pl.path").exists(root) then
      io.stderr:write("throng test: there is no file or folder '", root, "'\n")
      exit(1)
    end
  end
end

local function files_in(find, roots, patterns, settings)
  if options.worker then return { options.worker } end
  return find(roots, patterns, settings)
end

-- ---- running

host.guard(options.deadline)
local failure_files = host.library "test_failure"(host, options)
local details = host.library "test_details"(host, options, failure_files)
local jobs = host.library "test_jobs"(host, arguments, options)
local looked, failed -- for files; how many tests, when all have run
local ran = 0 -- tests
local no_file -- there is no spec where it was looked for
local none_left -- where the shard has no file: of how many

local listing = given("-l", "--list")

-- Puts the page of --report behind what else is told.
local function with_page(report)
  if not options.report or options.worker or listing then return report end
  local page = host.library "test_page"(host, options, arguments)
  local problem = page.problem()
  if problem then
    io.stderr:write("throng test: ", problem, "\n")
    exit(1)
  end
  local test, finish = report.test, report.finish
  function report.test(record)
    page.take(record)
    return test(record)
  end
  function report.finish()
    local bad = finish()
    local out = options.format == "text" and io.stdout or io.stderr
    out:write("wrote ", page.write(), "\n")
    return bad
  end
  return report
end

local function open_report()
  if options.worker then return jobs.report() end
  if listing then return { file = function() end, finish = function() return 0 end } end
  if options.format ~= "text" then -- stdout is the report's
    _G.print = function(...)
      local texts = table.pack(...)
      for i = 1, texts.n do texts[i] = tostring(texts[i]) end
      io.stderr:write(table.concat(texts, "\t"), "\n")
    end
  end
  return host.library("report_" .. options.format:lower())(host)
end

-- In the place of busted's loader of files: loads those that are ours, or runs them in other processes.
local function loader_with(make_loader, report)
  return function(busted, loaders)
    local load, one, find = make_loader(busted, loaders)
    return function(roots, patterns, settings)
      roots = type(roots) == "table" and roots or { roots }
      local none = #roots == 1 and roots[1] == "spec" and not given "spec"
      if none then
        roots = options.suite and suite_files(options.suite) or { "tests/specs" }
      elseif options.suite and not options.worker then
        io.stderr:write "throng test: --suite and files cannot be given together; a suite is files of its own\n"
        exit(1)
      end
      check_there(roots)
      looked = true
      local all = files_in(find, roots, patterns, settings)
      local files = in_shard(all)
      if report then report.files = #files end
      no_file = #all == 0
      if #files == 0 then
        none_left = #all
        return files
      end
      if options.jobs > 1 and #files * #options.planners * options.parts > 1 and not listing then
        jobs.run(files, report)
        return files
      end
      return load(files, patterns, settings)
    end, one, find
  end
end

-- What os.exit is while a spec file runs: it would end the tests of others, too.
local function refuse_exit()
  error("os.exit: a test must not end the process; error() fails the test, and return ends it", 2)
end

-- Of the tests that filters leave, those of a worker's part.
local function take_part(core)
  local count = 0
  local function mine()
    count = count + 1
    return nil, (count - 1) % options.part.of == options.part.which - 1
  end
  core.subscribe({ "register", "it" }, mine) -- before busted's own, behind its filters
  core.subscribe({ "register", "pending" }, mine)
end

-- Messages of failures get what the failure left behind, while the worlds of the test are still there.
local function core_with(make_core, sandbox)
  return function()
    local core = make_core()
    if options.part then take_part(core) end
    core.subscribe({ "file", "start" }, function(file)
      math.randomseed(1) -- Lua's own is of the clock; a sandbox has one of its own, of the same seed
      if sandbox then sandbox.enter(file.name) end
      rawset(os, "exit", refuse_exit)
      return nil, true
    end)
    core.subscribe({ "file", "end" }, function()
      rawset(os, "exit", real_exit)
      return nil, true
    end)
    local rewrite = core.rewriteMessage
    function core.rewriteMessage(element, message, trace)
      if message == "not enough memory" then message = host.out_of_memory() end
      local text = rewrite(element, message, trace)
      return failure_files.is_pending(message) and text or text .. failure_files.text(text)
    end
    core.subscribe({ "test", "start" }, function(element)
      host.watch_test(("in the test '%s'"):format(element.name))
      return nil, true
    end)
    core.subscribe({ "test", "end" }, function()
      host.watch_test()
      return nil, true
    end)
    return core
  end
end

-- A file, or a module of busted's or of anybody: looked for once busted has its -C and --lpath. It would go on without.
local function outputs_with(make_loader)
  return function()
    local load = make_loader()
    return function(busted, output, settings)
      local there = options.own
        or (output:find "%.lua$" and require("pl.path").exists(output))
        or package.searchpath("busted.outputHandlers." .. output, package.path)
        or package.searchpath(output, package.path)
      if not there then
        local must = "throng test: -o must be text, TAP, junit or another output that busted finds, got '%s'\n"
        io.stderr:write(must:format(output))
        exit(1)
      end
      return load(busted, output, settings)
    end
  end
end

local function run()
  local sandbox = options.sandbox and host.library "test_sandbox"(host) or nil
  package.loaded["busted.core"] = core_with(require "busted.core", sandbox)
  host.library "checks"(host)
  host.library "assertions"(host, failure_files)
  _G.across = host.library "across"(host, options, failure_files)
  package.loaded["throng.suites"] = { planners = options.planners, runs = options.runs, all = options.suite == "all",
    figures = options.figures, found = details.found, statistics = host.library "statistics"(host),
    part = options.part and options.part.of > 1 and options.part.which or nil }
  if options.suite and not given("-t", "--tags") then rest[#rest + 1] = "--exclude-tags=mutation" end
  local report = options.own and with_page(open_report()) or nil
  if report then
    local take = report.test
    function report.test(record)
      ran = ran + 1
      return take(record)
    end
    package.preload["throng.collect"] = function()
      return host.library "test_collect"(report, failure_files.begin, function(count) failed = count end,
        details)
    end
  end
  local name = "busted.modules.test_file_loader"
  package.loaded[name] = loader_with(require(name), report)
  name = "busted.modules.output_handler_loader"
  package.loaded[name] = outputs_with(require(name))
  _G.arg = rest
  rest[0] = "throng test"
  require "busted.runner" { standalone = false, output = report and "throng.collect" }
end

local ok, problem = xpcall(run, function(problem)
  if getmetatable(problem) == DONE then return problem end
  if type(problem) == "string" and not problem:find "^[^\n]-:%d+: " then return problem end -- said to the user
  return debug.traceback(tostring(problem))
end)

-- A run that tests nothing has found nothing: why it does.
local function why_nothing()
  if no_file then return "there is no spec, no file named like x_spec.lua; --pattern LUA_PATTERN takes others" end
  if given "--filter" then
    return "no test has a name that --filter finds, so none ran; `throng test --list` names them"
  end
  if options.shard and none_left then
    return ("shard %d/%d has none of the %d files, so no test ran; give as many shards as there are files at most")
      :format(options.shard.which, options.shard.of, none_left)
  end
  return 'no test ran: a spec has some, like it("is left in a minute", function() ... end)'
end

if no_file or (failed == 0 and ran == 0 and not listing and not options.worker) then
  io.stderr:write("throng test: ", why_nothing(), "\n")
  return 2
end
if failed then return failed > 0 and 1 or 0 end
if ok then return 0 end
if getmetatable(problem) == DONE then return looked and problem.code or 2 * problem.code end -- 2: wrong options
io.stderr:write("throng test: ", tostring(problem), "\n")
return 2
