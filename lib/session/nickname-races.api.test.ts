import { afterAll, beforeAll, expect, it } from "vitest";
import { fullOrShort } from "@/lib/testing/assure";
import { parallel } from "@/lib/testing/crowd";
import { createHarness, type Harness } from "@/lib/testing/harness";

/** A hundred users want the same nickname at once; on PostgreSQL when the run uses it. */
const rounds = fullOrShort(20, 2);
let h: Harness;
let tokens: string[];
beforeAll(async () => {
  h = await createHarness();
  tokens = [];
  for (let i = 0; i < parallel; i += 1) tokens.push((await h.login()).token);
});
afterAll(() => h.close());

it(`one of ${parallel} gets it, and whoever does not keeps name and session`, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const nickname = `Wanted_${round}`;
    const answers = await Promise.all(
      tokens.map((token, i) =>
        h.send("PUT", "/api/profile/nickname", {
          token,
          // Two spellings: names that differ only in case are the same.
          body: { nickname: i % 2 === 0 ? nickname : nickname.toUpperCase() },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(parallel - 1);
    const holders = await h.db
      .selectFrom("users")
      .select("nickname")
      .where("nickname_key", "=", nickname.toLowerCase())
      .execute();
    expect(holders).toHaveLength(1);
    const winner = answers.findIndex(({ status }) => status === 200);
    tokens[winner] = String(Object(answers[winner]?.body).token);
    const sessions = await Promise.all(tokens.map((token) => h.send("GET", "/api/auth/session", { token })));
    // The winner's session was reissued under the new name; all others are unchanged.
    expect(
      sessions.map(({ status, body }) => [
        status,
        Object(body).nickname.toLowerCase() === nickname.toLowerCase(),
      ]),
    ).toEqual(tokens.map((_, i) => [200, i === winner]));
  }
});
