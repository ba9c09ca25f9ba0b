import { z } from "zod";
import { ApiError, createClient } from "@/lib/client";
import { contract } from "@/lib/contract";
import type { Surroundings, Tool } from "@/lib/mcp/tool";
import { isPrivateLine } from "@/lib/settings/keys";
import { effectiveSettings } from "@/lib/settings/read";
import { cliVariables } from "@/lib/settings/tools";
import { FROM_INPUT, longTexts } from "./commands";
import { forgetToken, keepToken, readCredentials } from "./credentials";
import { Failure } from "./failure";
import { print, readInput, readSecret, say, waitForPerson } from "./terminal";

export interface Options {
  /** Address of the installation, where a command names one. */
  readonly url?: string;
  readonly json: boolean;
}

/** Finds the installation and the member that a command acts as; a guest without a token. @throws Failure */
export async function surroundingsOf({
  url,
}: Options): Promise<Surroundings & { readonly token: string | undefined }> {
  const kept = await readCredentials();
  const { PARLEY_URL, PARLEY_TOKEN } = effectiveSettings(cliVariables, process.env);
  const named = url ?? PARLEY_URL ?? kept?.current;
  if (named === undefined) throw new Failure("not signed in", "Sign in first: parley login https://…");
  const appUrl = originOf(named);
  const token = PARLEY_TOKEN ?? kept?.tokens[appUrl];
  const failed = (error: unknown) => say(error instanceof Error ? error.message : String(error));
  return { api: createClient({ baseUrl: appUrl, token: () => token }), appUrl, token, failed };
}

/** Reads a token for automation, checks it and keeps it. @throws Failure */
export async function login(url: string, { json }: Options): Promise<void> {
  const appUrl = originOf(url);
  const token = await readSecret(`Token for automation (make one at ${appUrl}/settings/tokens): `);
  if (token === "") throw new Failure("usage", "No token was given.");
  const api = createClient({ baseUrl: appUrl, token: () => token });
  const session = await api.call(contract.auth.session, {}).catch((error: unknown) => {
    throw failureOf(error);
  });
  if (!("userId" in session)) throw new Failure("not signed in", "The token signs nobody in.");
  await keepToken(appUrl, token);
  print({ signedIn: appUrl, nickname: session.nickname }, json);
}

/** Ends a session. Forgets a token for automation on this device: it stays valid until it is revoked. */
export async function logout(options: Options): Promise<void> {
  const { api, appUrl } = await surroundingsOf(options);
  const session = await api.call(contract.auth.session, {}).catch(() => null);
  const isAutomation = session === null || "automation" in session;
  if (!isAutomation) await api.call(contract.auth.logout, {}).catch(() => undefined);
  const forgotten = await forgetToken(appUrl);
  if (forgotten && isAutomation)
    say(`The token is still valid until you revoke it at ${appUrl}/settings/tokens.`);
  print({ forgotten }, options.json);
}

/** Runs a tool for the person at the terminal, and prints its result. @throws Failure */
export async function runTool(tool: Tool, given: object, options: Options): Promise<void> {
  const at = await surroundingsOf(options);
  const input = { ...given };
  for (const name of longTexts)
    if (Reflect.get(input, name) === FROM_INPUT) Object.assign(input, { [name]: await readInput() });
  const checked = tool.input.safeParse(input);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw new Failure("usage", `${issue?.path.join(".")}: ${issue?.message}`);
  }
  let outcome = await tool.run(at, input, { said: null, canBeAsked: true });
  if ("ask" in outcome) {
    const { message, url } = outcome.ask;
    if (!(await waitForPerson(message, url))) throw proofMissing(outcome.ask);
    outcome = await tool.run(at, input, { said: "accept", canBeAsked: true });
  }
  if ("result" in outcome) {
    const missing = missingProof.safeParse(outcome.result);
    if (missing.success) throw proofMissing(missing.data);
    return print(outcome.result, options.json);
  }
  if ("refusal" in outcome) throw refused(outcome.refusal);
}

/** What `join_topic` says when its person came back without the proof. */
const missingProof = z.looseObject({ joined: z.literal(false), message: z.string(), url: z.string() });

function proofMissing(missing: { readonly message: string; readonly url: string }): Failure {
  return new Failure("proof missing", `${missing.message} ${missing.url}`, missing);
}

function refused(refusal: {
  readonly code: string;
  readonly message: string;
  readonly hint?: unknown;
}): Failure {
  const { code, message } = refusal;
  if (code === "not_authenticated") return new Failure("not signed in", `${message} (parley login)`, refusal);
  return new Failure("failed", message, refusal);
}

/** The failure that a refusal of the API is; every other error is returned as it is. */
export function failureOf(error: unknown): unknown {
  return error instanceof ApiError ? refused({ code: error.code, message: error.message }) : error;
}

/** A token goes over an encrypted connection, or stays on this machine. @throws Failure */
function originOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed || !/^https?:$/.test(parsed.protocol) || !isPrivateLine(url)) {
    throw new Failure("usage", `The address must begin with https://, which ${url} does not.`);
  }
  return parsed.origin;
}
