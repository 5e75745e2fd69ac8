// ---- the format of places
//
// `places.packed` is base64 of bytes that hold whole numbers, seven bits a byte, the lowest first, the eighth bit
// set where more follow; signed ones as 0, -1, 1, -2, 2 ... Frame after frame, `every` seconds apart:
//   how many people have gone since the frame before, and which: the first as its number, the next as the distance to
//   the one before; the same for those who came; then, for everybody who is there, in order of number, x and y in
//   quanta of 1 / unit metres from x0, y0, less what is expected: for who came 0, the next time the place before, later
//   the place where they would be if they had gone on as between the last two frames.
// People are numbered from 0 by id. `people.packed` has for each: the id less the one before (signed), the group, the
// radius in mm.

function readPeople(run) {
  const { count, packed } = run.people, read = reader(unpack(packed));
  const people = { count, id: new Int32Array(count), group: new Int32Array(count), radius: new Float32Array(count) };
  for (let p = 0, id = 0; p < count; p++) {
    people.id[p] = id = (id + read.signed()) | 0;
    people.group[p] = read.whole();
    people.radius[p] = read.whole() / 1000;
  }
  return people;
}

// Each frame: who is there, ascending, and their x and y in m.
function readFrames(run) {
  const { unit, x0, y0, frames, packed } = run.places, { count } = run.people, read = reader(unpack(packed)), list = [];
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
