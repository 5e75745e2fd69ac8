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

---As many passed a second, over the time between the first and the last; without bounds: somebody passed.
---@param measure throng.measure|throng.running_door Of a flow; a door whose flow its world measures.
---@param options? { at_least?: number, at_most?: number } persons/s
function assert.flow(measure, options) end

---A density stayed below a bound.
---@param measure throng.measure Of a density.
---@param options { below?: number, mean_below?: number } persons/m^2: in every step; on average.
function assert.density(measure, options) end

---Nobody of the group was outside of a region in any step.
---@param measure throng.measure|throng.group Of who is inside; a group whose world measures that.
---@param region? string With a group: the region's name.
function assert.stays_in(measure, region) end

---People walked in lanes: the mean lane index.
---@param measure throng.measure Of lanes.
---@param options { at_least?: number, at_most?: number } 0: chance, 1: every strip has one direction.
function assert.lanes(measure, options) end

---Worlds are in the same state.
---@param a throng.world|string World or hash.
---@param b throng.world|string
---@param ... throng.world|string
function assert.same_hash(a, b, ...) end

---What `across` takes.
---@class throng.across
---@field seeds integer So many; `throng test --seeds LIST` gives others.
---@field first? integer The first of them, default 1.
---@field percentile? number So many per cent of the seeds must hold, default 100.
---@field at_most? number Bounds of what the function returns.
---@field at_least? number

---A test of a scenario's statistics: the function runs for every seed. A seed holds when no assertion in it fails and
---what it returns is within the bounds.
---@param settings throng.across
---@param body fun(seed: integer): number?
---@return (number?)[] values What it returned, by seed.
function across(settings, body) end
