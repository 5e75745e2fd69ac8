// ---- time, speed, colours and zoom of all replays of the page, which go together

const runs = data.runs || [data], seconds = Math.max(...runs.map(run => run.seconds));
const replays = runs.map((run, k) => {
  const of = what => document.querySelector(`${what}[data-run="${k}"]`);
  return replayOf(run, of("canvas"), of(".legend"), of(".status"));
});
let shown = 0, playing = false, ticked = 0;

function showTime(time) {
  shown = Math.max(0, Math.min(seconds, time));
  replays.forEach(replay => replay.show(shown));
  $("time").value = shown;
  $("clock").textContent = shown.toFixed(1) + " s";
  $("time").setAttribute("aria-valuetext", shown.toFixed(1) + " seconds");
  document.querySelectorAll("svg[data-till]").forEach(svg => {
    const { left, right, till } = svg.dataset, x = +left + (right - left) * shown / till, line = svg.querySelector(".now");
    line.setAttribute("transform", `translate(${x - left} 0)`);
    line.style.visibility = shown > 0 && shown <= +till + 1e-6 ? "visible" : "hidden";
  });
}

function tick(at) {
  if (!playing) return;
  const time = shown + Math.min(0.1, (at - ticked) / 1000) * $("speed").value;
  ticked = at;
  showTime(time);
  if (time >= seconds) play(false); else requestAnimationFrame(tick);
}

function setPlaying(on) {
  playing = on;
  $("play").textContent = on ? "❚❚" : "▶";
  $("play").setAttribute("aria-label", on ? "Pause" : "Play");
}

function play(on) {
  if (on && shown >= seconds) showTime(0);
  setPlaying(on);
  if (on) { ticked = performance.now(); requestAnimationFrame(tick); } else remember();
}

// The address names the moment, to be sent.
function remember() { try { history.replaceState(null, "", "#t=" + shown.toFixed(1)); } catch { /* not from a mail */ } }

function stop(time) { play(false); showTime(time); remember(); }

const redraw = () => replays.forEach(replay => replay.redraw());

$("play").addEventListener("click", () => play(!playing));
$("time").addEventListener("input", () => { setPlaying(false); showTime(+$("time").value); });
$("time").addEventListener("change", remember);
$("colour").addEventListener("change", () => { colourBy = $("colour").value; replays.forEach(replay => replay.recolour()); });

replays.forEach(replay => {
  const { canvas } = replay;
  let drag = null;
  canvas.addEventListener("pointerdown", event => {
    drag = { x: event.clientX, y: event.clientY, zx: zoom.x, zy: zoom.y, far: false };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", event => {
    if (!drag) { replay.hover(event); return; }
    const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
    drag.far = drag.far || Math.hypot(dx, dy) > 4;
    if (drag.far && zoom.scale > 1) { zoom.x = drag.zx + dx; zoom.y = drag.zy + dy; redraw(); }
  });
  canvas.addEventListener("pointerup", event => {
    const click = drag && !drag.far;
    drag = null;
    if (click && !replay.pick(event)) play(!playing);
  });
  canvas.addEventListener("pointerleave", () => replay.hover());
  canvas.addEventListener("wheel", event => {
    const box = canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    const scale = Math.max(1, Math.min(40, zoom.scale * Math.exp(-event.deltaY / 400))), by = scale / zoom.scale;
    if (by === 1) return;
    event.preventDefault();
    Object.assign(zoom, scale === 1 ? { scale: 1, x: 0, y: 0 } : { scale, x: x - (x - zoom.x) * by, y: y - (y - zoom.y) * by });
    redraw();
  }, { passive: false });
  canvas.addEventListener("keydown", event => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    replay.pickNext(by);
  });
  canvas.addEventListener("dblclick", () => { Object.assign(zoom, { scale: 1, x: 0, y: 0 }); redraw(); });
});

document.addEventListener("keydown", event => {
  const { every } = replays[0];
  if (event.target.closest("button, select, summary, a, input") && event.key === " ") return;
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select, input")) return;
  if (event.key === " ") { event.preventDefault(); play(!playing); }
  else if (event.key === "ArrowRight") { event.preventDefault(); stop(shown + every); }
  else if (event.key === "ArrowLeft") { event.preventDefault(); stop(shown - every); }
});
document.querySelectorAll("svg[data-till]").forEach(svg => svg.addEventListener("click", event => {
  const box = svg.getBoundingClientRect(), { left, right, till } = svg.dataset;
  const x = (event.clientX - box.left) * svg.viewBox.baseVal.width / box.width;
  stop((x - left) / (right - left) * till);
}));
