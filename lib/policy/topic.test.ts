import { describe, expect, it } from "vitest";
import type { Visibility } from "@/db/schema/community";
import type { Decision, Viewer } from "./decision";
import { mayDiscipline, topicAccess } from "./topic";

const guest: Viewer = { signedIn: false, role: null, muted: false, proof: "current", isAdmin: false };
const outsider: Viewer = { ...guest, signedIn: true };
const globalAdmin: Viewer = { ...outsider, isAdmin: true };
const member: Viewer = { ...outsider, role: "member" };
const muted: Viewer = { ...member, muted: true };
const admin: Viewer = { ...outsider, role: "admin" };
const owner: Viewer = { ...outsider, role: "owner" };

const yes = "allowed";
const who = "not_authenticated";
const not = "not_a_member";
const role = "role_required";
const gone = "topic_not_found";

// Columns: see, readContent, inside, readChat, write, join, moderate, edit, delete, seeInviteCode
// (spec, GET /api/topics/{topicId}, Members, Posts; design/api.md, Topics).
type Row = readonly [
  Visibility,
  string,
  Viewer,
  ...[Decision, Decision, Decision, Decision, Decision, Decision, Decision, Decision, Decision],
  boolean,
];
const table: readonly Row[] = [
  ["public", "guest", guest, yes, yes, who, who, who, who, who, who, who, true],
  ["public", "outsider", outsider, yes, yes, not, gone, not, yes, not, not, not, true],
  ["public", "global admin", globalAdmin, yes, yes, not, gone, not, yes, not, not, yes, true],
  ["private", "guest", guest, yes, who, who, who, who, who, who, who, who, false],
  ["private", "outsider", outsider, yes, not, not, gone, not, yes, not, not, not, false],
  ["private", "global admin", globalAdmin, yes, not, not, gone, not, yes, not, not, yes, false],
  ["secret", "guest", guest, gone, gone, who, who, who, who, who, who, who, false],
  ["secret", "outsider", outsider, "topic_secret", not, not, gone, not, "topic_secret", not, not, not, false],
  [
    "secret",
    "global admin",
    globalAdmin,
    "topic_secret",
    not,
    not,
    gone,
    not,
    "topic_secret",
    not,
    not,
    yes,
    false,
  ],
  ...(["public", "private", "secret"] as const).flatMap<Row>((visibility) => [
    [visibility, "member", member, yes, yes, yes, yes, yes, "already_member", role, role, role, true],
    [visibility, "muted", muted, yes, yes, yes, yes, "muted", "already_member", role, role, role, true],
    [visibility, "admin", admin, yes, yes, yes, yes, yes, "already_member", yes, role, role, true],
    [visibility, "owner", owner, yes, yes, yes, yes, yes, "already_member", yes, yes, yes, true],
  ]),
];

describe("topicAccess", () => {
  for (const row of table) {
    const [visibility, who, viewer, see, readContent, inside, readChat, write, join, ...rest] = row;
    const [moderate, edit, erase, seeInviteCode] = rest;
    it(`${visibility} topic, ${who}`, () => {
      expect(topicAccess({ visibility }, viewer)).toEqual({
        see,
        readContent,
        inside,
        // Whoever is inside may leave.
        leave: inside,
        readChat,
        write,
        join,
        moderate,
        edit,
        delete: erase,
        // Whoever sees it may report it, once signed in.
        report: viewer.signedIn ? see : "not_authenticated",
        seeInviteCode,
      });
    });
  }
});

describe("a member who has to prove again", () => {
  const again = "reprove_required";
  it.each([
    ["public", member, yes, again],
    ["private", member, again, again],
    ["secret", member, again, again],
    ["private", admin, again, again],
    ["private", owner, again, yes],
    ["private", { ...member, isAdmin: true }, again, yes],
  ] as const)(
    "%s topic, %o: reads what outsiders read, may leave and prove again",
    (visibility, who, reads, erase) => {
      expect(topicAccess({ visibility }, { ...who, proof: "lapsed" })).toEqual({
        ...{
          see: yes,
          readContent: reads,
          inside: again,
          leave: yes,
          readChat: again,
          write: again,
          join: yes,
        },
        ...{
          moderate: again,
          edit: again,
          delete: erase,
          report: yes,
          seeInviteCode: visibility === "public",
        },
      });
    },
  );

  it("may do everything until the date, and prove again already", () => {
    expect(topicAccess({ visibility: "private" }, { ...muted, proof: "due" })).toEqual({
      ...topicAccess({ visibility: "private" }, muted),
      join: yes,
    });
  });
});

describe("mayDiscipline: admins plain members, the owner everyone but themselves", () => {
  it.each([
    ["owner", "admin", false, yes],
    ["owner", "member", false, yes],
    ["owner", null, false, yes],
    ["owner", "owner", true, role],
    ["admin", "member", false, yes],
    ["admin", null, false, yes],
    ["admin", "admin", false, role],
    ["admin", "admin", true, role],
    ["admin", "owner", false, role],
    ["member", "member", false, role],
    [null, "member", false, role],
  ] as const)("%s and %s (self %s): %s", (actor, target, isSelf, expected) => {
    expect(mayDiscipline(actor, target, isSelf)).toBe(expected);
  });
});
