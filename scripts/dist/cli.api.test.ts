import { execFile, spawn } from "node:child_process";
import { chmod, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import http from "node:http";
import path from "node:path";
import { createInterface } from "node:readline";
import { buffer, text } from "node:stream/consumers";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createClient } from "@/lib/client";
import { general, signIn, verified } from "@/lib/community/testing";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { portOf } from "@/lib/testing/port";
import { ROOT } from "../stack/settings";
import { buildCli } from "./cli";

/** `parley-cli` as a user has it: installed from the packed tarball, on an installation that it reaches over HTTP. */

let h: Harness;
let server: http.Server;
let url: string;
/** Inside the repository, so that the program finds its one package. */
const folder = path.join(ROOT, "dist", `cli-${process.pid}`);
const main = path.join(folder, "package", "main.js");

beforeAll(async () => {
  h = await createHarness();
  server = http.createServer(async (request, response) => {
    const body = await buffer(request);
    const headers = new Headers();
    for (const name of ["authorization", "content-type"]) {
      const value = request.headers[name];
      if (typeof value === "string") headers.set(name, value);
    }
    const left = new AbortController();
    response.once("close", () => left.abort());
    const answer = await h.fetch(`http://localhost:3000${request.url}`, {
      ...{ method: request.method, headers, signal: left.signal },
      body: body.length > 0 ? new Uint8Array(body) : null,
    });
    response.writeHead(answer.status, [...answer.headers].flat());
    response.flushHeaders();
    const reader = answer.body?.getReader();
    const next = () => reader?.read().catch(() => undefined);
    for (let part = await next(); part && !part.done; part = await next()) response.write(part.value);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${portOf(server)}`;
  await mkdir(folder, { recursive: true });
  await buildCli(path.join(folder, "source"));
  const { stdout } = await promisify(execFile)("npm", ["pack", "./source", "--json"], { cwd: folder });
  const [packed] = z.tuple([z.object({ filename: z.string() })]).parse(JSON.parse(stdout));
  await promisify(execFile)("tar", ["-xzf", packed.filename], { cwd: folder });
});
afterAll(async () => {
  server.close();
  await h.close();
  await rm(folder, { recursive: true, force: true });
});

interface Run {
  readonly args: readonly string[];
  readonly input?: string;
  /** Name of the user of this computer, of whom the program remembers things. */
  readonly home?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const environment = ({ home = "nobody", env }: Pick<Run, "home" | "env">) => ({
  NODE_ENV: "production" as const,
  PATH: process.env.PATH ?? "",
  HOME: path.join(folder, home),
  XDG_CONFIG_HOME: path.join(folder, home, ".config"),
  ...env,
});

async function parley({ args, input = "", ...user }: Run) {
  const child = spawn(main, args, { env: environment(user) });
  child.stdin.end(input);
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once("exit", resolve)),
  ]);
  return { out, err, code };
}

const read = (out: string): unknown => JSON.parse(out);

async function tokenOf(user: TestUser, scopes: readonly string[]): Promise<string> {
  const made = await user.api.call(contract.auth.createToken, { name: "cli", scopes: [...scopes], days: 1 });
  return made.token;
}

describe("parley", () => {
  it("keeps a token for its user alone, and forgets it", async () => {
    const user = await signIn(h);
    const token = await tokenOf(user, ["read"]);
    const home = "keeper";
    const signedIn = await parley({ args: ["login", url, "--json"], input: `${token}\n`, home });
    expect(signedIn).toMatchObject({ code: 0, err: "" });
    expect(read(signedIn.out)).toEqual({ signedIn: url, nickname: user.nickname });
    const file = path.join(folder, home, ".config", "parley", "credentials.json");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, "utf8")).toContain(token);

    const shown = await parley({ args: ["who-am-i"], home });
    expect(shown.out).toContain(`nickname: ${user.nickname}\n`);
    expect(shown.out + shown.err + signedIn.out).not.toContain(token);
    await chmod(file, 0o644);
    expect(await parley({ args: ["who-am-i"], home })).toMatchObject({ code: 1, out: "" });
    await chmod(file, 0o600);
    const whole = await readFile(file);
    await writeFile(file, token);
    const damaged = await parley({ args: ["who-am-i"], home });
    expect(damaged).toMatchObject({ code: 1, out: "" });
    expect(damaged.err).toContain("damaged");
    for (let at = 0; at + 8 <= token.length; at += 1)
      expect(damaged.err).not.toContain(token.slice(at, at + 8));
    await writeFile(file, whole);
    expect(await parley({ args: ["logout", "--json"], home })).toMatchObject({
      code: 0,
      out: '{"forgotten":true}\n',
    });
    await expect(stat(file)).rejects.toThrow();
    expect(await parley({ args: ["who-am-i"], home })).toMatchObject({ code: 3, out: "" });
  });

  it("keeps the session that a new nickname reissues, and prints none", async () => {
    const user = await signIn(h);
    const home = "renamed";
    await parley({ args: ["login", url], input: user.token, home });
    const renamed = await parley({
      args: ["call", "profile.setNickname", "nickname=other_name", "--json"],
      home,
    });
    expect(renamed).toMatchObject({ code: 0, out: '{"nickname":"other_name"}\n' });
    const file = path.join(folder, home, ".config", "parley", "credentials.json");
    expect(await readFile(file, "utf8")).not.toContain(user.token);
    expect((await parley({ args: ["who-am-i"], home })).out).toContain("nickname: other_name\n");
  });

  it("proves nothing where an option stands before the command", async () => {
    const early = await parley({ args: ["--url", url, "prove", "oidc_domain_attestation", "--login"] });
    expect(early).toMatchObject({ code: 2, out: "" });
    expect(early.err).toContain("come after prove");
  });

  it("ends the session of a sign-in, which nobody can revoke elsewhere", async () => {
    const user = await signIn(h);
    const home = "guest";
    await parley({ args: ["login", url], input: user.token, home });
    expect(await parley({ args: ["logout", "--json"], home })).toMatchObject({ code: 0, err: "" });
    await expect(user.api.call(contract.auth.session, {})).rejects.toMatchObject({ status: 401 });
    const automated = await signIn(h);
    const token = await tokenOf(automated, ["read"]);
    await parley({ args: ["login", url], input: token, home });
    const said = await parley({ args: ["logout"], home });
    expect(said.err).toContain("until you revoke it");
    const api = createClient({ baseUrl: url, token: () => token });
    expect(await api.call(contract.auth.session, {})).toMatchObject({ userId: automated.userId });
  });

  it("joins a gated topic, and posts what comes from a pipe", async () => {
    const [owner, member] = [await signIn(h), await signIn(h)];
    for (const user of [owner, member]) await verified(h, user, { domain: "fern.example" });
    const { topic } = await owner.api.call(contract.topics.create, {
      ...{ title: "Fern growers", categoryId: general },
      ...{ proofType: "workspace", requiredDomain: "fern.example" },
    });
    const env = { PARLEY_URL: url, PARLEY_TOKEN: await tokenOf(member, ["read", "write", "topics"]) };
    const found = await parley({ args: ["find-topics", "--query", "Fern", "--json"], env });
    expect(read(found.out)).toMatchObject({ topics: [{ id: topic.id, gate: { domain: "fern.example" } }] });
    expect(await parley({ args: ["join-topic", topic.id], env })).toMatchObject({
      code: 0,
      out: "joined: true\n",
    });
    const written = await parley({
      ...{ args: ["write-post", topic.id, "Spores", "-", "--json"], env },
      input: "**When** the underside browns.",
    });
    expect(written).toMatchObject({ code: 0, err: "" });
    const { posts } = await owner.api.call(contract.posts.list, { topicId: topic.id });
    expect(posts).toMatchObject([{ title: "Spores", automated: true, authorNickname: member.nickname }]);
    const voted = await parley({ args: ["vote", "post", posts[0]?.id ?? "", "-1", "--json"], env });
    expect(read(voted.out)).toMatchObject({ vote: { value: -1 } });
  });

  it("says by its exit status what is missing", async () => {
    const [owner, user] = [await signIn(h), await signIn(h)];
    await verified(h, owner, { domain: "moss.example" });
    const { topic } = await owner.api.call(contract.topics.create, {
      ...{ title: "Moss growers", categoryId: general },
      ...{ proofType: "workspace", requiredDomain: "moss.example" },
    });
    const env = { PARLEY_URL: url, PARLEY_TOKEN: await tokenOf(user, ["read", "topics"]) };
    const refused = await parley({ args: ["write-post", topic.id, "No", "no", "--json"], env });
    expect(refused.code).toBe(1);
    expect(read(refused.out)).toMatchObject({ code: "scope_missing" });
    const unproven = await parley({ args: ["join-topic", topic.id, "--json"], env });
    expect(unproven.code).toBe(4);
    expect(read(unproven.out)).toMatchObject({
      ...{ needs: { domain: "moss.example" }, url: `${url}/topics/${topic.id}` },
    });
    const usage = [["read-post"], ["read-post", "x"], ["vote", "post", topic.id, "7"], ["nonsense"], []];
    for (const args of usage)
      expect(await parley({ args, env }), args.join(" ")).toMatchObject({ code: 2, out: "" });
    expect(await parley({ args: ["who-am-i", "--url", "http://a.example"], env })).toMatchObject({
      code: 2,
      out: "",
    });
    const unknown = await parley({ args: ["login", url], input: "not-a-token" });
    expect(unknown).toMatchObject({ code: 3, out: "" });
    expect(unknown.err).not.toContain("not-a-token");
  });

  it("calls any operation by its id, within the scopes of its token", async () => {
    const owner = await signIn(h);
    const { topic } = await owner.api.call(contract.topics.create, { title: "Lichen", categoryId: general });
    const { post } = await owner.api.call(contract.posts.create, {
      ...{ topicId: topic.id, title: "Bark", content: "<p>Or stone?</p>" },
    });
    const env = { PARLEY_URL: url, PARLEY_TOKEN: await tokenOf(owner, ["read", "write", "staff"]) };
    const listed = await parley({ args: ["operations", "pin", "post", "--json"], env });
    expect(read(listed.out)).toMatchObject({
      operations: expect.arrayContaining([expect.objectContaining({ id: "posts.pin", scope: "staff" })]),
    });
    expect(await parley({ args: ["call", "posts.pin", `postId=${post.id}`, "--json"], env })).toEqual({
      ...{ code: 0, err: "", out: '{"isPinned":true}\n' },
    });
    const edited = { content: "<p>Both.</p>" };
    const changed = await parley({
      ...{ args: ["call", "posts.update", `postId=${post.id}`, "title=Stone", 'tags:=["bark"]', "-"], env },
      input: JSON.stringify(edited),
    });
    expect(changed.code).toBe(0);
    expect((await owner.api.call(contract.posts.get, { postId: post.id })).post).toMatchObject({
      ...{ title: "Stone", ...edited, automated: true, tags: [{ name: "bark" }] },
    });
    const refused = await parley({ args: ["call", "profile.export"], env });
    expect(refused).toMatchObject({ code: 1, out: "" });
    const usage = [
      ["call", "posts.unknown"],
      ["call", "posts.pin"],
      ["call", "posts.get", `postId=${post.id}`, "more=1"],
      ["call", "posts.get", "postId"],
      ["call", "posts.update", `postId=${post.id}`, "tags:=bark"],
      ["call", "chat.subscribe", `topicId=${topic.id}`],
    ];
    for (const args of usage)
      expect(await parley({ args, env }), args.join(" ")).toMatchObject({ code: 2, out: "" });
  });

  it("writes the member's archive to a new file for its user alone", async () => {
    const user = await signIn(h);
    const env = { PARLEY_URL: url, PARLEY_TOKEN: await tokenOf(user, ["profile.export"]) };
    const file = path.join(folder, "mine.zip");
    const written = await parley({ args: ["export", file, "--json"], env });
    const { size, mode } = await stat(file);
    expect(read(written.out)).toEqual({ written: file, bytes: size });
    expect(mode & 0o777).toBe(0o600);
    expect((await readFile(file)).subarray(0, 2).toString()).toBe("PK");
    const again = await parley({ args: ["export", file], env });
    expect(again).toMatchObject({ code: 1, out: "", err: expect.stringContaining("exists already") });
    expect((await stat(file)).size).toBe(size);
    const refusing = { PARLEY_URL: url, PARLEY_TOKEN: await tokenOf(user, ["read"]) };
    const other = path.join(folder, "other.zip");
    expect(await parley({ args: ["export", other], env: refusing })).toMatchObject({ code: 1, out: "" });
    await expect(stat(other)).rejects.toThrow();
    const nowhere = await parley({ args: ["export", path.join(folder, "no", "x.zip")], env });
    expect(nowhere).toMatchObject({ code: 1, err: expect.stringContaining("ENOENT") });
  });

  it("follows a chat until the member may not read it any more", async () => {
    const [owner, member] = [await signIn(h), await signIn(h)];
    const { topic } = await owner.api.call(contract.topics.create, { title: "Fog", categoryId: general });
    const topicId = topic.id;
    await member.api.call(contract.topics.join, { topicId });
    const env = { PARLEY_URL: url, PARLEY_TOKEN: await tokenOf(member, ["read"]) };
    const child = spawn(main, ["follow-chat", topicId], { env: environment({ env }) });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const lineWith = async (said: string): Promise<string> => {
      for (;;) {
        const { value = "", done } = await lines.next();
        if (done || value.includes(said)) return value;
      }
    };
    const first = lineWith("Thick");
    // The first message may come before the stream does.
    await expect
      .poll(async () => (await owner.api.call(contract.chat.presence, { topicId })).users.length)
      .toBe(1);
    const { message } = await owner.api.call(contract.chat.send, { topicId, message: "Thick\u001b[2J" });
    expect(await first).toMatch(new RegExp(`Z ${owner.nickname}: Thick\\[2J$`));
    await owner.api.call(contract.chat.update, { messageId: message.id, message: "Thin" });
    expect(await lineWith("Thin")).toMatch(new RegExp(`${owner.nickname} \\(changed\\): Thin$`));
    const ended = new Promise((resolve) => child.once("exit", resolve));
    await member.api.call(contract.topics.leave, { topicId });
    expect(await ended).toBe(1);
  });

  it("prints nothing that acts on the reader's terminal", async () => {
    const owner = await signIn(h);
    const { topic } = await owner.api.call(contract.topics.create, { title: "Ink", categoryId: general });
    const { post } = await owner.api.call(contract.posts.create, {
      ...{ topicId: topic.id, title: "Ink", content: "<p>Ink</p>" },
    });
    const title = "\u001b]0;owned\u0007\u009b31m\u202e";
    await h.db.updateTable("posts").set({ title }).where("id", "=", post.id).execute();
    const shown = await parley({ args: ["read-post", post.id, "--url", url] });
    expect(shown.code).toBe(0);
    expect(shown.out).toContain("]0;owned31m");
    for (const acting of ["\u001b", "\u0007", "\u009b", "\u202e"]) expect(shown.out).not.toContain(acting);
  });

  it.each(["2026-07-28", "2025-11-25"])("serves a model over stdio by revision %s", async (revision) => {
    const user = await signIn(h);
    const token = await tokenOf(user, ["read"]);
    const started = {
      ...{
        command: main,
        args: ["mcp"],
        env: environment({ env: { PARLEY_URL: url, PARLEY_TOKEN: token } }),
      },
    };
    const info = { name: "test", version: "1.0.0" };
    const client =
      revision === "2025-11-25"
        ? new OldClient(info)
        : new Client(info, { versionNegotiation: { mode: { pin: revision } } });
    if (client instanceof Client) await client.connect(new StdioClientTransport(started));
    else await client.connect(new OldTransport(started));
    expect((await client.listTools()).tools).toHaveLength(14);
    const result = await client.callTool({ name: "who_am_i", arguments: {} });
    expect(JSON.stringify(result)).toContain(user.nickname);
    expect(JSON.stringify(result)).not.toContain(token);
    await client.close();
  });
});
