import type { AttestedCircuit } from "@/lib/proofs/trust/attesters";
import { escapeHtml, plainPage } from "../plain-page";
import { attestationChain, type WalletAttestation } from "./attester";

/** What each circuit's attestation is called here. */
const KINDS: readonly { circuit: AttestedCircuit; label: string }[] = [
  { circuit: "network_eligibility", label: "Checked account" },
  { circuit: "partner_country_attestation", label: "Country of residence" },
  { circuit: "regional_attestation", label: "Checked account, test network" },
];

/** A wallet of the development installation, to pick instead of typing. */
export interface KnownWallet {
  name: string;
  address: string;
}

const STYLE = `
.known { display: flex; flex-wrap: wrap; gap: 6px 14px; margin: 8px 0 0; padding: 0; list-style: none; font-size: 14px; }
a { color: var(--act); }
input[name=address] { font-family: ui-monospace, monospace; font-size: 14px; }
ul.kinds { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
ul.kinds li { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 4px 16px; align-items: center; padding: 14px 0; border-bottom: 1px solid var(--line); }
.name { font-weight: 600; }
.state { display: block; color: var(--soft); font-size: 14px; overflow-wrap: anywhere; }
form.row { display: flex; gap: 8px; align-items: center; margin: 0; }
form.row button { height: 40px; margin: 0; padding: 0 14px; }
form.row input[name=country] { width: 84px; height: 40px; text-transform: uppercase; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 480px) { ul.kinds li { grid-template-columns: 1fr; } }
`;

/** The one page: a wallet, what is attested of it, and buttons to attest and revoke. */
export function attesterPage(view: {
  /** As typed. */
  typed: string;
  /** Null before somebody chose a wallet. */
  shown: { address: string; standing: readonly WalletAttestation[] } | null;
  known: readonly KnownWallet[];
  wrong?: string;
  done?: string;
}): string {
  const said = view.wrong
    ? `<p class="wrong" role="alert">${escapeHtml(view.wrong)}</p>`
    : view.done
      ? `<p class="done" role="status">${escapeHtml(view.done)}</p>`
      : "";
  const known = view.known
    .map(({ name, address }) => `<li><a href="/?address=${escapeHtml(address)}">${escapeHtml(name)}</a></li>`)
    .join("");
  return plainPage({
    kind: "Development attester",
    title: "Attest a wallet",
    width: 620,
    style: STYLE,
    body: `<h1>Attest a wallet</h1>
<p>Stands in for the real attesters on this machine's chains. It believes everybody: what it attests is true of nobody.</p>
${said}
<form method="get" action="/">
<label for="address">Wallet address</label>
<input id="address" name="address" type="text" required autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="0x…" value="${escapeHtml(view.typed)}">
<ul class="known" aria-label="Wallets of this installation">${known}</ul>
<button type="submit">Show attestations</button>
</form>
${view.shown ? kinds(view.shown.address, view.shown.standing) : ""}`,
  });
}

function kinds(address: string, standing: readonly WalletAttestation[]): string {
  const rows = KINDS.map(({ circuit, label }) => {
    const made = standing.find((each) => each.circuit === circuit);
    const state = made
      ? `${made.country ? `${escapeHtml(made.country)}, s` : "S"}ince ${new Date(made.since * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC<br>${escapeHtml(made.transactionHash)}`
      : "Not attested";
    return `<li><span><span class="name">${label}</span> <span class="state">Chain ${attestationChain(circuit)}</span><span class="state">${state}</span></span>${actions(circuit, label, address, made)}</li>`;
  });
  return `<h2>Of this wallet</h2><ul class="kinds">${rows.join("")}</ul>`;
}

function actions(
  circuit: AttestedCircuit,
  label: string,
  address: string,
  made: WalletAttestation | undefined,
): string {
  const hidden = `<input type="hidden" name="circuit" value="${circuit}"><input type="hidden" name="address" value="${escapeHtml(address)}">`;
  const what = `<span class="visually-hidden"> ${escapeHtml(label.toLowerCase())}</span>`;
  if (made) {
    return `<form class="row" method="post" action="/revoke">${hidden}<button class="quiet">Revoke${what}</button></form>`;
  }
  const country =
    circuit === "partner_country_attestation"
      ? `<input name="country" type="text" required maxlength="2" pattern="[A-Za-z]{2}" aria-label="Country, two letters" placeholder="FR">`
      : "";
  return `<form class="row" method="post" action="/attest">${hidden}${country}<button>Attest${what}</button></form>`;
}
