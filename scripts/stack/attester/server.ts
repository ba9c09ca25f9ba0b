import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { cors } from "hono/cors";
import { z } from "zod";
import type { AttestationChainId } from "@/contracts/attestation";
import { listen, type RunningServer } from "@/prover/http/listen";
import { PAGE_HEADERS } from "../plain-page";
import { DevelopmentAttesters } from "./attester";
import { answerGetLogs } from "./explorer";
import { answerGraphql, graphqlRequestSchema } from "./graphql";
import { attesterPage, type KnownWallet } from "./pages";
import { attestRequestSchema, revokeRequestSchema, shownAddressSchema } from "./requests";

const BODY_LIMIT = 64 * 1024;
/** The chain whose explorer this plays; the other one's attestations are looked up in the index. */
const EXPLORER_CHAIN = 91342;
const INDEX_CHAIN = 8453;

export interface AttesterServerOptions {
  /** 0 takes a free one. */
  port: number;
  /** RPC addresses of the local chains, with the attester installed (contracts/attestation.ts). */
  rpcUrls: Readonly<Record<AttestationChainId, string>>;
  /** Wallets the page offers. */
  known?: readonly KnownWallet[];
}

/**
 * Serves the development attester on loopback: `POST /graphql` and `GET /api` answer as the attestation index of
 * chain 8453 and the block explorer of chain 91342 do, `POST /attest` and `POST /revoke` attest and revoke for
 * anybody, and `/` is the same as a page.
 */
export function startAttesterServer(options: AttesterServerOptions): Promise<RunningServer> {
  return listen(attesterApp(options), { port: options.port, host: "127.0.0.1" });
}

function attesterApp({ rpcUrls, known = [] }: AttesterServerOptions): Hono {
  const attesters = new DevelopmentAttesters(rpcUrls);
  const app = new Hono();
  // Browsers ask from the app's origin, as they ask the real index and explorer.
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

  const page = async (c: Context, typed: string, said: { wrong?: string; done?: string } = {}) => {
    const address = typed === "" ? null : shownAddressSchema.safeParse(typed);
    const shown = address?.success
      ? { address: address.data, standing: await attesters.standing(address.data) }
      : null;
    const wrong = said.wrong ?? (address?.success === false ? firstProblem(address.error) : undefined);
    const html = attesterPage({ typed, shown, known, ...said, wrong });
    return c.html(html, wrong ? 400 : 200, { ...PAGE_HEADERS });
  };
  app.get("/", (c) => {
    const done = doneSchema.safeParse(c.req.query("done"));
    return page(c, c.req.query("address") ?? "", { done: done.success ? DONE[done.data] : undefined });
  });
  /** Back to the page by GET, so that loading it again does nothing again. */
  const backTo = (c: Context, address: string, done: keyof typeof DONE) =>
    c.redirect(`/?${new URLSearchParams({ address, done })}`, 303);

  app.post("/attest", async (c) => {
    const { form, body } = await readBody(c);
    const wish = attestRequestSchema.safeParse(body);
    if (!wish.success) {
      return form ? page(c, form.address ?? "", { wrong: firstProblem(wish.error) }) : refuse(c, wish.error);
    }
    const transactionHash = await attesters.attest(wish.data);
    return form ? backTo(c, wish.data.address, "attested") : c.json({ transactionHash });
  });

  app.post("/revoke", async (c) => {
    const { form, body } = await readBody(c);
    const wish = revokeRequestSchema.safeParse(body);
    if (!wish.success) {
      return form ? page(c, form.address ?? "", { wrong: firstProblem(wish.error) }) : refuse(c, wish.error);
    }
    const { circuit, address } = wish.data;
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

/** The body of a JSON request, or of a form that a person sent; then an answer for people is due. */
async function readBody(c: Context): Promise<{ form: z.infer<typeof formSchema> | null; body: unknown }> {
  if (!c.req.header("content-type")?.startsWith("application/x-www-form-urlencoded")) {
    return { form: null, body: await c.req.json().catch(() => undefined) };
  }
  const form = formSchema.parse(await c.req.parseBody());
  return { form, body: form };
}

function refuse(c: Context, error: z.ZodError) {
  const field = error.issues[0]?.path.join(".");
  return c.json({ error: firstProblem(error), ...(field ? { field } : {}) }, 400);
}

function firstProblem(error: z.ZodError): string {
  return error.issues[0]?.message ?? "That cannot be used.";
}
