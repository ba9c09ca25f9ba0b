import type { Context } from "hono";
import { html } from "hono/html";
import type { Promises } from "../routes";
import { page } from "./layout";

/** The public page of promises kept and missed. */
export async function promisesPage(c: Context, { deliverySeconds, receiptSigner, days }: Promises) {
  const minutes = Math.round(deliverySeconds / 60);
  const sum = (of: "settled" | "kept" | "missed") => days.reduce((all, day) => all + day[of], 0);
  const body = html`<main>
  <h1>Promises kept and missed</h1>
  <p class="lead">A proof is promised within ${minutes} minutes of its payment. Where it is late, the payer has a credit within
  another minute, without asking.</p>
  ${
    days.length === 0
      ? html`<p>Nothing was sold in the last 30 days.</p>`
      : html`<p>In the last 30 days: ${sum("settled")} payments, ${sum("kept")} proofs in time, ${sum("missed")} promises
  missed.</p>
  <div class="scroll" role="region" aria-label="Promises by day" tabindex="0"><table>
    <thead><tr><th scope="col">Day (UTC)</th><th scope="col">Payments</th><th scope="col">In time</th>
      <th scope="col">Missed</th><th scope="col">Refunded</th></tr></thead>
    <tbody>
      ${days.map(
        ({ day, settled, kept, missed, refunded }) =>
          html`<tr><th scope="row">${day}</th><td>${settled}</td><td>${kept}</td><td>${missed}</td><td>${refunded}</td></tr>`,
      )}
    </tbody>
  </table></div>`
  }
  <h2>Do not take our word for it</h2>
  <p>Each payment ends with something signed: a receipt for its proof, or a credit note. The address of the key is
  <code>${receiptSigner}</code>. A payer who has neither after the promised time can show the transaction and our signed
  offer, and we cannot deny them.</p>
  <p class="small"><a href="/api/v1/promises?format=json">These numbers as JSON</a></p>
</main>`;
  return await page(c, { title: "Promises kept and missed · Parley prover", body });
}
