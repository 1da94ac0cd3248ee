// ---- Planes and contacts

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
const contactBall = new THREE.SphereBufferGeometry(0.009 * extent, 16, 12);
// Contacts lie between bodies, and are seen through them.
function addMark() {
  const mark = new THREE.Mesh(contactBall, new THREE.MeshLambertMaterial({ depthTest: false, transparent: true }));
  const arrow = new THREE.ArrowHelper(new THREE.Vector3(1, 0, 0), new THREE.Vector3(), 1, 0xb23a48);
  for (const part of [mark, arrow.line, arrow.cone]) part.renderOrder = 1;
  for (const part of [arrow.line, arrow.cone]) Object.assign(part.material, { depthTest: false, transparent: true });
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
