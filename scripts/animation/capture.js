// ---- Pictures and videos

function download(blob, ending) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${run.title.replace(/[^\w.-]+/g, "_") || "motion"}.${ending}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function savePicture() {
  renderer.render(scene, camera);
  renderer.domElement.toBlob((blob) => download(blob, "png"));
}

// Plays once from the beginning, or a mode for two of its swings, and records it; a second click ends it.
let recording = null;
function saveVideo() {
  if (recording) { recording.stop(); return; }
  const type = ["video/webm;codecs=vp9", "video/webm", "video/mp4"].find((one) => window.MediaRecorder && MediaRecorder.isTypeSupported(one));
  if (!type) { window.alert("This browser cannot record a video."); return; }
  const chunks = [];
  recording = new MediaRecorder(renderer.domElement.captureStream(30), { mimeType: type, videoBitsPerSecond: 8e6 });
  recording.ondataavailable = (event) => chunks.push(event.data);
  recording.onstop = () => {
    recording = null;
    setPlaying(false);
    element("video").textContent = "video";
    download(new Blob(chunks, { type }), type.startsWith("video/mp4") ? "mp4" : "webm");
  };
  element("video").textContent = "stop";
  setPlaying(false);
  if (!isModes) show(0);
  recording.start();
  const begin = performance.now();
  const length = (1000 * (isModes ? 4 : duration)) / player.speed;
  setPlaying(true);
  const watch = () => {
    if (!recording) return;
    if (performance.now() - begin >= length || !player.isPlaying) recording.stop();
    else requestAnimationFrame(watch);
  };
  requestAnimationFrame(watch);
}
