import { describe, expect, it } from "vitest";
import { contentActs } from "./content-acts";

const post = { authorId: "nora", isDeleted: false, isPost: true };
const comment = { ...post, isPost: false };
const member = { me: "noah", isMember: true, isStaff: false };
const staff = { ...member, isStaff: true };

describe("what is offered beside a post or a comment", () => {
  it("is a report to members, and more to staff", () => {
    expect(contentActs(post, member)).toEqual(["report"]);
    expect(contentActs(post, staff)).toEqual(["pin", "hide", "remove", "report"]);
    expect(contentActs(comment, staff)).toEqual(["hide", "remove", "report"]);
  });

  it("is not a report of oneself, nothing of what is deleted, and nothing to those outside", () => {
    expect(contentActs(post, { ...member, me: "nora" })).toEqual(["remove"]);
    expect(contentActs(post, { ...staff, me: "nora" })).toEqual(["pin", "hide", "remove"]);
    expect(contentActs({ ...post, isDeleted: true }, staff)).toEqual([]);
    expect(contentActs(post, { me: null, isMember: false, isStaff: false })).toEqual([]);
    expect(contentActs({ ...post, authorId: null }, { me: null, isMember: false, isStaff: false })).toEqual(
      [],
    );
  });

  it("is to take back what one wrote, also for those who have left", () => {
    expect(contentActs(comment, { me: "nora", isMember: false, isStaff: false })).toEqual(["remove"]);
  });
});
