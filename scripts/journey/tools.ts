import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { z } from "zod";
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

/**
 * Joins a topic and posts with `parley-cli`, built as it is published.
 * @returns how many commands that took
 */
export async function byCli({
  base,
  token,
  topicTitle,
}: {
  base: string;
  token: string;
  topicTitle: string;
}): Promise<number> {
  // Inside the repository, so that the program finds its one package.
  const folder = path.join(ROOT, "dist", `cli-journey-${process.pid}`);
  let commands = 0;
  try {
    await mkdir(folder, { recursive: true });
    await buildCli(path.join(folder, "cli"));
    const run = async (args: readonly string[], input = ""): Promise<unknown> => {
      commands += 1;
      const child = spawn(process.execPath, [path.join(folder, "cli", "main.js"), ...args, "--json"], {
        env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder },
      });
      child.stdin.end(input);
      const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
      assert(out !== "", `parley ${args[0]} said nothing: ${err}`);
      const result: unknown = JSON.parse(out);
      return result;
    };
    await run(["login", base], token);
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
