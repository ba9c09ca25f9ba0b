/*
 * Keeps a job's page up to date. The page is complete without it: it shows the job as it was when it was asked for.
 */
const main = document.querySelector("main[data-job]");
const order = ["settling", "queued", "witness", "proving", "checking", "done"];
/** Statuses that are one line of the list. */
const lineOf = { witness: "queued" };

const seconds = (ms) => `${Math.round(ms / 1000)} s`;

/** What stands beside the line of a status. */
function detail(job, elapsedMs) {
  if (job.status === "queued" && job.position !== undefined) {
    return job.position === 0 ? "next" : `${job.position} ahead`;
  }
  if (job.status !== "proving") return "";
  return job.expectedMs ? `${seconds(elapsedMs)} of about ${seconds(job.expectedMs)}` : seconds(elapsedMs);
}

let job;
let since = 0;

function show() {
  const elapsedMs = (job.elapsedMs ?? 0) + performance.now() - since;
  const line = lineOf[job.status] ?? job.status;
  const at = order.indexOf(line);
  const failed = job.status === "failed";
  for (const each of main.querySelectorAll("[data-stage]")) {
    const index = order.indexOf(each.dataset.stage);
    // A failed job stays at the line it had come to.
    if (!failed)
      each.dataset.state = job.status === "done" || index < at ? "done" : index === at ? "now" : "";
    else if (each.dataset.state === "now") each.dataset.state = "failed";
    each.querySelector(".detail").textContent = index === at && !failed ? detail(job, elapsedMs) : "";
  }
  const bar = main.querySelector("progress");
  bar.hidden = job.status !== "proving" || !job.expectedMs;
  if (!bar.hidden) bar.value = Math.min(0.97, elapsedMs / job.expectedMs);
}

function update(next) {
  job = next;
  since = performance.now();
  show();
  // What a finished or paid job has to show is written by the server.
  const known = main.dataset.known.split(" ");
  const now = [job.payment && "payment", job.result && "result", job.error && "error"].filter(Boolean);
  if (now.some((part) => !known.includes(part))) location.reload();
}

if (main?.dataset.live === "yes") {
  const events = new EventSource(`${location.pathname}/events`);
  for (const status of [...order, "failed"]) {
    events.addEventListener(status, (event) => {
      update(JSON.parse(event.data));
      if (status === "done" || status === "failed") events.close();
    });
  }
  setInterval(() => job?.status === "proving" && show(), 500);
}
