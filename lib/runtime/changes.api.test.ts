import { afterAll, expect, it } from "vitest";
import { testCache, testDatabase } from "@/lib/testing/backends";
import { Changes } from "./changes";

const database = await testDatabase();
const cache = await testCache(database);
afterAll(async () => {
  await cache.close();
  await database.close();
});

it("a process that ends tells the others of its last change", async () => {
  const [ending, other] = [new Changes(cache), new Changes(cache)];
  const stop = await other.follow();
  ending.note({ postId: "p" });
  await ending.close();
  await expect.poll(() => other.latest("p")).toBe(1);
  await stop();
});
