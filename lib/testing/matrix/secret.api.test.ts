import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { operations } from "@/lib/contract";
import { requestFor } from "./requests";
import { type Cell, createMatrix, type Matrix } from "./world";

/**
 * To a guest a secret topic, and whatever lies under it, is answered exactly as one that does not exist: status, body
 * and headers, on every path that takes an id of it (design/assurance.md).
 */
let matrix: Matrix;
let secret: Cell;
let absent: Cell;
beforeAll(async () => {
  matrix = await createMatrix();
  secret = await matrix.cell("secret");
  absent = {
    ...secret,
    topicId: randomUUID(),
    postId: randomUUID(),
    commentId: randomUUID(),
    messageId: randomUUID(),
    inviteCode: "ZZZZZZZZ",
  };
});
afterAll(() => matrix.close());

const named = /\{(topicId|postId|commentId|inviteCode)\}/;
const asked = operations.filter((op) => named.test(op.path));

/** Of any two answers. */
const differing = ["date", "x-request-id"];

async function answerAbout(op: (typeof asked)[number], cell: Cell) {
  const { path, body } = requestFor(op, cell, matrix);
  const { status, headers, body: answer } = await matrix.h.send(op.method, path, { body });
  const told = Object.fromEntries([...headers].filter(([name]) => !differing.includes(name)));
  return { status, told, answer: { ...Object(answer), requestId: "" } };
}

it("there are such paths", () => {
  expect(asked.length).toBeGreaterThan(30);
});

it.each(asked)("$id", async (op) => {
  const hidden = await answerAbout(op, secret);
  expect(hidden.status).toBeGreaterThanOrEqual(400);
  expect(hidden).toEqual(await answerAbout(op, absent));
});

it("tags of a topic, asked by query", async () => {
  const ask = async (topicId: string) => {
    const { status, body } = await matrix.h.send("GET", `/api/tags?topicId=${topicId}`);
    return { status, body: { ...Object(body), requestId: "" } };
  };
  expect((await ask(secret.topicId)).status).toBe(404);
  expect(await ask(secret.topicId)).toEqual(await ask(absent.topicId));
});
