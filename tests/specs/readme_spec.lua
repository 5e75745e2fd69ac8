-- README's scripts: what follows the first one runs in its room, or is a scenario of its own.
local command = dofile "tests/specs/command.lua"

local scratch -- a folder for each test

before_each(function() scratch = io.popen("mktemp -d"):read "l" end)
after_each(function() os.execute("rm -rf '" .. scratch .. "'") end)

describe("README", function()
  it("has scripts that run", function()
    local blocks, room = {}, nil
    for text in command.read "README.md":gmatch "```lua\n(.-)```" do blocks[#blocks + 1] = text end
    local ran = 0
    for _, text in ipairs(blocks) do
      if text:find("local room = throng.map", 1, true) then room = text:gsub("return world\n$", "") end
      local follows = text:find "^guests" or text:find "^world:"
      if room and (text:find(room, 1, true) or follows or text:find("throng.building", 1, true)) then
        local alone = text:find(room, 1, true)
        local script = (alone and "" or room .. "do\n") .. text .. (alone and "" or "\nend\nreturn world\n")
        command.write(scratch .. "/readme.lua", script)
        local code, _, err = command.throng("run readme.lua --steps 20 --out none", scratch)
        assert.equal(0, code, text .. err)
        ran = ran + 1
      end
    end
    assert.equal(5, ran)
  end)
end)
