// ---- the replay of a run on a canvas, with its legend and a line that tells of who is there

const zoom = { scale: 1, x: 0, y: 0 }; // of all that are shown
let colourBy = "group";

function find(sorted, value, count = sorted.length) {
  let low = 0, high = count;
  while (low < high) { const middle = (low + high) >> 1; if (sorted[middle] < value) low = middle + 1; else high = middle; }
  return low < count && sorted[low] === value ? low : -1;
}

function replayOf(run, canvas, legendOf, status) {
  const moment = momentOf(run), { people, frames, every, now, groups, stateOf } = moment;
  const context = canvas.getContext("2d"), sprites = new Map(), smoke = smokeOf(run);
  let view, ground, picked = -1, hovered = -1;

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
    const count = colourBy === "group" ? run.groups.length : SPEEDS;
    c.setTransform(1, 0, 0, 1, 0, 0);
    for (let colour = 0; colour < count; colour++) {
      const paint = colourBy === "group" ? groupColour(run, colour) : `rgb(${viridis(colour / (SPEEDS - 1)).join()})`;
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

  function draw() {
    const v = zoomed(), c = context, dpr = view.dpr;
    if (!ground) {
      ground = document.createElement("canvas");
      ground.width = canvas.width;
      ground.height = canvas.height;
      drawPlan(ground.getContext("2d"), v);
      sprites.clear();
      smoke.forget();
    }
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.drawImage(ground, 0, 0);
    c.setTransform(dpr, 0, 0, dpr, 0, 0);
    smoke.draw(c, v, now.time);
    drawBodies(c, v, run, now.time);
    drawDoors(c, v, run, now.time);
    drawCars(c, v, run, now.time);
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

  function about(k) {
    const p = now.who[k], state = stateOf(p, now.time);
    return `#${people.id[p]}, ${run.groups[groups[p]] || "people"}, ${state ? `in the state ${state}, ` : ""}` +
      `at (${now.x[k].toFixed(2)}, ${now.y[k].toFixed(2)}) m, ${now.speed[k].toFixed(2)} m/s`;
  }

  function say() {
    const p = hovered >= 0 ? hovered : picked, k = p < 0 ? -1 : find(now.who, p, now.count);
    const there = (now.count === 1 ? "1 person is there." : `${now.count} people are there.`)
      + (now.time > run.seconds + 1e-6 ? ` The run ended at ${run.seconds.toFixed(1)} s.` : "");
    status.textContent = k >= 0 ? `${about(k)}. ${there}` : p >= 0 ? `#${people.id[p]} is not there now. ${there}` : there;
  }

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

  // How many of each group are there now.
  function countGroups() {
    const counts = new Array(run.groups.length).fill(0);
    for (let k = 0; k < now.count; k++) counts[groups[now.who[k]]]++;
    legendOf.querySelectorAll("[data-group]").forEach(item => {
      item.lastChild.textContent = `${run.groups[item.dataset.group]} (${counts[item.dataset.group]})`;
    });
  }

  function legend() {
    legendOf.replaceChildren();
    if (colourBy === "speed") { rampLegend(legendOf, VIRIDIS, "0", SPEED_TOP + " m/s"); return; }
    const ever = new Set(people.group);
    run.turns.forEach(([, , group]) => ever.add(group));
    run.groups.forEach((name, g) => { if (ever.has(g)) entry(legendOf, groupColour(run, g), name).dataset.group = g; });
    if (smoke.any) entry(legendOf, css("smoke"), "smoke", true);
    countGroups();
  }

  return {
    canvas, zoomed, every, smoke,
    hover(event) { hovered = event ? nearest(event) : -1; draw(); say(); },
    // Picks who is there; false: nobody is, nor was picked.
    pick(event) {
      const p = nearest(event);
      if (p < 0 && picked < 0) return false;
      picked = p;
      draw(); say();
      return true;
    },
    // The next or the one before of who is there, after whom was picked.
    pickNext(by) {
      if (!now.count) return;
      const k = find(now.who, picked, now.count);
      picked = now.who[k < 0 ? (by > 0 ? 0 : now.count - 1) : (k + by + now.count) % now.count];
      draw(); say();
    },
    show(time) { moment.moveTo(time); countGroups(); draw(); say(); },
    redraw() { ground = null; draw(); },
    recolour() { legend(); draw(); },
    layOut() { view = fit(canvas, Math.max(320, Math.min(620, 0.75 * window.innerHeight))); ground = null; legend(); },
  };
}
