---@meta

-- Assertions that `throng test` adds to luassert's.

---@class luassert
local assert = {}

---Everybody who was spawned in the group has arrived.
---@param group throng.group
---@param options? { within?: number } Seconds: the last one by then.
function assert.arrives(group, options) end

---No pair of agents ever came closer than 0.99 of the sum of their radii.
---@param world throng.world
function assert.no_overlap(world) end

---Two worlds are in the same state.
---@param a throng.world|string World or hash.
---@param b throng.world|string
function assert.same_hash(a, b) end
