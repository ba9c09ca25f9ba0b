import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "@/db/client";
import { contract, operations } from "@/lib/contract";
import { maxBodyBytes } from "@/lib/http/input";
import { startPostgres, type TestPostgres } from "@/lib/sql/testing";
import { assure, fullOrShort } from "../assure";
import { type Described, readDocument } from "../fuzz/document";
import { createWorld, type World } from "../spec/world";
import { loopBudgetMs, onUsualCores } from "./cpu";
import { sample, type TextField, textFields } from "./fields";
import { LoopWatch } from "./loop-watch";
import { fewShapes, shapes } from "./shapes";

/**
 * No input within the documented limits holds the event loop longer than 100 ms: every text of every operation is sent in
 * the shapes that make programs slow, at full length. On PostgreSQL, because the embedded database computes in the loop.
 */
let postgres: TestPostgres | undefined;
let w: World;
let described: Described[];
let token: string;
let known: Readonly<Record<string, string>>;
const watch = new LoopWatch();

/** They end what the other requests need, or ask programs that do not run here. */
const spared = new Set([
  "topics.delete",
  "topics.leave",
  "posts.delete",
  "profile.deleteAccount",
  "auth.logout",
  "auth.refresh",
  "auth.endOtherSessions",
  "profile.setNickname",
  "service.ready",
  "chat.subscribe",
  "my.events",
  "comments.follow",
]);
/** Longest text that fits a request line, once it is percent-encoded. */
const inAddress = 2_500;
/** What is short, or has a form, is sent in few shapes, at its own length and as long as a body usually may be. */
const short = 1_000;
const probes = [50_000, 200_000];

beforeAll(async () => {
  postgres = await startPostgres();
  if (!postgres) throw new Error("this test needs PostgreSQL: see .ci/run");
  w = await createWorld({ database: await openDatabase({ url: await postgres.createDatabase("budget") }) });
  described = readDocument((await w.h.send("GET", "/api/docs/openapi.json")).body);
  const place = await w.place("public");
  token = place.owner.token;
  const post = await w.post(place.owner, place.topic.id);
  const comment = await w.comment(place.owner, post.id);
  const sent = { topicId: place.topic.id, message: "m" };
  const { message } = await place.owner.api.call(contract.chat.send, sent);
  known = {
    topicId: place.topic.id,
    postId: post.id,
    commentId: comment.id,
    messageId: message.id,
    inviteCode: place.topic.inviteCode ?? "",
    userId: place.member.userId,
    categoryId: place.topic.categoryId ?? "",
  };
});
afterAll(async () => {
  await w.close();
  await postgres?.close();
});

/** A request, its body in pieces as a socket brings them. */
function request(op: Described, at: { place: string; name: string; text: string } | null, body: unknown) {
  const path = op.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(at?.place === "path" && at.name === name ? at.text : (known[name] ?? "x")),
  );
  const query = new URLSearchParams(
    op.parameters
      .filter((parameter) => parameter.in === "query" && (parameter.required || at?.name === parameter.name))
      .map(({ name, schema }) => [
        name,
        at?.place === "query" && at.name === name ? at.text : String(sample(schema, known, undefined, name)),
      ]),
  );
  const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body));
  let sent = 0;
  const stream =
    bytes &&
    new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent >= bytes.length) return controller.close();
        controller.enqueue(new Uint8Array(bytes.subarray(sent, sent + 65_536)));
        sent += 65_536;
      },
    });
  const init: RequestInit & { duplex?: "half" } = {
    method: op.method,
    headers: { authorization: `Bearer ${token}`, ...(bytes && { "content-type": "application/json" }) },
    ...(stream && { body: stream, duplex: "half" }),
  };
  return new Request(`http://localhost:3000${path}?${query}`, init);
}

/** A shape in this length; shorter where escapes and UTF-8 make it too long on its way. */
function fitting(shape: string, length: number, maxBytes: number): string {
  const text = shapes[shape]?.(length) ?? "";
  const bytes = Buffer.byteLength(JSON.stringify(text));
  return bytes <= maxBytes ? text : (shapes[shape]?.(Math.floor((length * maxBytes) / bytes)) ?? "");
}

/** Longest time in milliseconds for which a request holds the loop; what seems long is measured again. */
async function held(make: () => Request): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  // Far beyond the budget is no matter of measuring.
  const isOpen = () => least > loopBudgetMs / 2 && !(least > 5 * loopBudgetMs && Number.isFinite(least));
  for (let run = 0; run < 4 && isOpen(); run += 1) {
    const asked = make();
    await new Promise((resolve) => setImmediate(resolve));
    watch.start();
    const response = await w.h.fetch(asked);
    await response.arrayBuffer();
    await w.h.idle();
    least = Math.min(least, onUsualCores(watch.stop()));
  }
  return least;
}

/** Texts that were sent in the short form: their name, length and form decide what reads them. */
const tried = new Set<string>();

/** Shapes that a parameter is sent in. In the short form, none if another operation has one of the same name. */
function parameterShapes(parameter: string): readonly string[] {
  if (!assure && tried.has(parameter)) return [];
  tried.add(parameter);
  return fewShapes;
}

/** Lengths and shapes that a text of a body is sent in. In the short form, none if another operation has the same. */
function trials({ path, maxLength, hasForm }: TextField, op: Described, maxBytes: number) {
  const room = maxBytes - 5_000;
  const full = Math.min(maxLength ?? room, room);
  const text = `${path.at(-1)} ${full} ${hasForm}`;
  if (!assure && tried.has(text)) return [];
  tried.add(text);
  if (full > short && !hasForm) {
    // What changes something goes through the same functions as what creates it.
    const isLarge = full > maxBodyBytes;
    const names = assure || (op.method === "POST" && !isLarge) ? Object.keys(shapes) : fewShapes;
    return [...names, ...(isLarge && !assure ? ["open elements", "data URI"] : [])].map((shape) => ({
      length: full,
      shape,
    }));
  }
  // Too long ones too: their form is checked before anybody counts.
  return fewShapes.flatMap((shape) =>
    [full, Math.min(room, maxBodyBytes)].map((length) => ({ length, shape })),
  );
}

describe("security F1, F2: no text within the limits holds the loop longer than 100 ms", () => {
  let requests = 0;
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  it.each(tags)(
    "in any field of any operation of %s, at full length",
    async (tag) => {
      const tooLong: string[] = [];
      const ids = new Set(operations.filter((op) => op.tag === tag).map(({ id }) => id));
      const trial = async (what: string, make: () => Request) => {
        requests += 1;
        const ms = await held(make);
        const isQuick = ms < loopBudgetMs;
        if (!isQuick) tooLong.push(`${what}: ${Math.round(ms)} ms`);
        return isQuick;
      };
      for (const op of described) {
        if (spared.has(op.id) || !ids.has(op.id)) continue;
        const body = op.body ?? undefined;
        const plain = body && sample(body, known);
        for (const { name, in: place, schema } of op.parameters) {
          if (place === "header" || textFields(schema).length === 0) continue;
          for (const shape of parameterShapes(`${place} ${name}`)) {
            const text = shapes[shape]?.(inAddress) ?? "";
            await trial(`${op.id} ${place} ${name} ${shape}`, () =>
              request(op, { place, name, text }, plain),
            );
          }
        }
        const maxBytes = operations.find(({ id }) => id === op.id)?.maxBytes ?? maxBodyBytes;
        for (const field of body ? textFields(body) : []) {
          for (const { length, shape } of trials(field, op, maxBytes)) {
            // Parts of it first: what takes time by the square of its length would take hours for the whole.
            const parts = probes.slice(0, length > maxBodyBytes ? 2 : 1).filter((each) => each < length);
            for (const part of [...parts, length]) {
              const text = fitting(shape, part, maxBytes - 5_000);
              const whole = body && sample(body, known, { path: field.path, text });
              const name = `${op.id} ${field.path.join(".")} ${shape} ${part}`;
              if (!(await trial(name, () => request(op, null, whole)))) break;
            }
          }
        }
      }
      expect(tooLong).toEqual([]);
    },
    300_000,
  );

  it("of which there are hundreds", () => expect(requests).toBeGreaterThan(fullOrShort(1_000, 400)));

  it.each([
    ["many values", (n: number) => `{"junk":[${"0,".repeat(n / 2 - 10)}0]}`],
    ["deep nesting", (n: number) => "[".repeat(n)],
    ["many fields", (n: number) => `{${'"a":0,'.repeat(n / 6 - 10)}"b":0}`],
    ["blanks", (n: number) => " ".repeat(n)],
    ["escapes", (n: number) => `"${"\\uac00".repeat(n / 6 - 10)}"`],
    ["letters of four bytes", (n: number) => `"${"😀".repeat(n / 4 - 10)}"`],
  ])("in a body of %s", async (_, text) => {
    const op = operations.find(({ id }) => id === "posts.create");
    const body = Buffer.from(text(op?.maxBytes ?? maxBodyBytes));
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const path = `http://localhost:3000/api/topics/${known.topicId}/posts`;
    const ms = await held(() => new Request(path, { method: "POST", headers, body: new Blob([body]) }));
    expect(ms).toBeLessThan(loopBudgetMs);
  });
});
