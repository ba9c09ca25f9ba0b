import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { x402Client } from "@x402/core/client";
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from "@x402/core/http";
import type { ClientEvmSigner } from "@x402/evm";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { z } from "zod";

/** What a person tells their program, and does for it. */
export interface Person {
  /** Approves a device that shows this code at this address. */
  approve(verificationUri: string, userCode: string): Promise<void>;
  readonly nickname: string;
  /** Pays for proofs. */
  readonly wallet: ClientEvmSigner;
}

export interface Visit {
  /** Requests that were sent. */
  steps: number;
  /** Answers that were neither a success nor what the guide says to expect. */
  wrongTurns: string[];
  /** Bearer token of the session. */
  token: string;
}

interface GuideStep {
  readonly title: string;
  readonly text: string;
  readonly command: string | undefined;
}

const answerSchema = z.record(z.string(), z.unknown());

/**
 * A program that knows the address of an installation and nothing else: it follows the links of the first answer, runs the
 * commands of the guide it finds in a shell, and fills each variable with the value of that name from an earlier answer. It
 * signs in, joins the topic of a title, and posts there.
 * @throws Error naming the step that went wrong
 */
export async function visit(base: string, topicTitle: string, person: Person): Promise<Visit> {
  const seen: Visit = { steps: 0, wrongTurns: [], token: "" };
  const known: Record<string, unknown> = {};
  const get = async (url: string, headers: Record<string, string> = {}) => {
    seen.steps += 1;
    const response = await fetch(url, { headers });
    if (!response.ok) seen.wrongTurns.push(`${response.status} GET ${url}`);
    return response;
  };

  const links = linksOf(await get(base), base);
  const guide = stepsOf(await (await get(links["service-doc"] ?? "")).text());
  const openapi = await (await get(links["service-desc"] ?? "")).json();

  for (const { title, text, command } of guide) {
    const listed = /GET (http\S+?)\.?(?: |$)/.exec(text)?.[1];
    if (command?.includes("$TOPIC_ID") && listed) {
      const { topics } = z
        .object({ topics: z.array(z.looseObject({ id: z.string(), title: z.string() })) })
        .parse(await (await get(listed, { authorization: `Bearer ${textOf(known.token)}` })).json());
      known.topicId = topics.find((topic) => topic.title === topicTitle)?.id;
    }
    if (command === undefined) {
      known.paymentSignature = await signPayment(textOf(known.header), person.wallet);
      continue;
    }
    const run = async () => {
      const answer = await runCommand(command.replace("your_name", person.nickname), known);
      seen.steps += 1;
      Object.assign(known, answer.body, answer.required && { header: answer.required });
      return answer;
    };
    let { status, body } = await run();
    if (typeof body.user_code === "string") {
      await person.approve(textOf(body.verification_uri), body.user_code);
    }
    while (body.error === "authorization_pending") ({ status, body } = await run());
    const isExpected = status < 300 || (status === 402 && /answers 402/i.test(text));
    if (!isExpected) seen.wrongTurns.push(`${status} at "${title}": ${JSON.stringify(body).slice(0, 200)}`);
  }
  seen.token = textOf(known.token);

  const { path, fields } = operationWith(openapi, "post", /^write a post\b/i);
  const values: Record<string, string> = { title: "Found the way", content: "From the address alone." };
  seen.steps += 1;
  const posted = await fetch(new URL(path.replace("{topicId}", textOf(known.topicId)), base), {
    method: "POST",
    headers: { authorization: `Bearer ${seen.token}`, "content-type": "application/json" },
    body: JSON.stringify(Object.fromEntries(fields.map((field) => [field, values[field]]))),
  });
  assert.equal(posted.status, 201, `posting: ${await posted.text()}`);
  return seen;
}

const textOf = (value: unknown): string => z.string().parse(value);

/** Returns the targets of the Link header by relation. */
export function linksOf(response: Response, base: string): Record<string, string> {
  const header = response.headers.get("link") ?? "";
  const links = [...header.matchAll(/<([^>]+)>;\s*rel="([^"]+)"/g)];
  return Object.fromEntries(links.map(([, target = "", rel = ""]) => [rel, new URL(target, base).href]));
}

/** Reads the numbered steps of a guide in Markdown, with the command under each. */
function stepsOf(markdown: string): GuideStep[] {
  const parts = markdown.split(/^(?=\d+\. \*\*)/m).filter((part) => /^\d+\. \*\*/.test(part));
  return parts.map((part) => {
    const section = part.split(/^- |^## /m)[0] ?? "";
    const [first = "", ...rest] = section.split("\n");
    const command = rest.map((line) => line.trim()).find((line) => line.startsWith("curl "));
    return { title: /\*\*(.+?)\.?\*\*/.exec(first)?.[1] ?? "", text: first, command };
  });
}

/** Runs a command as a shell would, with curl replaced by fetch: variables are values of that name from earlier answers. */
async function runCommand(command: string, known: Readonly<Record<string, unknown>>) {
  const names = [...command.matchAll(/\$([A-Z_]+)/g)].map(([, name = ""]) => name);
  const env = Object.fromEntries(names.map((name) => [name, answeredValue(name, known)]));
  const shell = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  const { stdout } = await promisify(execFile)("bash", ["-c", shell], {
    env: { ...process.env, ...env },
    maxBuffer: 10_000_000,
  });
  const words = stdout.split("\0").slice(0, -1);
  const after = (flag: string) => words.flatMap((word, at) => (words[at - 1] === flag ? [word] : []));
  const [url = ""] = words.filter((word) => /^https?:/.test(word));
  const headers = new Headers(after("-H").map((line) => splitHeader(line)));
  const [body] = after("-d");
  if (body !== undefined && !headers.has("content-type")) {
    headers.set("content-type", "application/x-www-form-urlencoded");
  }
  const response = await fetch(url, { method: after("-X")[0] ?? "GET", headers, body });
  const required = response.headers.get("payment-required");
  return { status: response.status, required, body: answerSchema.parse(await response.json()) };
}

function splitHeader(line: string): [string, string] {
  const at = line.indexOf(":");
  return [line.slice(0, at), line.slice(at + 1).trim()];
}

/** CHALLENGE_ID is challengeId or challenge_id. @throws Error when no answer had it */
function answeredValue(variable: string, known: Readonly<Record<string, unknown>>): string {
  const snake = variable.toLowerCase();
  const camel = snake.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const value = known[camel] ?? known[snake];
  assert(value !== undefined, `no answer had a value for $${variable}`);
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Signs for the first offer that the stock client can pay. */
async function signPayment(header: string, wallet: ClientEvmSigner): Promise<string> {
  const client = new x402Client().register("eip155:*", new ExactEvmScheme(wallet));
  return encodePaymentSignatureHeader(await client.createPaymentPayload(decodePaymentRequiredHeader(header)));
}

const operationSchema = z.looseObject({
  summary: z.string().optional(),
  requestBody: z.object({ content: z.record(z.string(), z.object({ schema: z.unknown() })) }).optional(),
});

/** Finds an operation by its summary, and the fields that its body must have. */
function operationWith(openapi: unknown, method: string, summary: RegExp) {
  const { paths, components } = z
    .object({
      paths: z.record(z.string(), z.record(z.string(), z.unknown())),
      components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
    })
    .parse(openapi);
  for (const [path, operations] of Object.entries(paths)) {
    const operation = operationSchema.safeParse(operations[method]);
    if (!operation.success || !summary.test(operation.data.summary ?? "")) continue;
    const { schema } = operation.data.requestBody?.content["application/json"] ?? {};
    const ref = z.object({ $ref: z.string() }).safeParse(schema);
    const named = ref.success ? components.schemas[ref.data.$ref.split("/").at(-1) ?? ""] : schema;
    return { path, fields: z.looseObject({ required: z.array(z.string()) }).parse(named).required };
  }
  throw new Error(`no operation is described as ${summary}`);
}
