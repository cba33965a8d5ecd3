// Forms that speak to the API: <form data-method="PATCH" action="/api/v1/…" data-next="/…">.
// data-next: where to go afterwards; {field} is taken from the answer, "reload" stays here,
// "?next" goes where the address says, if that is below data-home. data-encoding="multipart" sends files.
// data-confirm asks first. Numbers: <input type="number">; empty ones are left out.
// data-type="list": values separated by commas or line ends.

export async function call(method, path, body) {
  const files = body instanceof FormData;
  const response = await fetch(path, {
    method,
    headers: body === undefined || files ? {} : { "content-type": "application/json" },
    body: body === undefined || files ? body : JSON.stringify(body),
    credentials: "same-origin",
  });
  const text = await response.text();
  let value = null;
  try { value = text ? JSON.parse(text) : null; } catch { /* no JSON: a proxy's page */ }
  if (!response.ok) {
    const sentence = value?.error ?? `the server answered ${response.status}`;
    throw Object.assign(new Error(sentence), { status: response.status });
  }
  return value;
}

function values(form) {
  const found = {};
  for (const field of form.elements) {
    if (!field.name || field.disabled || field.dataset.path !== undefined) continue;
    if (field.type === "checkbox") found[field.name] = field.checked;
    else if (field.dataset.type === "boolean") found[field.name] = field.value === "true";
    else if (field.dataset.type === "list") {
      found[field.name] = field.value.split(/[,\n]/).map((one) => one.trim()).filter(Boolean);
    } else if (field.type === "radio") { if (field.checked) found[field.name] = field.value; }
    else if (field.type === "number") { if (field.value !== "") found[field.name] = Number(field.value); }
    else if (field.multiple && field.tagName === "SELECT") {
      found[field.name] = [...field.selectedOptions].map((one) => one.value);
    } else if (!(field.value === "" && field.dataset.optional !== undefined)) {
      found[field.name] = field.value;
    }
  }
  return found;
}

// data-action="/api/…/{name}" takes a part of the path from the field with data-path.
function address(form) {
  const pattern = form.dataset.action;
  if (!pattern) return form.getAttribute("action");
  return pattern.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(form.elements[name].value));
}

function target(next, answer, home) {
  if (next === "?next") {
    const wanted = new URLSearchParams(location.search).get("next") ?? home;
    // Only a path of this site: neither another host nor a scheme, nor what else a proxy shows.
    return /^\/(?![/\\])/.test(wanted) && wanted.startsWith(home) ? wanted : home;
  }
  return next.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(answer?.[name] ?? ""));
}

function complain(form, sentence) {
  let place = form.querySelector("[role=alert]");
  if (!place) {
    place = document.createElement("p");
    place.className = "problem";
    place.dir = "auto";
    place.setAttribute("role", "alert");
    form.append(place);
  }
  place.textContent = sentence;
}

export async function submit(form) {
  if (form.dataset.confirm && !confirm(form.dataset.confirm)) return;
  const buttons = [...form.querySelectorAll("button")];
  for (const one of buttons) one.disabled = true;
  try {
    const method = form.dataset.method;
    const body = form.dataset.encoding === "multipart" ? new FormData(form) : values(form);
    const empty = method === "DELETE" && !(body instanceof FormData) && !Object.keys(body).length;
    const answer = await call(method, address(form), empty ? undefined : body);
    form.dispatchEvent(new CustomEvent("saved", { detail: answer, bubbles: true }));
    const next = form.dataset.next;
    if (next === "reload") location.reload();
    else if (next) location.assign(target(next, answer, form.dataset.home ?? "/"));
  } catch (problem) {
    complain(form, problem.message);
  } finally {
    for (const one of buttons) one.disabled = false;
  }
}

document.addEventListener("submit", (event) => {
  if (event.target.dataset.method) {
    event.preventDefault();
    submit(event.target);
  }
});
