import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { cors } from "hono/cors";
import { z } from "zod";
import type { AttestationChainId } from "@/contracts/attestation";
import type { AttestedCircuit } from "@/lib/proofs/trust/attesters";
import { listen, type RunningServer } from "@/prover/http/listen";
import { escapeHtml, PAGE_HEADERS, plainPage } from "../plain-page";
import { attestationChain, DevelopmentAttesters, type WalletAttestation } from "./attester";
import { answerGetLogs } from "./explorer";
import { answerGraphql, graphqlRequestSchema } from "./graphql";
import { attestRequestSchema, revokeRequestSchema, shownAddressSchema } from "./requests";

const KINDS: readonly { circuit: AttestedCircuit; label: string }[] = [
  { circuit: "network_eligibility", label: "Checked account" },
  { circuit: "partner_country_attestation", label: "Country of residence" },
  { circuit: "regional_attestation", label: "Checked account, test network" },
];

/** A wallet of the development installation, offered on the page. */
interface KnownWallet {
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

/** Returns the page: a wallet, its attestations, and buttons to attest and revoke. */
function attesterPage(view: {
  typed: string;
  /** Null before the user chose a wallet. */
  shown: { address: string; attestations: readonly WalletAttestation[] } | null;
  known: readonly KnownWallet[];
  wrong?: string;
  done?: string;
}): string {
  const notice = view.wrong
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
<p>Stands in for the real attesters on this machine's chains. It checks nothing, so its attestations prove nothing.</p>
${notice}
<form method="get" action="/">
<label for="address">Wallet address</label>
<input id="address" name="address" type="text" required autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="0x…" value="${escapeHtml(view.typed)}">
<ul class="known" aria-label="Wallets of this installation">${known}</ul>
<button type="submit">Show attestations</button>
</form>
${view.shown ? kinds(view.shown.address, view.shown.attestations) : ""}`,
  });
}

function kinds(address: string, attestations: readonly WalletAttestation[]): string {
  const rows = KINDS.map(({ circuit, label }) => {
    const made = attestations.find((each) => each.circuit === circuit);
    const state = made
      ? `${made.country ? `${escapeHtml(made.country)}, s` : "S"}ince ${new Date(made.since * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC<br>${escapeHtml(made.transactionHash)}`
      : "Not attested";
    return `<li><span><span class="name">${label}</span> <span class="state">Chain ${attestationChain(circuit)}</span><span class="state">${state}</span></span>${actions(circuit, label, address, made)}</li>`;
  });
  return `<h2>Attestations of this wallet</h2><ul class="kinds">${rows.join("")}</ul>`;
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

const BODY_LIMIT = 64 * 1024;
/** The chain whose explorer this server plays. Attestations of the other chain are in the index. */
const EXPLORER_CHAIN = 91342;
const INDEX_CHAIN = 8453;

export interface AttesterServerOptions {
  /** 0 picks a free one. */
  port: number;
  /** RPC addresses of the local chains, with the attester installed (contracts/attestation.ts). */
  rpcUrls: Readonly<Record<AttestationChainId, string>>;
  known?: readonly KnownWallet[];
}

/**
 * Serves the development attester on loopback: `POST /graphql` and `GET /api` respond like the attestation index of
 * chain 8453 and the block explorer of chain 91342, `POST /attest` and `POST /revoke` attest and revoke for anyone, and
 * `/` does the same as a page.
 */
export function startAttesterServer(options: AttesterServerOptions): Promise<RunningServer> {
  return listen(attesterApp(options), { port: options.port, host: "127.0.0.1" });
}

function attesterApp({ rpcUrls, known = [] }: AttesterServerOptions): Hono {
  const attesters = new DevelopmentAttesters(rpcUrls);
  const app = new Hono();
  // Browsers query it from the app's origin, like the real index and explorer.
  app.use(cors({ origin: "*" }));
  app.use(bodyLimit({ maxSize: BODY_LIMIT }));
  app.onError((error, c) => {
    console.error(error);
    return c.json({ error: "the attester or its chain failed; see its log" }, 500);
  });

  app.get("/health", (c) => c.json({ status: "ok" }));

  app.post("/graphql", async (c) => {
    const request = graphqlRequestSchema.safeParse(await c.req.json().catch(() => undefined));
    if (!request.success) return c.json({ errors: [{ message: "POST a JSON body with a query" }] }, 400);
    const { status, body } = await answerGraphql(attesters.index(INDEX_CHAIN), request.data);
    return c.json(body, status);
  });

  app.get("/api", async (c) =>
    c.json(await answerGetLogs(attesters.index(EXPLORER_CHAIN).client, c.req.query())),
  );

  const page = async (c: Context, typed: string, notice: { wrong?: string; done?: string } = {}) => {
    const address = typed === "" ? null : shownAddressSchema.safeParse(typed);
    const shown = address?.success
      ? { address: address.data, attestations: await attesters.current(address.data) }
      : null;
    const wrong = notice.wrong ?? (address?.success === false ? firstProblem(address.error) : undefined);
    const html = attesterPage({ typed, shown, known, ...notice, wrong });
    return c.html(html, wrong ? 400 : 200, { ...PAGE_HEADERS });
  };
  app.get("/", (c) => {
    const done = doneSchema.safeParse(c.req.query("done"));
    return page(c, c.req.query("address") ?? "", { done: done.success ? DONE[done.data] : undefined });
  });
  const refuse = (c: Context, form: Form | null, error: z.ZodError) => {
    if (form) return page(c, form.address ?? "", { wrong: firstProblem(error) });
    const field = error.issues[0]?.path.join(".");
    return c.json({ error: firstProblem(error), ...(field ? { field } : {}) }, 400);
  };
  /** Redirects to the page by GET, so that a reload does not repeat the action. */
  const backTo = (c: Context, address: string, done: keyof typeof DONE) =>
    c.redirect(`/?${new URLSearchParams({ address, done })}`, 303);

  app.post("/attest", async (c) => {
    const { form, body } = await readBody(c);
    const request = attestRequestSchema.safeParse(body);
    if (!request.success) return refuse(c, form, request.error);
    const transactionHash = await attesters.attest(request.data);
    return form ? backTo(c, request.data.address, "attested") : c.json({ transactionHash });
  });

  app.post("/revoke", async (c) => {
    const { form, body } = await readBody(c);
    const request = revokeRequestSchema.safeParse(body);
    if (!request.success) return refuse(c, form, request.error);
    const { circuit, address } = request.data;
    const transactionHash = await attesters.revoke(circuit, address);
    if (form) return backTo(c, address, "revoked");
    if (transactionHash === null) return c.json({ error: "nothing of this kind is attested" }, 404);
    return c.json({ transactionHash });
  });

  return app;
}

const DONE = { attested: "Attested.", revoked: "Revoked." } as const;
const doneSchema = z.enum(["attested", "revoked"]);

const formSchema = z.record(z.string(), z.string());
type Form = z.infer<typeof formSchema>;

/** Reads a JSON body, or a form, which gets a page in response. */
async function readBody(c: Context): Promise<{ form: Form | null; body: unknown }> {
  if (!c.req.header("content-type")?.startsWith("application/x-www-form-urlencoded")) {
    return { form: null, body: await c.req.json().catch(() => undefined) };
  }
  const form = formSchema.parse(await c.req.parseBody());
  return { form, body: form };
}

function firstProblem(error: z.ZodError): string {
  return error.issues[0]?.message ?? "This value is not valid.";
}
