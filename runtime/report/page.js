"use strict";
// The replay and the maps of a report, out of the JSON in #report-data.
//
// Its `places.packed` is base64 of bytes that hold whole numbers, seven bits a byte, the lowest first, the eighth bit
// set where more follow; signed ones as 0, -1, 1, -2, 2 ... Frame after frame, `every` seconds apart:
//   how many people have gone since the frame before, and which: the first as its number, the next as the distance to
//   the one before; the same for those who came; then, for everybody who is there, in order of number, x and y in
//   quanta of 1 / unit metres from x0, y0, less what is expected: for who came 0, the next time the place before, later
//   the place where they would be if they had gone on as between the last two frames.
// People are numbered from 0 by id. `people.packed` has for each: the id less the one before (signed), the group, the
// radius in mm.

const $ = id => document.getElementById(id);
const data = JSON.parse($("report-data").textContent);

// ---- the format

function unpack(text) {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

function reader(bytes) {
  let at = 0;
  const whole = () => {
    let value = 0, shift = 0, byte;
    do { byte = bytes[at++]; value |= (byte & 127) << shift; shift += 7; } while (byte > 127);
    return value >>> 0;
  };
  const signed = () => { const value = whole(); return (value >>> 1) ^ -(value & 1); };
  return { whole, signed };
}

function readPeople() {
  const { count, packed } = data.people, read = reader(unpack(packed));
  const people = { count, id: new Int32Array(count), group: new Int32Array(count), radius: new Float32Array(count) };
  for (let p = 0, id = 0; p < count; p++) {
    people.id[p] = id = (id + read.signed()) | 0;
    people.group[p] = read.whole();
    people.radius[p] = read.whole() / 1000;
  }
  return people;
}

// Each frame: who is there, ascending, and their x and y in m.
function readFrames(count) {
  const { unit, x0, y0, frames, packed } = data.places, read = reader(unpack(packed)), list = [];
  const seen = new Uint8Array(count), x = new Int32Array(count), y = new Int32Array(count);
  const vx = new Int32Array(count), vy = new Int32Array(count);
  const change = to => { for (let n = read.whole(), p = 0; n > 0; n--) { p += read.whole(); seen[p] = to; } };
  let there = 0;
  for (let f = 0; f < frames; f++) {
    change(0);
    change(1);
    there = 0;
    for (let p = 0; p < count; p++) there += seen[p] > 0;
    const frame = { who: new Int32Array(there), x: new Float32Array(there), y: new Float32Array(there) };
    for (let p = 0, i = 0; p < count; p++) {
      if (!seen[p]) continue;
      const ax = read.signed() + (seen[p] === 1 ? 0 : seen[p] === 2 ? x[p] : x[p] + vx[p]);
      const ay = read.signed() + (seen[p] === 1 ? 0 : seen[p] === 2 ? y[p] : y[p] + vy[p]);
      vx[p] = ax - x[p]; vy[p] = ay - y[p]; x[p] = ax; y[p] = ay;
      seen[p] = Math.min(seen[p] + 1, 3);
      frame.who[i] = p; frame.x[i] = (ax + x0) / unit; frame.y[i++] = (ay + y0) / unit;
    }
    list.push(frame);
  }
  return list;
}

const people = readPeople(), frames = readFrames(people.count), every = data.places.every;

// ---- where everybody is at a time: between frames on a smooth curve through four of them

const now = { time: 0, count: 0, who: new Int32Array(people.count), x: new Float32Array(people.count),
  y: new Float32Array(people.count), speed: new Float32Array(people.count) };
const FASTEST = 20; // m/s: who is farther away in the next frame has crossed a seam, and does not walk there
const slot = [0, 1, 2, 3].map(() => new Int32Array(people.count).fill(-1)); // where each is in four frames
const slotOf = [-1, -1, -1, -1];

function index(k, f) {
  if (slotOf[k] === f) return;
  if (slotOf[k] >= 0) for (const p of frames[slotOf[k]].who) slot[k][p] = -1;
  slotOf[k] = f >= 0 && f < frames.length ? f : -1;
  if (slotOf[k] >= 0) frames[f].who.forEach((p, i) => { slot[k][p] = i; });
}

function curve(a, b, c, d, u) { // Catmull-Rom, from b to c
  return b + 0.5 * u * (c - a + u * (2 * a - 5 * b + 4 * c - d + u * (3 * (b - c) + d - a)));
}

function moveTo(time) {
  const last = frames.length - 1, f = Math.max(0, Math.min(last, Math.floor(time / every + 1e-6)));
  const u = Math.max(0, Math.min(1, time / every - f)), frame = frames[f];
  index(0, f - 1); index(2, f + 1); index(3, f + 2);
  const before = frames[f - 1], next = frames[f + 1], after = frames[f + 2];
  now.time = time; now.count = 0;
  for (let i = 0; i < frame.who.length; i++) {
    const p = frame.who[i], k = now.count++, n = next ? slot[2][p] : -1, bx = frame.x[i], by = frame.y[i];
    now.who[k] = p; now.x[k] = bx; now.y[k] = by;
    let m = before ? slot[0][p] : -1;
    if (n < 0) { now.speed[k] = m < 0 ? 0 : Math.hypot(bx - before.x[m], by - before.y[m]) / every; continue; }
    const cx = next.x[n], cy = next.y[n], far = Math.hypot(cx - bx, cy - by) / every;
    now.speed[k] = far > FASTEST ? 0 : far;
    if (far > FASTEST || u === 0) continue;
    let l = after ? slot[3][p] : -1;
    if (m >= 0 && Math.hypot(bx - before.x[m], by - before.y[m]) > FASTEST * every) m = -1;
    if (l >= 0 && Math.hypot(after.x[l] - cx, after.y[l] - cy) > FASTEST * every) l = -1;
    now.x[k] = curve(m < 0 ? 2 * bx - cx : before.x[m], bx, cx, l < 0 ? 2 * cx - bx : after.x[l], u);
    now.y[k] = curve(m < 0 ? 2 * by - cy : before.y[m], by, cy, l < 0 ? 2 * cy - by : after.y[l], u);
  }
}

// Groups now: those of the beginning, and who became one of another since.
const numberOf = new Map([...people.id].map((id, p) => [id, p])), groups = people.group.slice();

function turnGroups(time) {
  if (!data.turns.length) return;
  groups.set(people.group);
  for (const [t, id, group] of data.turns) {
    if (t > time + 1e-6) break;
    if (numberOf.has(id)) groups[numberOf.get(id)] = group;
  }
}

// ---- colours

const GROUPS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#f0e442"];
const GROUPS_DARK = ["#4aa8e8", "#ff8a3c", "#2fc296", "#e59ac6", "#f2b632", "#8fd0f5", "#ffffff", "#f5ec6b"];
const FRUIN = [["A", 0, "#2c7fb8"], ["B", 0.308, "#41b6c4"], ["C", 0.431, "#7fcdbb"], ["D", 0.719, "#fed976"],
  ["E", 1.075, "#fd8d3c"], ["F", 2.174, "#bd0026"]];
const MAGMA = ["#fcfdbf", "#fec287", "#fb8761", "#e55964", "#b5367a", "#812581", "#4f127b"];
const VIRIDIS = ["#440154", "#443a83", "#31688e", "#21918c", "#35b779", "#90d743", "#fde725"];
const CAUSES = ["#7f7f7f", "#8c564b", "#9467bd", "#d81b60", "#e69f00", "#d55e00", "#8a7654", "#0072b2", "#009e73"];
const darkMode = matchMedia("(prefers-color-scheme: dark)"), printing = matchMedia("print");
const isDark = () => darkMode.matches && !printing.matches;
const css = name => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
const groupColour = g => (isDark() ? GROUPS_DARK : GROUPS)[g % 8];

function rgb(hex) { return [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16)); }

function ramp(stops) {
  const list = stops.map(rgb);
  return t => {
    const at = Math.max(0, Math.min(1, t)) * (list.length - 1), i = Math.min(Math.floor(at), list.length - 2), u = at - i;
    return list[i].map((c, k) => Math.round(c + (list[i + 1][k] - c) * u));
  };
}
const magma = ramp(MAGMA), magmaDark = ramp([...MAGMA].reverse()), viridis = ramp(VIRIDIS);
const SPEEDS = 8, SPEED_TOP = 1.6; // m/s

// ---- the plan

const bounds = (() => {
  let x0 = Infinity, y0 = Infinity, x1 = -Infinity, y1 = -Infinity;
  const take = (x, y) => { x0 = Math.min(x0, x); y0 = Math.min(y0, y); x1 = Math.max(x1, x); y1 = Math.max(y1, y); };
  const takeAll = list => { for (let i = 0; i < list.length; i += 2) take(list[i], list[i + 1]); };
  data.rings.forEach(takeAll);
  data.regions.forEach(r => takeAll(r.points));
  const { columns, rows, cell } = data.grid; // a margin of three cells is in it
  if (people.count && (data.open || !data.rings.length))
    takeAll([data.grid.x0 + 2 * cell, data.grid.y0 + 2 * cell, data.grid.x0 + (columns - 3) * cell,
      data.grid.y0 + (rows - 3) * cell]);
  if (!(x1 > x0)) { x0 = -5; x1 = 5; }
  if (!(y1 > y0)) { y0 = -5; y1 = 5; }
  const margin = 0.02 * Math.max(x1 - x0, y1 - y0) + 0.3;
  return { x0: x0 - margin, y0: y0 - margin, x1: x1 + margin, y1: y1 + margin };
})();

// Fits the canvas to its width and the plan; the view is pixel = (x + X scale, y - Y scale), in CSS pixels.
function fit(canvas, highest) {
  const width = canvas.clientWidth || 600, ratio = (bounds.y1 - bounds.y0) / (bounds.x1 - bounds.x0);
  const foot = 22; // px below the plan, for the scale
  const height = Math.max(140, Math.min(width * ratio + foot, highest)), dpr = window.devicePixelRatio || 1;
  canvas.style.height = height + "px";
  canvas.width = Math.round(width * dpr);
  canvas.height = Math.round(height * dpr);
  const scale = Math.min(width / (bounds.x1 - bounds.x0), (height - foot) / (bounds.y1 - bounds.y0));
  return { width, height, dpr, scale, x: (width - scale * (bounds.x0 + bounds.x1)) / 2,
    y: (height - foot + scale * (bounds.y0 + bounds.y1)) / 2 };
}

function trace(c, view, list) {
  for (let i = 0; i < list.length; i += 2)
    c[i ? "lineTo" : "moveTo"](view.x + list[i] * view.scale, view.y - list[i + 1] * view.scale);
  c.closePath();
}

// `heat`: an image of the floor, drawn over it.
function drawPlan(c, view, heat, quiet) {
  const walled = data.rings.length && !data.open;
  c.setTransform(view.dpr, 0, 0, view.dpr, 0, 0);
  c.fillStyle = walled ? css("card") : css("floor");
  c.fillRect(0, 0, view.width, view.height);
  c.lineJoin = "round";
  const floor = new Path2D();
  data.rings.forEach(ring => trace(floor, view, ring));
  if (walled) {
    const band = Math.max(1.6, Math.min(0.16 * view.scale, 6));
    c.fillStyle = css("solid");
    data.rings.forEach(ring => { const one = new Path2D(); trace(one, view, ring); c.fill(one); });
    c.strokeStyle = css("wall");
    c.lineWidth = 2 * band;
    c.stroke(floor);
    c.fillStyle = css("floor");
    c.fill(floor, "evenodd");
  }
  if (heat) {
    c.save();
    if (walled) c.clip(floor, "evenodd");
    c.imageSmoothingEnabled = false;
    c.drawImage(heat, 0, 0, view.width, view.height);
    c.restore();
  }
  if (!walled && data.rings.length) {
    c.fillStyle = css("solid");
    c.strokeStyle = css("wall");
    c.lineWidth = 2;
    data.rings.forEach(ring => { const one = new Path2D(); trace(one, view, ring); c.fill(one); c.stroke(one); });
  }
  data.regions.forEach(region => {
    const path = new Path2D();
    trace(path, view, region.points);
    c.strokeStyle = c.fillStyle = css(region.exit ? "exit" : "region");
    c.globalAlpha = heat ? 0 : region.exit ? 0.22 : 0.07;
    c.fill(path);
    c.globalAlpha = region.exit ? 0.9 : 0.4;
    c.lineWidth = 1.2;
    c.stroke(path);
    c.globalAlpha = 1;
  });
  if (!quiet) drawNames(c, view);
  drawScale(c, view);
}

// Every name once, over the middle of its largest region; none over another.
function drawNames(c, view) {
  const taken = [], done = new Set();
  c.font = "600 12px system-ui, sans-serif";
  c.textAlign = "center";
  c.textBaseline = "middle";
  c.lineWidth = 3;
  c.strokeStyle = css("floor");
  [...data.regions].sort((a, b) => b.exit - a.exit).forEach(region => {
    if (done.has(region.name)) return;
    let sx = 0, sy = 0;
    const n = region.points.length / 2, width = c.measureText(region.name).width + 6;
    for (let i = 0; i < 2 * n; i += 2) { sx += region.points[i]; sy += region.points[i + 1]; }
    const x = Math.max(width / 2, Math.min(view.width - width / 2, view.x + sx / n * view.scale));
    const y = Math.max(9, Math.min(view.height - 9, view.y - sy / n * view.scale));
    if (taken.some(t => Math.abs(t.x - x) < (t.width + width) / 2 && Math.abs(t.y - y) < 16)) return;
    taken.push({ x, y, width });
    done.add(region.name);
    c.strokeText(region.name, x, y);
    c.fillStyle = css(region.exit ? "exit" : "region");
    c.fillText(region.name, x, y);
  });
}

function drawScale(c, view) {
  const target = 90 / view.scale, decade = 10 ** Math.floor(Math.log10(target));
  const metres = [5, 2, 1].map(k => k * decade).find(m => m <= target) || decade, width = metres * view.scale;
  c.strokeStyle = c.fillStyle = css("faint");
  c.lineWidth = 1.5;
  c.beginPath();
  c.moveTo(10, view.height - 14); c.lineTo(10, view.height - 10); c.lineTo(10 + width, view.height - 10);
  c.lineTo(10 + width, view.height - 14);
  c.stroke();
  c.font = "11px system-ui, sans-serif";
  c.textAlign = "left";
  c.textBaseline = "alphabetic";
  c.lineWidth = 3;
  c.strokeStyle = css("floor");
  c.strokeText(metres + " m", 14, view.height - 15);
  c.fillText(metres + " m", 14, view.height - 15);
}

function doorOpen(door, time) {
  let open = true;
  for (let i = 0; i < door.turns.length && door.turns[i] <= time + 1e-6; i += 2) open = door.turns[i + 1] === 1;
  return open;
}

function drawDoors(c, view, time) {
  data.doors.forEach(door => {
    const [x0, y0, x1, y1] = door.line, open = doorOpen(door, time);
    c.strokeStyle = css(open ? "open" : "shut");
    c.lineWidth = open ? 1.5 : Math.max(3, 0.12 * view.scale);
    c.setLineDash(open ? [4, 4] : []);
    c.beginPath();
    c.moveTo(view.x + x0 * view.scale, view.y - y0 * view.scale);
    c.lineTo(view.x + x1 * view.scale, view.y - y1 * view.scale);
    c.stroke();
  });
  c.setLineDash([]);
}

// Where a body is: [x, y, angle], or null.
function bodyAt(moves, time) {
  let low = -1, high = moves.length / 4;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (moves[4 * middle] <= time + 1e-6) low = middle; else high = middle;
  }
  if (low < 0 || moves[4 * low + 1] === null) return null;
  const [t, x, y, a] = moves.slice(4 * low, 4 * low + 4), [t2, x2, y2, a2] = moves.slice(4 * low + 4, 4 * low + 8);
  if (t2 === undefined || x2 === null || t2 - t > 1.5 * every) return [x, y, a];
  const u = (time - t) / (t2 - t);
  return [x + (x2 - x) * u, y + (y2 - y) * u, a + (a2 - a) * u];
}

function drawBodies(c, view, time) {
  c.fillStyle = css("body");
  c.strokeStyle = css("rim");
  c.lineWidth = 1;
  data.bodies.forEach(({ shape, moves }) => {
    const at = bodyAt(moves, time);
    if (!at) return;
    const [x, y, angle] = at, cos = Math.cos(angle), sin = Math.sin(angle);
    c.beginPath();
    if (typeof shape === "number") {
      c.arc(view.x + x * view.scale, view.y - y * view.scale, shape * view.scale, 0, 7);
    } else {
      const points = [];
      for (let i = 0; i < shape.length; i += 2)
        points.push(x + shape[i] * cos - shape[i + 1] * sin, y + shape[i] * sin + shape[i + 1] * cos);
      trace(c, view, points);
    }
    c.fill();
    c.stroke();
  });
}

// ---- the replay

const canvas = $("replay"), context = canvas.getContext("2d");
let view, ground, zoom = { scale: 1, x: 0, y: 0 }, picked = -1, hovered = -1, playing = false, colourBy = "group";
const sprites = new Map();

function zoomed() {
  return { ...view, scale: view.scale * zoom.scale, x: view.x * zoom.scale + zoom.x, y: view.y * zoom.scale + zoom.y };
}

// A disc of a colour and a size in pixels, drawn once and then copied.
function sprite(colour, size) {
  const key = colour + Math.round(size * 4);
  let disc = sprites.get(key);
  if (!disc) {
    disc = document.createElement("canvas");
    disc.width = disc.height = Math.ceil(2 * size) + 2;
    const c = disc.getContext("2d"), middle = disc.width / 2;
    c.fillStyle = colour;
    c.beginPath();
    c.arc(middle, middle, size, 0, 7);
    c.fill();
    if (size > 4) {
      c.strokeStyle = css("floor");
      c.lineWidth = Math.min(1.5, size / 6);
      c.stroke();
    }
    sprites.set(key, disc);
  }
  return disc;
}

function colourNumber(k) {
  return colourBy === "group" ? groups[now.who[k]] % GROUPS.length : Math.min(SPEEDS - 1, Math.floor(now.speed[k] / SPEED_TOP * SPEEDS));
}

// One colour after the other; who takes less than five pixels is a square, which is drawn much faster.
function drawPeople(c, v, dpr) {
  const count = colourBy === "group" ? GROUPS.length : SPEEDS;
  c.setTransform(1, 0, 0, 1, 0, 0);
  for (let colour = 0; colour < count; colour++) {
    const paint = colourBy === "group" ? groupColour(colour) : `rgb(${viridis(colour / (SPEEDS - 1)).join()})`;
    c.fillStyle = paint;
    for (let k = 0; k < now.count; k++) {
      if (colourNumber(k) !== colour) continue;
      const size = Math.max(1.2, people.radius[now.who[k]] * v.scale) * dpr;
      const x = (v.x + now.x[k] * v.scale) * dpr, y = (v.y - now.y[k] * v.scale) * dpr;
      if (x < -size || y < -size || x > canvas.width + size || y > canvas.height + size) continue;
      if (size < 2.5) { c.fillRect(x - size, y - size, 2 * size, 2 * size); continue; }
      const disc = sprite(paint, size), half = disc.width / 2;
      c.drawImage(disc, x - half, y - half);
    }
  }
  c.setTransform(dpr, 0, 0, dpr, 0, 0);
}

function drawPath(c, v, p) {
  c.strokeStyle = css("pick");
  c.lineWidth = 1.8;
  c.beginPath();
  let before = null;
  for (const frame of frames) {
    const i = find(frame.who, p);
    if (i < 0) { before = null; continue; }
    const far = before && Math.hypot(frame.x[i] - before[0], frame.y[i] - before[1]) > FASTEST * every;
    c[before && !far ? "lineTo" : "moveTo"](v.x + frame.x[i] * v.scale, v.y - frame.y[i] * v.scale);
    before = [frame.x[i], frame.y[i]];
  }
  c.stroke();
}

function find(sorted, value, count = sorted.length) {
  let low = 0, high = count;
  while (low < high) { const middle = (low + high) >> 1; if (sorted[middle] < value) low = middle + 1; else high = middle; }
  return low < count && sorted[low] === value ? low : -1;
}

function draw() {
  const v = zoomed(), c = context, dpr = view.dpr;
  if (!ground) {
    ground = document.createElement("canvas");
    ground.width = canvas.width;
    ground.height = canvas.height;
    drawPlan(ground.getContext("2d"), v);
    sprites.clear();
  }
  c.setTransform(1, 0, 0, 1, 0, 0);
  c.drawImage(ground, 0, 0);
  c.setTransform(dpr, 0, 0, dpr, 0, 0);
  drawBodies(c, v, now.time);
  drawDoors(c, v, now.time);
  if (picked >= 0) drawPath(c, v, picked);
  drawPeople(c, v, dpr);
  for (const p of [hovered, picked]) {
    const k = p < 0 ? -1 : find(now.who, p, now.count);
    if (k < 0) continue;
    c.strokeStyle = css("pick");
    c.lineWidth = 2;
    c.beginPath();
    c.arc(v.x + now.x[k] * v.scale, v.y - now.y[k] * v.scale, Math.max(4, people.radius[p] * v.scale + 2), 0, 7);
    c.stroke();
  }
}

const about = k => `#${people.id[now.who[k]]}, ${data.groups[groups[now.who[k]]] || "people"}, at (${now.x[k].toFixed(2)}, ` +
  `${now.y[k].toFixed(2)}) m, ${now.speed[k].toFixed(2)} m/s`;

function say() {
  const p = hovered >= 0 ? hovered : picked, k = p < 0 ? -1 : find(now.who, p, now.count);
  const people_ = now.count === 1 ? "1 person is there." : `${now.count} people are there.`;
  $("status").textContent = k >= 0 ? `${about(k)}. ${people_}` : p >= 0 ? `#${people.id[p]} is not there now. ${people_}` : people_;
}

function showTime(time) {
  const shown = Math.max(0, Math.min(data.seconds, time));
  moveTo(shown);
  turnGroups(shown);
  $("time").value = shown;
  $("clock").textContent = shown.toFixed(1) + " s";
  $("time").setAttribute("aria-valuetext", shown.toFixed(1) + " seconds");
  document.querySelectorAll("svg[data-till]").forEach(svg => {
    const { left, right, till } = svg.dataset, x = +left + (right - left) * shown / till, line = svg.querySelector(".now");
    line.setAttribute("transform", `translate(${x - left} 0)`);
    line.style.visibility = shown > 0 ? "visible" : "hidden";
  });
  countGroups();
  draw();
  say();
}

let ticked = 0;
function tick(at) {
  if (!playing) return;
  const time = now.time + Math.min(0.1, (at - ticked) / 1000) * $("speed").value;
  ticked = at;
  showTime(time);
  if (time >= data.seconds) play(false); else requestAnimationFrame(tick);
}

function play(on) {
  if (on && now.time >= data.seconds) showTime(0);
  playing = on;
  $("play").textContent = on ? "❚❚" : "▶";
  $("play").setAttribute("aria-label", on ? "Pause" : "Play");
  if (on) { ticked = performance.now(); requestAnimationFrame(tick); } else remember();
}

// The address names the moment, to be sent.
function remember() { try { history.replaceState(null, "", "#t=" + now.time.toFixed(1)); } catch { /* not from a mail */ } }

function nearest(event) {
  const box = canvas.getBoundingClientRect(), v = zoomed();
  const x = event.clientX - box.left, y = event.clientY - box.top;
  let best = -1, least = Infinity;
  for (let k = 0; k < now.count; k++) {
    const away = Math.hypot(v.x + now.x[k] * v.scale - x, v.y - now.y[k] * v.scale - y);
    if (away < least && away < Math.max(10, people.radius[now.who[k]] * v.scale)) { least = away; best = now.who[k]; }
  }
  return best;
}

function stop(time) { play(false); showTime(time); remember(); }

$("play").addEventListener("click", () => play(!playing));
$("time").addEventListener("input", () => { playing = false; $("play").textContent = "▶"; showTime(+$("time").value); });
$("time").addEventListener("change", remember);
$("colour").addEventListener("change", () => { colourBy = $("colour").value; legend(); draw(); });
let drag = null;
canvas.addEventListener("pointerdown", event => {
  drag = { x: event.clientX, y: event.clientY, zx: zoom.x, zy: zoom.y, far: false };
  canvas.setPointerCapture(event.pointerId);
});
canvas.addEventListener("pointermove", event => {
  if (drag) {
    const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
    drag.far = drag.far || Math.hypot(dx, dy) > 4;
    if (drag.far && zoom.scale > 1) { zoom.x = drag.zx + dx; zoom.y = drag.zy + dy; ground = null; draw(); }
    return;
  }
  hovered = nearest(event);
  draw(); say();
});
canvas.addEventListener("pointerup", event => {
  const click = drag && !drag.far;
  drag = null;
  if (!click) return;
  const p = nearest(event);
  if (p < 0 && picked < 0) { play(!playing); return; }
  picked = p;
  draw(); say();
});
canvas.addEventListener("pointerleave", () => { hovered = -1; draw(); say(); });
canvas.addEventListener("wheel", event => {
  const box = canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
  const scale = Math.max(1, Math.min(40, zoom.scale * Math.exp(-event.deltaY / 400))), by = scale / zoom.scale;
  if (by === 1) return;
  event.preventDefault();
  zoom = scale === 1 ? { scale: 1, x: 0, y: 0 } : { scale, x: x - (x - zoom.x) * by, y: y - (y - zoom.y) * by };
  ground = null;
  draw();
}, { passive: false });
canvas.addEventListener("dblclick", () => { zoom = { scale: 1, x: 0, y: 0 }; ground = null; draw(); });
document.addEventListener("keydown", event => {
  if (event.target.closest("button, select, summary, a, input") && event.key === " ") return;
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select, input")) return;
  if (event.key === " ") { event.preventDefault(); play(!playing); }
  else if (event.key === "ArrowRight") { event.preventDefault(); stop(now.time + every); }
  else if (event.key === "ArrowLeft") { event.preventDefault(); stop(now.time - every); }
});
document.querySelectorAll("svg[data-till]").forEach(svg => svg.addEventListener("click", event => {
  const box = svg.getBoundingClientRect(), { left, right, till } = svg.dataset;
  const x = (event.clientX - box.left) * svg.viewBox.baseVal.width / box.width;
  stop((x - left) / (right - left) * till);
}));

// ---- legends

function entry(parent, colour, text, box) {
  const item = document.createElement("span"), mark = document.createElement("i");
  mark.style.background = colour;
  if (box) mark.className = "box";
  item.append(mark, text);
  parent.append(item);
  return item;
}

function rampLegend(parent, colours, low, high) {
  const row = document.createElement("div"), bar = document.createElement("b");
  row.className = "ramp";
  bar.style.background = `linear-gradient(90deg, ${colours.join()})`;
  row.append(low, bar, high);
  parent.append(row);
}

function legend() {
  const parent = $("legend");
  parent.replaceChildren();
  if (colourBy === "speed") { rampLegend(parent, VIRIDIS, "0", SPEED_TOP + " m/s"); return; }
  const ever = new Set(people.group);
  data.turns.forEach(([, , group]) => ever.add(group));
  data.groups.forEach((name, g) => { if (ever.has(g)) entry(parent, groupColour(g), name).dataset.group = g; });
  countGroups();
}

// How many of each group are there now.
function countGroups() {
  const counts = new Array(data.groups.length).fill(0);
  for (let k = 0; k < now.count; k++) counts[groups[now.who[k]]]++;
  document.querySelectorAll("#legend [data-group]").forEach(item => {
    item.lastChild.textContent = `${data.groups[item.dataset.group]} (${counts[item.dataset.group]})`;
  });
}

// ---- maps

function valueAt(cells, x, y) { // bilinear between the middles of cells, 0 to 255
  const { columns, rows, cell, x0, y0 } = data.grid, gx = (x - x0) / cell - 0.5, gy = (y - y0) / cell - 0.5;
  const i = Math.floor(gx), j = Math.floor(gy), u = gx - i, v = gy - j;
  if (i < 0 || j < 0 || i + 1 >= columns || j + 1 >= rows) return 0;
  const at = j * columns + i;
  return (cells[at] * (1 - u) + cells[at + 1] * u) * (1 - v) + (cells[at + columns] * (1 - u) + cells[at + columns + 1] * u) * v;
}

function nearestAt(cells, x, y) {
  const { columns, rows, cell, x0, y0 } = data.grid, i = Math.floor((x - x0) / cell), j = Math.floor((y - y0) / cell);
  return i < 0 || j < 0 || i >= columns || j >= rows ? 0 : cells[j * columns + i];
}

const GAPS = { last: "s", speed: "m/s" }; // maps in which 0 says that nobody was there
const PAINT = {
  mean(byte) {
    const t = Math.sqrt(byte / 255);
    return byte < 0.5 ? null : [...(isDark() ? magmaDark : magma)(t), Math.min(255, 90 + 330 * t)];
  },
  peak(byte) {
    const density = byte / 255 * data.grid.peak.top;
    if (density < 0.05) return null;
    let level = 0;
    while (level + 1 < FRUIN.length && density >= FRUIN[level + 1][1]) level++;
    return [...rgb(FRUIN[level][2]), 215];
  },
  speed(byte) { return byte < 0.5 ? null : [...viridis((byte - 1) / 254 * data.grid.speed.top / SPEED_TOP), 225]; },
  last(byte) { return byte < 0.5 ? null : [...viridis((byte - 1) / 254), 225]; },
};

function heat(name, v) {
  const image = document.createElement("canvas"), cells = unpack(data.grid[name].cells);
  const at = name in GAPS ? nearestAt : valueAt;
  image.width = Math.round(v.width * v.dpr);
  image.height = Math.round(v.height * v.dpr);
  const c = image.getContext("2d"), pixels = c.createImageData(image.width, image.height);
  for (let row = 0, k = 0; row < image.height; row++)
    for (let column = 0; column < image.width; column++, k += 4) {
      const x = ((column + 0.5) / v.dpr - v.x) / v.scale, y = (v.y - (row + 0.5) / v.dpr) / v.scale;
      const colour = PAINT[name](at(cells, x, y));
      if (colour) pixels.data.set(colour, k);
    }
  c.putImageData(pixels, 0, 0);
  return image;
}

function drawStuck(c, v) {
  data.stuck.forEach(([, , cause, x, y]) => {
    c.fillStyle = CAUSES[cause % CAUSES.length];
    c.strokeStyle = css("floor");
    c.lineWidth = 1;
    c.beginPath();
    c.arc(v.x + x * v.scale, v.y - y * v.scale, 4, 0, 7);
    c.fill();
    c.stroke();
  });
}

function mapLegend(parent, name) {
  parent.replaceChildren();
  const top = data.grid[name] && data.grid[name].top;
  if (name === "mean") rampLegend(parent, isDark() ? [...MAGMA].reverse() : MAGMA, "0", top.toPrecision(2) + " /m²");
  else if (name === "last") rampLegend(parent, VIRIDIS, "0 s", Math.max(0, top).toFixed(1) + " s");
  else if (name === "speed") rampLegend(parent, VIRIDIS, "0", SPEED_TOP + " m/s");
  else if (name === "peak") FRUIN.forEach(([level, from], i) => entry(parent, FRUIN[i][2], `${level} ${i + 1 < FRUIN.length
    ? (i ? from.toFixed(2) + "–" : "< ") + FRUIN[i + 1][1].toFixed(2) : "> " + from.toFixed(2)}`, true));
  else data.causes.forEach((cause, k) => { if (data.stuck.some(s => s[2] === k)) entry(parent, CAUSES[k], cause); });
}

function drawMaps() {
  document.querySelectorAll("canvas[data-map]").forEach(one => {
    const name = one.dataset.map, v = fit(one, 480), c = one.getContext("2d");
    one.view = v;
    drawPlan(c, v, name === "stuck" ? null : heat(name, v), true);
    if (name === "stuck") drawStuck(c, v);
  });
  document.querySelectorAll("[data-legend]").forEach(one => mapLegend(one, one.dataset.legend));
}

// What is under the pointer, in a title.
document.querySelectorAll("canvas[data-map]").forEach(one => one.addEventListener("pointermove", event => {
  const name = one.dataset.map, grid = data.grid[name], box = one.getBoundingClientRect();
  if (!grid) return;
  const x = (event.clientX - box.left - one.view.x) / one.view.scale;
  const y = (one.view.y - event.clientY + box.top) / one.view.scale;
  grid.bytes = grid.bytes || unpack(grid.cells);
  const byte = (name in GAPS ? nearestAt : valueAt)(grid.bytes, x, y);
  one.title = `(${x.toFixed(1)}, ${y.toFixed(1)}) m: ` + (!(name in GAPS) ? (byte / 255 * grid.top).toFixed(2) + " persons/m²"
    : byte < 0.5 ? "nobody was there" : ((byte - 1) / 254 * grid.top).toFixed(2) + " " + GAPS[name]);
}));

// ---- all of it

function layOut() {
  view = fit(canvas, Math.max(320, Math.min(620, 0.75 * window.innerHeight)));
  ground = null;
  legend();
  drawMaps();
  draw();
}

function goToHash() {
  const found = /[#&]t=([0-9.]+)/.exec(location.hash);
  if (!found) return;
  play(false);
  showTime(+found[1]);
}

$("time").max = data.seconds;
view = fit(canvas, 600);
moveTo(0);
layOut();
showTime(0);
goToHash();
addEventListener("hashchange", () => { goToHash(); canvas.scrollIntoView({ block: "nearest" }); });
let waiting = 0;
addEventListener("resize", () => { clearTimeout(waiting); waiting = setTimeout(layOut, 100); });
darkMode.addEventListener("change", layOut);
printing.addEventListener("change", layOut);
