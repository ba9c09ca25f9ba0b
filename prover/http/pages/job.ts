import type { Context } from "hono";
import { html } from "hono/html";
import { chainOf, type Deployment } from "@/lib/proofs/deployment";
import { circuits } from "@/lib/proofs/registry";
import type { Job } from "@/lib/proofs/wire";
import { money, page, short } from "./layout";

/** Steps in order. A witness that is solved again counts as waiting. */
const stages = [
  { stage: "settling", text: "Payment" },
  { stage: "queued", text: "Waiting for its turn" },
  { stage: "proving", text: "Making the proof" },
  { stage: "checking", text: "Checking it on chain" },
  { stage: "done", text: "Proven" },
] as const;

/** Shows a job's progress, payment and result. assets/job.js keeps the page up to date. */
export function jobPage(c: Context, deployment: Deployment, job: Job): Promise<Response> {
  const live = job.status !== "done" && job.status !== "failed";
  const known = [job.payment && "payment", job.result && "result", job.error && "error"];
  const body = html`<main data-job data-live="${live ? "yes" : "no"}" data-known="${known.filter(Boolean).join(" ")}">
  <h1>${heading(job)}</h1>
  <p class="lead">${lead(job)}</p>
  <section class="sheet" aria-label="Progress">
    <progress max="1" hidden aria-label="Proof"></progress>
    <ol class="stages" aria-live="polite">
      ${stages.map(
        ({ stage, text }) =>
          html`<li data-stage="${stage}" data-state="${stateOf(stage, job)}"><span>${text}</span><span class="detail">${detail(stage, job)}</span></li>`,
      )}
    </ol>
  </section>
  ${job.error ? errorSection(job.error) : ""}
  ${job.payment ? paymentSection(deployment, job.payment) : ""}
  ${job.result ? resultSection(deployment, job.result) : ""}
  <h2>This page</h2>
  <p class="soft">Its address is the only key to this proof: keep it to yourself. The proof is kept for a day.</p>
</main>`;
  return page(c, {
    title: `${heading(job)} · Parley prover`,
    body,
    script: live ? "/assets/job.js" : undefined,
  });
}

/** Shows that there is no such job. */
export function unknownJobPage(c: Context): Promise<Response> {
  const body = html`<main>
  <h1>No such job</h1>
  <p class="lead">The address is not complete, or this is another service's job. Nothing is lost: a paid proof is found
  again by sending the same paid request once more.</p>
  <p><a href="/">What this service does</a></p>
</main>`;
  return page(c, { title: "No such job · Parley prover", body, status: 404 });
}

function heading({ status, result }: Job): string {
  if (result) return `Proven: ${circuits[result.circuit].displayName}`;
  return status === "failed" ? "The proof could not be made" : "Your proof is being made";
}

function lead({ status, result, error }: Job): string {
  if (result) return `Made in ${seconds(result.timing.totalMs)}, and accepted by the verifier contract.`;
  if (status === "failed") return sentence(error?.message ?? "");
  return "You can close this page and come back: the work goes on.";
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;
}

type Stage = (typeof stages)[number]["stage"];

function stateOf(stage: Stage, { status, payment }: Job): string {
  if (status === "done") return "done";
  const order: string[] = stages.map((each) => each.stage);
  // The error says where a failed job ended; a paid one had at least reached its proof.
  const failedAt = payment ? "proving" : "settling";
  const at = order.indexOf(status === "failed" ? failedAt : status === "witness" ? "queued" : status);
  const index = order.indexOf(stage);
  if (index < at) return "done";
  return index > at ? "" : status === "failed" ? "failed" : "now";
}

function detail(stage: Stage, { status, position, elapsedMs, expectedMs }: Job): string {
  if (stage === "queued" && status === "queued" && position !== undefined) {
    return position === 0 ? "next" : `${position} ahead`;
  }
  if (stage !== "proving" || status !== "proving" || elapsedMs === undefined) return "";
  return expectedMs ? `${seconds(elapsedMs)} of about ${seconds(expectedMs)}` : seconds(elapsedMs);
}

function errorSection({ error, reason }: NonNullable<Job["error"]>) {
  return html`<p class="note small">Code: <code>${error}</code>${reason ? html`, reason: <code>${reason}</code>` : ""}</p>`;
}

function paymentSection(deployment: Deployment, payment: NonNullable<Job["payment"]>) {
  const { network, transaction, payer, amount } = payment;
  const offer = deployment.offers.find((each) => each.network === network);
  const chain = offer && chainOf(deployment, offer.chainId);
  const link =
    chain?.explorerUrl && /^0x[0-9a-f]{64}$/i.test(transaction)
      ? `${chain.explorerUrl}/tx/${transaction}`
      : null;
  return html`<h2>Payment</h2>
  <section class="sheet"><dl>
    <dt>Paid</dt><dd>${offer ? money(amount, offer) : amount}${chain ? ` on ${chain.name}` : ""}</dd>
    <dt>By</dt><dd><code title="${payer}">${short(payer)}</code></dd>
    <dt>Transaction</dt><dd>${
      link
        ? html`<a href="${link}" rel="noreferrer"><code>${short(transaction)}</code></a>`
        : html`<code title="${transaction}">${short(transaction)}</code>`
    }</dd>
  </dl></section>`;
}

function resultSection(deployment: Deployment, result: NonNullable<Job["result"]>) {
  const { circuit, proof, publicInputs, verification, timing } = result;
  return html`<h2>The proof</h2>
  <section class="sheet"><dl>
    <dt>Proves</dt><dd>${circuits[circuit].description}</dd>
    <dt>Size</dt><dd>${(proof.length - 2) / 2} bytes, with ${publicInputs.length} public words</dd>
    <dt>Verifier contract</dt><dd><code>${verification.verifierAddress}</code> on ${chainOf(deployment, verification.chainId).name}</dd>
    <dt>Time</dt><dd>witness ${seconds(timing.witnessMs)}, payment ${seconds(timing.paymentMs)}, proof ${seconds(timing.proveMs)}</dd>
  </dl>
  <p><a href="?format=json" download="proof.json">Download the proof</a></p></section>`;
}

function seconds(ms: number): string {
  return ms < 9_950 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}
