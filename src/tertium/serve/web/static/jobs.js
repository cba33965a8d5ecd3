// Follows jobs live: <div data-job="/api/v1/projects/P/jobs/7" data-state="running" data-next="/…">.
// When a job is over the page goes to data-next, or is loaded again.

const OVER = new Set(["done", "failed", "cancelled"]);

export function follow(place, told) {
  const source = new EventSource(`${place}/events`);
  source.onmessage = (event) => {
    const job = JSON.parse(event.data);
    if (OVER.has(job.state)) source.close();
    told(job);
  };
  return source;
}

function show(box, job) {
  box.dataset.state = job.state;
  const state = box.querySelector(".state");
  const message = box.querySelector(".message");
  const bar = box.querySelector("progress");
  if (state) state.textContent = job.state;
  if (message) message.textContent = job.message;
  if (bar) bar.value = job.progress;
  if (!OVER.has(job.state)) return;
  if (job.state === "done" && box.dataset.next) location.assign(box.dataset.next);
  else location.reload();
}

for (const box of document.querySelectorAll("[data-job]")) {
  if (!OVER.has(box.dataset.state)) follow(box.dataset.job, (job) => show(box, job));
}
