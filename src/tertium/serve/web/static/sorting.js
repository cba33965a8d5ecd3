// Heads of tables with data-sortable become buttons that sort; cells without a value come last.
"use strict";
for (const table of document.querySelectorAll("table[data-sortable]")) {
  const heads = [...table.tHead.rows[0].cells];
  const sort = (column, falling) => {
    const value = (row) => {
      const text = row.cells[column].dataset.value;
      return text === "" ? Infinity : (falling ? -1 : 1) * Number(text);
    };
    const body = table.tBodies[0];
    body.append(...[...body.rows].sort((a, b) => (value(a) === value(b) ? 0 : value(a) - value(b))));
    for (const one of heads) one.removeAttribute("aria-sort");
    heads[column].setAttribute("aria-sort", falling ? "descending" : "ascending");
  };
  heads.forEach((head, column) => {
    if (!head.dataset.better) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const now = head.getAttribute("aria-sort");
      sort(column, now ? now === "ascending" : head.dataset.better === "high");
    });
  });
}
