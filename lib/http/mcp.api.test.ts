import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { POST } from "@/app/api/mcp/route";
import { general, signIn, verified } from "@/lib/community/testing";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";

let h: Harness;
beforeAll(async () => {
  h = await createHarness();
});
afterAll(() => h.close());

const revisions = ["2026-07-28", "2025-11-25"] as const;
type Revision = (typeof revisions)[number];

/** What a stock client of a revision does, as far as tests need it. */
interface Agent {
  readonly tools: () => Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  readonly call: (name: string, args?: Record<string, unknown>) => Promise<unknown>;
  /** Every byte that it received. */
  readonly received: () => string;
  /** Messages that it sent. */
  readonly sent: () => number;
  readonly revision: () => string | undefined;
}

interface Asked {
  readonly answer: "accept" | "decline";
  readonly onAsk?: (url: string) => Promise<void>;
}

const address = new URL("http://localhost:3000/api/mcp");

async function agentOf(revision: Revision, token: string | null, asked?: Asked): Promise<Agent> {
  let [received, sent] = ["", 0];
  const send = async (url: string | URL, init?: RequestInit): Promise<Response> => {
    if (init?.method !== "POST") return new Response(null, { status: 405 });
    const request = new Request(url, init);
    sent += 1;
    const response = await h.run(() => POST(request, {}));
    received += JSON.stringify([...response.headers]) + (await response.clone().text());
    return response;
  };
  const requestInit = token === null ? {} : { headers: { authorization: `Bearer ${token}` } };
  const info = { name: "test", version: "1.0.0" };
  const capabilities = asked ? { elicitation: { url: {} } } : {};
  const common = { received: () => received, sent: () => sent };
  if (revision === "2025-11-25") {
    const client = new OldClient(info, { capabilities });
    const transport = new OldTransport(address, { fetch: send, requestInit });
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    return {
      ...common,
      tools: () => client.listTools(),
      call: (name, args = {}) => client.callTool({ name, arguments: args }),
      revision: () => transport.protocolVersion,
    };
  }
  const client = new Client(info, { capabilities, versionNegotiation: { mode: { pin: revision } } });
  if (asked) {
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      if ("url" in params && typeof params.url === "string") await asked.onAsk?.(params.url);
      return { action: asked.answer };
    });
  }
  const transport = new StreamableHTTPClientTransport(address, { fetch: send, requestInit });
  await client.connect(transport);
  return {
    ...common,
    tools: () => client.listTools(),
    call: (name, args = {}) => client.callTool({ name, arguments: args }),
    revision: () => transport.protocolVersion,
  };
}

const resultSchema = z.object({
  isError: z.boolean().optional(),
  content: z.tuple([z.object({ type: z.literal("text"), text: z.string() })]),
});

/** The result of a tool as JSON, with whether it is an error. */
async function read(result: Promise<unknown>) {
  const { isError = false, content } = resultSchema.parse(await result);
  return { isError, ...z.looseObject({}).parse(JSON.parse(content[0].text)) };
}

describe.each(revisions)("an agent with a stock client of revision %s", (revision) => {
  it("is told at most 14 tools in at most 12 KB", async () => {
    const agent = await agentOf(revision, null);
    expect(agent.revision()).toBe(revision);
    const listed = await agent.tools();
    expect(listed.tools.length).toBeLessThanOrEqual(14);
    expect(Buffer.byteLength(JSON.stringify(listed))).toBeLessThanOrEqual(12_000);
  });

  it("joins a gated topic and posts in at most 8 messages, and others see that a program wrote", async () => {
    const [owner, member] = [await signIn(h), await signIn(h)];
    const domain = `d${revision.slice(0, 4)}.example`;
    for (const user of [owner, member]) await verified(h, user, { domain });
    const topic = await createTopic(owner, {
      title: `Gated ${revision}`,
      proofType: "workspace",
      requiredDomain: domain,
    });
    const { token } = await tokenOf(member, ["read", "write", "topics"]);
    const agent = await agentOf(revision, token);
    await agent.tools();
    const found = await read(agent.call("find_topics", { query: topic.title }));
    expect(found).toMatchObject({ topics: [{ id: topic.id, gate: { domain } }] });
    expect(await read(agent.call("join_topic", { topicId: topic.id }))).toMatchObject({ joined: true });
    const written = await read(
      agent.call("write_post", { topicId: topic.id, title: "From afar", content: "**Hello.**" }),
    );
    expect(written).toMatchObject({ isError: false, html: expect.stringContaining("<strong>Hello.") });
    expect(agent.sent()).toBeLessThanOrEqual(8);
    const { posts } = await owner.api.call(contract.posts.list, { topicId: topic.id });
    expect(posts).toMatchObject([{ title: "From afar", automated: true, authorNickname: member.nickname }]);
  });

  it("reads, answers, votes, changes and deletes", async () => {
    const [owner, member] = [await signIn(h), await signIn(h)];
    const topic = await createTopic(owner, { title: `Open ${revision}` });
    await member.api.call(contract.topics.join, { topicId: topic.id });
    const { post } = await owner.api.call(contract.posts.create, {
      ...{ topicId: topic.id, title: `Plums ${revision}`, content: "<p>Ripe?</p>" },
    });
    const agent = await agentOf(revision, (await tokenOf(member, ["read", "write", "chat"])).token);
    expect(await read(agent.call("who_am_i"))).toMatchObject({ signedIn: true, nickname: member.nickname });
    expect(await read(agent.call("read_topic", { topicId: topic.id }))).toMatchObject({
      topic: { id: topic.id, role: "member" },
      posts: [{ id: post.id, summary: "Ripe?" }],
    });
    const comment = await read(agent.call("write_comment", { postId: post.id, content: "Almost" }));
    const id = z.string().parse(Reflect.get(comment, "id"));
    await read(agent.call("edit_text", { kind: "comment", id, content: "Yes" }));
    expect(await read(agent.call("vote", { on: "post", id: post.id, value: 1 }))).toMatchObject({
      isError: false,
    });
    expect(await read(agent.call("read_post", { postId: post.id }))).toMatchObject({
      post: { html: "<p>Ripe?</p>", votes: 1, yourVote: 1 },
      comments: [{ id, text: "Yes", author: member.nickname, automated: true }],
    });
    expect(await read(agent.call("search", { query: `Plums ${revision}` }))).toMatchObject({
      posts: [{ id: post.id }],
    });
    const message = await read(agent.call("send_message", { topicId: topic.id, message: "Hello" }));
    expect(await read(agent.call("read_chat", { topicId: topic.id }))).toMatchObject({
      messages: expect.arrayContaining([
        expect.objectContaining({ id: Reflect.get(message, "id"), text: "Hello" }),
      ]),
    });
    expect(await read(agent.call("delete_text", { kind: "comment", id }))).toEqual({
      isError: false,
      deleted: true,
    });
    expect(await read(agent.call("read_alerts", {}))).toMatchObject({
      isError: false,
      alerts: expect.any(Array),
    });
  });

  it("does only what its token allows, and is told why not", async () => {
    const [owner, member] = [await signIn(h), await signIn(h)];
    const topic = await createTopic(owner, { title: `Narrow ${revision}` });
    const post = { topicId: topic.id, title: "No", content: "No" };
    const reader = await agentOf(revision, (await tokenOf(member, ["read"])).token);
    expect(await read(reader.call("write_post", post))).toMatchObject({
      isError: true,
      code: "scope_missing",
    });
    const guest = await agentOf(revision, null);
    expect(await read(guest.call("who_am_i"))).toMatchObject({ signedIn: false });
    expect(await read(guest.call("find_topics", {}))).toMatchObject({ isError: false });
    expect(await read(guest.call("write_post", post))).toMatchObject({
      ...{ isError: true, code: "not_authenticated" },
      hint: expect.stringContaining("/settings/tokens"),
    });
    const unknown = await read(guest.call("read_post", { postId: crypto.randomUUID() }));
    expect(unknown).toMatchObject({ isError: true, code: "post_not_found" });
  });

  it("receives no token, whatever it calls", async () => {
    const { token } = await tokenOf(await signIn(h), ["read", "write", "topics", "chat"]);
    const agent = await agentOf(revision, token);
    const logged = vi.spyOn(process.stdout, "write");
    const { tools } = await agent.tools();
    const id = crypto.randomUUID();
    for (const { name } of tools) {
      await agent
        .call(name, { topicId: id, postId: id, id, query: token, content: token })
        .catch(() => undefined);
    }
    const printed = logged.mock.calls.join("");
    logged.mockRestore();
    expect(agent.received()).not.toContain(token);
    expect(printed).not.toContain(token);
  });
});

describe("a person's approval", () => {
  const gated = async () => {
    const owner = await signIn(h);
    await verified(h, owner, { domain: "plum.example" });
    return await createTopic(owner, {
      ...{ title: "Plum growers", proofType: "workspace", requiredDomain: "plum.example" },
    });
  };

  it("opens the topic's page for a proof that is missing, and joins once it is there", async () => {
    const topic = await gated();
    const user = await signIn(h);
    const opened: string[] = [];
    const agent = await agentOf("2026-07-28", (await tokenOf(user, ["topics"])).token, {
      answer: "accept",
      async onAsk(url) {
        opened.push(url);
        await verified(h, user, { domain: "plum.example" });
      },
    });
    expect(await read(agent.call("join_topic", { topicId: topic.id }))).toMatchObject({ joined: true });
    expect(opened).toEqual([`http://localhost:3000/topics/${topic.id}`]);
  });

  it.each([
    ["came back without it", "accept", { joined: false, needs: { domain: "plum.example" } }],
    ["declined", "decline", { joined: false, because: "The person declined." }],
  ] as const)("does not ask again where they %s", async (_, answer, expected) => {
    const topic = await gated();
    const onAsk = vi.fn(async () => undefined);
    const { token } = await tokenOf(await signIn(h), ["topics"]);
    const agent = await agentOf("2026-07-28", token, { answer, onAsk });
    expect(await read(agent.call("join_topic", { topicId: topic.id }))).toMatchObject(expected);
    expect(onAsk).toHaveBeenCalledTimes(1);
  });

  it("is a sentence and an address for clients that open no pages", async () => {
    const topic = await gated();
    const { token } = await tokenOf(await signIn(h), ["topics"]);
    for (const revision of revisions) {
      const agent = await agentOf(revision, token);
      expect(await read(agent.call("join_topic", { topicId: topic.id }))).toMatchObject({
        ...{ isError: false, joined: false, needs: { domain: "plum.example" } },
        url: `http://localhost:3000/topics/${topic.id}`,
      });
    }
  });
});

describe("the endpoint", () => {
  const post = (body: string, headers: Record<string, string> = {}) => {
    const all = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    };
    return h.run(() => POST(new Request(address, { method: "POST", headers: all, body }), {}));
  };

  it("acts for no cookie", async () => {
    const { token } = await signIn(h);
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "who_am_i", arguments: {} } };
    const response = await post(JSON.stringify(call), { cookie: `zk-community-session=${token}` });
    expect(await response.text()).toContain(String.raw`\"signedIn\":false`);
  });

  it("counts messages by address", async () => {
    const limited = await createHarness({ env: { RATE_LIMITS: "on", TRUST_PROXY: "1" } });
    const from = (forwarded: string) =>
      limited.run(() => {
        const headers = { "content-type": "application/json", "x-forwarded-for": forwarded };
        return POST(new Request(address, { method: "POST", headers, body: "{" }), {});
      });
    const statuses: number[] = [];
    for (let n = 0; n < 121; n += 1) statuses.push((await from("203.0.113.7")).status);
    expect(statuses.slice(0, 120).filter((status) => status === 429)).toEqual([]);
    expect(statuses[120]).toBe(429);
    expect((await from("198.51.100.7")).status).not.toBe(429);
    await limited.close();
  });

  it("takes no batch, whose messages nothing would count", async () => {
    const call = { jsonrpc: "2.0", method: "tools/call", params: { name: "who_am_i", arguments: {} } };
    const response = await post(JSON.stringify([1, 2].map((id) => ({ ...call, id }))));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "invalid_request" });
  });

  it("refuses what is no message, and a long one", async () => {
    expect((await post("{")).status).toBe(400);
    expect((await post(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "x".repeat(600_000) }))).status).toBe(
      413,
    );
  });
});

interface Topic {
  readonly title: string;
  readonly proofType?: "workspace";
  readonly requiredDomain?: string;
}

async function createTopic(owner: TestUser, topic: Topic) {
  return (await owner.api.call(contract.topics.create, { ...topic, categoryId: general })).topic;
}

/** A token for automation of a user. */
async function tokenOf(user: TestUser, scopes: readonly ("read" | "write" | "topics" | "chat")[]) {
  return await user.api.call(contract.auth.createToken, { name: "agent", scopes: [...scopes], days: 30 });
}
