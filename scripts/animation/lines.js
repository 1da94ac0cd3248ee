// ---- Tubes and lines

// Pieces of the lines that are wanted, by radius and number: their ends and the number of the line.
function pieces(isWanted) {
  const found = [];
  run.lines.forEach((line, i) => {
    if (!isWanted(run.radii[i], i)) return;
    for (let k = 0; k + 1 < line.length; ++k) found.push({ from: line[k], to: line[k + 1], radius: run.radii[i], line: i });
  });
  return found;
}

// Of each tube a ring of corners at either end; a joint of two tubes is closed by a ball. A tube without a line has the
// colour of its points.
function addTubes(tubes, colour, parent) {
  if (tubes.length === 0) return;
  const material = new THREE.MeshLambertMaterial({ vertexColors: THREE.VertexColors });
  const sides = 18;
  const count = tubes.length * sides * 2;
  const tube = bufferOf(count, colour);
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
  addShown(new THREE.Mesh(tube.geometry, material), parent);
  const ends = [...new Set(tubes.flatMap(({ from, to }) => [from, to]))];
  const radii = new Map();
  tubes.forEach(({ from, to, radius }) => [from, to].forEach((point) => radii.set(point, Math.max(radius, radii.get(point) || 0))));
  const balls = addShown(new THREE.InstancedMesh(new THREE.SphereBufferGeometry(1, 18, 12),
    new THREE.MeshLambertMaterial({ color: colour }), ends.length), parent);
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
  const mixed = new THREE.Color();
  painters.push((field, frame) => {
    balls.visible = !field; // they have no colours of their own
    tubes.forEach(({ from, to, line }, t) => {
      const isKnown = field && (line !== undefined || field.on === "points");
      for (let s = 0; s < sides; ++s) {
        [from, to].forEach((point, k) => {
          const i = 3 * (2 * (t * sides + s) + k);
          (isKnown ? colourOfByte(field.byte(frame, point, line), colour, mixed) : tube.plain).toArray(tube.colours, i);
        });
      }
    });
    tube.geometry.attributes.color.needsUpdate = true;
  });
}

// What lies within a body that is shown as links is left out.
const isWithinLinks = ({ from, to }) => run.nodes && run.linked.includes(run.nodes[from]) && run.nodes[from] === run.nodes[to];

function addLines() {
  const ends = pieces((radius, line) => radius <= 0 && run.line_kinds[line] === 0).filter((piece) => !isWithinLinks(piece))
    .flatMap(({ from, to, line }) => [{ point: from, line }, { point: to, line }]);
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
