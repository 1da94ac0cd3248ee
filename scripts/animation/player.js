// ---- Time

const player = { frame: 0, share: 0, isPlaying: false, clock: 0, speed: 1 };

function show(frame, share = 0) {
  player.frame = Math.min(Math.max(frame, 0), run.frames - 1);
  player.share = player.frame < run.frames - 1 ? share : 0;
  element("scrub").value = player.frame + player.share;
  element("now").textContent = `${run.time_name} = ${now().toPrecision(5)}${run.time_unit ? ` ${run.time_unit}` : ""}`;
  if (isModes) element("mode").value = player.frame;
  followers.forEach((follow) => follow(player));
  if (field) paint();
  draw();
  drawCursor();
}

function now() {
  const { frame, share } = player;
  return share > 0 ? time[frame] + share * (time[frame + 1] - time[frame]) : time[frame];
}

function showTime(t) {
  let a = 0, b = run.frames - 1;
  while (b - a > 1) {
    const middle = (a + b) >> 1;
    if (time[middle] <= t) a = middle; else b = middle;
  }
  show(a, Math.min(Math.max((t - time[a]) / (time[b] - time[a]), 0), 0.999));
}

function setPlaying(isPlaying) {
  player.isPlaying = isPlaying;
  element("play").textContent = isPlaying ? "pause" : "play";
  if (!isPlaying) return;
  if (isModes) { swing(); return; }
  player.clock = player.frame === run.frames - 1 ? time[0] : now();
  let last = performance.now();
  const tick = (instant) => {
    if (!player.isPlaying) return;
    player.clock += (player.speed * (instant - last)) / 1000;
    last = instant;
    if (player.clock >= time[run.frames - 1]) player.clock = time[0];
    showTime(player.clock);
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}

// A mode goes to and fro as often as is easily seen, half of its speed in times a second.
function swing() {
  const begin = performance.now();
  const tick = (instant) => {
    if (!player.isPlaying) { exaggeration.swing = amplitude(); show(player.frame); return; }
    exaggeration.swing = amplitude() * Math.sin((Math.PI * player.speed * (instant - begin)) / 1000);
    show(player.frame);
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}

// What the slider says, logarithmically.
const amplitude = () => Math.pow(10, Number(element("scale").value));

let isDrawPending = false;
function draw() {
  if (isDrawPending) return;
  isDrawPending = true;
  requestAnimationFrame(() => {
    isDrawPending = false;
    renderer.render(scene, camera);
  });
}

