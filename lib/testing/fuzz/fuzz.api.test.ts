import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { testSettings } from "@/lib/settings/tools";
import { fullOrShort } from "../assure";
import { createWorld, type World } from "../spec/world";
import { asParameter, broken, valid } from "./arbitrary";
import { type Described, readDocument } from "./document";

/**
 * Requests made up from the OpenAPI document we serve, by nobody and by somebody, half of them wrong on purpose. None
 * may be answered with 5xx, and every answer is one the document declares, of the shape it declares.
 */
const requests = fullOrShort(20_000, 1_000);
/** Statuses above 499 that say something about others: a chain or an address elsewhere that does not answer. */
const foreign = new Set([502, 503]);

let w: World;
let described: Described[];
let tokens: (string | undefined)[];
let ids: Record<string, string[]>;
const answered = new Map<number, number>();

beforeAll(async () => {
  w = await createWorld();
  described = readDocument((await w.h.send("GET", "/api/docs/openapi.json")).body);
  const places = [await w.place("public"), await w.place("private"), await w.place("secret")];
  const first = places[0] ?? expect.fail();
  const comment = await w.comment(first.member, first.post.id);
  const sent = { topicId: first.topic.id, message: "m" };
  const { message } = await first.member.api.call(contract.chat.send, sent);
  tokens = [
    undefined,
    (await w.nameless()).token,
    "nonsense",
    ...places.flatMap(({ owner, admin, member, outsider }) =>
      [owner, admin, member, outsider].map(({ token }) => token),
    ),
  ];
  ids = {
    topicId: places.map(({ topic }) => topic.id),
    postId: places.map(({ post }) => post.id),
    commentId: [comment.id],
    messageId: [message.id],
    inviteCode: places.map(({ topic }) => topic.inviteCode ?? ""),
    userId: places.map(({ member }) => member.userId),
  };
});
afterAll(() => w.close());

/** One made-up request; `known` picks ids that exist, so that requests get past the 404. */
function requestOf(op: Described) {
  const known = (name: string, otherwise: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => {
    const existing = ids[name];
    return existing ? fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...existing) }, otherwise) : otherwise;
  };
  const parameters = op.parameters
    .filter((parameter) => parameter.in !== "header")
    .map(({ name, in: place, required, schema }) => {
      const wanted = known(name, fc.oneof({ weight: 3, arbitrary: valid(schema) }, broken(schema)));
      const value = required ? wanted : fc.option(wanted, { nil: undefined });
      return value.map((drawn) => ({ name, place, drawn }));
    });
  const body = op.body
    ? fc.oneof({ weight: 3, arbitrary: valid(op.body) }, { weight: 2, arbitrary: broken(op.body) })
    : fc.constant(undefined);
  return fc.record({
    parameters: fc.tuple(...parameters),
    body: fc
      .tuple(body, fc.constantFrom(...(ids.userId ?? [])))
      .map(([drawn, user]) => withUser(drawn, user)),
    token: fc.constantFrom(...tokens),
    key: fc.option(
      fc.string({ maxLength: 10 }).filter((text) => /^[\x21-\x7e]*$/.test(text)),
      {
        nil: undefined,
        freq: 10,
      },
    ),
  });
}

/** User ids are opaque to the document; one that exists gets further. */
function withUser(body: unknown, userId: string): unknown {
  const named = typeof body === "object" && body !== null && "userId" in body;
  return named && typeof body.userId === "string" ? { ...body, userId } : body;
}

/** Deleting what the other requests ask about, or signing everybody out, would leave nothing to find. */
const spared = new Set<string>([
  contract.topics.delete.id,
  contract.profile.deleteAccount.id,
  contract.auth.logout.id,
  contract.auth.endOtherSessions.id,
  contract.auth.refresh.id,
  contract.profile.setNickname.id,
  // Asks the programs around us, which do not run here.
  contract.service.ready.id,
]);

describe(`${requests} requests made up from the OpenAPI document`, () => {
  it("are answered as the document says, and never by 5xx", async () => {
    const usable = described.filter((op) => !spared.has(op.id));
    const each = Math.ceil(requests / usable.length);
    for (const op of usable) {
      await fc.assert(
        fc.asyncProperty(requestOf(op), async (drawn) => {
          const path = op.path.replace(/\{(\w+)\}/g, (_, name: string) =>
            encodeURIComponent(asParameter(drawn.parameters.find((p) => p.name === name)?.drawn) || "-"),
          );
          const query = new URLSearchParams(
            drawn.parameters
              .filter(({ place, drawn: value }) => place === "query" && value !== undefined)
              .map(({ name, drawn: value }) => [name, asParameter(value)]),
          );
          const answer = await w.h.send(op.method, query.size > 0 ? `${path}?${query}` : path, {
            token: drawn.token,
            headers: drawn.key === undefined ? {} : { "idempotency-key": drawn.key },
            body: op.body && drawn.body !== undefined ? JSON.stringify(drawn.body) : undefined,
          });
          answered.set(answer.status, (answered.get(answer.status) ?? 0) + 1);
          const said = `${op.id}: ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 500)}`;
          if (answer.status >= 500 && !foreign.has(answer.status)) expect.fail(said);
          const declared = op.responses.get(answer.status);
          if (declared === undefined) expect.fail(`${said} is not declared`);
          const isDeclared = declared?.();
          if (isDeclared && !isDeclared(answer.body)) {
            expect.fail(`${said} is not of the declared shape: ${JSON.stringify(isDeclared.errors)}`);
          }
        }),
        { numRuns: each, seed: testSettings().FUZZ_SEED, endOnFailure: true },
      );
    }
  }, 1_200_000);

  it("reached the operations and did not only bounce off", () => {
    const total = [...answered.values()].reduce((sum, count) => sum + count, 0);
    expect(total).toBeGreaterThanOrEqual(requests);
    const successes = [200, 201, 202].reduce((sum, status) => sum + (answered.get(status) ?? 0), 0);
    expect(successes / total).toBeGreaterThan(0.1);
    for (const status of [400, 401, 403, 404, 409])
      expect(answered.get(status), String(status)).toBeGreaterThan(0);
  });
});
