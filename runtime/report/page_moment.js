// ---- where everybody of a run is at a time: between frames on a smooth curve through four of them

const FASTEST = 20; // m/s: who is farther away in the next frame has crossed a seam, and does not walk there

function curve(a, b, c, d, u) { // Catmull-Rom, from b to c
  return b + 0.5 * u * (c - a + u * (2 * a - 5 * b + 4 * c - d + u * (3 * (b - c) + d - a)));
}

function momentOf(run) {
  const people = readPeople(run), frames = readFrames(run), { every } = run.places;
  const now = { time: 0, count: 0, who: new Int32Array(people.count), x: new Float32Array(people.count),
    y: new Float32Array(people.count), speed: new Float32Array(people.count) };
  const slot = [0, 1, 2, 3].map(() => new Int32Array(people.count).fill(-1)); // where each is in four frames
  const slotOf = [-1, -1, -1, -1];
  // Groups now: those of the beginning, and who became one of another since.
  const numberOf = new Map([...people.id].map((id, p) => [id, p])), groups = people.group.slice();

  function index(k, f) {
    if (slotOf[k] === f) return;
    if (slotOf[k] >= 0) for (const p of frames[slotOf[k]].who) slot[k][p] = -1;
    slotOf[k] = f >= 0 && f < frames.length ? f : -1;
    if (slotOf[k] >= 0) frames[f].who.forEach((p, i) => { slot[k][p] = i; });
  }

  function turnGroups(time) {
    if (!run.turns.length) return;
    groups.set(people.group);
    for (const [t, id, group] of run.turns) {
      if (t > time + 1e-6) break;
      if (numberOf.has(id)) groups[numberOf.get(id)] = group;
    }
  }

  // What each entered, and when, as [s, state, s, state ...]; made when somebody asks first.
  let entered = null;
  function stateOf(p, time) {
    if (!entered) {
      entered = new Map();
      for (const [t, id, state] of run.entered) {
        if (!entered.has(id)) entered.set(id, []);
        entered.get(id).push(t, state);
      }
    }
    const of = entered.get(people.id[p]) || [];
    let state = -1;
    for (let i = 0; i < of.length && of[i] <= time + 1e-6; i += 2) state = of[i + 1];
    return state < 0 ? "" : run.states[state];
  }

  function moveTo(time) {
    const last = frames.length - 1, f = Math.max(0, Math.min(last, Math.floor(time / every + 1e-6)));
    const u = Math.max(0, Math.min(1, time / every - f)), frame = frames[f];
    index(0, f - 1); index(2, f + 1); index(3, f + 2);
    const before = frames[f - 1], next = frames[f + 1], after = frames[f + 2];
    turnGroups(time);
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

  return { people, frames, every, now, groups, stateOf, moveTo };
}
