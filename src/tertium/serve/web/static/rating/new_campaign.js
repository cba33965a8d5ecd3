// The form of a new campaign: some of its fields are settings.

import { call } from "../forms.js";

const form = document.getElementById("new-campaign");
form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const data = new FormData(form);
  const number = (name) => (data.get(name) === "" ? undefined : Number(data.get(name)));
  const settings = {
    assignment: data.get("assignment"), redundancy: number("redundancy"),
    segments: number("segments"), show: data.get("show").split(","), context: number("context"),
    degraded: number("degraded"), repeated: number("repeated"),
    instructions: data.get("instructions"),
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
