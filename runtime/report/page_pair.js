// ---- two runs side by side: maps alone

drawMaps();
let waiting = 0;
addEventListener("resize", () => { clearTimeout(waiting); waiting = setTimeout(drawMaps, 100); });
darkMode.addEventListener("change", drawMaps);
printing.addEventListener("change", drawMaps);
