// What axe-core leaves open of what keeps people from using a page: a list of sentences.
() => {
  const faults = [];
  const shown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && !one.closest(".vh, .skip, [hidden], [aria-hidden=true]");
  const said = (one) => `${one.tagName.toLowerCase()}${one.id ? `#${one.id}` : ""}`
    + `${one.className?.baseVal === undefined && one.className ? `.${one.className}` : ""}`
    + ` “${(one.textContent || "").trim().slice(0, 40)}”`;
  const named = (one) => one.getAttribute("aria-label")?.trim()
    || (one.getAttribute("aria-labelledby") ?? "").split(" ").filter(Boolean)
      .some((id) => document.getElementById(id)?.textContent.trim())
    || [...(one.labels ?? [])].some((label) => label.textContent.trim());
  // labels that are not placeholders, names of landmarks, one title, identifiers
  for (const one of document.querySelectorAll("input:not([type=hidden]), select, textarea")) {
    if (!named(one)) faults.push(`no label: ${said(one)}`);
  }
  for (const one of document.querySelectorAll("[role=region], progress, nav")) {
    if (!named(one)) faults.push(`no name: ${said(one)}`);
  }
  if (document.querySelectorAll("h1").length !== 1) faults.push("not one h1");
  const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) faults.push(`id twice: ${id}`);
  for (const one of document.querySelectorAll("[aria-labelledby], label[for]")) {
    const wanted = one.getAttribute("aria-labelledby") ?? one.htmlFor;
    for (const id of wanted.split(" ")) if (!document.getElementById(id)) faults.push(`no #${id}`);
  }
  // contrast, also in pictures and of what is partly covered or scrolled away
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const channels = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const ground = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const found = channels(getComputedStyle(at).backgroundColor);
      if (found[3] === 255) return found;
    }
    return [255, 255, 255, 255];
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = new Set();
  while (walker.nextNode()) {
    const one = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || seen.has(one) || !shown(one)) continue;
    seen.add(one);
    if (["SCRIPT", "STYLE", "OPTION", "TITLE"].includes(one.tagName) || one.closest(":disabled")) continue;
    const style = getComputedStyle(one);
    const text = channels(one instanceof SVGElement ? style.fill : style.color);
    const [a, b] = [luminance(text), luminance(ground(one))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    const large = parseFloat(style.fontSize) >= 24;
    if (ratio < (large ? 3 : 4.5)) faults.push(`contrast ${ratio.toFixed(2)}: ${said(one)}`);
  }
  return [...new Set(faults)];
}
