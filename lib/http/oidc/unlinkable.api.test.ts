import { afterAll, describe, expect, it } from "vitest";
import { signIn, verified } from "@/lib/community/testing";
import { fullOrShort } from "@/lib/testing/assure";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { appOf, signInTo, type TestApp } from "./testing";

const USERS = fullOrShort(1000, 30);
const DOMAINS = 5;

let h: Harness;
afterAll(() => h.close());

/** Everything that an app has of one person: what it was sent, with tokens taken apart. */
type Has = readonly string[];

/** Everybody signs in to the app, in any order. @returns what it has of each, in the order of users */
async function allSignIn(app: TestApp, users: readonly TestUser[]): Promise<Has[]> {
  const has: Has[] = users.map(() => []);
  const order = users.map((_, index) => index).sort(() => Math.random() - 0.5);
  for (const index of order) {
    const user = users[index];
    if (!user) throw new Error("no user");
    app.received.length = 0;
    await signInTo(h, app, user, { claims: ["domain"], more: { scope: "openid domain" } });
    has[index] = app.received.flatMap(partsOf);
  }
  return has;
}

/** The words of a text, and those of the parts of tokens in it. */
function partsOf(text: string): string[] {
  const decoded = [...text.matchAll(/eyJ[\w-]+\.([\w-]+)/g)].map(([, payload = ""]) =>
    Buffer.from(payload, "base64url").toString(),
  );
  return [text, ...decoded].flatMap((part) => part.match(/[\w.-]{4,}/g) ?? []);
}

/** Returns who is the same person for both, by anything that each has of one person only. */
function linked(a: readonly Has[], b: readonly Has[]): number {
  const ownersOf = (all: readonly Has[]) => {
    const owners = new Map<string, Set<number>>();
    for (const [index, parts] of all.entries()) {
      for (const part of parts) owners.set(part, (owners.get(part) ?? new Set()).add(index));
    }
    return owners;
  };
  const [first, second] = [ownersOf(a), ownersOf(b)];
  const found = new Set<number>();
  for (const [part, owners] of first) {
    const theirs = second.get(part);
    const [one] = owners;
    if (owners.size === 1 && theirs?.size === 1 && one !== undefined && theirs.has(one)) found.add(one);
  }
  return found.size;
}

describe(`two apps that put together what they have of ${USERS} people`, () => {
  it("link nobody; where the id does not depend on the app, they link everybody", async () => {
    h = await createHarness();
    const users: TestUser[] = [];
    for (let i = 0; i < USERS; i += 1) {
      const user = await signIn(h);
      await verified(h, user, { domain: `company${i % DOMAINS}.example` });
      users.push(user);
    }
    const [one, other] = [await appOf(h, await signIn(h)), await appOf(h, await signIn(h))];
    const [a, b] = [await allSignIn(one, users), await allSignIn(other, users)];
    expect(linked(a, b)).toBe(0);
    // What they agreed to is told, and no more than that: one of five companies.
    expect(new Set(a.map((parts) => parts.find((part) => /^company\d/.test(part)))).size).toBe(DOMAINS);
    const { apps } = h.services;
    Object.assign(h.services, {
      apps: { ...apps, subjectOf: (_: string, userId: string) => apps.subjectOf("", userId) },
    });
    const [c, d] = [
      await allSignIn(await appOf(h, await signIn(h)), users),
      await allSignIn(await appOf(h, await signIn(h)), users),
    ];
    expect(linked(c, d)).toBe(USERS);
  }, 1_800_000);
});
