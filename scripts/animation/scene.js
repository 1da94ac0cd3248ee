// ---- Scene

const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => location.reload());

const STATE_COLOURS = { 1: isDark ? 0x52b98c : 0x3a8f6b, 2: isDark ? 0xf0914c : 0xd9722b };
const OPEN_COLOUR = 0x9a9da5;
const BEAM_COLOUR = isDark ? 0x7ba6cd : 0x5b83a8, SOLID_COLOUR = 0x9db4c8, PLANE_COLOUR = isDark ? 0x6f7480 : 0xb9bdc6;
const LINE_COLOUR = isDark ? 0x9cc3e6 : 0x1f4e79, NODE_COLOUR = isDark ? 0xe4e6eb : 0x2b2d33;
const PALETTE = isDark ? [0x6ea8dc, 0xe07a86, 0x5cbf94, 0xb98ccb, 0xf0914c, 0xa3a7b1, 0xdcc04a, 0x6cc3de]
  : [0x1f4e79, 0xb23a48, 0x3a8f6b, 0x8a4f9e, 0xd9722b, 0x6d6f76, 0xc2a01f, 0x3f9fbf];
const VIRIDIS = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
const NO_COLOUR = 255;

const styleOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
renderer.setPixelRatio(window.devicePixelRatio);
renderer.setClearColor(new THREE.Color(styleOf("paper")));
element("scene").appendChild(renderer.domElement);
const scene = new THREE.Scene();
const camera = new THREE.PerspectiveCamera(30, 1, extent * 1e-3, extent * 100);
scene.add(new THREE.HemisphereLight(0xffffff, 0xa8adb8, 0.8));
const lamp = new THREE.DirectionalLight(0xffffff, 0.4);
scene.add(lamp);

// Of bodies in turn, and the same for all points of one; -1 is fixed in space.
const colourOf = new Map([[-1, PLANE_COLOUR]]);
function bodyColour(point) {
  const node = run.nodes ? run.nodes[point] : run.owners[point];
  if (!colourOf.has(node)) colourOf.set(node, PALETTE[(colourOf.size - 1) % PALETTE.length]);
  return colourOf.get(node);
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

