// ---- Camera: drag turns, shift or right drag moves, wheel zooms

const view = { target: centre.clone(), distance: 1, azimuth: 0, height: 0, up: run.up };

// What the controls cover of the picture, px; nothing on a phone, where they fold away.
function coveredWidth() {
  const side = element("side");
  return side.open && surface.clientWidth > 800 ? side.offsetWidth : 0;
}

function fit() {
  view.target.copy(centre);
  view.azimuth = isPlanar ? 0 : 0.6;
  view.height = isPlanar ? 0 : 0.3;
  const half = Math.tan((camera.fov * Math.PI) / 360);
  const room = 0.06 * extent;
  const aspect = camera.aspect * (1 - coveredWidth() / surface.clientWidth);
  // A motion in the plane x-y is seen from before it, as large as its window allows.
  view.distance = isPlanar
    ? Math.max(size.y / 2 + room, (size.x / 2 + room) / aspect) / half * 1.05
    : (0.56 * extent) / half / Math.min(1, aspect);
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
  drawAxes();
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


// The axes of the model, as they are seen, in a corner.
function drawAxes() {
  const right = new THREE.Vector3(1, 0, 0).applyQuaternion(camera.quaternion);
  const above = new THREE.Vector3(0, 1, 0).applyQuaternion(camera.quaternion);
  for (const axis of ["x", "y", "z"]) {
    const group = element(`axis-${axis}`), x = 30 * right[axis], y = -30 * above[axis];
    const [line, name] = group.children;
    line.setAttribute("x2", x);
    line.setAttribute("y2", y);
    name.setAttribute("x", 1.3 * x);
    name.setAttribute("y", 1.3 * y);
    name.style.opacity = Math.hypot(x, y) > 6 ? 1 : 0; // one that points at the eye has no room for its name
  }
}
