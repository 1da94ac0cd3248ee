// ---- Names under the pointer

const label = element("label");

function onScreen(x) {
  x.project(camera);
  return { x: (0.5 + 0.5 * x.x) * surface.clientWidth, y: (0.5 - 0.5 * x.y) * surface.clientHeight, depth: x.z };
}

function distanceToSegment(p, a, b) {
  const dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
  const t = square > 0 ? Math.min(Math.max(((p.x - a.x) * dx + (p.y - a.y) * dy) / square, 0), 1) : 0;
  return Math.hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

function isInside(p, corners) {
  let isIn = false;
  corners.forEach((a, i) => {
    const b = corners[(i + 1) % corners.length];
    if ((a.y > p.y) !== (b.y > p.y) && p.x < a.x + ((p.y - a.y) / (b.y - a.y)) * (b.x - a.x)) isIn = !isIn;
  });
  return isIn;
}

// Whose point it is; of a body the name of its node.
function nameOf(point) {
  const node = run.nodes && isOfBody(point) && run.nodes[point] >= 0 ? run.nodes[point] : point;
  return run.owners[node].replace(/^node "(.*)"$/, "$1");
}

// What lies at a place of the picture: a point near by, else a line, a link or a ball, else the foremost face.
function nameAt(p) {
  const x = new THREE.Vector3();
  const places = Array.from({ length: pointCount }, (_, i) => onScreen(at(player, i, x)));
  let best = null;
  const consider = (distance, reach, depth, name) => {
    if (distance <= reach && (!best || distance / reach < best.rank)) best = { rank: distance / reach, depth, name };
  };
  // Before the nodes at the same places.
  if (bodies.visible) run.centres.forEach(({ point }) => consider(Math.hypot(p.x - places[point].x, p.y - places[point].y), 9, places[point].depth, `${nameOf(point)}: centre of mass`));
  const contactCount = pointCount - run.points.own;
  places.forEach((place, i) => {
    const isContact = i >= run.points.own;
    if (isContact ? contacts.visible && contactCount > 0 : nodes.visible)
      consider(Math.hypot(p.x - place.x, p.y - place.y), 9, place.depth, isContact ? run.owners[i] : nameOf(i));
  });
  if (best) return best.name;
  const tubeReach = (radius, place) => Math.max(5, (radius / extent) * 0.5 * surface.clientHeight * (extent / view.distance) / Math.tan((camera.fov * Math.PI) / 360));
  pieces(() => true).forEach(({ from, to, radius }) => {
    const isLink = isWithinLinks({ from, to });
    if (!isLink) consider(distanceToSegment(p, places[from], places[to]), tubeReach(radius), places[from].depth, isOfBody(from) && run.nodes[from] === run.nodes[to] ? nameOf(from) : run.owners[from]);
  });
  if (bodies.visible) {
    run.links.forEach(({ from, to, radius }) => consider(distanceToSegment(p, places[from], places[to]), tubeReach(radius), places[from].depth, nameOf(from)));
    run.spheres.forEach(({ point, radius }) => consider(Math.hypot(p.x - places[point].x, p.y - places[point].y), tubeReach(radius), places[point].depth, nameOf(point)));
    run.boxes.forEach(({ point, half, is_only }) => {
      if (is_only || inertias.visible) consider(Math.hypot(p.x - places[point].x, p.y - places[point].y), tubeReach(Math.max(...half)), places[point].depth, nameOf(point));
    });
  }
  if (best) return best.name;
  let front = null;
  [...run.faces, ...run.triangles].forEach((face) => {
    const corners = face.map((point) => places[point]);
    const depth = corners.reduce((sum, corner) => sum + corner.depth, 0) / corners.length;
    if ((!front || depth < front.depth) && isInside(p, corners)) front = { depth, name: isOfBody(face[0]) ? nameOf(face[0]) : run.owners[face[0]] };
  });
  return front ? front.name : "";
}

let isLookPending = false;
function lookAt(event) {
  if (isLookPending) return;
  isLookPending = true;
  requestAnimationFrame(() => {
    isLookPending = false;
    const name = drag.size === 0 ? nameAt({ x: event.offsetX, y: event.offsetY }) : "";
    label.textContent = name;
    label.hidden = !name;
    if (name) {
      label.style.left = `${Math.min(event.offsetX + 14, surface.clientWidth - label.offsetWidth - 6)}px`;
      label.style.top = `${Math.max(event.offsetY - 26, 4)}px`;
    }
  });
}
surface.addEventListener("pointermove", lookAt);
surface.addEventListener("pointerleave", () => { label.hidden = true; });
