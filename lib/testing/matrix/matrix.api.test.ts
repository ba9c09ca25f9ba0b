import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "@/lib/contract";
import { errorBodySchema } from "@/lib/contract/error-body";
import {
  type CallerKind,
  callers,
  type Expected,
  exceptions,
  expectedAnswer,
  type Place,
  places,
} from "./expected";
import { domainRefusals, requestFor } from "./requests";
import { type Cell, createMatrix, type Matrix } from "./world";

/**
 * The authorisation matrix (design/assurance.md): every operation, asked by everybody about every kind of topic. Each
 * expected answer comes from the rules in expected.ts.
 */
let matrix: Matrix;
/** What is asked about in each place; made anew as soon as a call may have changed it. */
const standing: Partial<Record<Place, Cell>> = {};
beforeAll(async () => {
  matrix = await createMatrix();
});
afterAll(() => matrix.close());

/** What changes or ends the caller's own session or account is asked by somebody made for it; topics play no part. */
const spends = new Set([
  "auth.logout",
  "auth.refresh",
  "auth.endOtherSessions",
  // A user has three at most.
  "auth.createToken",
  "profile.setNickname",
  "profile.deleteAccount",
]);

let cells = 0;

describe.each(operations)("$id", (op) => {
  for (const place of places) {
    it(`about a ${place} topic: ${callers.length} callers`, async () => {
      const answers: Partial<Record<CallerKind, string>> = {};
      const expected: Partial<Record<CallerKind, Expected>> = {};
      for (const who of callers) {
        standing[place] ??= await matrix.cell(place);
        const cell = standing[place];
        const { path, body } = requestFor(op, cell, matrix);
        const token = await tokenOf(who, spends.has(op.id));
        const answer = await matrix.h.send(op.method, path, { token, body });
        const known = answer.status < 400 ? "allowed" : errorBodySchema.parse(answer.body).code;
        answers[who] = domainRefusals[op.id]?.includes(known) ? "allowed" : known;
        expected[who] =
          exceptions.find((exception) => exception.op === op.id && exception.who === who)?.expected ??
          expectedAnswer(op, who, place);
        cells += 1;
        // What a call may have changed, the next one does not find.
        if (op.method !== "GET" && answer.status < 400) delete standing[place];
      }
      expect(answers).toEqual(expected);
    });
  }
});

it("has a cell for every operation, caller and kind of topic", () => {
  expect(cells).toBe(operations.length * callers.length * places.length);
});

let strangers = 0;

async function tokenOf(who: CallerKind, throwaway: boolean): Promise<string | undefined> {
  if (who === "guest") return undefined;
  if (!throwaway || who === "revoked token") return matrix.people[who].token;
  strangers += 1;
  return (await matrix.h.login(who === "no nickname" ? undefined : `stranger_${strangers}`)).token;
}
