-- What `throng test --report` tells of a test beside its outcome: the world that it stepped last, with a picture, and
-- what a case of a suite found.
local host, options, failure = ...

local details = {}
local case

-- A case of a suite says what it found.
function details.found(record) case = record end

local function encoded(path)
  local file = io.open(path, "rb")
  local bytes = file and file:read "a"
  if file then file:close() end
  return bytes and bytes ~= "" and host.base64(bytes) or nil
end

-- Adds to a test's record, while its worlds are still there: world = {seed, time, hash}, picture, case.
function details.add(record)
  local found = case
  case = nil
  if not options.report then return record end
  local path = os.tmpname()
  record.case, record.world = found, host.look_at_world(path, record.name)
  record.picture = encoded(failure.picture() or path)
  os.remove(path)
  return record
end

return details
