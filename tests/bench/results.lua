-- Writes RESULTS.md from what `throng bench --results` measured on one or several machines:
--   lua5.4 results.lua TRIED.txt results-<machine>[.<part>].json... > RESULTS.md
-- Parts of a machine, from runs of some of the benchmarks, are put together; a row of a later part replaces the same of
-- an earlier one. earlier/results-<machine>.json, after those of the machine, is what was measured there before kernels
-- were made faster. A file may have a "note" on what it holds, added by hand.
local json = require "dkjson"

local function fail(format, ...)
  io.stderr:write("results.lua: ", format:format(...), "\n")
  os.exit(1)
end

local function read(path)
  local file, why = io.open(path)
  if not file then
    fail("%s", why)
  end
  local text = file:read "a"
  file:close()
  return text
end

local function part_of(path)
  local name = path:match "results%-([^/.]+)[^/]*%.json$"
  local data, _, why = json.decode(read(path))
  if not name or not data or not data.rows or not data.limits then
    fail("%s: expected what throng bench --results wrote, in results-<machine>[.<part>].json (%s)", path,
      why or "no rows")
  end
  data.name = name
  return data
end

-- Adds what `list` has not, by the fields that `key` names, and replaces what it has.
local function merge(list, added, key)
  local function key_of(entry)
    local values = {}
    for i, field in ipairs(key) do
      values[i] = tostring(entry[field])
    end
    return table.concat(values, "\0")
  end
  local at = {}
  for i, entry in ipairs(list) do
    at[key_of(entry)] = i
  end
  for _, entry in ipairs(added) do
    local k = key_of(entry)
    at[k] = at[k] or #list + 1
    list[at[k]] = entry
  end
end

-- The machines of the files, in order; each of its parts.
local function machines_of(paths)
  local machines, by_name = {}, {}
  for _, path in ipairs(paths) do
    local part = part_of(path)
    local machine = by_name[part.name]
    if machine and path:find("earlier/", 1, true) then
      machine.earlier = part
    elseif machine then
      merge(machine.rows, part.rows, { "name", "stage", "backend", "simd", "threads", "agents" })
      merge(machine.limits, part.limits, { "backend", "simd", "threads" })
      machine.figures = part.figures
      machine.note = part.note or machine.note
    else
      by_name[part.name] = part
      machines[#machines + 1] = part
    end
  end
  return machines
end

local function put(format, ...)
  io.write(select("#", ...) > 0 and format:format(...) or format, "\n")
end

local function number(format, value)
  return value and format:format(value) or "–"
end

local function grouped(n)
  return (("%d"):format(n):reverse():gsub("(%d%d%d)", "%1,"):reverse():gsub("^,", ""))
end

local function place(row)
  local text = "cpu, SIMD width %d, %d thread" .. (row.threads == 1 and "" or "s")
  return row.backend == "cuda" and "cuda" or text:format(row.simd, row.threads)
end

-- Rows that `wanted` takes, as a table of Markdown.
local function rows_table(machine, title, wanted)
  local rows = {}
  for _, row in ipairs(machine.rows) do
    if wanted(row) then
      rows[#rows + 1] = row
    end
  end
  if #rows == 0 then
    return
  end
  put("\n### %s\n", title)
  put("| what | stage | where | agents | ms, median | least | quartiles | µs an agent | ops an agent | B an agent | "
    .. "% of ops/s | % of B/s | % of link | growth |")
  put "|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
  for _, r in ipairs(rows) do
    local function percent(share)
      return number("%.1f", share and 100 * share)
    end
    put("| %s | %s | %s | %s | %s | %s | %s–%s | %s | %s | %s | %s | %s | %s | %s |", r.name, r.stage, place(r),
      grouped(r.agents), number("%.4g", r.ms_median), number("%.4g", r.ms_min), number("%.4g", r.ms_lower),
      number("%.4g", r.ms_upper), number("%.4g", r.us_per_agent), number("%.0f", r.operations_per_agent),
      number("%.0f", r.bytes_per_agent), percent(r.of_arithmetic), percent(r.of_bandwidth), percent(r.of_link),
      number("%.2f", r.growth))
  end
end

local function limits_table(machine)
  put "\n### Limits\n"
  put "| where | device | GFLOP/s, each rounded | fused | GB/s | to the host, GB/s |"
  put "|---|---|--:|--:|--:|--:|"
  for _, l in ipairs(machine.limits) do
    local link = l.link_bytes_per_second or 0
    put("| %s | %s | %.1f | %.1f | %.1f | %s |", place(l), l.device, 1e-9 * l.operations_per_second,
      1e-9 * l.fused_per_second, 1e-9 * l.bytes_per_second, number("%.1f", link > 0 and 1e-9 * link))
  end
  if machine.note then
    put("\n%s", machine.note)
  end
end

-- Is the row of the figure's planner (whatever its parameter), or of the grids?
local function is_of(row, figure)
  local rest = row.name:sub(1, #figure.planner) == figure.planner and row.name:sub(#figure.planner + 1)
  return rest and (rest == "" or rest:match "^%-%d+$" or rest:match "^%d$") ~= nil
end

-- The fastest frame of each backend of at least as many agents as the figure, of the fewest there are.
local function frame_beside(machine, figure, backend)
  local best
  for _, r in ipairs(machine.rows) do
    if r.stage == "frame" and r.backend == backend and is_of(r, figure) and r.agents >= figure.agents then
      if not best or r.agents < best.agents or (r.agents == best.agents and r.ms_median < best.ms_median) then
        best = r
      end
    end
  end
  return best
end

-- The largest ratio of one thread's time (one thread of the same processor) to the device's, over equal sizes.
local function best_speedup(machine, figure)
  local stages = figure.planner == "paths-G" and { search = true, trees = true } or { plan = true }
  local best
  for _, cpu in ipairs(machine.rows) do
    for _, cuda in ipairs(machine.rows) do
      local same = cpu.name == cuda.name and cpu.agents == cuda.agents
      if same and cpu.backend == "cpu" and cpu.threads == 1 and cuda.backend == "cuda" and is_of(cpu, figure)
        and stages[cpu.stage] and stages[cuda.stage] and (cpu.stage == "search" or cpu.stage == cuda.stage) then
        local ratio = cpu.ms_median / cuda.ms_median
        if not best or ratio > best.ratio then
          best = { ratio = ratio, row = cuda, simd = cpu.simd }
        end
      end
    end
  end
  return best
end

local SCENARIO = { orca = true, clearpath = true, rvo = true } -- stages of rows that are of a scenario

-- Those of a scenario with so many agents, on the backend that comes first: all give the same.
local function scenario_rows(machine, name, agents)
  local rows = {}
  for _, r in ipairs(machine.rows) do
    if SCENARIO[r.stage] and r.name == name and r.agents == agents and (not rows[1] or place(r) == place(rows[1])) then
      rows[#rows + 1] = r
    end
  end
  return rows
end

-- The papers' scenarios from the first step to the last.
local function scenarios_table(machine)
  local first = true
  for _, r in ipairs(machine.rows) do
    if SCENARIO[r.stage] then
      if first then
        put "\n### The papers' scenarios, from their first frame to their last\n"
        put "Conflicts: pairs a step that the planner alone would have let overlap, and the contacts keep apart.\n"
        put "| scenario | agents | planner | where | ms a frame | frames/s | conflicts |"
        put "|---|--:|---|---|--:|--:|--:|"
        first = false
      end
      put("| %s | %s | %s | %s | %.4g | %s | %.3g |", r.name, grouped(r.agents), r.stage, place(r), r.ms_median,
        grouped(math.floor(1e3 / r.ms_median)), r.conflicts)
    end
  end
end

local function figures_table(machine)
  local lines, some = {}, false
  for _, f in ipairs(machine.figures or {}) do
    local here, theirs = {}, f.ms and ("%.3g ms"):format(f.ms) or f.speedup and ("%.3g ×"):format(f.speedup)
    if f.conflicts then
      theirs = ("%g pairs a step"):format(f.conflicts)
      for _, r in ipairs(scenario_rows(machine, f.planner, f.agents)) do
        here[#here + 1] = ("%.3g (%s)"):format(r.conflicts, r.stage)
      end
    elseif f.ms then
      for _, backend in ipairs { "cpu", "cuda" } do
        local r = frame_beside(machine, f, backend)
        if r then
          here[#here + 1] = ("%.4g ms for %s agents (%s, %s)"):format(r.ms_median, grouped(r.agents), r.name, place(r))
        end
      end
    else
      local s = best_speedup(machine, f)
      if s then
        here[1] = ("%.0f × (%s, %s, %s; one thread at SIMD width %d)"):format(s.ratio, s.row.name, s.row.stage,
          grouped(s.row.agents), s.simd)
      end
    end
    some = some or #here > 0
    lines[#lines + 1] = ("| %s | %s | %s |"):format(f.text, theirs,
      #here > 0 and table.concat(here, "; ") or "not measured in this file")
  end
  if some then
    put "\n### Against the papers\n"
    put "Frames here are of a crowd of one agent a square metre walking in all directions; theirs of their scenarios.\n"
    put "| paper | its figure | here |"
    put "|---|--:|---|"
    put("%s", table.concat(lines, "\n"))
  end
end

-- Where the largest crowds' frames go, of each planner and place: the stages' shares, and ms by the limits.
local function profile_table(machine, most)
  local shares, frames = {}, {}
  for _, r in ipairs(machine.rows) do
    local key = r.name .. place(r)
    if r.agents == most[key] and r.stage == "frame" then
      frames[#frames + 1] = r
      shares[key] = {}
    elseif r.agents == most[key] and shares[key] then
      shares[key][r.stage] = r
    end
  end
  local head = false
  for _, frame in ipairs(frames) do
    local stages, sum, cells = shares[frame.name .. place(frame)], 0, {}
    local names = { "goals", "desire", "sense", "plan", "move" }
    for _, name in ipairs(names) do
      sum = stages[name] and sum + stages[name].ms_median or 0 / 0
    end
    for i, name in ipairs(names) do
      local r = stages[name]
      local limit = r and math.max(r.of_arithmetic or 0, r.of_bandwidth or 0) or 0
      local times = limit > 0 and (", %.1f ×"):format(1 / limit) or ""
      cells[i] = r and ("%.0f %%"):format(100 * r.ms_median / sum) .. times
    end
    if sum == sum and not head then
      head = true
      put "\n### Where a frame's time goes\n"
      put("Stages timed alone: part of their sum, and how many times what the limits allow for the work counted "
        .. "(under 1\nwhere it stays in caches).\n")
      put "| what | where | agents | goals | desire | sense | plan | move |"
      put "|---|---|--:|--:|--:|--:|--:|--:|"
    end
    if sum == sum then
      put("| %s | %s | %s | %s |", frame.name, place(frame), grouped(frame.agents), table.concat(cells, " | "))
    end
  end
end

-- Batches of paths: A* on one thread, on as many as there are, on the device, and trees there.
local function batches_table(machine)
  local grids, by_name = {}, {}
  for _, r in ipairs(machine.rows) do
    if r.name:match "^paths%-" then
      local g = by_name[r.name]
      if not g then
        g = { name = r.name, threads = 0 }
        by_name[r.name] = g
        grids[#grids + 1] = g
      end
      if r.backend == "cuda" then
        g[r.stage] = r
      elseif r.stage == "search" and r.threads == 1 then
        g.one = r
      elseif r.stage == "search" and r.threads > g.threads then
        g.all, g.threads = r, r.threads
      end
    end
  end
  if #grids == 0 then
    return
  end
  put "\n### Batches of paths, microseconds a query\n"
  put "× is against A* on one thread, or on all threads where one was not measured; copies of queries and paths are"
  put "included. What a batch sends to the host as part of what the link could in that time: % of link.\n"
  put "| grid | queries | A*, one thread | A*, all threads | A*, cuda | × | paths/s | trees, cuda | × | % of link |"
  put "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
  local function cost(row)
    return number("%.4g", row and row.us_per_agent)
  end
  for _, g in ipairs(grids) do
    local host, largest = g.one or g.all, g.search or g.one or g.all
    local function times(row)
      local ratio = row and host and host.us_per_agent / row.us_per_agent
      return number(ratio and ratio < 10 and "%.1f" or "%.0f", ratio)
    end
    local share = g.trees and g.trees.of_link
    put("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |", g.name, grouped(largest.agents), cost(g.one),
      cost(g.all), cost(g.search), times(g.search),
      g.search and grouped(math.floor(1e6 / g.search.us_per_agent)) or "–", cost(g.trees), times(g.trees),
      number("%.0f", share and 100 * share))
  end
end

-- Frames of the largest crowds, scenarios and batches that were measured in both runs, of one place.
local function earlier_table(machine)
  local now, most, rows = {}, {}, {}
  local function key_of(r)
    return table.concat({ r.name, r.stage, place(r) }, "|")
  end
  for _, r in ipairs(machine.rows) do
    now[key_of(r) .. r.agents] = r
  end
  local shown = { frame = true, whole = true, search = true, trees = true }
  for _, r in ipairs(machine.earlier.rows) do
    local key = key_of(r)
    if shown[r.stage] and now[key .. r.agents] then
      rows[#rows + 1] = r
      most[key] = math.max(most[key] or 0, r.agents)
    end
  end
  put "\n### Before and after\n"
  put "What the same took before it was made faster, of the largest crowds that were measured then.\n"
  put "| what | stage | where | agents | ms before | ms after | × |"
  put "|---|---|---|--:|--:|--:|--:|"
  for _, r in ipairs(rows) do
    local after = now[key_of(r) .. r.agents]
    if r.agents == most[key_of(r)] then
      put("| %s | %s | %s | %s | %.4g | %.4g | %.1f |", r.name, r.stage, place(r), grouped(r.agents), r.ms_median,
        after.ms_median, r.ms_median / after.ms_median)
    end
  end
end

local function report(machine)
  put("\n## %s", machine.name)
  limits_table(machine)
  figures_table(machine)
  scenarios_table(machine)
  local most = {} -- agents of the largest crowd of each name and place
  for _, r in ipairs(machine.rows) do
    local key = r.name .. place(r)
    most[key] = math.max(most[key] or 0, r.agents)
  end
  profile_table(machine, most)
  if machine.earlier then
    earlier_table(machine)
  end
  rows_table(machine, "Whole frames, and scenarios from end to end", function(r)
    return r.stage == "frame" or r.stage == "whole"
  end)
  local apart = { frame = true, whole = true, search = true, trees = true, navmesh = true }
  rows_table(machine, "Stages, of the largest crowds", function(r)
    return not apart[r.stage] and not SCENARIO[r.stage] and r.agents == most[r.name .. place(r)]
  end)
  batches_table(machine)
  rows_table(machine, "Paths", function(r)
    return r.stage == "search" or r.stage == "trees" or r.stage == "navmesh"
  end)
end

local tried = arg[1] or fail "usage: results.lua TRIED.txt results-<machine>.json..."
put "# What throng costs\n"
put "Made by `make results` from the files beside it, each from `throng bench --results results-<machine>.json`."
put "Operations (float + − × ÷ √) and bytes (lines of 64, each once a stage) are counted by running the kernels with"
put "floats that count; limits are measured in the same run with the same SIMD width and threads. Growth is d log ms /"
put "d log agents since the next smaller size. Agents of paths are queries. Sorting agents by cell is not counted."
put ""
put "Frames are timed by the host's clock, from their start until all is done. Their stages are timed in frames of"
put "their own, one at a time, on CUDA by the device's clock: from when it is done with the stage before to when it is"
put "done with this one. What the host takes to launch kernels and to wait for them, which it does beside them in a"
put "frame, is in the times of frames and not in those of stages."
for _, machine in ipairs(machines_of { table.unpack(arg, 2) }) do
  report(machine)
end
put "\n## Tried, and did not help\n"
io.write(read(tried))
