// ---- Time plot

const series = run.series.map((one) => ({
  ...one, values: unpack(one.data, Float32Array), low: unpack(one.low, Float32Array), high: unpack(one.high, Float32Array) }));
const curve = element("curve");
const pen = curve.getContext("2d");
const margin = { left: 62, right: 10, top: 8, bottom: 18 };
const background = document.createElement("canvas"); // the curve without the cursor
let chosen = null;
let middleValue = 0; // of the range that is drawn

function plotX(t) {
  const width = curve.clientWidth - margin.left - margin.right;
  return margin.left + ((t - time[0]) / (time[run.frames - 1] - time[0])) * width;
}

function drawCurve() {
  if (!chosen || curve.clientWidth === 0) return; // hidden
  const ratio = window.devicePixelRatio;
  curve.width = curve.clientWidth * ratio;
  curve.height = curve.clientHeight * ratio;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  const { values } = chosen;
  let least = Infinity, most = -Infinity;
  for (const value of chosen.low) least = Math.min(least, value);
  for (const value of chosen.high) most = Math.max(most, value);
  if (!(most > least)) { least -= 1; most += 1; }
  middleValue = (least + most) / 2;
  const height = curve.clientHeight - margin.top - margin.bottom;
  const y = (value) => margin.top + ((most - value) / (most - least)) * height;
  pen.font = '11px "DejaVu Sans", system-ui, sans-serif';
  pen.strokeStyle = styleOf("line");
  pen.fillStyle = styleOf("dim");
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  for (const share of [0, 0.5, 1]) {
    const value = least + share * (most - least);
    pen.beginPath();
    pen.moveTo(margin.left, y(value));
    pen.lineTo(curve.clientWidth - margin.right, y(value));
    pen.stroke();
    pen.fillText(number(value, most - least), margin.left - 6, y(value));
  }
  pen.textBaseline = "top";
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    const t = time[0] + share * (time[run.frames - 1] - time[0]);
    pen.textAlign = share === 0 ? "left" : share === 1 ? "right" : "center";
    pen.fillText(`${number(t)} ${run.time_unit}`, plotX(t), curve.clientHeight - margin.bottom + 4);
  }
  pen.strokeStyle = styleOf("blue");
  pen.lineWidth = 1.3;
  pen.beginPath();
  values.forEach((value, i) => {
    const x = plotX(time[i]);
    if (i === 0) { pen.moveTo(x, y(value)); return; }
    const middle = (x + plotX(time[i - 1])) / 2; // of peaks between this frame and the one before
    if (chosen.low[i] < Math.min(values[i], values[i - 1])) pen.lineTo(middle, y(chosen.low[i]));
    if (chosen.high[i] > Math.max(values[i], values[i - 1])) pen.lineTo(middle, y(chosen.high[i]));
    pen.lineTo(x, y(value));
  });
  pen.stroke();
  pen.lineWidth = 1;
  background.width = curve.width;
  background.height = curve.height;
  background.getContext("2d").drawImage(curve, 0, 0);
  drawCursor();
}

function drawCursor() {
  if (!chosen || curve.clientWidth === 0) return;
  pen.clearRect(0, 0, curve.clientWidth, curve.clientHeight);
  pen.drawImage(background, 0, 0, curve.clientWidth, curve.clientHeight);
  pen.strokeStyle = styleOf("red");
  pen.beginPath();
  pen.moveTo(plotX(now()), margin.top);
  pen.lineTo(plotX(now()), curve.clientHeight - margin.bottom);
  pen.stroke();
  pen.fillStyle = styleOf("red");
  pen.textAlign = "left";
  pen.textBaseline = "top";
  const label = [number(chosen.values[player.frame]), chosen.unit === "1" ? "" : chosen.unit].join(" ").trim();
  const x = Math.min(plotX(now()) + 5, curve.clientWidth - 90);
  const isHigh = chosen.values[player.frame] > middleValue; // then it stands below the curve
  const y = isHigh ? curve.clientHeight - margin.bottom - 15 : margin.top;
  pen.lineWidth = 4;
  pen.strokeStyle = styleOf("sheet"); // keeps the curve off the text
  pen.strokeText(label, x, y);
  pen.lineWidth = 1;
  pen.fillText(label, x, y);
}

function seek(event) {
  const width = curve.clientWidth - margin.left - margin.right;
  const share = (event.offsetX - margin.left) / width;
  showTime(time[0] + share * (time[run.frames - 1] - time[0]));
}

