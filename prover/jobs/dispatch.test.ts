import { describe, expect, it } from "vitest";
import { leastBusy } from "./dispatch";

const peer = (id: string, unfinished: number, parallel = 1) => ({ id, publicKey: "", unfinished, parallel });

describe("passing a proof on", () => {
  it.each([
    ["nobody else is there", [peer("me", 5)], undefined],
    ["this process has nothing else to do", [peer("me", 1), peer("b", 0)], undefined],
    ["another would begin at once", [peer("me", 2), peer("b", 0)], "b"],
    ["another has as much to do", [peer("me", 2), peer("b", 1)], undefined],
    ["the one with least to do", [peer("me", 6), peer("b", 4), peer("c", 1), peer("d", 3)], "c"],
    ["a larger machine counts for more", [peer("me", 4), peer("b", 2), peer("c", 4, 4)], "c"],
    ["this process has room for all it has", [peer("me", 4, 4), peer("b", 0)], undefined],
  ])("%s", (_, peers, expected) => {
    expect(leastBusy(peers, "me")?.id).toBe(expected);
  });
});
