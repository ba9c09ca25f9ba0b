import type { Context } from "hono";
import { html } from "hono/html";
import { type CircuitId, chainOf, type Deployment } from "@/lib/proofs/deployment";
import { circuits } from "@/lib/proofs/registry";
import { money, offerLine, page } from "./layout";

export interface HomeDependencies {
  deployment: Deployment;
  offered: readonly CircuitId[];
  /** Whether inputs must be encrypted. */
  encrypted: boolean;
}

/** GET /: introduces the service to people who open its address in a browser. */
export function homeHandler({ deployment, offered, encrypted }: HomeDependencies) {
  const { proverUrl, appUrl } = deployment.services;
  const [cheapest] = [...deployment.offers].sort((a, b) => Number(BigInt(a.amount) - BigInt(b.amount)));
  const price = cheapest ? money(cheapest.amount, cheapest) : "";
  const [example = "oidc_domain_attestation"] = offered;
  const body = html`<main>
  <h1>Prove a fact about yourself, and nothing more</h1>
  <p class="lead">This service makes zero-knowledge proofs on request: of the domain of an email address, of a country of
  residence, of a checked identity. Whoever sees the proof learns that the fact holds. Each proof is paid for by itself,
  without an account.</p>
  ${
    deployment.srs.kind === "development"
      ? html`<p class="note"><strong>A development installation.</strong> Anybody can forge proofs under its setup data, and
  its money is play money. Do not rely on what it proves.</p>`
      : ""
  }

  <h2>What can be proven</h2>
  <div class="grid">
    ${offered.map((id) => circuitSheet(deployment, id, price))}
  </div>

  <h2>How to pay</h2>
  <p>Payment is by x402: the service answers a first request with its price, you sign a payment with your wallet, and send
  the request again with it. Nothing is charged for a request that cannot be proven, and one payment is never charged twice.</p>
  <ul>
    ${deployment.offers.map((offer) => html`<li>${offerLine(deployment, offer)}</li>`)}
  </ul>

  <h2>For programs</h2>
  <p>Ask the price; the guide says what to send for each proof, with formulas and test vectors.</p>
  <pre>curl -X POST ${proverUrl}/api/v1/prove \\
  -H 'content-type: application/json' -d '{"circuit": "${example}"}'</pre>
  <p class="soft">${
    encrypted
      ? "What is to be proven must be encrypted with the key in that answer (teePublicKey)."
      : "What is to be proven travels over HTTPS; this installation has no key to encrypt it with beyond that."
  } The service reads it while it makes the proof, never stores it unencrypted, and forgets it with the job.</p>
  <ul class="links">
    <li><a href="/openapi.json">API description</a></li>
    <li><a href="/.well-known/x402">Discovery</a></li>
    <li><a href="/api/v1/promises">Promises kept and missed</a></li>
    <li><a href="/health">Health</a></li>
    <li><a href="${appUrl}">The community that asks for these proofs</a></li>
  </ul>
</main>`;
  return (c: Context): Promise<Response> =>
    page(c, { title: "Parley prover: prove a fact, and nothing more", body });
}

function circuitSheet(deployment: Deployment, id: CircuitId, price: string) {
  const { displayName, description, reveals, hides } = circuits[id];
  const verifier = deployment.verifiers[id];
  const chain = verifier && chainOf(deployment, verifier.chainId);
  return html`<section class="sheet">
      <div class="title"><h3>${displayName}</h3><span class="price">${price}</span></div>
      <p>${description}</p>
      <dl>
        <dt>Others learn</dt><dd>${reveals.join("; ")}.</dd>
        <dt>Stays hidden</dt><dd>${hides.join("; ")}.</dd>
        ${chain ? html`<dt>Checked on</dt><dd>${chain.name}</dd>` : ""}
      </dl>
      <p class="small"><a href="/api/v1/guide/${id}">Guide for programs</a> · <code>${id}</code></p>
    </section>`;
}
