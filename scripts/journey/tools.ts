import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { z } from "zod";
import { parseJson } from "@/lib/json";
import { buildCli } from "../dist/cli";
import { ROOT } from "../stack/settings";
import { linksOf } from "./stranger";

const post = { title: "By a tool", content: "From the **address** and a token." };
const listSchema = z.object({ topics: z.array(z.object({ id: z.string(), title: z.string() })) });
const joinSchema = z.looseObject({ joined: z.literal(true) });
const resultSchema = z.looseObject({
  isError: z.boolean().optional(),
  content: z.tuple([z.object({ text: z.string() })]),
});

/** Returns the address of the MCP endpoint, as the documents that the first answer links to say. */
async function endpointOf(base: string): Promise<URL> {
  const { "service-doc": guide = "" } = linksOf(await fetch(base), base);
  const [, endpoint = ""] = /\[MCP\]\(([^)]+)\)/.exec(await (await fetch(guide)).text()) ?? [];
  return new URL(endpoint);
}

/**
 * Joins a topic and posts with a stock MCP client that has a token for automation.
 * @returns how many messages it sent, the greeting and the list of tools included
 */
export async function byMcp(
  revision: "2026-07-28" | "2025-11-25",
  { base, token, topicTitle }: { base: string; token: string; topicTitle: string },
): Promise<number> {
  const endpoint = await endpointOf(base);
  let sent = 0;
  const counted = async (url: string | URL, init?: RequestInit) => {
    if (init?.method === "POST") sent += 1;
    return await fetch(url, init);
  };
  const options = { fetch: counted, requestInit: { headers: { authorization: `Bearer ${token}` } } };
  const info = { name: "stranger", version: "1.0.0" };
  const connect = async () => {
    if (revision === "2025-11-25") {
      const client = new OldClient(info);
      const transport = new OldTransport(endpoint, options);
      await client.connect(transport as Parameters<typeof client.connect>[0]);
      return client;
    }
    const client = new Client(info, { versionNegotiation: { mode: { pin: revision } } });
    await client.connect(new StreamableHTTPClientTransport(endpoint, options));
    return client;
  };
  const client = await connect();
  const names = (await client.listTools()).tools.map(({ name }) => name);
  const call = async (name: string, args: Record<string, string>) => {
    assert(names.includes(name), `there is no tool ${name}`);
    const { isError, content } = resultSchema.parse(await client.callTool({ name, arguments: args }));
    assert(!isError, content[0].text);
    const result: unknown = JSON.parse(content[0].text);
    return result;
  };
  const [topic] = listSchema.parse(await call("find_topics", { query: topicTitle })).topics;
  assert.equal(topic?.title, topicTitle);
  joinSchema.parse(await call("join_topic", { topicId: topic.id }));
  await call("write_post", { topicId: topic.id, ...post });
  await client.close();
  return sent;
}

/** What a person tells whoever uses `parley-cli`, and does for them. */
interface Newcomer {
  readonly base: string;
  readonly topicTitle: string;
  readonly nickname: string;
  /** Private key of the wallet that pays for the proof. */
  readonly key: string;
  approve(verificationUri: string, userCode: string): Promise<void>;
}

const loginEvent = z.object({
  event: z.literal("login"),
  verificationUri: z.string(),
  userCode: z.string(),
});

/**
 * Becomes a member by a proof, joins a topic and posts with `parley-cli`, built as it is published.
 * @returns how many commands that took
 */
export async function byCli({ base, topicTitle, nickname, key, approve }: Newcomer): Promise<number> {
  // Inside the repository, so that the program finds its one package.
  const folder = path.join(ROOT, "dist", `cli-journey-${process.pid}`);
  let commands = 0;
  try {
    await mkdir(folder, { recursive: true });
    await buildCli(path.join(folder, "cli"));
    const run = async (args: readonly string[], input = ""): Promise<unknown> => {
      commands += 1;
      const child = spawn(process.execPath, [path.join(folder, "cli", "main.js"), ...args, "--json"], {
        env: {
          ...process.env,
          ...{ HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder, PAYMENT_PRIVATE_KEY: key },
        },
      });
      child.stdin.end(input);
      const out = text(child.stdout);
      let err = "";
      for await (const line of createInterface({ input: child.stderr })) {
        err += `${line}\n`;
        const login = loginEvent.safeParse(parseJson(line));
        if (login.success) await approve(login.data.verificationUri, login.data.userCode);
      }
      assert((await out) !== "", `parley ${args[0]} said nothing: ${err}`);
      assert(!err.includes(key.slice(2)), "the key is in what the program says");
      const result: unknown = JSON.parse(await out);
      return result;
    };
    const proving = ["prove", "oidc_domain_attestation", "--login", "--nickname", nickname, "--yes"];
    assert.deepEqual(await run([...proving, "--url", base]), { signedIn: base, nickname });
    const [topic] = listSchema.parse(await run(["find-topics", "--query", topicTitle])).topics;
    assert.equal(topic?.title, topicTitle);
    joinSchema.parse(await run(["join-topic", topic.id]));
    const written = await run(["write-post", topic.id, post.title, "-"], post.content);
    z.looseObject({ id: z.string() }).parse(written);
    await run(["logout"]);
    return commands;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
