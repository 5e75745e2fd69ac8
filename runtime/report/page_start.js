// ---- all of it

function layOut() {
  replays.forEach(replay => replay.layOut());
  drawMaps();
  showTime(shown);
}

function goToHash() {
  const found = /[#&]t=([0-9.]+)/.exec(location.hash);
  if (found) stop(+found[1]);
}

$("time").max = seconds;
layOut();
goToHash();
addEventListener("hashchange", () => { goToHash(); replays[0].canvas.scrollIntoView({ block: "nearest" }); });
let waiting = 0;
addEventListener("resize", () => { clearTimeout(waiting); waiting = setTimeout(layOut, 100); });
darkMode.addEventListener("change", layOut);
printing.addEventListener("change", layOut);
