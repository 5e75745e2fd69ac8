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
  return colourBy === "group" ? groups[now.who[k]] : Math.min(SPEEDS - 1, Math.floor(now.speed[k] / SPEED_TOP * SPEEDS));
}

// One colour after the other; who takes less than five pixels is a square, which is drawn much faster.
function drawPeople(c, v, dpr) {
  const count = colourBy === "group" ? data.groups.length : SPEEDS;
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
  drawCars(c, v, now.time);
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
