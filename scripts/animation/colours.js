// ---- Colours

// Zero for what is rounding in a range of values.
function number(value, range = 0) {
  return Math.abs(value) < 1e-9 * range ? "0" : Number(value.toPrecision(3)).toString();
}

const hexOf = (colour) => `#${colour.toString(16).padStart(6, "0")}`;

let field = null;
function chooseColour(index) {
  field = run.fields[index] || null;
  const legend = element("legend");
  legend.innerHTML = run.contacts || run.found ? `<span class="state" style="background:${hexOf(STATE_COLOURS[1])}"></span>sticks<span class="state" style="background:${hexOf(STATE_COLOURS[2])}"></span>slips<span class="state" style="background:#9a9da5"></span>open` : "";
  legend.hidden = !field && !run.contacts && !run.found;
  if (field) {
    const bytes = unpack(field.data, Uint8Array);
    const width = field.on === "points" ? pointCount : bytes.length / run.frames;
    field.byte = (frame, point, cell) => bytes[frame * width + (field.on === "points" ? point : cell)];
    const box = document.createElement("div");
    box.innerHTML = '<div></div><div class="bar"></div><div class="ends"><span></span><span></span></div>';
    box.children[0].textContent = field.unit && field.unit !== "1" ? `${field.name}, ${field.unit}` : field.name;
    box.children[2].children[0].textContent = (field.least < field.low ? "\u2264 " : "") + number(field.low, field.high - field.low);
    box.children[2].children[1].textContent = field.most > field.high ? `\u2265 ${number(field.high)}, at most ${number(field.most)}` : number(field.high);
    legend.prepend(box);
  }
  paint();
}

function paint() {
  const frame = Math.round(player.frame + player.share);
  painters.forEach((painter) => painter(field, frame));
}

