-- What a browser paints of a report: its screenshot, as averages of 16 x 16 pixels, against pictures that somebody
-- looked at, tests/data/screens/report_*.png. After a change that is meant, THRONG_ACCEPT=1 makes them again; look at
-- them.
local command = dofile "tests/specs/command.lua"
local needs = dofile "tests/specs/needs.lua"
local json = require "dkjson"
local base64 = dofile "tests/specs/base64.lua"

local WIDTH, HEIGHT, BLOCK = 960, 1120, 16 -- pixels
local CHANNEL, BLOCKS = 20, 0.004 -- may differ: a channel of 255 by so much, such a part of all blocks by more

local scratch -- a folder for all tests, with the report of one run

local HALL = [[
local throng = require "throng"
local world = throng.world {
  map = throng.map {
    boundary = throng.box(0, 0, 24, 12),
    walls = { throng.box(12, 0, 12.4, 5), throng.box(12, 7, 12.4, 12), throng.box(16, 8, 18, 10) },
    doors = { gate = { { 12.2, 5 }, { 12.2, 7 } } },
  },
  regions = { exit = throng.box(22, 4, 24, 8), west = throng.box(0.5, 0.5, 6, 11.5) },
  people = false, seed = 2, threads = 1, seconds = 30, record = { every = 0.5 },
}
local function add(name, count, where)
  local group = world:spawn { name = name, count = count, where = where, speed = 1.3, radius = 0.3 }
  group:go_to "exit"
  group:on("arrived", function(arrived) arrived:remove() end)
end
add("guests", 40, "west")
add("staff", 12, throng.box(6.5, 3, 10, 9))
return world
]]

-- Only what is painted, where fonts move nothing.
local ALONE = [[<style>header, footer, h2, h3, figcaption, .note, .legend, .controls, details, table, p, .scroll,
  section[aria-labelledby="curves-title"], section[aria-labelledby="exits-title"],
  section[aria-labelledby="stuck-title"], section[aria-labelledby="facts-title"] { display: none !important; }
  main, figure, .grid { margin: 0 !important; padding: 0 !important; max-width: none !important; border: 0 !important; }
  .grid.maps { grid-template-columns: 1fr 1fr !important; } canvas { border-radius: 0 !important; }</style>]]

local function browse(page, flags)
  command.write(scratch .. "/page.html", page)
  local code, out, err = command.shell(("HOME='%s' %s --hide-scrollbars --window-size=%d,%d "
    .. "--virtual-time-budget=4000 %s"):format(scratch, needs.BROWSER, WIDTH, HEIGHT, flags))
  assert.equal(0, code, err)
  return out
end

local function encoded(path)
  local code, text = command.shell("base64 -w0 '" .. path .. "'")
  assert.equal(0, code)
  return text
end

-- The screenshot of the page at a moment, as a PNG in base64.
local function shot(at, flags, script)
  local page = command.read(scratch .. "/out/report.html"):gsub("</head>", function() return ALONE .. "</head>" end)
  browse(page .. "<script>" .. (script or "") .. "</script>",
    ("%s --screenshot='%s/shot.png' 'file://%s/page.html%s'"):format(flags or "", scratch, scratch, at))
  return encoded(scratch .. "/shot.png")
end

-- A browser reads the PNGs: averages of blocks as a PNG, and how many blocks of `accepted` are others.
local COMPARE = [[<canvas id="c"></canvas><script>
  const load = data => new Promise((done, failed) => {
    const image = new Image();
    image.onload = () => done(image);
    image.onerror = failed;
    image.src = "data:image/png;base64," + data;
  });
  const pixels = (image, w, h) => {
    const c = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    c.canvas.width = w; c.canvas.height = h;
    c.drawImage(image, 0, 0);
    return c.getImageData(0, 0, w, h);
  };
  (async () => {
    const B = %d, w = %d / B, h = %d / B, now = pixels(await load("%s"), w * B, h * B).data;
    const small = new ImageData(w, h);
    for (let k = 0; k < w * h; k++)
      for (let ch = 0; ch < 4; ch++) {
        let sum = 0;
        for (let y = 0; y < B; y++)
          for (let x = 0; x < B; x++)
            sum += now[4 * ((Math.floor(k / w) * B + y) * w * B + k %% w * B + x) + ch];
        small.data[4 * k + ch] = Math.round(sum / B / B);
      }
    const c = document.getElementById("c").getContext("2d");
    c.canvas.width = w; c.canvas.height = h;
    c.putImageData(small, 0, 0);
    let others = w * h;
    try {
      const then = pixels(await load("%s"), w, h).data;
      others = 0;
      for (let k = 0; k < w * h; k++)
        others += [0, 1, 2].some(ch => Math.abs(then[4 * k + ch] - small.data[4 * k + ch]) > %d);
    } catch (none) {}
    document.title = JSON.stringify({ others, of: w * h, png: c.canvas.toDataURL("image/png") });
  })();
</script>]]

local function compared(now, accepted)
  local page = COMPARE:format(BLOCK, WIDTH, HEIGHT, now, accepted, CHANNEL)
  local out = browse(page, ("--dump-dom 'file://%s/page.html'"):format(scratch))
  return json.decode((out:match "<title>(.-)</title>"))
end

local function is_accepted(name, now)
  local path = "tests/data/screens/report_" .. name .. ".png"
  if os.getenv "THRONG_ACCEPT" then
    local file = assert(io.open(path, "wb"))
    file:write(base64(compared(now, "").png:match ",(.*)$"))
    file:close()
  end
  local found = compared(now, encoded(path))
  if found.others > BLOCKS * found.of then
    error(("%s: %d of %d blocks differ"):format(path, found.others, found.of), 2)
  end
end

describe("a screenshot of a report", function()
  setup(function()
    scratch = io.popen("mktemp -d"):read "l"
    command.write(scratch .. "/hall.lua", HALL)
    assert.equal(0, (command.throng("run hall.lua --out out --report --backend cpu", scratch)))
  end)
  teardown(function() os.execute("rm -rf '" .. scratch .. "'") end)

  it("shows the plan, people and maps as they were accepted", function()
    needs.browser(pending)
    is_accepted("light", shot "#t=6")
  end)

  it("shows them on dark ground where that is preferred", function()
    needs.browser(pending)
    is_accepted("dark", shot("#t=6", "--blink-settings=preferredColorScheme=0"))
  end)

  it("moves with the slider, and marks whom one clicks", function()
    needs.browser(pending)
    is_accepted("later", shot("", nil, [[
      const slider = document.getElementById("time");
      slider.value = 20;
      slider.dispatchEvent(new Event("input"));
      const { canvas } = replays[0];
      canvas.setPointerCapture = () => {};
      for (const type of ["pointerdown", "pointerup"]) // on a guest
        canvas.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1, clientX: 523, clientY: 236 }));
    ]]))
  end)
end)
