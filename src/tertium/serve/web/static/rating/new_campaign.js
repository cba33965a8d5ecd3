// The form of a new campaign: some of its fields are settings.

import { call } from "../forms.js";

// "3<tab>ein rotes Dach" on a line each; what follows are translations, "system=a red roof".
function constituents(lines) {
  return lines.split("\n").filter((line) => line.trim()).map((line) => {
    const [segment, text = "", ...outputs] = line.replace(/\r$/, "").split("\t");
    return { segment: Number(segment), text, outputs: Object.fromEntries(outputs.map((one) => {
      const at = one.indexOf("=");
      return [one.slice(0, at), one.slice(at + 1)];
    })) };
  });
}

const form = document.getElementById("new-campaign");
form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const data = new FormData(form);
  const number = (name) => (data.get(name) === "" ? undefined : Number(data.get(name)));
  const settings = {
    assignment: data.get("assignment"), redundancy: number("redundancy"),
    segments: number("segments"), show: data.get("show").split(","), context: number("context"),
    // Damage may spare the constituent, so that no rater could notice.
    degraded: data.get("constituents").trim() ? 0 : number("degraded"), repeated: number("repeated"),
    instructions: data.get("instructions"), constituents: constituents(data.get("constituents")),
  };
  try {
    const made = await call("POST", form.dataset.api, {
      name: data.get("name"), protocol: data.get("protocol"), test_set: data.get("test_set"),
      seed: crypto.getRandomValues(new Uint32Array(1))[0] >>> 1, settings,
    });
    location.assign(form.dataset.page + made.id);
  } catch (problem) {
    let place = form.querySelector("[role=alert]");
    if (!place) {
      place = document.createElement("p");
      place.className = "problem";
      place.setAttribute("role", "alert");
      form.append(place);
    }
    place.textContent = problem.message;
  }
});
