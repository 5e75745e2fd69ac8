-- The same bits every time and on every machine: scenarios end as they did wherever tests/hashes.txt was written.
local command = dofile "tests/specs/command.lua"

-- By scenario.
local function hashes_of(text)
  local hashes = {}
  for hash, scenario in text:gmatch "(%S+) (%S+)\n" do hashes[scenario] = hash end
  return hashes
end

describe("scenarios", function()
  it("have the hashes that tests/hashes.txt says", function()
    local known = hashes_of(command.read "tests/hashes.txt")
    local now = hashes_of(command.done("sh tests/hashes.sh " .. command.THRONG))
    local changed = {}
    for scenario, hash in pairs(now) do
      if hash ~= known[scenario] then
        changed[#changed + 1] = ("%s: %s, was %s"):format(scenario, hash, known[scenario] or "not listed")
      end
    end
    for scenario in pairs(known) do
      if not now[scenario] then changed[#changed + 1] = scenario .. ": is not there" end
    end
    table.sort(changed)
    if #changed > 0 then
      error("other bits than before; if they are meant, say why in the commit, and run `make hashes`:\n  "
        .. table.concat(changed, "\n  "), 0)
    end
  end)
end)
