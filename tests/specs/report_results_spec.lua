-- report.html of studies, calibrations and tests: what it says is what was found, and a browser shows it.
local command = dofile "tests/specs/command.lua"
local needs = dofile "tests/specs/needs.lua"
local base64 = dofile "tests/specs/base64.lua"
local json = require "dkjson"
local throng = require "throng"

local scratch -- a folder for each test

before_each(function() scratch = io.popen("mktemp -d"):read "l" end)
after_each(function() os.execute("rm -rf '" .. scratch .. "'") end)

local function run(arguments) return command.throng(arguments, scratch) end

local function write(name, text) return command.write(scratch .. "/" .. name, text) end

local function read(name) return command.read(scratch .. "/" .. name) end

local function has(text, ...)
  for _, part in ipairs { ... } do
    if not text:find(part, 1, true) then error(("expected '%s' in:\n%s"):format(part, text:sub(-6000)), 2) end
  end
end

-- As one reads it, without marks.
local function plain(html)
  return ((html:match "<body.*" or html):gsub("<[^>]*>", " "):gsub("&lt;", "<"):gsub("&gt;", ">")
    :gsub("&quot;", '"'):gsub("&amp;", "&"):gsub("%s+", " "))
end

-- What a script says of the page in a browser, as its title.
local function asked(page, script, flags)
  write("asked.html", page .. "<script>document.title = " .. script .. "</script>")
  local code, out, err = command.shell(("HOME='%s' %s %s --virtual-time-budget=2000 --dump-dom 'file://%s/asked.html'")
    :format(scratch, needs.BROWSER, flags or "", scratch))
  assert.equal(0, code, err)
  return plain(out:match "<title>(.-)</title>")
end

-- One file: nothing in it is fetched.
local function is_alone(page)
  for address in page:gmatch ' src="([^"]*)' do assert.equal("data:", address:sub(1, 5)) end
  for address in page:gmatch ' href="([^"]*)' do assert.equal("#", address:sub(1, 1)) end
  assert.is_nil(page:find "url%(")
  assert.is_nil(page:find "@import")
end

-- Every chart and picture has a name, every chart its values in a table, every table heads.
local function is_accessible(page)
  for svg in page:gmatch "<svg[^>]*>" do assert.matches('aria%-label="[^"]+"', svg) end
  for image in page:gmatch "<img[^>]*>" do assert.matches('alt="[^"]+"', image) end
  for open in page:gmatch "<table[^>]*>.-</table>" do assert.matches('scope="', open) end
  for section in page:gmatch "<section[^>]*>" do assert.matches('aria%-labelledby="', section) end
end

local ROOM = [[
local throng = require "throng"
local params = throng.params { width = 1.0, count = 12, bad = "" }
if params.bad == "<error>" then error "it is <bad>" end
local half = params.width / 2
local world = throng.world {
  map = throng.map {
    boundary = throng.box(0, 0, 16, 8),
    walls = { throng.box(8, 0, 8.2, 4 - half), throng.box(8, 4 + half, 8.2, 8) },
    regions = { left = throng.box(1, 1, 6, 7), right = throng.box(12, 0, 16, 8) },
  },
  threads = 1, seconds = 60,
}
world:spawn { count = params.count, where = "left" }:go_to "right"
return world
]]

local function study(settings)
  write("room.lua", ROOM)
  write("study.lua", ('local throng = require "throng"\nreturn throng.study { scenario = "room.lua",\n%s }')
    :format(settings))
end

describe("the report of a study", function()
  it("has factors, effects, intervals, curves with bands, and commands that give the same runs", function()
    study [[factors = { width = { 0.8, 1.25 }, count = { 6, 12 } }, runs = 3, measure = { "last_arrival" }]]
    local code, out, err = run "study study.lua --report"
    assert.equal(0, code, err)
    has(out, "wrote  out/study/report.html")
    local page = read "out/study/report.html"
    local text = plain(page)
    has(text, "Study of room", "4 points, 12 runs", "width 0.8, 1.25 levels", "last_arrival by width",
      "count and width together", "N-t: people who have arrived, over time", "throng study study.lua --report")
    has(page, '<polygon class="band"', '<td style="--part:1.00">')
    is_alone(page)
    is_accessible(page)

    local csv = {}
    run "study --show out/study/study.sqlite --csv runs.csv"
    local names = {}
    for line in read "runs.csv":gmatch "[^\n]+" do
      local row = {}
      for field in (line .. ","):gmatch "([^,]*)," do row[#row + 1] = field end
      if #names == 0 then
        names = row
      else
        for i, name in ipairs(names) do row[name] = row[i] end
        csv[#csv + 1] = row
      end
    end
    local sum = 0
    for _, row in ipairs(csv) do
      has(text, row.hash)
      if tonumber(row.width) == 1.25 then sum = sum + tonumber(row.last_arrival) end
    end
    has(text, ("1.25 6 %.4g"):format(sum / 6)) -- of the effect's table: level, runs, mean

    local again = page:match "(throng run [^\n<]*width=1.25[^\n<]*)"
    local code_again, summary = run(again:match "^throng (.*)" .. " --json --out none")
    assert.equal(0, code_again)
    local hash = json.decode(summary).hash
    local found
    for _, row in ipairs(csv) do found = found or row.hash == hash and row end
    assert.equal("1.25", found.width)
    assert.equal(again:match "%-%-seed (%d+)", found.seed)
  end)

  it("is what `throng report` makes of the results, too, wherever it is to go", function()
    study [[factors = { width = { 0.8, 1.2 } }, runs = 2, measure = { "last_arrival" }]]
    run "study study.lua --report"
    local first = read "out/study/report.html"
    for _, arguments in ipairs { "out/study/study.sqlite", "out/study" } do
      assert.equal(0, (run("report " .. arguments .. " -o other.html")))
      assert.equal(plain(first), plain(read "other.html"))
    end
    write("none.sqlite", "SQLite format 3\0")
    local code, _, err = run "report none.sqlite"
    assert.equal(2, code)
    has(err, "none.sqlite")
    code, _, err = run "report out/study -o nowhere/x.html"
    assert.equal(2, code)
    has(err, "cannot write 'nowhere/x.html'")
  end)

  it("tells which runs failed, and how to see it again, harmless as text", function()
    study [[factors = { bad = { "", "<error>" } }, runs = 2, measure = { "last_arrival" }]]
    assert.equal(1, (run "study study.lua --report"))
    local page = read "out/study/report.html"
    has(plain(page), "2 points, 4 runs, 2 of which failed", "it is <bad>", "--seed 1 --set 'bad=<error>'")
    assert.is_nil(page:find("<bad>", 1, true))
    assert.is_nil(page:find("<error>", 1, true))
  end)

  it("opens in a browser, light and dark", function()
    needs.browser(pending)
    study [[factors = { width = { 0.8, 1.2 } }, runs = 2, measure = { "last_arrival" }]]
    run "study study.lua --report"
    local page, look = read "out/study/report.html", [[JSON.stringify([
      getComputedStyle(document.body).backgroundColor,
      getComputedStyle(document.querySelector(".chart .line")).stroke,
      document.querySelectorAll(".chart").length,
      Math.max(...[...document.querySelectorAll(".chart")].map(c => c.getBoundingClientRect().right)) <= innerWidth,
      document.documentElement.scrollWidth <= innerWidth])]]
    local light = json.decode(asked(page, look))
    assert.same({ "rgb(247, 245, 240)", "rgb(0, 104, 165)" }, { light[1], light[2] })
    assert.is_true(light[3] >= 4 and light[4] and light[5])
    local dark = json.decode(asked(page, look, "--blink-settings=preferredColorScheme=0"))
    assert.same({ "rgb(20, 24, 29)", "rgb(94, 181, 238)" }, { dark[1], dark[2] })
  end)
end)

local SPEC = [[
local throng = require "throng"
local function walk(seconds)
  local map = throng.map { boundary = throng.box(0, 0, 12, 3) }
  local world = throng.world { seed = 7, dt = 0.1, threads = 1, map = map }
  world:spawn { name = "walker", at = { { 1, 1.5 } }, speed = 1, planner = "none" }:go_to({ { 10, 1.5 } })
  world:run { seconds = seconds }
  return world
end
describe("a <walker>", function()
  it("walks", function() walk(3) end)
  it("fails", function() assert.arrives(walk(2).groups.walker, { within = 2 }) end)
  it("needs no world", function() assert.is_true(true) end)
  pending "will fly"
end)
]]

local function without_times(page)
  return (plain(page):gsub("%d+%.%d+ s", "T"):gsub("To run it again .- A test", "A test"))
end

describe("the report of tests", function()
  it("has every test's outcome, seed, hash and picture, and the message of those that fail", function()
    write("walk_spec.lua", SPEC)
    local code, out = run "test walk_spec.lua --report"
    assert.equal(1, code)
    assert.matches("2 passed, 1 failed, 1 skipped\nwrote out/test/report.html\n$", out)
    local page = read "out/test/report.html"
    local world <close> = throng.world { seed = 7, dt = 0.1, threads = 1,
      map = throng.map { boundary = throng.box(0, 0, 12, 3) } }
    world:spawn { name = "walker", at = { { 1, 1.5 } }, speed = 1, planner = "none" }:go_to({ { 10, 1.5 } })
    world:run { seconds = 3 }
    local text = plain(page)
    assert.matches("a <walker> walks passed %d+%.%d+ s 7 3%.0 s " .. world:hash() .. " ", text)
    assert.matches("a <walker> fails failed %d+%.%d+ s 7 2%.0 s %x+ ", text)
    assert.matches("a <walker> needs no world passed %d+%.%d+ s – – – ", text)
    has(text, "a <walker> will fly skipped", "1 of the 1 agents of group 'walker' have not arrived", "again: ",
      "throng test walk_spec.lua --report")
    local sizes = {}
    for picture in page:gmatch 'src="data:image/png;base64,([^"]*)"' do
      local bytes = base64(picture)
      assert.equal("\137PNG\r\n\26\n", bytes:sub(1, 8))
      sizes[#sizes + 1] = (">I4"):unpack(bytes, 17)
    end
    assert.same({ 1600, 1000 }, sizes) -- the moment of the failure; the world of the test that passes
    is_alone(page)
    is_accessible(page)
  end)

  it("is the same by any number of processes, and with other outputs", function()
    write("a_spec.lua", SPEC)
    write("b_spec.lua", 'it("works", function() assert.equal(1, 1) end)')
    run "test a_spec.lua b_spec.lua --report --out one"
    run "test a_spec.lua b_spec.lua --report --out two --jobs 2 --parts 2"
    local code, out, err = run "test a_spec.lua b_spec.lua --report --out three -o junit"
    assert.equal(1, code)
    assert.is_nil(out:find("wrote", 1, true))
    has(err, "wrote three/report.html")
    local one = without_times(read "one/report.html"):gsub("one/", "")
    assert.equal(one, (without_times(read "two/report.html"):gsub("two/", "")))
    assert.equal(one, (without_times(read "three/report.html"):gsub("three/", "")))
    for line in io.popen("ls " .. scratch .. "/one " .. scratch .. "/two"):lines() do
      assert.is_nil(line:match "%.part$")
    end
  end)

  it("is an error before the tests where it cannot be", function()
    write("a_spec.lua", 'it("works", function() print "it ran" end)')
    write("file", "")
    local code, out, err = run "test a_spec.lua --report --out file"
    assert.equal(2, code)
    assert.is_nil(out:find("it ran", 1, true))
    has(err, "cannot write 'file/report.html'")
    code, out, err = run "test a_spec.lua --report -o json"
    assert.equal("", out)
    assert.equal(2, code)
    has(err, "--report goes with the outputs text, TAP and junit, not with 'json'")
  end)

  it("has cases of suites under each planner: figures, criteria, seeds, hash and picture", function()
    local code, out, err = run "test --suite nist --filter '%.1, ' --planner orca,forces --runs 10 --report"
    assert.equal(0, code, out .. err)
    local page = read "out/test/report.html"
    local text, records = plain(page), {}
    for _, planner in ipairs { "orca", "forces" } do
      for line in io.lines(("%s/out/standards/nist-%s.jsonl"):format(scratch, planner)) do
        records[#records + 1] = json.decode(line)
      end
    end
    assert.is_true(#records >= 4)
    for _, record in ipairs(records) do
      has(text, record.says, record.hash, ("%s %s"):format(record.number, record.title))
      assert.equal("pass", record.verdict)
      for _, check in ipairs(record.checks) do
        has(text, check.what, check.value and ("%.4g"):format(check.value) .. (check.interval or "") or "–")
      end
    end
    has(text, ("time over 40 m, s 39.6 to 40.4 the standard%s"):format((" 40 (one run: nothing random in it)"):rep(2)),
      "2.1 Speed in a corridor passed passed", "seeds 1 1")
    assert.equal(#records // 2, select(2, page:gsub("<img ", ""))) -- one a case
  end)

  it("shows its pictures in a browser", function()
    needs.browser(pending)
    write("walk_spec.lua", SPEC)
    run "test walk_spec.lua --report"
    assert.equal("[1600,1000]", asked(read "out/test/report.html",
      "JSON.stringify([...document.images].map(one => one.naturalWidth))"))
  end)
end)
