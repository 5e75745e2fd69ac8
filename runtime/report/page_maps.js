// ---- maps

// Walls by the cells that they reach into, as heat_walls.c has them: [ax, ay, bx, by, ...] each.
const wallsIn = new Map();
data.rings.forEach(ring => {
  const { columns, rows, cell, x0, y0 } = data.grid, clamp = (v, n) => Math.max(0, Math.min(n - 1, Math.floor(v)));
  for (let i = 0, k = ring.length - 2; i < ring.length; k = i, i += 2) {
    const [ax, ay, bx, by] = [ring[k], ring[k + 1], ring[i], ring[i + 1]];
    const c1 = clamp((Math.max(ax, bx) - x0) / cell, columns), r1 = clamp((Math.max(ay, by) - y0) / cell, rows);
    for (let r = clamp((Math.min(ay, by) - y0) / cell, rows); r <= r1; r++)
      for (let c = clamp((Math.min(ax, bx) - x0) / cell, columns); c <= c1; c++) {
        const mx = x0 + (c + 0.5) * cell, my = y0 + (r + 0.5) * cell, half = cell * 0.5001;
        const side = (x, y) => (bx - ax) * (y - ay) - (by - ay) * (x - ax);
        const corners = [side(mx - half, my - half), side(mx + half, my - half), side(mx + half, my + half), side(mx - half, my + half)];
        if (Math.min(...corners) > 0 || Math.max(...corners) < 0) continue;
        const at = r * columns + c;
        if (!wallsIn.has(at)) wallsIn.set(at, []);
        wallsIn.get(at).push(ax, ay, bx, by);
      }
  }
});

const turn = (ax, ay, bx, by, x, y) => (bx - ax) * (y - ay) - (by - ay) * (x - ax);

// Is no wall between a place and the middle of cell (i, j), which is near it?
function sees(x, y, i, j) {
  const { columns, cell, x0, y0 } = data.grid, qx = x0 + (i + 0.5) * cell, qy = y0 + (j + 0.5) * cell;
  const pi = Math.floor((x - x0) / cell), pj = Math.floor((y - y0) / cell);
  for (let r = Math.min(j, pj); r <= Math.max(j, pj); r++)
    for (let c = Math.min(i, pi); c <= Math.max(i, pi); c++) {
      const walls = wallsIn.get(r * columns + c) || [];
      for (let k = 0; k < walls.length; k += 4) {
        const [ax, ay, bx, by] = walls.slice(k, k + 4);
        if (turn(ax, ay, bx, by, x, y) > 0 !== turn(ax, ay, bx, by, qx, qy) > 0
          && turn(x, y, qx, qy, ax, ay) > 0 !== turn(x, y, qx, qy, bx, by) > 0) return false;
      }
    }
  return true;
}

// The cell that a place counts for: the nearest whose middle it sees; -1: beyond the grid.
function cellAt(x, y) {
  const { columns, rows, cell, x0, y0 } = data.grid, i = Math.floor((x - x0) / cell), j = Math.floor((y - y0) / cell);
  if (i < 0 || j < 0 || i >= columns || j >= rows) return -1;
  let found = j * columns + i, least = Infinity;
  if (!wallsIn.has(found)) return found;
  for (let r = Math.max(0, j - 1); r <= Math.min(rows - 1, j + 1); r++)
    for (let c = Math.max(0, i - 1); c <= Math.min(columns - 1, i + 1); c++) {
      const away = Math.hypot(x0 + (c + 0.5) * cell - x, y0 + (r + 0.5) * cell - y);
      if (away < least && sees(x, y, c, r)) { least = away; found = r * columns + c; }
    }
  return found;
}

function valueAt(cells, x, y) { // bilinear between the middles of cells that the place sees, 0 to 255
  const { columns, rows, cell, x0, y0 } = data.grid, gx = (x - x0) / cell - 0.5, gy = (y - y0) / cell - 0.5;
  const i = Math.floor(gx), j = Math.floor(gy), u = gx - i, v = gy - j;
  if (i < 0 || j < 0 || i + 1 >= columns || j + 1 >= rows) return 0;
  const at = j * columns + i, near = [at, at + 1, at + columns, at + columns + 1];
  const weights = [(1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v];
  if (near.some(cell => wallsIn.has(cell))) near.forEach((_, k) => { if (!sees(x, y, i + k % 2, j + (k >> 1))) weights[k] = 0; });
  const all = weights[0] + weights[1] + weights[2] + weights[3];
  if (all < 1e-3) return cells[cellAt(x, y)];
  return near.reduce((sum, cell, k) => sum + cells[cell] * weights[k], 0) / all;
}

const GAPS = { last: "s", speed: "m/s" }; // maps in which 0 says that nobody was there

// By place, in the unit of the map; NaN: nobody was there; Infinity: somebody was to the end. Of two runs NAME is the first, NAME_other the second, and
// NAME_difference is by how much that has more.
function valuesOf(name) {
  const [kind, which] = name.split("_");
  if (which === "difference") {
    const first = valuesOf(kind), other = valuesOf(kind + "_other");
    return (x, y) => other(x, y) - first(x, y);
  }
  const grid = data.grid[name], bytes = grid.bytes = grid.bytes || unpack(grid.cells);
  if (!(kind in GAPS)) return (x, y) => valueAt(bytes, x, y) / 255 * grid.top;
  return (x, y) => {
    const cell = cellAt(x, y), byte = cell < 0 ? 0 : bytes[cell];
    return byte < 0.5 ? NaN : kind === "last" && stillIn.has(cell) ? Infinity : (byte - 1) / 254 * grid.top;
  };
}

// Times to empty are painted in classes, late ones light.
const STILL = "#d81b60", stillIn = new Set(data.grid.emptied ? data.grid.emptied.still : []);
const emptiedClasses = () => Math.floor(data.grid.last.top / data.grid.emptied.step) + 1;
const hex = parts => "#" + parts.map(part => part.toString(16).padStart(2, "0")).join("");
function emptiedColour(value) {
  return hex(viridis(Math.floor(value / data.grid.emptied.step) / Math.max(1, emptiedClasses() - 1)));
}

// Colours of a value of a map that goes to `top`; null: none.
const PAINT = {
  mean(value, top) {
    const t = Math.sqrt(value / top);
    return value * 255 < 0.5 * top ? null : [...(isDark() ? magmaDark : magma)(t), Math.min(255, 90 + 330 * t)];
  },
  peak(density) {
    if (density < 0.05) return null;
    let level = 0;
    while (level + 1 < FRUIN.length && density >= FRUIN[level + 1][1]) level++;
    return [...rgb(FRUIN[level][2]), 215];
  },
  speed(value) { return isNaN(value) ? null : [...viridis(value / SPEED_TOP), 225]; },
  last(value) { return isNaN(value) ? null : [...rgb(value === Infinity ? STILL : emptiedColour(value)), 225]; },
  difference(value, top) {
    const t = Math.min(1, Math.abs(value) / top);
    return t < 0.02 ? null : [...rgb(value < 0 ? LESS : MORE), Math.min(255, 20 + 260 * Math.sqrt(t))];
  },
};
const paintOf = name => PAINT[name.endsWith("_difference") ? "difference" : name.split("_")[0]];

function heat(name, v) {
  const image = document.createElement("canvas"), at = valuesOf(name), paint = paintOf(name), { top } = data.grid[name];
  image.width = Math.round(v.width * v.dpr);
  image.height = Math.round(v.height * v.dpr);
  const c = image.getContext("2d"), pixels = c.createImageData(image.width, image.height);
  for (let row = 0, k = 0; row < image.height; row++)
    for (let column = 0; column < image.width; column++, k += 4) {
      const x = ((column + 0.5) / v.dpr - v.x) / v.scale, y = (v.y - (row + 0.5) / v.dpr) / v.scale;
      const colour = top > 0 ? paint(at(x, y), top) : null;
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

function emptiedLegend(parent) {
  const { step } = data.grid.emptied, at = k => +(k * step).toFixed(6);
  for (let k = 0; k < emptiedClasses() && data.people.count; k++)
    entry(parent, emptiedColour((k + 0.5) * step), `${at(k)}–${at(k + 1)} s`, true);
  if (stillIn.size) entry(parent, STILL, "not empty at the end", true);
}

function mapLegend(parent, name) {
  parent.replaceChildren();
  const top = data.grid[name] && data.grid[name].top, [kind, which] = name.split("_");
  if (which === "difference") rampLegend(parent, [LESS, css("floor"), MORE], "−" + top.toPrecision(2),
    "+" + top.toPrecision(2) + " /m²");
  else if (kind === "mean") rampLegend(parent, isDark() ? [...MAGMA].reverse() : MAGMA, "0", top.toPrecision(2) + " /m²");
  else if (kind === "last") emptiedLegend(parent);
  else if (kind === "speed") rampLegend(parent, VIRIDIS, "0", SPEED_TOP + " m/s");
  else if (kind === "peak") FRUIN.forEach(([level, from], i) => entry(parent, FRUIN[i][2], `${level} ${i + 1 < FRUIN.length
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
  const name = one.dataset.map, kind = name.split("_")[0], box = one.getBoundingClientRect();
  if (!data.grid[name]) return;
  const x = (event.clientX - box.left - one.view.x) / one.view.scale;
  const y = (one.view.y - event.clientY + box.top) / one.view.scale, value = valuesOf(name)(x, y);
  one.title = `(${x.toFixed(1)}, ${y.toFixed(1)}) m: ` + (isNaN(value) ? "nobody was there"
    : value === Infinity ? "not empty at the end" : value.toFixed(2) + " " + (GAPS[kind] || "persons/m²"));
}));
