import { afterAll, beforeAll, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import type { Signal } from "@/lib/live";
import type { TestUser } from "@/lib/testing/harness";
import { impose } from "../moderation/testing";
import { addTo, type Cast, clientWith, createCast, signIn } from "../testing";

/** Wherever rights end, a signal makes streams check again: of whom, and where. */
let cast: Cast;
const told: Signal[] = [];
beforeAll(async () => {
  cast = await createCast();
});
afterAll(() => cast.h.close());

/** Typed calls whose signals are noted. */
function noting(user: TestUser) {
  const { live } = cast.h.services;
  const publish = (signal: Signal) => void told.push(signal);
  return clientWith(cast.h, user, { live: { ...live, publish } });
}

interface End {
  readonly act: (scene: { topicId: string; leaver: TestUser }) => Promise<unknown>;
  readonly where: readonly ("topicId" | "userId")[];
}

const ends: Record<string, End> = {
  leaving: {
    act: ({ topicId, leaver }) => noting(leaver).call(contract.topics.leave, { topicId }),
    where: ["topicId", "userId"],
  },
  removal: {
    act: ({ topicId, leaver: { userId } }) =>
      noting(cast.admin).call(contract.members.remove, { topicId, userId }),
    where: ["topicId", "userId"],
  },
  "a ban": {
    act: ({ topicId, leaver }) => impose({ ...cast.admin, api: noting(cast.admin) }, topicId, leaver, "ban"),
    where: ["topicId", "userId"],
  },
  "a topic's deletion": {
    act: ({ topicId }) => noting(cast.owner).call(contract.topics.delete, { topicId }),
    where: ["topicId"],
  },
  withdrawal: {
    act: ({ leaver }) => noting(leaver).call(contract.profile.deleteAccount, {}),
    where: ["userId"],
  },
  logout: { act: ({ leaver }) => noting(leaver).call(contract.auth.logout, {}), where: ["userId"] },
  "a new token": { act: ({ leaver }) => noting(leaver).call(contract.auth.refresh, {}), where: ["userId"] },
  "a new name": {
    act: ({ leaver }) =>
      noting(leaver).call(contract.profile.setNickname, { nickname: `${leaver.nickname}_2` }),
    where: ["userId"],
  },
  "the end of a session": {
    act: async ({ leaver }) => {
      const { sessions } = await leaver.api.call(contract.auth.sessions, {});
      await noting(leaver).call(contract.auth.endSession, { sessionId: sessions[0]?.id ?? "" });
    },
    where: ["userId"],
  },
  "the end of other sessions": {
    act: ({ leaver }) => noting(leaver).call(contract.auth.endOtherSessions, {}),
    where: ["userId"],
  },
};

it.each(Object.entries(ends))("%s", async (_name, { act, where }) => {
  const leaver = await signIn(cast.h, "leaver");
  const topicId = await cast.place("private");
  await addTo(cast.h.db, topicId, leaver);
  told.length = 0;
  await act({ topicId, leaver });
  const scope = { topicId, userId: leaver.userId };
  const signal = { kind: "access", ...Object.fromEntries(where.map((name) => [name, scope[name]])) };
  expect(told.filter(({ kind }) => kind === "access")).toEqual([signal]);
});

it("a refusal sends no signal", async () => {
  const topicId = await cast.place("private");
  told.length = 0;
  const refused = [
    noting(cast.owner).call(contract.topics.leave, { topicId }),
    noting(cast.member).call(contract.members.remove, { topicId, userId: cast.admin.userId }),
    noting(cast.outsider).call(contract.topics.delete, { topicId }),
  ];
  for (const { status } of await Promise.allSettled(refused)) expect(status).toBe("rejected");
  expect(told).toEqual([]);
});
