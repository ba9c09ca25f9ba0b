import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type Provider from "oidc-provider";
import { z } from "zod";
import { PAGE_HEADERS } from "../plain-page";
import { emailSchema } from "./accounts";
import { loginPage, messagePage } from "./pages";
import { SESSION_COOKIE } from "./provider";

const LOGIN_BODY_LIMIT = 4096;
/** Paths that start a sign-in: the authorization endpoint and the device code page. */
const FLOW_STARTS = new Set(["/auth", "/device"]);
const loginForm = z.object({ email: z.string().optional(), cancel: z.string().optional() });

/**
 * Creates an HTTP server around the provider with our login page at /interaction/{uid} and GET /health.
 * It does not listen yet.
 */
export function createIdpServer(provider: Provider, suggestions: readonly string[] = []): Server {
  const callback = provider.callback();
  return createServer((req, res) => {
    const path = (req.url ?? "/").split("?")[0] ?? "/";
    if (path === "/health") return send(res, 200, "application/json", '{"status":"ok"}');
    if (req.method === "GET" && FLOW_STARTS.has(path)) forgetSession(req);
    if (!path.startsWith("/interaction/")) return void callback(req, res);
    interaction(provider, req, res, suggestions).catch(() =>
      send(
        res,
        400,
        "text/html",
        messagePage("This sign-in is over", "Start again from the page you came from."),
      ),
    );
  });
}

/**
 * Drops the session cookie, so that every sign-in asks for an address and one browser can act as several users.
 */
function forgetSession(req: IncomingMessage): void {
  const kept = (req.headers.cookie ?? "").split(";").filter((c) => !c.trim().startsWith(SESSION_COOKIE));
  req.headers.cookie = kept.join(";");
}

async function interaction(
  provider: Provider,
  req: IncomingMessage,
  res: ServerResponse,
  suggestions: readonly string[],
) {
  const details = await provider.interactionDetails(req, res);
  const client = await provider.Client.find(String(details.params.client_id));
  const hint = details.params.login_hint;
  const view = {
    uid: details.uid,
    client: client?.clientName ?? "An application",
    email: typeof hint === "string" ? hint : "",
    suggestions,
  };
  if (req.method !== "POST") return send(res, 200, "text/html", loginPage(view));

  const form = loginForm.parse(Object.fromEntries(new URLSearchParams(await readBody(req))));
  if (form.cancel) {
    return provider.interactionFinished(req, res, {
      error: "access_denied",
      error_description: "You cancelled the sign-in.",
    });
  }
  const email = emailSchema.safeParse(form.email ?? "");
  if (!email.success) {
    const wrong = email.error.issues[0]?.message ?? "That is not an email address.";
    return send(res, 400, "text/html", loginPage({ ...view, email: form.email ?? "", wrong }));
  }
  await provider.interactionFinished(req, res, { login: { accountId: email.data } });
}

async function readBody(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > LOGIN_BODY_LIMIT) throw new Error("login form is too long");
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function send(res: ServerResponse, status: number, type: string, body: string): void {
  res.writeHead(status, {
    "content-type": `${type}; charset=utf-8`,
    ...PAGE_HEADERS,
  });
  res.end(body);
}
