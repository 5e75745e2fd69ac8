-- A story (api_play.lua) as a scenario that is reloaded (reload.c), a version each time: most of its lines are those of
-- the version before. Some are run while it is loaded, others in its steps.
local throng = require "throng"
local play, check = require "api_play", require "api_check"

local LINES, A_STEP, CHANGED, BROKEN = 40, 3, 0.15, 0.1
local p = throng.params { story = 1, version = 0 }
local seed = play.params.seed

-- The scenario's own world goes on for as long as reload.c wants.
local function admit(line) return not line.text:find "stop%(%)" and not line.text:find "v%[1%]:close" end

local run = check.run { simd = 1, threads = 1, backend = play.params.backend }
local story = play.begin(run, p.story)
story.version, story.step = p.version, 0
for i = 1, LINES do
  local is_changed = play.Random(seed, p.story, i, p.version):chance(CHANGED)
  story:line(i, play.Random(seed, p.story, i, is_changed and p.version or 0), admit)
  if i % 10 == 0 then story:bury() end
end
play.report()
if play.Random(seed, p.story, p.version):chance(BROKEN) then error "deliberate" end

return check.scenario(run, function(step)
  story.step = step
  for i = 1, A_STEP do
    local at = LINES + (step - 1) * A_STEP + i
    story:line(at, play.Random(seed, p.story, at, p.version), admit)
  end
  story:bury()
  play.report()
end)
