import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OperationSpec, operations } from "@/lib/contract";
import { scopeOf } from "@/lib/contract/automation";
import { automationScopes } from "@/lib/contract/automation-scopes";
import { errorBodySchema } from "@/lib/contract/error-body";
import { digestOfToken, newAutomationToken } from "@/lib/session/automation-token";
import { requestFor } from "./requests";
import { createMatrix, type Matrix } from "./world";

/** Every operation, asked with tokens for automation that have a scope for it and that have not. */
let matrix: Matrix;
beforeAll(async () => {
  matrix = await createMatrix();
});
afterAll(() => matrix.close());

/** Whether a token can do anything with an operation: where the session is not looked at, it is not looked at either. */
const takesToken = (op: OperationSpec) => op.auth === "optional" || op.auth === "required";
/** Operations about the token itself, which every token may call. */
const own = ["auth.logout", "auth.session", "auth.spend"];
const others = (op: OperationSpec) =>
  operations.filter(({ id, personOnly }) => id !== op.id && !personOnly).map(({ id }) => id);

/** Writes a token with these scopes to the database, also those that nobody can ask for. */
async function tokenWith(
  scopes: readonly string[],
  topicIds: readonly string[] | null = null,
): Promise<string> {
  const token = newAutomationToken();
  const { owner } = matrix.people;
  const at = new Date();
  const session = await matrix.h.db
    .insertInto("sessions")
    .values({
      ...{ jti: digestOfToken(token), user_id: owner.userId, label: "n", created_at: at, last_seen_at: at },
      expires_at: new Date(at.getTime() + 3_600_000),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await matrix.h.db
    .insertInto("automation_tokens")
    .values({
      ...{ session_id: session.id, user_id: owner.userId, name: "n", spend_cap: 0 },
      ...{ scopes: [...scopes], topic_ids: topicIds && [...topicIds] },
    })
    .execute();
  return token;
}

/** Asks with a token. @returns the code of the refusal, or the status */
async function ask(op: OperationSpec, token: string, cellOf = matrix.cell("public")): Promise<string> {
  const { path, body } = requestFor(op, await cellOf, matrix);
  const answer = await matrix.h.send(op.method, path, { token, body });
  return answer.status < 400 ? String(answer.status) : errorBodySchema.parse(answer.body).code;
}

describe.each(operations.filter(takesToken))("$id", (op) => {
  if (op.personOnly) {
    it("takes a session: no scope is enough", async () => {
      expect(await ask(op, await tokenWith([...automationScopes, op.id]))).toBe("scope_missing");
    });
    return;
  }

  it("is reached by a token of its scope", async () => {
    const scope = scopeOf(op);
    for (const scopes of [[op.id], ...(scope ? [[scope]] : [])]) {
      const answer = await ask(op, await tokenWith(scopes));
      expect(answer).not.toMatch(/^(scope_missing|not_authenticated)$/);
    }
  });

  it("is refused to a token of every other scope", async () => {
    if (own.includes(op.id)) return expect(await ask(op, await tokenWith([]))).not.toBe("scope_missing");
    const named = automationScopes.filter((scope) => scope !== scopeOf(op));
    expect(await ask(op, await tokenWith([...named, ...others(op)]))).toBe("scope_missing");
  });

  it("is refused to a token that is limited to another topic", async () => {
    if (own.includes(op.id)) return;
    expect(await ask(op, await tokenWith([op.id], [randomUUID()]))).toBe("scope_missing");
  });

  if (/\{(topic|post|comment|message)Id\}/.test(op.path) && !own.includes(op.id)) {
    it("is reached by a token that is limited to its topic", async () => {
      const cell = matrix.cell("public");
      const { topicId } = await cell;
      expect(await ask(op, await tokenWith([op.id], [topicId]), cell)).not.toBe("scope_missing");
    });
  }
});

it("an operation that looks at no session looks at no token", async () => {
  for (const op of operations) {
    if (takesToken(op) || op.auth === "refused") continue;
    expect(await ask(op, "parley_"), op.id).not.toBe("scope_missing");
  }
});
