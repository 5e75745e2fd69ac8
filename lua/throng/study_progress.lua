-- How far `throng study` is, on stderr: one line that changes on a terminal, one every 10 s elsewhere.
local host, terminal = ...

local shown = -1

local function time_text(seconds)
  if seconds < 90 then return ("%.0f s"):format(seconds) end
  if seconds < 5400 then return ("%.0f min"):format(seconds / 60) end
  return ("%.1f h"):format(seconds / 3600)
end

-- text(time_text) is asked when the line is due, or the last.
return function(last, text)
  local now = host.clock()
  if not last and now - shown < (terminal and 0.2 or 10) then return end
  shown = now
  io.stderr:write(terminal and "\r\27[K" or "", "  ", text(time_text), (terminal and not last) and "" or "\n")
end
