// Shows what the server tells only once: <form data-shown-once="address">.

document.addEventListener("saved", (event) => {
  const name = event.target.dataset.shownOnce;
  if (!name) return;
  let box = event.target.querySelector(".shown-once");
  if (!box) {
    box = document.createElement("p");
    box.className = "shown-once notice";
    box.setAttribute("role", "status");
    event.target.append(box);
  }
  const lines = event.detail[name].split("\n").length;
  const secret = document.createElement(lines > 1 ? "textarea" : "input");
  if (lines > 1) secret.rows = Math.min(lines, 12);
  secret.readOnly = true;
  secret.value = event.detail[name];
  secret.setAttribute("aria-label", "Copy it now; it is not shown again");
  const copy = document.createElement("button");
  copy.type = "button";
  copy.textContent = "Copy";
  copy.addEventListener("click", async () => {
    secret.select();
    try { await navigator.clipboard.writeText(secret.value); copy.textContent = "Copied"; }
    catch { copy.textContent = "Press Ctrl-C"; }
  });
  box.replaceChildren("Copy it now; it is not shown again: ", secret, copy);
});
