-- Is a .glb what the glTF 2.0 specification asks? Numbers are those of its sections:
-- https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html. Rules of what throng writes; skins, cameras, images and
-- extensions are problems.
local json = require "dkjson"

local COMPONENTS = { -- 3.6.2.2
  [5120] = "<i1", [5121] = "<I1", [5122] = "<i2", [5123] = "<I2", [5125] = "<I4", [5126] = "<f",
}
local SIZES = { SCALAR = 1, VEC2 = 2, VEC3 = 3, VEC4 = 4 }
local ARRAYS, INDICES = 34962, 34963 -- targets of buffer views

local check = {} -- by part: function(file, ...), which calls file.wrong

local function near(a, b) return math.abs(a - b) <= 1e-6 * math.max(1, math.abs(a), math.abs(b)) end

-- The entry of a list that an index from 0 names.
local function entry(file, list, index, what)
  local found = math.type(index) == "integer" and index >= 0 and (file.gltf[list] or {})[index + 1]
  if not found then file.wrong("%s: %s is no index of %s", what, tostring(index), list) end
  return found or nil
end

-- 4.4: the container.
local function chunks(text, wrong)
  if #text < 20 or text:sub(1, 4) ~= "glTF" then wrong "no magic" return end
  local version, length, size = string.unpack("<I4I4I4", text, 5)
  if version ~= 2 or length ~= #text then wrong("version %d, %d bytes of %d", version, length, #text) end
  if size % 4 ~= 0 or text:sub(17, 20) ~= "JSON" then wrong "the first chunk is no JSON of whole words" return end
  local described = text:sub(21, 20 + size)
  if not described:find "^{.*} *$" then wrong "JSON is an object, padded by spaces" end
  local bytes, kind = string.unpack("<I4c4", text, 21 + size)
  if kind ~= "BIN\0" or bytes % 4 ~= 0 or 28 + size + bytes ~= #text then wrong "the second chunk is no whole BIN" end
  return described, text:sub(29 + size)
end

function check.buffers(file)
  local buffer = file.gltf.buffers[1]
  local spare = #file.bytes - buffer.byteLength
  if #file.gltf.buffers ~= 1 or buffer.uri then file.wrong "there is one buffer, the chunk" end
  if spare < 0 or spare > 3 then file.wrong("the buffer has %d bytes more than the chunk", -spare) end
  if file.bytes:sub(buffer.byteLength + 1):find "[^\0]" then file.wrong "the chunk is not padded by zeros" end
  for i, view in ipairs(file.gltf.bufferViews) do
    local from, size = view.byteOffset or 0, view.byteLength
    if view.buffer ~= 0 or size < 1 or from < 0 or from + size > buffer.byteLength then
      file.wrong("bufferViews[%d] is not in the buffer", i - 1)
    end
    local target = view.target
    if target and target ~= ARRAYS and target ~= INDICES then file.wrong("bufferViews[%d].target", i - 1) end
    if view.byteStride and (view.target ~= ARRAYS or view.byteStride % 4 ~= 0 or view.byteStride < 4
      or view.byteStride > 252) then file.wrong("bufferViews[%d].byteStride", i - 1) end
  end
end

-- The numbers of an accessor; 3.6.2: it lies in its view, at a multiple of its component, and says its bounds.
function check.accessor(file, i)
  local a, what = file.gltf.accessors[i], ("accessors[%d]"):format(i - 1)
  local form, width = COMPONENTS[a.componentType], SIZES[a.type]
  local view = entry(file, "bufferViews", a.bufferView, what)
  if not form or not width or not view or math.type(a.count) ~= "integer" or a.count < 1 then
    return file.wrong("%s has no form", what)
  end
  local part, from = string.packsize(form), (view.byteOffset or 0) + (a.byteOffset or 0)
  local stride = view.byteStride or part * width
  if from % part ~= 0 or (a.byteOffset or 0) % part ~= 0 then file.wrong("%s is not aligned", what) end
  if (a.byteOffset or 0) + stride * (a.count - 1) + part * width > view.byteLength then
    return file.wrong("%s is longer than its view", what)
  end
  local list = {}
  for k = 0, a.count - 1 do
    for c = 0, width - 1 do
      local value = string.unpack(form, file.bytes, 1 + from + k * stride + c * part)
      if not (value > -math.huge and value < math.huge) then file.wrong("%s has no finite number", what) end
      list[#list + 1] = value
    end
  end
  for name, pick in pairs { min = math.min, max = math.max } do
    if a[name] and #a[name] ~= width then file.wrong("%s.%s has not %d numbers", what, name, width) end
    for c = 1, a[name] and width or 0 do
      local bound = list[c]
      for k = c, #list, width do bound = pick(bound, list[k]) end
      if not near(bound, a[name][c]) then file.wrong("%s.%s is %g, not %g", what, name, a[name][c], bound) end
    end
  end
  file.values[i] = list
end

local function is(a, kind, component) return a and a.type == kind and a.componentType == component end

-- 3.7.2
function check.primitive(file, p, what)
  local position = entry(file, "accessors", p.attributes.POSITION, what .. ".POSITION")
  if not is(position, "VEC3", 5126) or not position.min or not position.max then
    return file.wrong("%s: positions are three floats with bounds", what)
  end
  for name, index in pairs(p.attributes) do
    local a = entry(file, "accessors", index, what)
    if name ~= "POSITION" and name ~= "NORMAL" then file.wrong("%s: attribute %s", what, name) end
    if a and a.count ~= position.count then file.wrong("%s: %s has another count", what, name) end
    local view = a and file.gltf.bufferViews[a.bufferView + 1]
    if view and view.target and view.target ~= ARRAYS then file.wrong("%s: %s lies with indices", what, name) end
  end
  local normals = p.attributes.NORMAL and file.values[p.attributes.NORMAL + 1] or {}
  for k = 1, #normals, 3 do
    if math.abs(normals[k] ^ 2 + normals[k + 1] ^ 2 + normals[k + 2] ^ 2 - 1) > 1e-3 then
      return file.wrong("%s: a normal is no unit vector", what)
    end
  end
  if p.mode and (math.type(p.mode) ~= "integer" or p.mode < 0 or p.mode > 6) then file.wrong("%s.mode", what) end
  if p.material then entry(file, "materials", p.material, what .. ".material") end
  local corners = position.count
  if p.indices then
    local a = entry(file, "accessors", p.indices, what .. ".indices")
    if not (is(a, "SCALAR", 5121) or is(a, "SCALAR", 5123) or is(a, "SCALAR", 5125)) then
      return file.wrong("%s: indices are unsigned scalars", what)
    end
    local view = file.gltf.bufferViews[a.bufferView + 1]
    if view.target == ARRAYS then file.wrong("%s: indices lie with attributes", what) end
    local greatest = ({ [5121] = 255, [5123] = 65535, [5125] = 4294967295 })[a.componentType]
    for _, index in ipairs(file.values[p.indices + 1]) do
      if index >= position.count or index == greatest then return file.wrong("%s: index %d", what, index) end
    end
    corners = a.count
  end
  local whole = corners >= 3 and corners % 3 == 0
  if (p.mode or 4) == 4 and not whole then file.wrong("%s: %d corners of triangles", what, corners) end
end

-- 3.9.2
function check.material(file, material, what)
  local pbr = material.pbrMetallicRoughness or {}
  local colour = pbr.baseColorFactor or {}
  for _, value in ipairs { pbr.metallicFactor or 1, pbr.roughnessFactor or 1, table.unpack(colour) } do
    if value < 0 or value > 1 then file.wrong("%s: a factor is %g", what, value) end
  end
  if pbr.baseColorFactor and #pbr.baseColorFactor ~= 4 then file.wrong("%s.baseColorFactor", what) end
end

local function is_unit(list, from)
  return math.abs(list[from] ^ 2 + list[from + 1] ^ 2 + list[from + 2] ^ 2 + list[from + 3] ^ 2 - 1) <= 1e-3
end

-- 3.5: a forest, whose roots scenes name.
function check.nodes(file)
  local parents = {}
  for i, node in ipairs(file.gltf.nodes) do
    local what = ("nodes[%d]"):format(i - 1)
    for name, size in pairs { translation = 3, scale = 3, rotation = 4 } do
      if node[name] and #node[name] ~= size then file.wrong("%s.%s", what, name) end
    end
    local moved = node.translation or node.scale or node.rotation
    if node.matrix and moved then file.wrong("%s: a matrix and more", what) end
    if node.rotation and not is_unit(node.rotation, 1) then file.wrong("%s.rotation is no unit quaternion", what) end
    if node.mesh then entry(file, "meshes", node.mesh, what .. ".mesh") end
    for _, child in ipairs(node.children or {}) do
      entry(file, "nodes", child, what .. ".children")
      if parents[child] or child == i - 1 then file.wrong("nodes[%d] has two parents", child) end
      parents[child] = i - 1
    end
  end
  for s, scene in ipairs(file.gltf.scenes) do
    local named = {}
    for _, root in ipairs(scene.nodes) do
      entry(file, "nodes", root, ("scenes[%d]"):format(s - 1))
      if named[root] or parents[root] then file.wrong("scenes[%d]: node %d is no root, or twice one", s - 1, root) end
      named[root] = true
    end
  end
  if file.gltf.scene then entry(file, "scenes", file.gltf.scene, "scene") end
end

local PATHS = { translation = "VEC3", scale = "VEC3", rotation = "VEC4" }

-- 3.11
function check.animation(file, animation, what)
  local moved = {}
  for c, channel in ipairs(animation.channels) do
    local at, target = ("%s.channels[%d]"):format(what, c - 1), channel.target
    local sampler = animation.samplers[channel.sampler + 1]
    local node = entry(file, "nodes", target.node, at)
    local key = tostring(target.node) .. tostring(target.path)
    if not sampler or not PATHS[target.path] then return file.wrong("%s: sampler or path", at) end
    if moved[key] then file.wrong("%s: node and path are another's, too", at) end
    moved[key] = true
    if node and node.matrix then file.wrong("%s: the node has a matrix", at) end
    local input, output = entry(file, "accessors", sampler.input, at), entry(file, "accessors", sampler.output, at)
    if not is(input, "SCALAR", 5126) or not input.min or not input.max or not is(output, PATHS[target.path], 5126) then
      return file.wrong("%s: times are floats with bounds, values floats of the path", at)
    end
    local kind = sampler.interpolation or "LINEAR"
    if kind ~= "LINEAR" and kind ~= "STEP" or input.count ~= output.count then file.wrong("%s: keys", at) end
    local times, values = file.values[sampler.input + 1], file.values[sampler.output + 1]
    for k, time in ipairs(times) do
      if time < 0 or k > 1 and time <= times[k - 1] then return file.wrong("%s: times do not rise from 0", at) end
      if target.path == "rotation" and not is_unit(values, 4 * k - 3) then
        return file.wrong("%s: no unit quaternion", at)
      end
    end
  end
end

-- What is wrong with the file, a text each.
return function(text)
  local problems = {}
  local function wrong(...) problems[#problems + 1] = string.format(...) end
  local described, bytes = chunks(text, wrong)
  local gltf = described and json.decode(described)
  if not gltf then return problems end
  local file = { gltf = gltf, bytes = bytes, wrong = wrong, values = {} }
  local KNOWN = { asset = true, scene = true, scenes = true, nodes = true, materials = true, meshes = true,
    animations = true, accessors = true, bufferViews = true, buffers = true }
  for name, value in pairs(gltf) do
    if not KNOWN[name] then wrong("%s is not expected", name) end
    if type(value) == "table" and next(value) == nil then wrong("%s is empty", name) end
  end
  if gltf.asset.version ~= "2.0" then wrong "asset.version" end
  check.buffers(file)
  for i in ipairs(gltf.accessors) do check.accessor(file, i) end
  if #problems > 0 then return problems end
  for i, material in ipairs(gltf.materials or {}) do check.material(file, material, ("materials[%d]"):format(i - 1)) end
  for m, mesh in ipairs(gltf.meshes or {}) do
    if #mesh.primitives == 0 then wrong("meshes[%d] has no primitives", m - 1) end
    for p, primitive in ipairs(mesh.primitives) do
      check.primitive(file, primitive, ("meshes[%d].primitives[%d]"):format(m - 1, p - 1))
    end
  end
  check.nodes(file)
  for i, animation in ipairs(gltf.animations or {}) do
    check.animation(file, animation, ("animations[%d]"):format(i - 1))
  end
  return problems
end
