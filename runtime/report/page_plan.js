// ---- colours

const GROUPS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#f0e442"];
const GROUPS_DARK = ["#4aa8e8", "#ff8a3c", "#2fc296", "#e59ac6", "#f2b632", "#8fd0f5", "#ffffff", "#f5ec6b"];
const FRUIN = [["A", 0, "#2c7fb8"], ["B", 0.308, "#41b6c4"], ["C", 0.431, "#7fcdbb"], ["D", 0.719, "#fed976"],
  ["E", 1.075, "#fd8d3c"], ["F", 2.174, "#bd0026"]];
const MAGMA = ["#fcfdbf", "#fec287", "#fb8761", "#e55964", "#b5367a", "#812581", "#4f127b"];
const VIRIDIS = ["#440154", "#443a83", "#31688e", "#21918c", "#35b779", "#90d743", "#fde725"];
const LESS = "#2166ac", MORE = "#b2182b"; // of two runs, what the second has
const CAUSES = ["#7f7f7f", "#8c564b", "#9467bd", "#d81b60", "#e69f00", "#d55e00", "#8a7654", "#0072b2", "#009e73"];
const darkMode = matchMedia("(prefers-color-scheme: dark)"), printing = matchMedia("print");
const isDark = () => darkMode.matches && !printing.matches;
const css = name => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
// Those of the script, else of a palette.
const groupColour = (run, g) => run.colours[g] || (isDark() ? GROUPS_DARK : GROUPS)[g % 8];

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
  if (data.people.count && (data.open || !data.rings.length))
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

function floorPath(view) {
  const floor = new Path2D();
  data.rings.forEach(ring => trace(floor, view, ring));
  return floor;
}

// `heat`: an image of the floor, drawn over it.
function drawPlan(c, view, heat, quiet) {
  const walled = data.rings.length && !data.open;
  c.setTransform(view.dpr, 0, 0, view.dpr, 0, 0);
  c.fillStyle = walled ? css("card") : css("floor");
  c.fillRect(0, 0, view.width, view.height);
  c.lineJoin = "round";
  const floor = floorPath(view);
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
    if (region.part) return;
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
  drawFloors(c, view);
  if (!quiet) drawNames(c, view);
  drawScale(c, view);
}

// Every name once, over the middle of its largest region, those of floors and flights above them; none over another.
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
    // Of a floor's region, the floor's name is above it.
    const text = data.flights.length && !region.part ? region.name.replace(/^.*\//, "") : region.name;
    const n = region.points.length / 2, width = c.measureText(text).width + 6;
    const top = Math.max(...region.points.filter((_, i) => i % 2));
    for (let i = 0; i < 2 * n; i += 2) { sx += region.points[i]; sy += region.points[i + 1]; }
    const x = Math.max(width / 2, Math.min(view.width - width / 2, view.x + sx / n * view.scale));
    const y = Math.max(9, Math.min(view.height - 9, region.part ? view.y - top * view.scale - 12 : view.y - sy / n * view.scale));
    if (taken.some(t => Math.abs(t.x - x) < (t.width + width) / 2 && Math.abs(t.y - y) < 16)) return;
    taken.push({ x, y, width });
    done.add(region.name);
    c.strokeText(text, x, y);
    c.fillStyle = css(region.exit ? "exit" : "region");
    c.fillText(text, x, y);
  });
  drawDoorNames(c, view, taken);
}

// Smaller, beside each door where there is room for them. Both runs of a page have the same doors.
function drawDoorNames(c, view, taken) {
  c.font = "600 11px system-ui, sans-serif";
  c.fillStyle = css("door");
  (data.doors || data.runs[0].doors).forEach(door => {
    if (door.lift) return;
    const text = data.flights.length ? door.name.replace(/^.*\//, "") : door.name, width = c.measureText(text).width + 6;
    const [x0, y0, x1, y1] = door.line.map((v, i) => i % 2 ? view.y - v * view.scale : view.x + v * view.scale);
    const x = (x0 + x1) / 2, y = (y0 + y1) / 2, aside = Math.abs(x1 - x0) / 2 + width / 2 + 4;
    const place = [[x, Math.max(y0, y1) + 11], [x, Math.min(y0, y1) - 11], [x + aside, y], [x - aside, y]].find(([px, py]) =>
      px > width / 2 && px < view.width - width / 2 && py > 9 && py < view.height - 9
      && !taken.some(t => Math.abs(t.x - px) < (t.width + width) / 2 && Math.abs(t.y - py) < 15));
    if (!place) return;
    taken.push({ x: place[0], y: place[1], width });
    c.strokeText(text, ...place);
    c.fillText(text, ...place);
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

function drawDoors(c, view, run, time) {
  run.doors.forEach(door => {
    const [x0, y0, x1, y1] = door.line, open = doorOpen(door, time);
    c.strokeStyle = css("door");
    c.lineWidth = open ? 1.5 : Math.max(3, 0.12 * view.scale);
    c.setLineDash(open ? [4, 4] : []);
    c.beginPath();
    c.moveTo(view.x + x0 * view.scale, view.y - y0 * view.scale);
    c.lineTo(view.x + x1 * view.scale, view.y - y1 * view.scale);
    c.stroke();
  });
  c.setLineDash([]);
}

// Where a body is: [x, y, angle], or null. `every`: s between frames.
function bodyAt(moves, time, every) {
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

function drawBodies(c, view, run, time) {
  c.fillStyle = css("body");
  c.strokeStyle = css("rim");
  c.lineWidth = 1;
  run.bodies.forEach(({ shape, moves }) => {
    const at = bodyAt(moves, time, run.places.every);
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
