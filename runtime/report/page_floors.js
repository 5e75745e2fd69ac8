// ---- buildings: openings where floors and flights meet, steps and belts, lifts and where their cars are

function line(c, view, x0, y0, x1, y1) {
  c.beginPath();
  c.moveTo(view.x + x0 * view.scale, view.y - y0 * view.scale);
  c.lineTo(view.x + x1 * view.scale, view.y - y1 * view.scale);
  c.stroke();
}

// From its foot to its head: a line across at t, 0 to 1, between two shares of its width.
function across([ax, ay, bx, by, cx, cy, dx, dy], t, from = 0, to = 1) {
  const x0 = ax + t * (dx - ax), y0 = ay + t * (dy - ay), x1 = bx + t * (cx - bx), y1 = by + t * (cy - by);
  const at = s => [x0 + s * (x1 - x0), y0 + s * (y1 - y0)];
  return [...at(from), ...at(to)];
}

function drawFlight(c, view, { belt, corners }) {
  const [ax, ay, bx, by, cx, cy, dx, dy] = corners;
  const length = Math.hypot(dx + cx - ax - bx, dy + cy - ay - by) / 2;
  c.strokeStyle = css(belt ? "region" : "faint");
  c.lineWidth = belt ? 1.6 : 0.8;
  if (belt) {
    const arrows = Math.max(1, Math.floor(length / 1.2)), tip = (belt > 0 ? 0.4 : -0.4) / length;
    for (let i = 0; i < arrows; i++) {
      const t = (i + 0.5) / arrows, [x, y] = across(corners, t + tip, 0.5), [lx, ly, rx, ry] = across(corners, t, 0.15, 0.85);
      line(c, view, lx, ly, x, y);
      line(c, view, rx, ry, x, y);
    }
    return;
  }
  const steps = Math.floor(length / Math.max(0.3, 4 / view.scale));
  for (let i = 1; i < steps; i++) line(c, view, ...across(corners, i / steps));
}

// Where they do not move.
function drawFloors(c, view) {
  data.flights.forEach(flight => drawFlight(c, view, flight));
  data.seams.forEach(seam => {
    c.strokeStyle = css("floor");
    c.lineWidth = Math.max(3, Math.min(0.36 * view.scale, 13));
    line(c, view, ...seam);
    c.strokeStyle = css("faint");
    c.lineWidth = 1;
    line(c, view, ...seam);
  });
  c.strokeStyle = css("faint");
  c.lineWidth = 1.2;
  data.lifts.forEach(lift => lift.stops.forEach(([ax, ay, bx, by, cx, cy, dx, dy]) => {
    line(c, view, ax, ay, cx, cy);
    line(c, view, bx, by, dx, dy);
  }));
}

// [stop, going, riders, in service] of a lift at a time; null: nobody knows.
function carAt(moves, time) {
  let low = -1, high = moves.length / 5;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (moves[5 * middle] <= time + 1e-6) low = middle; else high = middle;
  }
  return low < 0 ? null : moves.slice(5 * low + 1, 5 * low + 5);
}

function drawCars(c, view, run, time) {
  data.lifts.forEach((lift, l) => {
    const car = carAt(run.cars[l], time);
    if (!car) return;
    const [stop, going, riders, inService] = car, box = lift.stops[stop], path = new Path2D();
    trace(path, view, box);
    c.fillStyle = css("card");
    c.strokeStyle = css(inService ? "exit" : "door");
    c.lineWidth = 2;
    c.fill(path);
    c.stroke(path);
    const x = view.x + (box[0] + box[4]) / 2 * view.scale, y = view.y - (box[1] + box[5]) / 2 * view.scale;
    c.fillStyle = c.strokeStyle;
    c.font = "600 11px system-ui, sans-serif";
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.fillText(going > 0 ? "\u25b2" : going < 0 ? "\u25bc" : riders, x, y);
  });
}
