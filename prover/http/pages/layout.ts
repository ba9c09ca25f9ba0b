import type { Context } from "hono";
import { html } from "hono/html";
import { formatUnits } from "viem";
import { chainOf, type Deployment, type PaymentOffer } from "@/lib/proofs/deployment";

type Html = ReturnType<typeof html>;

/** Allows only our own files: no inline script or style, no frames. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Answers with a page. `html` escapes every value. */
export async function page(
  c: Context,
  { title, body, script, status = 200 }: { title: string; body: Html; script?: string; status?: 200 | 404 },
): Promise<Response> {
  const text = await html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>${title}</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <link rel="icon" href="/assets/seal.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/assets/page.css">
    ${script ? html`<script type="module" src="${script}"></script>` : ""}
  </head>
  <body>
    <header>
      <a class="brand" href="/"><img src="/assets/seal.svg" alt="" width="28" height="28"> Parley prover</a>
      <a class="small" href="/openapi.json">API</a>
    </header>
    ${body}
    <footer><p>What you send to be proven passes through this service's memory. It is never written down.</p></footer>
  </body>
</html>`;
  return c.html(text, status, {
    "content-security-policy": contentSecurityPolicy,
    // A job's address opens its proof: no other site may see it.
    "referrer-policy": "no-referrer",
    vary: "Accept",
  });
}

/** Whether the client is a browser that wants a page, not a program that reads JSON. */
export function wantsPage(c: Context): boolean {
  const accept = c.req.header("accept") ?? "";
  return c.req.query("format") !== "json" && /\btext\/html\b/.test(accept);
}

/** Formats atomic units: 0.10 USDC. */
export function money(
  amount: string,
  { decimals, symbol }: Pick<PaymentOffer, "decimals" | "symbol">,
): string {
  const [whole = "0", part = ""] = formatUnits(BigInt(amount), decimals).split(".");
  return `${whole}.${part.padEnd(2, "0")} ${symbol}`;
}

const settlements: Readonly<Record<PaymentOffer["settlement"], string>> = {
  facilitator: "you sign, a facilitator submits and pays the gas",
  payee: "you sign, this service submits and pays the gas",
  gateway: "you sign, and a gateway takes it from your deposit there",
};

/** Describes an offer in a line: amount, chain, and who submits the payment. */
export function offerLine(deployment: Deployment, offer: PaymentOffer): string {
  const transfer = offer.transactions
    ? `; or you send a transfer yourself, which counts after ${blocks(offer.transactions.confirmations)}`
    : "";
  return `${money(offer.amount, offer)} on ${chainOf(deployment, offer.chainId).name}: ${settlements[offer.settlement]}${transfer}`;
}

function blocks(count: number): string {
  return count === 1 ? "one block" : `${count} blocks`;
}

/** Shortens a hash to its first and last characters. */
export function short(hash: string): string {
  return hash.length <= 14 ? hash : `${hash.slice(0, 8)}…${hash.slice(-4)}`;
}
