// "Snap my board": a photo goes off as soon as it is taken, made smaller here when this phone can.
// Without this module the form has a button of its own, and the server answers with a page.

const LONG_SIDE_PX = 2560;
const QUALITY = 0.9;

// Wi-Fi at a table is slow; twelve megapixels of it show the eyes nothing that four do not.
async function smaller(file) {
  try {
    const picture = await createImageBitmap(file);
    const share = LONG_SIDE_PX / Math.max(picture.width, picture.height);
    if (share >= 1) return file;
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(picture.width * share);
    canvas.height = Math.round(picture.height * share);
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
    return blob ?? file;
  } catch {
    return file; // a kind of picture that this browser does not know; the service may
  }
}

export function takeOverSnaps({ toast }) {
  document.addEventListener("change", async (event) => {
    const form = event.target.closest("form[data-snap]");
    const file = form && event.target.files?.[0];
    if (!file || form.dataset.busy) return;
    form.dataset.busy = "1";
    const words = form.querySelector("[data-words]");
    const before = words.textContent;
    words.textContent = form.dataset.reading;
    try {
      const body = new FormData();
      body.append("photo", await smaller(file), "photo");
      const sent = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
      toast.show(await sent.json());
    } catch {
      toast.show({ why: document.body.dataset.unanswered });
    } finally {
      delete form.dataset.busy;
      words.textContent = before;
      form.reset();
    }
  });
}
