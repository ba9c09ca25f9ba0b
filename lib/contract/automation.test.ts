import { expect, it } from "vitest";
import { scopeOf } from "./automation";
import { operations } from "./index";

/** The ids of the operations that a scope reaches; null for those that a token must name. */
const reached = (scope: ReturnType<typeof scopeOf>) =>
  operations
    .filter(
      (op) => (op.auth === "required" || op.auth === "optional") && !op.personOnly && scopeOf(op) === scope,
    )
    .map(({ id }) => id);

it("reading changes nothing, and gives away neither the account nor what only staff see", () => {
  const read = operations.filter((op) => scopeOf(op) === "read");
  expect(new Set(read.map(({ method }) => method))).toEqual(new Set(["GET"]));
  expect(reached("read")).not.toContain("profile.export");
  for (const id of ["members.notes", "requests.list", "moderation.reports"])
    expect(reached("staff")).toContain(id);
});

it("no named scope reaches the account, operators' acts, ways in, or the end of a topic", () => {
  const named = (["read", "write", "chat", "topics", "staff"] as const).flatMap(reached);
  const changes = operations.filter(
    ({ id, tag, method }) =>
      ["topics.delete", "webhooks.create"].includes(id) ||
      tag === "operators" ||
      (["auth", "profile", "crowds"].includes(tag) && method !== "GET"),
  );
  expect(changes.length).toBeGreaterThan(30);
  expect(named.filter((id) => changes.some((op) => op.id === id))).toEqual([]);
});

it("each scope reaches what its name says", () => {
  expect(reached("write")).toEqual(
    expect.arrayContaining(["posts.create", "comments.create", "posts.vote", "drafts.save"]),
  );
  expect(reached("chat")).toEqual(["chat.send", "chat.update", "chat.delete", "chat.react"]);
  expect(reached("topics")).toEqual(expect.arrayContaining(["topics.create", "topics.join", "topics.leave"]));
});
