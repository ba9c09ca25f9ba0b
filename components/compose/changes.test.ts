import { describe, expect, it } from "vitest";
import { changesOf } from "./changes";
import { type Draft, emptyDraft } from "./draft";

const poll = { question: "", options: ["a", "b"], multipleChoice: false, closesAt: "" };
const before: Draft = { ...emptyDraft, title: "t", content: "<p>c</p>", images: ["i"], videos: ["v"], poll };

describe("changes of a post", () => {
  it.each<[string, Partial<Draft>, unknown]>([
    ["none", {}, {}],
    ["the title", { title: "u" }, { title: "u" }],
    ["tags", { tags: ["x"] }, { tags: ["x"] }],
    ["a video goes, the images come along", { videos: [] }, { media: { images: ["i"], videos: [] } }],
    ["the poll goes", { poll: null }, { poll: null }],
    ["a choice more", { poll: { ...poll, multipleChoice: true } }, { poll: { multipleChoice: true } }],
  ])("%s", (_, change, sent) => {
    expect(changesOf(before, { ...before, ...change })).toEqual(sent);
  });
});
