// ---- the smoke of a run: how much of the light a metre of it takes, by points of a grid, from each time on

const THICKEST = 0.75; // what of the floor is hidden by smoke that lets no light through

function smokeOf(run) {
  let shown = -1, image = null; // the row that the image is of
  const rowAt = time => {
    let row = -1;
    while (row + 1 < run.smoke.length && run.smoke[row + 1].time <= time + 1e-6) row++;
    return row;
  };

  function paint({ columns, rows, taken }) {
    const bytes = unpack(taken.padEnd(Math.ceil(taken.length / 4) * 4, "=")), [r, g, b] = rgb(css("smoke"));
    image = image || document.createElement("canvas");
    image.width = columns;
    image.height = rows;
    const c = image.getContext("2d"), pixels = c.createImageData(columns, rows);
    for (let row = 0, k = 0; row < rows; row++)
      for (let column = 0; column < columns; column++, k += 4)
        pixels.data.set([r, g, b, THICKEST * bytes[(rows - 1 - row) * columns + column]], k);
    c.putImageData(pixels, 0, 0);
  }

  return {
    any: run.smoke.length > 0,
    forget() { shown = -1; },
    // On the floor alone; what is a single point is everywhere.
    draw(c, view, time) {
      const row = rowAt(time);
      if (row < 0) return;
      if (row !== shown) { paint(run.smoke[row]); shown = row; }
      const { columns, rows, x0, y0, cell } = run.smoke[row];
      c.save();
      if (data.rings.length && !data.open) c.clip(floorPath(view), "evenodd");
      c.imageSmoothingEnabled = true;
      if (columns * rows === 1) c.drawImage(image, 0, 0, view.width, view.height);
      else c.drawImage(image, view.x + (x0 - cell / 2) * view.scale, view.y - (y0 + (rows - 0.5) * cell) * view.scale,
        columns * cell * view.scale, rows * cell * view.scale);
      c.restore();
    },
  };
}
