// The page that `picus export --html` writes: motion, contacts and a time plot of one run.
"use strict";

const run = JSON.parse(document.getElementById("data").textContent);
const element = (id) => document.getElementById(id);

const STATE_COLOURS = { 1: 0x3a8f6b, 2: 0xd9722b };
const PALETTE = [0x1f4e79, 0xb23a48, 0x3a8f6b, 0x8a4f9e, 0xd9722b, 0x6d6f76, 0xc2a01f, 0x3f9fbf];
const VIRIDIS = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];

// Arrays of numbers come as base64 of their bytes, little-endian.
function unpack(text, Type) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Type(bytes.buffer);
}

function unquantise(packed, Type, width) {
  const whole = unpack(packed.data, Type);
  const most = Type === Uint16Array ? 65535 : 255;
  const values = new Float32Array(whole.length);
  for (let i = 0; i < whole.length; ++i) {
    const k = width > 1 ? i % width : 0;
    values[i] = packed.low[k] + (whole[i] / most) * packed.span[k];
  }
  return values;
}

const time = unpack(run.time, Float64Array);
const pointCount = run.points.count;
const positions = unquantise(run.points, Uint16Array, 3);
const at = (frame, point, target) =>
  target.fromArray(positions, 3 * (frame * pointCount + point));

// What the model spans over the whole run.
const low = new THREE.Vector3().fromArray(run.points.low);
const size = new THREE.Vector3().fromArray(run.points.span);
for (const axis of ["x", "y", "z"]) {
  let least = Infinity, most = -Infinity;
  const k = "xyz".indexOf(axis);
  for (let i = k; i < positions.length; i += 3) {
    least = Math.min(least, positions[i]);
    most = Math.max(most, positions[i]);
  }
  low[axis] = least;
  size[axis] = most - least;
}
const centre = low.clone().addScaledVector(size, 0.5);
const extent = Math.max(size.length(), 1e-9);
const isPlanar = size.z < 1e-3 * extent;

// ---- Scene

const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
renderer.setPixelRatio(window.devicePixelRatio);
renderer.setClearColor(0xf6f7f9);
element("scene").appendChild(renderer.domElement);
const scene = new THREE.Scene();
const camera = new THREE.PerspectiveCamera(35, 1, extent * 1e-3, extent * 100);
scene.add(new THREE.HemisphereLight(0xffffff, 0x8890a0, 0.85));
const lamp = new THREE.DirectionalLight(0xffffff, 0.5);
scene.add(lamp);

const grid = new THREE.GridHelper(2 * extent, 20, 0xc3c7cf, 0xe3e5ea);
scene.add(grid);

const colourOf = new Map();
function ownerColour(point) {
  const owner = run.owners[point];
  if (!colourOf.has(owner)) colourOf.set(owner, PALETTE[colourOf.size % PALETTE.length]);
  return colourOf.get(owner);
}

/// Things that follow the frames: update(frame).
const followers = [];

function addTubes() {
  const up = new THREE.Vector3(0, 1, 0);
  const segments = [];
  run.lines.forEach((line, i) => {
    if (run.radii[i] <= 0) return;
    for (let k = 0; k + 1 < line.length; ++k) segments.push([line[k], line[k + 1], run.radii[i], k]);
  });
  if (segments.length === 0) return;
  const mesh = new THREE.InstancedMesh(new THREE.CylinderBufferGeometry(1, 1, 1, 20, 1),
    new THREE.MeshLambertMaterial({ color: 0x5b83a8 }), segments.length);
  mesh.frustumCulled = false;
  scene.add(mesh);
  const a = new THREE.Vector3(), b = new THREE.Vector3(), along = new THREE.Vector3();
  const turn = new THREE.Quaternion(), scale = new THREE.Vector3(), matrix = new THREE.Matrix4();
  followers.push((frame) => {
    segments.forEach(([from, to, radius], i) => {
      at(frame, from, a);
      at(frame, to, b);
      along.subVectors(b, a);
      const length = along.length();
      turn.setFromUnitVectors(up, length > 0 ? along.divideScalar(length) : up);
      matrix.compose(a.add(b).multiplyScalar(0.5), turn, scale.set(radius, length, radius));
      mesh.setMatrixAt(i, matrix);
    });
    mesh.instanceMatrix.needsUpdate = true;
  });
}

function addLines() {
  const ends = [];
  run.lines.forEach((line, i) => {
    if (run.radii[i] > 0) return;
    for (let k = 0; k + 1 < line.length; ++k) ends.push(line[k], line[k + 1]);
  });
  if (ends.length === 0) return;
  const geometry = new THREE.BufferGeometry();
  const place = new Float32Array(3 * ends.length);
  geometry.setAttribute("position", new THREE.BufferAttribute(place, 3));
  const mesh = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: 0x1f4e79 }));
  mesh.frustumCulled = false;
  scene.add(mesh);
  const x = new THREE.Vector3();
  followers.push((frame) => {
    ends.forEach((point, i) => at(frame, point, x).toArray(place, 3 * i));
    geometry.attributes.position.needsUpdate = true;
  });
}

let solidColours = null; // (frame) => nothing; set by the choice of a colour

function addSolids() {
  if (run.faces.length === 0) return null;
  const geometry = new THREE.BufferGeometry();
  const corners = run.faces.flatMap((f) => [f[0], f[1], f[2], f[0], f[2], f[3]]);
  const place = new Float32Array(3 * corners.length);
  const colours = new Float32Array(3 * corners.length).fill(0.62);
  geometry.setAttribute("position", new THREE.BufferAttribute(place, 3));
  geometry.setAttribute("color", new THREE.BufferAttribute(colours, 3));
  const mesh = new THREE.Mesh(geometry, new THREE.MeshLambertMaterial(
    { vertexColors: THREE.VertexColors, side: THREE.DoubleSide, flatShading: true }));
  mesh.frustumCulled = false;
  scene.add(mesh);
  const sides = run.faces.flatMap((f) => [f[0], f[1], f[1], f[2], f[2], f[3], f[3], f[0]]);
  const outline = new THREE.BufferGeometry();
  const outlinePlace = new Float32Array(3 * sides.length);
  outline.setAttribute("position", new THREE.BufferAttribute(outlinePlace, 3));
  const edges = new THREE.LineSegments(outline, new THREE.LineBasicMaterial({ color: 0x2b2d33, transparent: true, opacity: 0.35 }));
  edges.frustumCulled = false;
  scene.add(edges);
  const x = new THREE.Vector3();
  followers.push((frame) => {
    corners.forEach((point, i) => at(frame, point, x).toArray(place, 3 * i));
    sides.forEach((point, i) => at(frame, point, x).toArray(outlinePlace, 3 * i));
    geometry.attributes.position.needsUpdate = true;
    outline.attributes.position.needsUpdate = true;
    geometry.computeVertexNormals();
    if (solidColours) {
      solidColours(frame, corners, colours);
      geometry.attributes.color.needsUpdate = true;
    }
  });
  return { colours, geometry };
}

function addBoxes() {
  if (!run.boxes) return;
  const turns = unpack(run.turns, Int16Array);
  const own = new THREE.Quaternion(), local = new THREE.Quaternion();
  run.boxes.forEach((box, i) => {
    const shape = new THREE.BoxBufferGeometry(2 * box.half[0], 2 * box.half[1], 2 * box.half[2]);
    const mesh = new THREE.Mesh(shape, new THREE.MeshLambertMaterial(
      { color: ownerColour(box.point), transparent: true, opacity: 0.55 }));
    mesh.add(new THREE.LineSegments(new THREE.EdgesGeometry(shape), new THREE.LineBasicMaterial({ color: ownerColour(box.point) })));
    scene.add(mesh);
    local.set(box.turn[1], box.turn[2], box.turn[3], box.turn[0]);
    const localTurn = local.clone();
    followers.push((frame) => {
      at(frame, box.point, mesh.position);
      const k = 4 * (frame * run.boxes.length + i);
      own.set(turns[k + 1] / 32767, turns[k + 2] / 32767, turns[k + 3] / 32767, turns[k] / 32767).normalize();
      mesh.quaternion.multiplyQuaternions(own, localTurn);
    });
  });
}

const nodes = new THREE.Group();
let nodeColours = null;
function addPoints() {
  const geometry = new THREE.BufferGeometry();
  const place = new Float32Array(3 * pointCount);
  const colours = new Float32Array(3 * pointCount).fill(0.17);
  geometry.setAttribute("position", new THREE.BufferAttribute(place, 3));
  geometry.setAttribute("color", new THREE.BufferAttribute(colours, 3));
  const mesh = new THREE.Points(geometry, new THREE.PointsMaterial(
    { size: 5 * window.devicePixelRatio, sizeAttenuation: false, vertexColors: THREE.VertexColors }));
  mesh.frustumCulled = false;
  nodes.add(mesh);
  scene.add(nodes);
  followers.push((frame) => {
    place.set(positions.subarray(3 * frame * pointCount, 3 * (frame + 1) * pointCount));
    geometry.attributes.position.needsUpdate = true;
    if (nodeColours) nodeColours(frame, colours);
    geometry.attributes.color.needsUpdate = true;
  });
  return colours;
}

const contacts = new THREE.Group();
function addContacts() {
  if (!run.contacts) return;
  const count = run.contacts.names.length;
  const states = unpack(run.contacts.state, Uint8Array);
  const where = unquantise(run.contacts.points, Uint16Array, 3);
  const force = unpack(run.contacts.force, Float32Array);
  const radius = 0.008 * extent;
  const marks = run.contacts.names.map(() => {
    const ball = new THREE.Mesh(new THREE.SphereBufferGeometry(radius, 16, 12), new THREE.MeshLambertMaterial({ color: 0xffffff }));
    const arrow = new THREE.ArrowHelper(new THREE.Vector3(1, 0, 0), new THREE.Vector3(), 1, 0xb23a48);
    contacts.add(ball, arrow);
    return { ball, arrow };
  });
  scene.add(contacts);
  const f = new THREE.Vector3();
  followers.push((frame) => {
    const scale = (0.25 * extent * Math.pow(10, Number(element("force-scale").value))) / (run.contacts.most || 1);
    marks.forEach(({ ball, arrow }, c) => {
      const k = frame * count + c;
      const state = states[k];
      ball.visible = state > 0;
      ball.position.fromArray(where, 3 * k);
      if (state > 0) ball.material.color.setHex(STATE_COLOURS[state]);
      f.fromArray(force, 3 * k);
      const length = Math.min(f.length() * scale, 2 * extent);
      arrow.visible = length > 1e-3 * extent;
      if (!arrow.visible) return;
      arrow.position.copy(ball.position);
      arrow.setDirection(f.normalize());
      arrow.setLength(length, Math.min(0.25 * length, 0.03 * extent), Math.min(0.12 * length, 0.018 * extent));
      arrow.setColor(STATE_COLOURS[state] || 0xb23a48);
    });
  });
}

addTubes();
addLines();
const solids = addSolids();
addBoxes();
const pointColours = addPoints();
addContacts();
nodes.visible = run.lines.length === 0 && run.faces.length === 0;
element("show-points").checked = nodes.visible;

// ---- Colours

function viridis(share, target, i) {
  const x = Math.min(Math.max(share, 0), 1) * (VIRIDIS.length - 1);
  const k = Math.min(Math.floor(x), VIRIDIS.length - 2);
  for (let c = 0; c < 3; ++c) target[3 * i + c] = (VIRIDIS[k][c] + (x - k) * (VIRIDIS[k + 1][c] - VIRIDIS[k][c])) / 255;
}

function number(value) {
  return Number(value.toPrecision(3)).toString();
}

function chooseColour(index) {
  const field = run.fields[index];
  solidColours = null;
  nodeColours = null;
  if (solids) solids.colours.fill(0.62);
  if (solids) solids.geometry.attributes.color.needsUpdate = true;
  pointColours.fill(0.17);
  const legend = element("legend");
  const states = run.contacts ? '<span class="state" style="background:#3a8f6b"></span>sticks<span class="state" style="background:#d9722b"></span>slips' : "";
  legend.hidden = !field && !states;
  legend.innerHTML = states;
  if (field) {
    const shares = unpack(field.data, Uint8Array);
    const width = field.on === "points" ? pointCount : run.solids;
    const share = (frame, i) => shares[frame * width + i] / 255;
    solidColours = field.on === "points"
      ? (frame, corners, colours) => corners.forEach((point, i) => viridis(share(frame, point), colours, i))
      : (frame, corners, colours) => corners.forEach((_, i) => viridis(share(frame, run.face_solid[Math.floor(i / 6)]), colours, i));
    if (field.on === "points") {
      nodeColours = (frame, colours) => { for (let i = 0; i < pointCount; ++i) viridis(share(frame, i), colours, i); };
    }
    const box = document.createElement("div");
    box.innerHTML = '<div></div><div class="bar"></div><div class="ends"><span></span><span></span></div>';
    box.children[0].textContent = `${field.name}, ${field.unit}`;
    box.children[2].children[0].textContent = number(field.low[0]);
    box.children[2].children[1].textContent = number(field.low[0] + field.span[0]);
    legend.prepend(box);
  }
  draw();
}

// ---- Camera: drag turns, shift or right drag moves, wheel zooms

const view = { target: centre.clone(), distance: 1, azimuth: 0, height: 0, up: isPlanar ? "y" : "z" };

function fit() {
  view.target.copy(centre);
  view.distance = (0.62 * extent) / Math.sin((camera.fov * Math.PI) / 360) / Math.min(1, camera.aspect);
  view.azimuth = isPlanar ? 0 : 0.6;
  view.height = isPlanar ? 0 : 0.35;
  placeCamera();
}

function placeCamera() {
  const { azimuth, height, distance, target, up } = view;
  const c = Math.cos(height);
  const away = up === "y"
    ? new THREE.Vector3(c * Math.sin(azimuth), Math.sin(height), c * Math.cos(azimuth))
    : new THREE.Vector3(c * Math.sin(azimuth), -c * Math.cos(azimuth), Math.sin(height));
  camera.up.set(0, up === "y" ? 1 : 0, up === "z" ? 1 : 0);
  camera.position.copy(target).addScaledVector(away, distance);
  camera.lookAt(target);
  lamp.position.copy(camera.position).addScaledVector(camera.up, distance);
  grid.rotation.x = up === "y" ? 0 : Math.PI / 2;
  grid.position.copy(centre);
  grid.position[up] = low[up];
  grid.visible = !isPlanar;
  draw();
}

const drag = new Map();
const surface = element("scene");
surface.addEventListener("pointerdown", (event) => {
  surface.setPointerCapture(event.pointerId);
  drag.set(event.pointerId, { x: event.clientX, y: event.clientY, moves: event.button === 2 || event.shiftKey });
});
surface.addEventListener("pointermove", (event) => {
  const before = drag.get(event.pointerId);
  if (!before) return;
  const dx = event.clientX - before.x, dy = event.clientY - before.y;
  if (drag.size === 2) {
    const [a, b] = [...drag.values()];
    const gap = Math.hypot(a.x - b.x, a.y - b.y);
    before.x = event.clientX;
    before.y = event.clientY;
    const now = Math.hypot(a.x - b.x, a.y - b.y);
    if (gap > 0 && now > 0) view.distance *= gap / now;
  } else if (before.moves) {
    const scale = (2 * view.distance * Math.tan((camera.fov * Math.PI) / 360)) / surface.clientHeight;
    const right = new THREE.Vector3().setFromMatrixColumn(camera.matrix, 0);
    const above = new THREE.Vector3().setFromMatrixColumn(camera.matrix, 1);
    view.target.addScaledVector(right, -dx * scale).addScaledVector(above, dy * scale);
  } else {
    view.azimuth -= 0.008 * dx;
    view.height = Math.min(Math.max(view.height + 0.008 * dy, -1.55), 1.55);
  }
  before.x = event.clientX;
  before.y = event.clientY;
  placeCamera();
});
for (const end of ["pointerup", "pointercancel"]) surface.addEventListener(end, (event) => drag.delete(event.pointerId));
surface.addEventListener("contextmenu", (event) => event.preventDefault());
surface.addEventListener("wheel", (event) => {
  event.preventDefault();
  view.distance *= Math.exp(0.001 * event.deltaY);
  placeCamera();
}, { passive: false });

// ---- Time

const player = { frame: 0, isPlaying: false, clock: 0, speed: 1 };

function show(frame) {
  player.frame = Math.min(Math.max(frame, 0), run.frames - 1);
  element("scrub").value = player.frame;
  element("now").textContent = `t = ${time[player.frame].toPrecision(5)} s`;
  followers.forEach((follow) => follow(player.frame));
  draw();
  drawCursor();
}

function frameAt(t) {
  let a = 0, b = run.frames - 1;
  while (b - a > 1) {
    const middle = (a + b) >> 1;
    if (time[middle] <= t) a = middle; else b = middle;
  }
  return t - time[a] < time[b] - t ? a : b;
}

function setPlaying(isPlaying) {
  player.isPlaying = isPlaying;
  element("play").textContent = isPlaying ? "pause" : "play";
  if (!isPlaying) return;
  if (player.frame === run.frames - 1) show(0);
  player.clock = time[player.frame];
  let last = performance.now();
  const tick = (now) => {
    if (!player.isPlaying) return;
    player.clock += (player.speed * (now - last)) / 1000;
    last = now;
    if (player.clock >= time[run.frames - 1]) player.clock = time[0];
    const frame = frameAt(player.clock);
    if (frame !== player.frame) show(frame);
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}

let isDrawPending = false;
function draw() {
  if (isDrawPending) return;
  isDrawPending = true;
  requestAnimationFrame(() => {
    isDrawPending = false;
    renderer.render(scene, camera);
  });
}

// ---- Time plot

const series = run.series.map((one) => ({ ...one, values: unpack(one.data, Float32Array) }));
const curve = element("curve");
const pen = curve.getContext("2d");
const margin = { left: 62, right: 10, top: 8, bottom: 18 };
let chosen = null, background = null;

function plotX(t) {
  const width = curve.clientWidth - margin.left - margin.right;
  return margin.left + ((t - time[0]) / (time[run.frames - 1] - time[0])) * width;
}

function drawCurve() {
  if (!chosen) return;
  const ratio = window.devicePixelRatio;
  curve.width = curve.clientWidth * ratio;
  curve.height = curve.clientHeight * ratio;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  const { values } = chosen;
  let least = Infinity, most = -Infinity;
  for (const value of values) { least = Math.min(least, value); most = Math.max(most, value); }
  if (!(most > least)) { least -= 1; most += 1; }
  const height = curve.clientHeight - margin.top - margin.bottom;
  const y = (value) => margin.top + ((most - value) / (most - least)) * height;
  pen.font = '11px "DejaVu Sans", system-ui, sans-serif';
  pen.strokeStyle = "#d9dbe0";
  pen.fillStyle = "#6d6f76";
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  for (const share of [0, 0.5, 1]) {
    const value = least + share * (most - least);
    pen.beginPath();
    pen.moveTo(margin.left, y(value));
    pen.lineTo(curve.clientWidth - margin.right, y(value));
    pen.stroke();
    pen.fillText(number(value), margin.left - 6, y(value));
  }
  pen.textBaseline = "top";
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    const t = time[0] + share * (time[run.frames - 1] - time[0]);
    pen.textAlign = share === 0 ? "left" : share === 1 ? "right" : "center";
    pen.fillText(`${number(t)} s`, plotX(t), curve.clientHeight - margin.bottom + 4);
  }
  pen.strokeStyle = "#1f4e79";
  pen.lineWidth = 1.3;
  pen.beginPath();
  values.forEach((value, i) => (i === 0 ? pen.moveTo(plotX(time[i]), y(value)) : pen.lineTo(plotX(time[i]), y(value))));
  pen.stroke();
  pen.lineWidth = 1;
  background = pen.getImageData(0, 0, curve.width, curve.height);
  drawCursor();
}

function drawCursor() {
  if (!background) return;
  pen.putImageData(background, 0, 0);
  pen.strokeStyle = "#b23a48";
  pen.beginPath();
  pen.moveTo(plotX(time[player.frame]), margin.top);
  pen.lineTo(plotX(time[player.frame]), curve.clientHeight - margin.bottom);
  pen.stroke();
  pen.fillStyle = "#b23a48";
  pen.textAlign = "left";
  pen.textBaseline = "top";
  const label = `${number(chosen.values[player.frame])} ${chosen.unit}`;
  const x = Math.min(plotX(time[player.frame]) + 5, curve.clientWidth - 90);
  pen.fillText(label, x, margin.top);
}

function seek(event) {
  const width = curve.clientWidth - margin.left - margin.right;
  const share = (event.offsetX - margin.left) / width;
  show(frameAt(time[0] + share * (time[run.frames - 1] - time[0])));
}

// ---- Controls

element("title").textContent = run.title;
element("run").textContent = [run.integrator, run.step ? `h = ${run.step} s` : "", run.outcome === "complete" ? "" : run.outcome]
  .filter(Boolean).join(", ");
element("scrub").max = run.frames - 1;
element("scrub").addEventListener("input", (event) => { setPlaying(false); show(Number(event.target.value)); });
element("play").addEventListener("click", () => setPlaying(!player.isPlaying));
element("home").addEventListener("click", fit);
element("show-points").addEventListener("change", (event) => { nodes.visible = event.target.checked; draw(); });
element("show-contacts").addEventListener("change", (event) => { contacts.visible = event.target.checked; draw(); });
element("force-scale").addEventListener("input", () => show(player.frame));
document.querySelectorAll(".contacts").forEach((label) => { label.hidden = !run.contacts; });
element("up").value = view.up;
element("up").addEventListener("change", (event) => { view.up = event.target.value; placeCamera(); });

function option(value, text) {
  const one = document.createElement("option");
  one.value = value;
  one.textContent = text;
  return one;
}
element("colour").append(option(-1, "plain"), ...run.fields.map((field, i) => option(i, field.name)));
element("colour").addEventListener("change", (event) => { chooseColour(Number(event.target.value)); show(player.frame); });
const duration = time[run.frames - 1] - time[0];
for (const speed of [0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10]) element("speed").append(option(speed, `${speed} x`));
// Slow enough to take six seconds at least.
player.speed = [0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1].filter((speed) => duration / speed >= 6).pop() || 0.001;
element("speed").value = player.speed;
element("speed").addEventListener("change", (event) => { player.speed = Number(event.target.value); });
element("plot").hidden = series.length === 0;
element("series").append(...series.map((one, i) => option(i, `${one.name}${one.unit && one.unit !== "1" ? ", " + one.unit : ""}`)));
element("series").addEventListener("change", (event) => { chosen = series[Number(event.target.value)]; drawCurve(); });
let isSeeking = false;
curve.addEventListener("pointerdown", (event) => { isSeeking = true; curve.setPointerCapture(event.pointerId); setPlaying(false); seek(event); });
curve.addEventListener("pointermove", (event) => { if (isSeeking) seek(event); });
curve.addEventListener("pointerup", () => { isSeeking = false; });
document.addEventListener("keydown", (event) => {
  if (["SELECT", "INPUT", "BUTTON"].includes(event.target.tagName) && event.key !== "h") return;
  if (event.key === " ") { event.preventDefault(); setPlaying(!player.isPlaying); }
  if (event.key === "ArrowRight") { setPlaying(false); show(player.frame + 1); }
  if (event.key === "ArrowLeft") { setPlaying(false); show(player.frame - 1); }
  if (event.key === "h") fit();
});

function resize() {
  const { clientWidth: width, clientHeight: height } = surface;
  renderer.setSize(width, height);
  camera.aspect = width / Math.max(height, 1);
  camera.updateProjectionMatrix();
  placeCamera();
  drawCurve();
}
window.addEventListener("resize", resize);

chosen = series[0] || null;
resize();
fit();
chooseColour(-1);
show(0);
