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
