// ---- Solids and bodies

// Solids that deform are of one colour, those of rigid bodies of that of the body.
const isOfBody = (point) => run.nodes && run.nodes[point] !== point;

function addSolids() {
  if (run.faces.length === 0) return;
  const corners = run.faces.flatMap((f, i) => [f[0], f[1], f[2], f[0], f[2], f[3]].map((point) => ({
    point, cell: run.lines.length + run.face_solid[i], colour: isOfBody(point) ? bodyColour(point) : SOLID_COLOUR })));
  const { geometry, place, colours } = bufferOf(corners.length, SOLID_COLOUR);
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
    corners.forEach(({ point, cell, colour: own }, i) => {
      (field ? colourOfByte(field.byte(frame, point, cell), own, colour) : colour.setHex(own)).toArray(colours, 3 * i);
    });
    geometry.attributes.color.needsUpdate = true;
  });
}

// Surfaces of triangles with their sharp edges. One can look into those at rest, which may be containers.
const SHARP_EDGE = 2; // of the kinds of lines
function addSurfaces() {
  const isAtRest = (point) => Boolean(run.nodes) && run.nodes[point] === -1;
  [false, true].forEach((atRest) => {
    const corners = run.triangles.filter(([a, b, c]) => [a, b, c].every(isAtRest) === atRest).flat();
    if (corners.length === 0) return;
    const parent = atRest ? scene : bodies;
    const { geometry, place, colours } = bufferOf(corners.length, PLANE_COLOUR);
    addShown(new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({
      vertexColors: THREE.VertexColors, side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
      ...(atRest ? { transparent: true, opacity: 0.45, depthWrite: false } : {}) })), parent);
    const ends = pieces((_, line) => run.line_kinds[line] === SHARP_EDGE && isAtRest(run.lines[line][0]) === atRest).flatMap(({ from, to }) => [from, to]);
    const outline = bufferOf(ends.length, NODE_COLOUR);
    addShown(new THREE.LineSegments(outline.geometry, new THREE.LineBasicMaterial({ color: NODE_COLOUR, transparent: true, opacity: atRest ? 0.25 : 0.4 })), parent);
    const x = new THREE.Vector3(), colour = new THREE.Color();
    followers.push((moment) => {
      corners.forEach((point, i) => at(moment, point, x).toArray(place, 3 * i));
      ends.forEach((point, i) => at(moment, point, x).toArray(outline.place, 3 * i));
      geometry.attributes.position.needsUpdate = true;
      outline.geometry.attributes.position.needsUpdate = true;
      geometry.computeVertexNormals();
    });
    painters.push((field, frame) => {
      const isKnown = field && field.on === "points" && !atRest;
      corners.forEach((point, i) => {
        const own = bodyColour(point);
        (isKnown ? colourOfByte(field.byte(frame, point, 0), own, colour) : colour.setHex(own)).toArray(colours, 3 * i);
      });
      geometry.attributes.color.needsUpdate = true;
    });
  });
}

// A little smaller than they are, so that the great circles on them show how they turn.
function addSpheres() {
  const shape = new THREE.SphereBufferGeometry(1, 32, 20);
  run.spheres.forEach(({ point, radius }) => {
    const own = bodyColour(point);
    const ball = addShown(new THREE.Mesh(shape, new THREE.MeshLambertMaterial({ color: own })), bodies);
    ball.scale.setScalar(0.975 * radius);
    followers.push((moment) => at(moment, point, ball.position));
    painters.push((field, frame) => {
      if (field && field.on === "points") colourOfByte(field.byte(frame, point, 0), own, ball.material.color);
      else ball.material.color.setHex(own);
    });
  });
}

// Bodies without a surface: tubes between what holds or touches them, and a ball at the centre of mass.
function addLinks() {
  const groups = new Map();
  run.links.forEach((link) => {
    const colour = bodyColour(link.from);
    if (!groups.has(colour)) groups.set(colour, []);
    groups.get(colour).push(link);
  });
  groups.forEach((links, colour) => addTubes(links, colour, bodies));
  if (run.centres.length === 0) return;
  const balls = addShown(new THREE.InstancedMesh(new THREE.SphereBufferGeometry(1, 18, 12),
    new THREE.MeshLambertMaterial({ color: NODE_COLOUR }), run.centres.length), bodies);
  const x = new THREE.Vector3(), matrix = new THREE.Matrix4();
  followers.push((moment) => {
    run.centres.forEach(({ point, radius }, i) => balls.setMatrixAt(i, matrix.makeScale(radius, radius, radius).setPosition(at(moment, point, x))));
    balls.instanceMatrix.needsUpdate = true;
  });
}

const bodies = new THREE.Group(), inertias = new THREE.Group();
// Cuboids with the mass and inertia of bodies: as the only sign of some, and of all others when asked for.
function addBoxes() {
  scene.add(bodies, inertias);
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
    const colour = bodyColour(box.point);
    // What is within a body shows through it.
    const body = addShown(new THREE.Mesh(shape, new THREE.MeshLambertMaterial({ color: colour, transparent: true, opacity: 0.35, depthWrite: false })), box.is_only ? bodies : inertias);
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
