// The page that `picus export --html` writes: motion, contacts and a time plot of one run.
"use strict";

const run = JSON.parse(document.getElementById("data").textContent);
const element = (id) => document.getElementById(id);

const STATE_COLOURS = { 1: 0x3a8f6b, 2: 0xd9722b };
const OPEN_COLOUR = 0x9a9da5;
const BEAM_COLOUR = 0x5b83a8, SOLID_COLOUR = 0x9db4c8, LINE_COLOUR = 0x1f4e79, NODE_COLOUR = 0x2b2d33, PLANE_COLOUR = 0xb9bdc6;
const PALETTE = [0x1f4e79, 0xb23a48, 0x3a8f6b, 0x8a4f9e, 0xd9722b, 0x6d6f76, 0xc2a01f, 0x3f9fbf];
const VIRIDIS = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
const NO_COLOUR = 255;

// ---- Data

// Arrays of numbers come as base64 of their bytes, little-endian.
function unpack(text, Type) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Type(bytes.buffer);
}

function unpackPositions(packed) {
  const whole = unpack(packed.data, Uint16Array);
  const values = new Float32Array(whole.length);
  for (let i = 0; i < whole.length; ++i) values[i] = packed.low[i % 3] + (whole[i] / 65535) * packed.span[i % 3];
  return values;
}

const time = unpack(run.time, Float64Array);
const pointCount = run.points.count;
const positions = unpackPositions(run.points);
const ahead = new THREE.Vector3();

// A moment is a frame and a share of the way to the next one.
function blend(values, count, { frame, share }, i, target) {
  target.fromArray(values, 3 * (frame * count + i));
  return share > 0 ? target.lerp(ahead.fromArray(values, 3 * ((frame + 1) * count + i)), share) : target;
}
const at = (moment, point, target) => blend(positions, pointCount, moment, point, target);

const low = new THREE.Vector3().fromArray(run.points.low);
const size = new THREE.Vector3().fromArray(run.points.span);
["x", "y", "z"].forEach((axis, k) => {
  // The span of a direction without motion is stored as 1.
  let most = low[axis];
  for (let i = k; i < positions.length; i += 3) most = Math.max(most, positions[i]);
  size[axis] = most - low[axis];
});
const centre = low.clone().addScaledVector(size, 0.5);
const extent = run.extent;
const isPlanar = size.z < 1e-3 * extent;

// ---- Scene

const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
renderer.setPixelRatio(window.devicePixelRatio);
renderer.setClearColor(0xf6f7f9);
element("scene").appendChild(renderer.domElement);
const scene = new THREE.Scene();
const camera = new THREE.PerspectiveCamera(30, 1, extent * 1e-3, extent * 100);
scene.add(new THREE.HemisphereLight(0xffffff, 0xa8adb8, 0.8));
const lamp = new THREE.DirectionalLight(0xffffff, 0.4);
scene.add(lamp);

// Of owners in turn, and the same for all points of one.
const colourOf = new Map();
function ownerColour(point) {
  const owner = run.owners[point];
  if (!colourOf.has(owner)) colourOf.set(owner, PALETTE[colourOf.size % PALETTE.length]);
  return colourOf.get(owner);
}

// Each shows its part at a moment.
const followers = [];
// Each gives its part the colours of the chosen field in a frame; null: none is chosen.
const painters = [];

function viridis(share, target) {
  const x = share * (VIRIDIS.length - 1);
  const k = Math.min(Math.floor(x), VIRIDIS.length - 2);
  const mix = (c) => (VIRIDIS[k][c] + (x - k) * (VIRIDIS[k + 1][c] - VIRIDIS[k][c])) / 255;
  return target.setRGB(mix(0), mix(1), mix(2));
}

// The colour of a byte of a field.
function colourOfByte(byte, plain, target) {
  return byte === NO_COLOUR ? target.setHex(plain) : viridis(byte / (NO_COLOUR - 1), target);
}

function bufferOf(count, colour) {
  const geometry = new THREE.BufferGeometry();
  const place = new Float32Array(3 * count), colours = new Float32Array(3 * count);
  const plain = new THREE.Color(colour);
  for (let i = 0; i < count; ++i) plain.toArray(colours, 3 * i);
  geometry.setAttribute("position", new THREE.BufferAttribute(place, 3));
  geometry.setAttribute("color", new THREE.BufferAttribute(colours, 3));
  return { geometry, place, colours, plain };
}

function addShown(object, parent = scene) {
  object.frustumCulled = false;
  parent.add(object);
  return object;
}

// Pieces of lines: their ends and the number of the line.
function pieces(isWanted) {
  const found = [];
  run.lines.forEach((line, i) => {
    if (!isWanted(run.radii[i])) return;
    for (let k = 0; k + 1 < line.length; ++k) found.push({ from: line[k], to: line[k + 1], radius: run.radii[i], line: i });
  });
  return found;
}

function addTubes() {
  const tubes = pieces((radius) => radius > 0);
  if (tubes.length === 0) return;
  const material = new THREE.MeshLambertMaterial({ vertexColors: THREE.VertexColors });
  // Of each tube a ring of corners at either end; a joint of two tubes is closed by a ball.
  const sides = 18;
  const count = tubes.length * sides * 2;
  const tube = bufferOf(count, BEAM_COLOUR);
  const normals = new Float32Array(3 * count);
  tube.geometry.setAttribute("normal", new THREE.BufferAttribute(normals, 3));
  const corners = [];
  tubes.forEach((_, t) => {
    for (let s = 0; s < sides; ++s) {
      const a = 2 * (t * sides + s), b = 2 * (t * sides + ((s + 1) % sides));
      corners.push(a, b, a + 1, b, b + 1, a + 1);
    }
  });
  tube.geometry.setIndex(corners);
  addShown(new THREE.Mesh(tube.geometry, material));
  const ends = [...new Set(tubes.flatMap(({ from, to }) => [from, to]))];
  const radii = new Map();
  tubes.forEach(({ from, to, radius }) => [from, to].forEach((point) => radii.set(point, Math.max(radius, radii.get(point) || 0))));
  const balls = addShown(new THREE.InstancedMesh(new THREE.SphereBufferGeometry(1, 18, 12),
    new THREE.MeshLambertMaterial({ color: BEAM_COLOUR }), ends.length));
  const a = new THREE.Vector3(), b = new THREE.Vector3(), along = new THREE.Vector3();
  const u = new THREE.Vector3(), v = new THREE.Vector3(), n = new THREE.Vector3(), matrix = new THREE.Matrix4();
  followers.push((moment) => {
    tubes.forEach(({ from, to, radius }, t) => {
      at(moment, from, a);
      at(moment, to, b);
      along.subVectors(b, a).normalize();
      u.set(0, 0, 0)[Math.abs(along.x) < 0.6 ? "x" : "y"] = 1;
      u.addScaledVector(along, -u.dot(along)).normalize();
      v.crossVectors(along, u);
      for (let s = 0; s < sides; ++s) {
        const angle = (2 * Math.PI * s) / sides;
        n.copy(u).multiplyScalar(Math.cos(angle)).addScaledVector(v, Math.sin(angle));
        [a, b].forEach((end, k) => {
          const i = 3 * (2 * (t * sides + s) + k);
          n.toArray(normals, i);
          for (const [c, axis] of ["x", "y", "z"].entries()) tube.place[i + c] = end[axis] + radius * n[axis];
        });
      }
    });
    ends.forEach((point, i) => {
      const radius = 0.999 * radii.get(point);
      matrix.makeScale(radius, radius, radius).setPosition(at(moment, point, a));
      balls.setMatrixAt(i, matrix);
    });
    tube.geometry.attributes.position.needsUpdate = true;
    tube.geometry.attributes.normal.needsUpdate = true;
    balls.instanceMatrix.needsUpdate = true;
  });
  const colour = new THREE.Color();
  painters.push((field, frame) => {
    balls.visible = !field; // they have no colours of their own
    tubes.forEach(({ from, to, line }, t) => {
      for (let s = 0; s < sides; ++s) {
        [from, to].forEach((point, k) => {
          const i = 3 * (2 * (t * sides + s) + k);
          (field ? colourOfByte(field.byte(frame, point, line), BEAM_COLOUR, colour) : tube.plain).toArray(tube.colours, i);
        });
      }
    });
    tube.geometry.attributes.color.needsUpdate = true;
  });
}

function addLines() {
  const ends = pieces((radius) => radius <= 0).flatMap(({ from, to, line }) => [{ point: from, line }, { point: to, line }]);
  if (ends.length === 0) return;
  const { geometry, place, colours, plain } = bufferOf(ends.length, LINE_COLOUR);
  addShown(new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ vertexColors: THREE.VertexColors })));
  const x = new THREE.Vector3(), colour = new THREE.Color();
  followers.push((moment) => {
    ends.forEach(({ point }, i) => at(moment, point, x).toArray(place, 3 * i));
    geometry.attributes.position.needsUpdate = true;
  });
  painters.push((field, frame) => {
    ends.forEach(({ point, line }, i) => {
      (field ? colourOfByte(field.byte(frame, point, line), LINE_COLOUR, colour) : plain).toArray(colours, 3 * i);
    });
    geometry.attributes.color.needsUpdate = true;
  });
}

function addSolids() {
  if (run.faces.length === 0) return;
  const corners = run.faces.flatMap((f, i) => [f[0], f[1], f[2], f[0], f[2], f[3]].map((point) => ({ point, cell: run.lines.length + run.face_solid[i] })));
  const { geometry, place, colours, plain } = bufferOf(corners.length, SOLID_COLOUR);
  addShown(new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({ vertexColors: THREE.VertexColors, side: THREE.DoubleSide })));
  const sides = run.faces.flatMap((f) => [f[0], f[1], f[1], f[2], f[2], f[3], f[3], f[0]]);
  const outline = bufferOf(sides.length, NODE_COLOUR);
  addShown(new THREE.LineSegments(outline.geometry, new THREE.LineBasicMaterial({ color: NODE_COLOUR, transparent: true, opacity: 0.3 })));
  const x = new THREE.Vector3(), colour = new THREE.Color();
  followers.push((moment) => {
    corners.forEach(({ point }, i) => at(moment, point, x).toArray(place, 3 * i));
    sides.forEach((point, i) => at(moment, point, x).toArray(outline.place, 3 * i));
    geometry.attributes.position.needsUpdate = true;
    outline.geometry.attributes.position.needsUpdate = true;
    geometry.computeVertexNormals();
  });
  painters.push((field, frame) => {
    corners.forEach(({ point, cell }, i) => {
      (field ? colourOfByte(field.byte(frame, point, cell), SOLID_COLOUR, colour) : plain).toArray(colours, 3 * i);
    });
    geometry.attributes.color.needsUpdate = true;
  });
}

const bodies = new THREE.Group();
function addBoxes() {
  scene.add(bodies);
  if (run.boxes.length === 0) return;
  const turns = unpack(run.turns, Int16Array);
  const next = new THREE.Quaternion();
  const quaternion = (frame, i, target) => {
    const k = 4 * (frame * run.boxes.length + i);
    return target.set(turns[k + 1], turns[k + 2], turns[k + 3], turns[k]).normalize();
  };
  run.boxes.forEach((box, i) => {
    const least = 0.02 * Math.max(...box.half); // a rod and a plate are to be seen, too
    const shape = new THREE.BoxBufferGeometry(...box.half.map((half) => 2 * Math.max(half, least)));
    const colour = ownerColour(box.point);
    // What is within a body shows through it.
    const body = addShown(new THREE.Mesh(shape, new THREE.MeshLambertMaterial({ color: colour, transparent: true, opacity: 0.35, depthWrite: false })), bodies);
    body.add(new THREE.LineSegments(new THREE.EdgesGeometry(shape), new THREE.LineBasicMaterial({ color: colour })));
    followers.push((moment) => {
      at(moment, box.point, body.position);
      quaternion(moment.frame, i, body.quaternion);
      if (moment.share > 0) body.quaternion.slerp(quaternion(moment.frame + 1, i, next), moment.share);
    });
  });
}

const nodes = new THREE.Group();
function addPoints() {
  const count = run.points.own; // those of contacts come last and have their own marks
  const { geometry, place, colours, plain } = bufferOf(count, NODE_COLOUR);
  addShown(new THREE.Points(geometry, new THREE.PointsMaterial({ size: 5 * window.devicePixelRatio, sizeAttenuation: false, vertexColors: THREE.VertexColors })), nodes);
  scene.add(nodes);
  const x = new THREE.Vector3(), colour = new THREE.Color();
  followers.push((moment) => {
    for (let i = 0; i < count; ++i) at(moment, i, x).toArray(place, 3 * i);
    geometry.attributes.position.needsUpdate = true;
  });
  painters.push((field, frame) => {
    for (let i = 0; i < count; ++i) {
      (field && field.on === "points" ? colourOfByte(field.byte(frame, i, 0), NODE_COLOUR, colour) : plain).toArray(colours, 3 * i);
    }
    geometry.attributes.color.needsUpdate = true;
  });
}

// What contacts touch: rectangles of planes at rest, and small ones that move along.
const ground = new THREE.Group();
function addPlanes() {
  scene.add(ground);
  const outline = new THREE.LineBasicMaterial({ color: 0x8b8f99 });
  const sheet = new THREE.MeshBasicMaterial({ color: PLANE_COLOUR, transparent: true, opacity: 0.35, side: THREE.DoubleSide, depthWrite: false });
  const frameOf = (corners) => {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(corners.flat()), 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const border = new THREE.BufferGeometry();
    border.setAttribute("position", geometry.attributes.position);
    const plane = new THREE.Group();
    plane.add(new THREE.Mesh(geometry, sheet), new THREE.LineLoop(border, outline));
    ground.add(plane);
    return plane;
  };
  run.planes.forEach(frameOf);
  if (!run.contacts || run.contacts.moving.length === 0) return;
  const count = run.contacts.moving.length, half = 0.03 * extent;
  const foot = unpack(run.contacts.foot, Float32Array), normal = unpack(run.contacts.normal, Float32Array);
  const patches = run.contacts.moving.map(() => frameOf([[-half, -half, 0], [half, -half, 0], [half, half, 0], [-half, half, 0]]));
  const z = new THREE.Vector3(0, 0, 1), n = new THREE.Vector3();
  followers.push((moment) => patches.forEach((patch, i) => {
    blend(foot, count, moment, i, patch.position);
    patch.quaternion.setFromUnitVectors(z, blend(normal, count, moment, i, n).normalize());
  }));
}

const contacts = new THREE.Group();
const contactBall = new THREE.SphereBufferGeometry(0.007 * extent, 16, 12);
function addMark() {
  const mark = new THREE.Mesh(contactBall, new THREE.MeshLambertMaterial());
  const arrow = new THREE.ArrowHelper(new THREE.Vector3(1, 0, 0), new THREE.Vector3(), 1, 0xb23a48);
  contacts.add(mark, arrow);
  return { mark, arrow };
}
function largestOf(force) {
  let largest = 0;
  for (let k = 0; k < force.length; k += 3) largest = Math.max(largest, Math.hypot(force[k], force[k + 1], force[k + 2]));
  return largest;
}
// A contact at its place, with the arrow of its force; one below `least` is none.
function paintMark({ mark, arrow }, state, f, least) {
  const typical = Math.max(...[run.contacts, run.found].filter(Boolean).map((some) => some.typical));
  const scale = (0.15 * extent * Math.pow(10, Number(element("force-scale").value))) / typical;
  const colour = STATE_COLOURS[state] || OPEN_COLOUR;
  mark.material.color.setHex(colour);
  mark.scale.setScalar(state > 0 ? 1 : 0.6);
  const length = Math.min(f.length() * scale, 0.6 * extent);
  arrow.visible = length > 2e-3 * extent && f.length() > least;
  if (!arrow.visible) return;
  arrow.position.copy(mark.position);
  arrow.setDirection(f.normalize());
  arrow.setLength(length, Math.min(0.3 * length, 0.03 * extent), Math.min(0.15 * length, 0.018 * extent));
  arrow.setColor(colour === OPEN_COLOUR ? 0xb23a48 : colour);
}
// What happened since the frame before is shown until the next one.
function shownFrame(moment) {
  return moment.share > 0 ? moment.frame + 1 : moment.frame;
}

function addContacts() {
  if (!run.contacts) return;
  const count = run.contacts.names.length;
  const states = unpack(run.contacts.state, Uint8Array);
  const force = unpack(run.contacts.force, Float32Array);
  const least = 1e-9 * largestOf(force); // rounding is no force, however long arrows are drawn
  const marks = run.contacts.names.map(addMark);
  const f = new THREE.Vector3();
  followers.push((moment) => {
    const frame = shownFrame(moment);
    marks.forEach((pair, c) => {
      const k = frame * count + c;
      at(moment, pointCount - count + c, pair.mark.position);
      paintMark(pair, states[k], f.fromArray(force, 3 * k), least);
    });
  });
}

// Contacts that come and go: as many marks as the fullest frame needs, which stay where they are until the next frame.
const foundMarks = [];
function addFound() {
  if (!run.found) return;
  const starts = run.found.starts;
  const states = unpack(run.found.state, Uint8Array);
  const place = unpack(run.found.place, Float32Array), force = unpack(run.found.force, Float32Array);
  const least = 1e-9 * largestOf(force);
  for (let frame = 0; frame < run.frames; ++frame) {
    while (foundMarks.length < starts[frame + 1] - starts[frame]) foundMarks.push(addMark());
  }
  const f = new THREE.Vector3();
  followers.push((moment) => {
    const frame = shownFrame(moment), first = starts[frame], count = starts[frame + 1] - first;
    foundMarks.forEach((pair, i) => {
      pair.mark.visible = pair.arrow.visible = i < count;
      if (i >= count) return;
      const k = first + i;
      pair.mark.position.fromArray(place, 3 * k);
      paintMark(pair, states[k], f.fromArray(force, 3 * k), least);
    });
  });
}

addPlanes();
addTubes();
addLines();
addSolids();
addBoxes();
addPoints();
addContacts();
addFound();
scene.add(contacts);
nodes.visible = run.lines.length === 0 && run.faces.length === 0;
element("show-points").checked = nodes.visible;

// ---- Colours

function number(value) {
  return Number(value.toPrecision(3)).toString();
}

let field = null;
function chooseColour(index) {
  field = run.fields[index] || null;
  const legend = element("legend");
  legend.innerHTML = run.contacts || run.found ? '<span class="state" style="background:#3a8f6b"></span>sticks<span class="state" style="background:#d9722b"></span>slips<span class="state" style="background:#9a9da5"></span>open' : "";
  legend.hidden = !field && !run.contacts && !run.found;
  if (field) {
    const bytes = unpack(field.data, Uint8Array);
    const width = field.on === "points" ? pointCount : bytes.length / run.frames;
    field.byte = (frame, point, cell) => bytes[frame * width + (field.on === "points" ? point : cell)];
    const box = document.createElement("div");
    box.innerHTML = '<div></div><div class="bar"></div><div class="ends"><span></span><span></span></div>';
    box.children[0].textContent = `${field.name}, ${field.unit}`;
    box.children[2].children[0].textContent = (field.least < field.low ? "\u2264 " : "") + number(field.low);
    box.children[2].children[1].textContent = field.most > field.high ? `\u2265 ${number(field.high)}, at most ${number(field.most)}` : number(field.high);
    legend.prepend(box);
  }
  paint();
}

function paint() {
  const frame = Math.round(player.frame + player.share);
  painters.forEach((painter) => painter(field, frame));
}

// ---- Camera: drag turns, shift or right drag moves, wheel zooms

const view = { target: centre.clone(), distance: 1, azimuth: 0, height: 0, up: run.up };

function fit() {
  view.target.copy(centre);
  view.azimuth = isPlanar ? 0 : 0.6;
  view.height = isPlanar ? 0 : 0.3;
  const half = Math.tan((camera.fov * Math.PI) / 360);
  const room = 0.06 * extent;
  // A motion in the plane x-y is seen from before it, as large as its window allows.
  view.distance = isPlanar
    ? Math.max(size.y / 2 + room, (size.x / 2 + room) / camera.aspect) / half * 1.05
    : (0.56 * extent) / half / Math.min(1, camera.aspect);
  placeCamera();
}

// (right, above, towards) in the axes of the model, for each axis that is above.
const DIRECTIONS = {
  x: (right, above, towards) => new THREE.Vector3(above, towards, right),
  y: (right, above, towards) => new THREE.Vector3(right, above, towards),
  z: (right, above, towards) => new THREE.Vector3(right, -towards, above),
};

function placeCamera() {
  const { azimuth, height, distance, target, up } = view;
  const c = Math.cos(height);
  const away = DIRECTIONS[up](c * Math.sin(azimuth), Math.sin(height), c * Math.cos(azimuth));
  camera.up.copy(DIRECTIONS[up](0, 1, 0));
  camera.position.copy(target).addScaledVector(away, distance);
  camera.lookAt(target);
  camera.near = Math.max(distance - 3 * extent, 1e-3 * distance);
  camera.far = distance + 5 * extent;
  camera.updateProjectionMatrix();
  lamp.position.copy(camera.position).addScaledVector(camera.up, distance);
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

const player = { frame: 0, share: 0, isPlaying: false, clock: 0, speed: 1 };

function show(frame, share = 0) {
  player.frame = Math.min(Math.max(frame, 0), run.frames - 1);
  player.share = player.frame < run.frames - 1 ? share : 0;
  element("scrub").value = player.frame + player.share;
  element("now").textContent = `${run.time_name} = ${now().toPrecision(5)} ${run.time_unit}`;
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

const series = run.series.map((one) => ({
  ...one, values: unpack(one.data, Float32Array), low: unpack(one.low, Float32Array), high: unpack(one.high, Float32Array) }));
const curve = element("curve");
const pen = curve.getContext("2d");
const margin = { left: 62, right: 10, top: 8, bottom: 18 };
const background = document.createElement("canvas"); // the curve without the cursor
let chosen = null;

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
  for (const value of chosen.low) least = Math.min(least, value);
  for (const value of chosen.high) most = Math.max(most, value);
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
    pen.fillText(`${number(t)} ${run.time_unit}`, plotX(t), curve.clientHeight - margin.bottom + 4);
  }
  pen.strokeStyle = "#1f4e79";
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
  if (!chosen) return;
  pen.clearRect(0, 0, curve.clientWidth, curve.clientHeight);
  pen.drawImage(background, 0, 0, curve.clientWidth, curve.clientHeight);
  pen.strokeStyle = "#b23a48";
  pen.beginPath();
  pen.moveTo(plotX(now()), margin.top);
  pen.lineTo(plotX(now()), curve.clientHeight - margin.bottom);
  pen.stroke();
  pen.fillStyle = "#b23a48";
  pen.textAlign = "left";
  pen.textBaseline = "top";
  const label = `${number(chosen.values[player.frame])} ${chosen.unit}`;
  const x = Math.min(plotX(now()) + 5, curve.clientWidth - 90);
  pen.lineWidth = 4;
  pen.strokeStyle = "#fdfefe"; // keeps the curve off the text
  pen.strokeText(label, x, margin.top);
  pen.lineWidth = 1;
  pen.fillText(label, x, margin.top);
}

function seek(event) {
  const width = curve.clientWidth - margin.left - margin.right;
  const share = (event.offsetX - margin.left) / width;
  showTime(time[0] + share * (time[run.frames - 1] - time[0]));
}

// ---- Controls

element("title").textContent = run.title;
element("run").textContent = [run.integrator, run.step ? `h = ${run.step} s` : "", run.outcome === "complete" ? "" : run.outcome]
  .filter(Boolean).join(", ");
element("scrub").max = run.frames - 1;
element("scrub").addEventListener("input", (event) => { setPlaying(false); const value = Number(event.target.value); show(Math.floor(value), value % 1); });
element("play").addEventListener("click", () => setPlaying(!player.isPlaying));
element("home").addEventListener("click", fit);
element("show-points").addEventListener("change", (event) => { nodes.visible = event.target.checked; draw(); });
element("show-contacts").addEventListener("change", (event) => { contacts.visible = event.target.checked; draw(); });
element("force-scale").addEventListener("input", () => show(player.frame, player.share));
element("show-bodies").addEventListener("change", (event) => { bodies.visible = event.target.checked; draw(); });
element("show-ground").addEventListener("change", (event) => { ground.visible = event.target.checked; draw(); });
bodies.visible = element("show-bodies").checked = run.shows_bodies;
element("show-bodies").parentElement.hidden = run.boxes.length === 0;
document.querySelectorAll(".contacts").forEach((label) => { label.hidden = !run.contacts && !run.found; });
element("up").value = view.up;
element("up").addEventListener("change", (event) => { view.up = event.target.value; placeCamera(); });

function option(value, text) {
  const one = document.createElement("option");
  one.value = value;
  one.textContent = text;
  return one;
}
element("colour").append(option(-1, "plain"), ...run.fields.map((field, i) => option(i, field.name)));
element("colour").addEventListener("change", (event) => { chooseColour(Number(event.target.value)); draw(); });
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
  if (event.key === "ArrowLeft") { setPlaying(false); show(player.share > 0 ? player.frame : player.frame - 1); }
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
// Solids show their stress unless something else was asked for.
const firstField = run.has_chosen_colour ? 0 : run.faces.length > 0 ? run.fields.findIndex((one) => one.name === "von_mises_stress") : -1;
element("colour").value = firstField;
chooseColour(firstField);
show(0);
