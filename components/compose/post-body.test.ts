import { describe, expect, it } from "vitest";
import { pollInput, pollPatch } from "@/lib/contract/posts";
import { type Draft, emptyDraft, type PollDraft } from "./draft";
import {
  changesOf,
  fieldTime,
  newPoll,
  pollBody,
  pollDraftOf,
  pollPatchBody,
  pollProblems,
} from "./post-body";

const now = Date.parse("2026-11-22T10:00:00Z");
const tomorrow = fieldTime(new Date(Date.now() + 86_400_000));
const poll: PollDraft = {
  question: " Tea? ",
  options: ["Yes ", "", "No"],
  multipleChoice: true,
  closesAt: "",
};

describe("a poll being written", () => {
  it.each([
    ["nothing in it", newPoll, { options: "few" }],
    ["one answer and spaces", { ...poll, options: ["a", "  "] }, { options: "few" }],
    ["an answer of 81 characters", { ...poll, options: ["a", "b".repeat(81)] }, { options: "long" }],
    ["the same answer twice", { ...poll, options: ["a", "a "] }, { options: "twice" }],
    ["a question of 301 characters", { ...poll, question: "q".repeat(301) }, { question: "longQuestion" }],
    ["a time that is past", { ...poll, closesAt: "2020-01-01T10:00" }, { closesAt: "past" }],
    ["no time at all", { ...poll, closesAt: "soon" }, { closesAt: "past" }],
    ["nothing wrong", { ...poll, closesAt: tomorrow }, {}],
  ])("%s", (_, draft, problems) => {
    expect(pollProblems(draft, now)).toEqual(problems);
  });

  it("is sent as the contract takes it, without empty lines", () => {
    const body = pollBody({ ...poll, closesAt: tomorrow });
    expect(pollInput.parse(body)).toEqual({
      question: "Tea?",
      options: ["Yes", "No"],
      multipleChoice: true,
      closesAt: new Date(tomorrow).toISOString(),
    });
    expect(pollBody(poll)).not.toHaveProperty("closesAt");
  });

  it("is read back from the one that stands, in the reader's zone", () => {
    const stands = {
      id: "",
      postId: "",
      question: null,
      multipleChoice: false,
      closesAt: "2026-12-01T10:30:00.000Z",
      options: ["a", "b"].map((text, position) => ({ id: text, text, position, voteCount: 0 })),
      totalVotes: 0,
      userVotedOptionIds: [],
      isClosed: false,
      secret: null,
    };
    const draft = pollDraftOf(stands);
    expect(draft).toMatchObject({ question: "", options: ["a", "b"], multipleChoice: false });
    expect(new Date(draft.closesAt).toISOString()).toBe(stands.closesAt);
  });
});

describe("changes of a poll", () => {
  it.each<[string, PollDraft | null, PollDraft | null, unknown]>([
    ["none", poll, { ...poll }, undefined],
    ["none where there is none", null, null, undefined],
    ["spaces are no change", poll, { ...poll, options: ["Yes", "No "] }, undefined],
    ["removed", poll, null, null],
    ["made", null, poll, { question: "Tea?", options: ["Yes", "No"], multipleChoice: true }],
    ["another question", poll, { ...poll, question: "Coffee?" }, { question: "Coffee?" }],
    ["no question", poll, { ...poll, question: " " }, { question: null }],
    ["other answers", poll, { ...poll, options: ["a", "b"] }, { options: ["a", "b"] }],
    ["one choice", poll, { ...poll, multipleChoice: false }, { multipleChoice: false }],
    ["no end", { ...poll, closesAt: "2020-01-01T10:00" }, poll, { closesAt: null }],
  ])("%s", (_, before, after, patch) => {
    const body = pollPatchBody(before, after);
    expect(body).toEqual(patch);
    if (body) expect(pollPatch.safeParse(body).success).toBe(true);
  });
});

const keptPoll = { question: "", options: ["a", "b"], multipleChoice: false, closesAt: "" };
const before: Draft = {
  ...emptyDraft,
  title: "t",
  content: "<p>c</p>",
  images: ["i"],
  videos: ["v"],
  poll: keptPoll,
};

describe("changes of a post", () => {
  it.each<[string, Partial<Draft>, unknown]>([
    ["none", {}, {}],
    ["the title", { title: "u" }, { title: "u" }],
    ["tags", { tags: ["x"] }, { tags: ["x"] }],
    ["a video goes, the images come along", { videos: [] }, { media: { images: ["i"], videos: [] } }],
    ["the poll goes", { poll: null }, { poll: null }],
    ["a choice more", { poll: { ...keptPoll, multipleChoice: true } }, { poll: { multipleChoice: true } }],
  ])("%s", (_, change, sent) => {
    expect(changesOf(before, { ...before, ...change })).toEqual(sent);
  });
});
