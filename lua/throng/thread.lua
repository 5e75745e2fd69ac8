-- Coroutines of scripts: one that dies in the hook that stops endless loops counts nothing any more, not even in what
-- closes it. So it dies outside of the hook, after a pcall.
local thread = {}

function thread.go_on(ok, ...)
  if not ok then error((...), 0) end
  return ...
end

function thread.create(f)
  return coroutine.create(function(...) return thread.go_on(pcall(f, ...)) end)
end

return thread
