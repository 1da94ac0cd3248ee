// The page that `picus export --html` writes: motion, contacts and a time plot of one run. All files of this folder are
// one program, in the order of export_html.py.
"use strict";

const run = JSON.parse(document.getElementById("data").textContent);
const element = (id) => document.getElementById(id);

// Modes swing about the equilibrium, equilibria are magnified from that without loads.
const isModes = run.time_unit === "Hz", isStatic = run.time_name === "load factor";

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
const shapes = run.mode_shapes ? unpack(run.mode_shapes, Float32Array) : null; // displacements of the points in each mode
const ahead = new THREE.Vector3();

// A moment is a frame and a share of the way to the next one.
function blend(values, count, { frame, share }, i, target) {
  target.fromArray(values, 3 * (frame * count + i));
  return share > 0 ? target.lerp(ahead.fromArray(values, 3 * ((frame + 1) * count + i)), share) : target;
}

// Of modes: the displacement as a multiple of the recorded one; of equilibria: how much larger displacements are shown.
const exaggeration = { swing: 1, magnification: 1 };
const rest = new THREE.Vector3();

function at(moment, point, target) {
  blend(positions, pointCount, moment, point, target);
  if (shapes) return target.addScaledVector(ahead.fromArray(shapes, 3 * (moment.frame * pointCount + point)), exaggeration.swing - 1);
  if (exaggeration.magnification === 1) return target;
  rest.fromArray(positions, 3 * point);
  return target.sub(rest).multiplyScalar(exaggeration.magnification).add(rest);
}

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
