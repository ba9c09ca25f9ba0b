import { describe, expect, it } from "vitest";
import { LIMITS } from "@/lib/contract/limits";
import { emptyDraft, isEmptyDraft, isSameDraft, parseKept, withShared, withVideo } from "./draft";
import { cleanTag, isSameTag, videoPage } from "./parse";
import { shrinkFactor } from "./pictures";
import { partOf, problemsOf } from "./post-body";

describe("tags", () => {
  it("are cleaned as they are sent", () => {
    expect([" #audit ", "##a", "C#", "  ", "#!?", "x".repeat(60)].map(cleanTag)).toEqual([
      "audit",
      "a",
      "C#",
      "",
      "",
      "x".repeat(50),
    ]);
  });
  it("are the same where the server makes one of them", () => {
    expect(isSameTag("Zero Knowledge", "zero-knowledge")).toBe(true);
    expect(isSameTag("zero", "zeros")).toBe(false);
  });
});

describe("videos", () => {
  it.each([
    ["https://youtu.be/aqz-KE-bpKQ", "https://www.youtube.com/watch?v=aqz-KE-bpKQ"],
    ["youtube.com/watch?v=aqz-KE-bpKQ&t=3", "https://www.youtube.com/watch?v=aqz-KE-bpKQ"],
    [" https://vimeo.com/1084537 ", "https://vimeo.com/1084537"],
    ["https://vimeo.com/1084537 is good", null],
    ["https://example.com/1084537", null],
    ["", null],
  ])("%s", (text, page) => expect(videoPage(text)).toBe(page));
  it("are three at most, each once", () => {
    expect(withVideo(["a", "b"], "b")).toEqual(["a", "b"]);
    expect(withVideo(["a", "b"], "c")).toEqual(["a", "b", "c"]);
    expect(withVideo(["a", "b", "c"], "d")).toBeNull();
  });
});

describe("a picture over the limit", () => {
  it("is made small enough by bytes and by pixels, and no smaller one is touched", () => {
    expect(shrinkFactor({ bytes: LIMITS.upload.bytes, width: 5000, height: 5000 })).toBe(1);
    const byBytes = shrinkFactor({ bytes: 4 * LIMITS.upload.bytes, width: 4000, height: 3000 });
    expect(byBytes).toBeGreaterThan(0.4);
    expect(byBytes).toBeLessThan(0.5);
    const byPixels = shrinkFactor({ bytes: 1, width: 20_000, height: 10_000 });
    expect(20_000 * byPixels * (10_000 * byPixels)).toBeLessThan(LIMITS.upload.pixels);
  });
});

describe("drafts", () => {
  const draft = {
    ...emptyDraft,
    title: "t",
    poll: { question: "", options: [], multipleChoice: false, closesAt: "" },
  };
  it("are read back as they were kept, and anything else is none", () => {
    const kept = { draft, uploads: ["https://a.example/u"], isDiscarded: false };
    expect(parseKept(JSON.stringify(kept))).toEqual(kept);
    expect(isSameDraft(parseKept(JSON.stringify(kept))?.draft ?? emptyDraft, draft)).toBe(true);
    for (const text of [null, "", "{", "{}", JSON.stringify({ ...kept, draft: { ...draft, tags: "a" } })])
      expect(parseKept(text)).toBeNull();
  });
  it("are empty when nobody would miss them", () => {
    expect(isEmptyDraft({ ...emptyDraft, title: "  " })).toBe(true);
    expect(isEmptyDraft(draft)).toBe(false);
    expect(isEmptyDraft({ ...emptyDraft, videos: ["v"] })).toBe(false);
  });
  it("take what was shared behind them, once", () => {
    const shared = { title: "T", text: "<b>", url: "https://a.example/" };
    const once = withShared(draft, shared);
    expect(once).toMatchObject({ title: "t", content: "<p>&lt;b&gt;</p><p>https://a.example/</p>" });
    expect(withShared(once, shared)).toEqual(once);
    expect(withShared(null, shared)?.title).toBe("T");
    expect(withShared(null, null)).toBeNull();
  });
});

describe("what is wrong with a post", () => {
  const fine = { ...emptyDraft, title: "t", content: "<p>c</p>" };
  const check = (draft: typeof fine, keptPoll = false) => problemsOf(draft, { now: 0, keptPoll });
  it("is told by part", () => {
    expect(check(fine)).toEqual({});
    expect(check({ ...fine, title: " " })).toEqual({ title: "emptyTitle" });
    expect(check({ ...fine, content: "" })).toEqual({ content: "emptyBody" });
    expect(check({ ...fine, content: "x".repeat(50_001) })).toEqual({ content: "longBody" });
  });
  it("is not a poll that stands already", () => {
    const poll = { question: "", options: ["a", "b"], multipleChoice: false, closesAt: "1960-01-01T00:00" };
    const draft = { ...fine, poll };
    expect(problemsOf(draft, { now: Date.now(), keptPoll: false })).toEqual({ poll: { closesAt: "past" } });
    expect(problemsOf(draft, { now: Date.now(), keptPoll: true })).toEqual({});
  });
  it("is found by the field that the server names", () => {
    expect(["title", "tags.0", "poll.options.1", "media.videos.0", "content"].map(partOf)).toEqual([
      "title",
      "tags",
      "poll",
      "media",
      "content",
    ]);
    expect([undefined, "", "titles", "topicId"].map(partOf)).toEqual([null, null, null, null]);
  });
});
