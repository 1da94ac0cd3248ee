// ---- Controls

addPlanes();
addTubes(pieces((radius) => radius > 0), BEAM_COLOUR, scene);
addLines();
addSolids();
addSurfaces();
addBoxes();
addLinks();
addSpheres();
addPoints();
addContacts();
addFound();
scene.add(contacts);
nodes.visible = run.lines.length + run.faces.length + run.triangles.length + run.links.length + run.spheres.length + run.boxes.length === 0;
element("show-points").checked = nodes.visible;

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
element("show-bodies").parentElement.hidden = run.boxes.length + run.links.length + run.spheres.length + run.triangles.length === 0;
inertias.visible = false;
element("show-inertias").addEventListener("change", (event) => { inertias.visible = event.target.checked; draw(); });
element("show-inertias").parentElement.hidden = run.boxes.every((box) => box.is_only);
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
player.speed = isModes ? 1 : [0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1].filter((speed) => duration / speed >= 6).pop() || 0.001;
element("speed").value = player.speed;
element("speed").addEventListener("change", (event) => { player.speed = Number(event.target.value); });
element("plot").hidden = series.length === 0;
element("series").append(...series.map((one, i) => option(i, `${one.name}${one.unit && one.unit !== "1" ? ", " + one.unit : ""}`)));
element("series").addEventListener("change", (event) => { chosen = series[Number(event.target.value)]; drawCurve(); });
let isSeeking = false;
curve.addEventListener("pointerdown", (event) => { isSeeking = true; curve.setPointerCapture(event.pointerId); setPlaying(false); seek(event); });
curve.addEventListener("pointermove", (event) => { if (isSeeking) seek(event); });
curve.addEventListener("pointerup", () => { isSeeking = false; });
element("picture").addEventListener("click", savePicture);
element("video").addEventListener("click", saveVideo);
const MORE_KEYS = { h: fit, p: savePicture, v: saveVideo, Home: () => show(0), End: () => show(run.frames - 1) };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isControl = ["SELECT", "INPUT", "BUTTON", "SUMMARY"].includes(event.target.tagName);
  if (MORE_KEYS[event.key] && !(isControl && event.key.length > 1)) { MORE_KEYS[event.key](); return; }
  if (isControl) return;
  if (event.key === " ") { event.preventDefault(); setPlaying(!player.isPlaying); }
  if (event.key === "ArrowRight") { setPlaying(false); show(player.frame + 1); }
  if (event.key === "ArrowLeft") { setPlaying(false); show(player.share > 0 ? player.frame : player.frame - 1); }
});

function resize() {
  const { clientWidth: width, clientHeight: height } = surface;
  renderer.setSize(width, height);
  camera.aspect = width / Math.max(height, 1);
  camera.setViewOffset(width, height, coveredWidth() / 2, 0, width, height); // the middle of what is free
  camera.updateProjectionMatrix();
  placeCamera();
  drawCurve();
}
window.addEventListener("resize", resize);
element("side").addEventListener("toggle", resize);

// Modes one at a time, equilibria as large as one likes.
if (isModes) {
  element("plot").hidden = true;
  element("scrub").hidden = true;
  element("mode").append(...Array.from(time, (frequency, i) => option(i, `mode ${i + 1}: ${frequency.toPrecision(5)} Hz`)));
  element("mode").addEventListener("change", (event) => { show(Number(event.target.value)); });
}
element("mode").hidden = !isModes;
element("now").hidden = isModes;
element("scale").parentElement.hidden = !isModes && !isStatic;
if (isModes) {
  Object.assign(element("scale"), { min: -2, max: 1, value: 0 });
  element("scale-name").textContent = "amplitude";
} else {
  Object.assign(element("scale"), { min: 0, max: 4, value: 0 });
}
element("scale").addEventListener("input", () => {
  exaggeration[isModes ? "swing" : "magnification"] = amplitude();
  element("scale-value").textContent = `${number(amplitude())} x`;
  show(player.frame, player.share);
});

chosen = series[0] || null;
resize();
fit();
// Solids show their stress unless something else was asked for.
const firstField = run.has_chosen_colour ? 0 : run.faces.length > 0 ? run.fields.findIndex((one) => one.name === "von_mises_stress") : -1;
element("colour").value = firstField;
chooseColour(firstField);
show(0);
if (isModes) setPlaying(true);
