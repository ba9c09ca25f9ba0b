import { describe, expect, it } from "vitest";
import type { Visibility } from "@/db/schema/community";
import type { Decision, Viewer } from "./decision";
import { type CommentState, commentAccess, type PostState, postAccess } from "./post";

const guest: Viewer = { signedIn: false, role: null, muted: false, proof: "current", isAdmin: false };
const outsider: Viewer = { ...guest, signedIn: true };
const globalAdmin: Viewer = { ...outsider, isAdmin: true };
const member: Viewer = { ...outsider, role: "member" };
const muted: Viewer = { ...member, muted: true };
const staff: Viewer = { ...outsider, role: "admin" };

const post: PostState = { visibility: "public", deleted: false, hidden: false, mine: false };
const yes = "allowed";
const who = "not_authenticated";
const not = "not_a_member";
const role = "role_required";
const gone = "post_not_found";
const other = "not_the_author";
const own = "record_own_post";

// Columns: read, readBody, write, record, bookmark, report, edit, delete, hide.
type Four = [Decision, Decision, Decision, Decision];
type Five = [Decision, Decision, Decision, Decision, Decision];
type Row = readonly [
  Visibility,
  Partial<PostState>,
  string,
  Viewer,
  Decision,
  boolean,
  ...Five,
  Decision,
  Decision,
];
const table: readonly Row[] = [
  ["public", {}, "guest", guest, yes, true, who, who, who, who, who, who, who],
  ["public", {}, "outsider", outsider, yes, true, not, not, not, yes, not, not, not],
  ["public", {}, "global admin", globalAdmin, yes, true, not, not, not, yes, yes, yes, yes],
  ["secret", {}, "global admin", globalAdmin, not, true, not, not, not, not, yes, yes, yes],
  ["public", { hidden: true }, "global admin", globalAdmin, yes, false, not, not, not, yes, yes, yes, yes],
  [
    "secret",
    { deleted: true },
    "global admin",
    globalAdmin,
    not,
    false,
    gone,
    gone,
    gone,
    gone,
    gone,
    gone,
    gone,
  ],
  ["public", {}, "member", member, yes, true, yes, yes, yes, yes, other, role, role],
  ["public", {}, "muted member", muted, yes, true, "muted", "muted", yes, yes, other, role, role],
  ["public", {}, "staff", staff, yes, true, yes, yes, yes, yes, other, yes, yes],
  ["public", { mine: true }, "author", member, yes, true, yes, own, yes, yes, yes, yes, role],
  ["public", { mine: true }, "muted author", muted, yes, true, "muted", own, yes, yes, "muted", yes, role],
  // Someone who left can only report, and delete what they wrote.
  ["public", { mine: true }, "author who left", outsider, yes, true, not, not, not, yes, not, yes, not],
  ["private", {}, "guest", guest, who, true, who, who, who, who, who, who, who],
  ["private", {}, "outsider", outsider, not, true, not, not, not, not, not, not, not],
  ["private", {}, "member", member, yes, true, yes, yes, yes, yes, other, role, role],
  // A guest must not learn that a post under a secret topic exists: the code is that of no post at all.
  ["secret", {}, "guest", guest, gone, true, who, who, who, who, who, who, who],
  ["secret", {}, "outsider", outsider, not, true, not, not, not, not, not, not, not],
  ["secret", {}, "member", member, yes, true, yes, yes, yes, yes, other, role, role],
  // Deleted: the page stays, empty; writes find nothing.
  ["public", { deleted: true }, "guest", guest, yes, false, who, who, who, who, who, who, who],
  ["public", { deleted: true }, "outsider", outsider, yes, false, gone, gone, gone, gone, gone, gone, gone],
  ["public", { deleted: true }, "member", member, yes, false, gone, gone, gone, gone, gone, gone, gone],
  [
    "public",
    { deleted: true, mine: true },
    "author",
    member,
    yes,
    false,
    gone,
    gone,
    gone,
    gone,
    gone,
    gone,
    gone,
  ],
  ["private", { deleted: true }, "outsider", outsider, not, false, gone, gone, gone, gone, gone, gone, gone],
  ["secret", { deleted: true }, "guest", guest, gone, false, who, who, who, who, who, who, who],
  // Hidden: staff and author can still read it; nobody can write under it.
  ["public", { hidden: true }, "guest", guest, yes, false, who, who, who, who, who, who, who],
  [
    "public",
    { hidden: true },
    "member",
    member,
    yes,
    false,
    "post_hidden",
    "post_hidden",
    yes,
    yes,
    other,
    role,
    role,
  ],
  [
    "public",
    { hidden: true },
    "staff",
    staff,
    yes,
    true,
    "post_hidden",
    "post_hidden",
    yes,
    yes,
    other,
    yes,
    yes,
  ],
  [
    "public",
    { hidden: true, mine: true },
    "author",
    member,
    yes,
    true,
    "post_hidden",
    own,
    yes,
    yes,
    "post_hidden",
    yes,
    role,
  ],
];

/** Staff pin what they may hide, unless it is hidden; operators do not. */
function pinOf({ isAdmin }: Viewer, hidden: boolean, hide: Decision): Decision {
  if (hide !== yes) return hide;
  if (isAdmin) return not;
  return hidden ? "post_hidden" : yes;
}

describe("postAccess", () => {
  for (const row of table) {
    const [
      visibility,
      state,
      who,
      viewer,
      read,
      readBody,
      write,
      record,
      bookmark,
      report,
      edit,
      erase,
      hide,
    ] = row;
    it(`${visibility} topic, ${JSON.stringify(state)}, ${who}`, () => {
      expect(postAccess({ ...post, visibility, ...state }, viewer)).toEqual({
        read,
        readBody,
        write,
        record,
        bookmark,
        report,
        edit,
        delete: erase,
        hide,
        pin: pinOf(viewer, state.hidden ?? false, hide),
      });
    });
  }
});

const comment = { deleted: false, hidden: false, mine: false };
const nothing = "comment_not_found";

// Columns: readBody, vote, report, edit, delete, hide.
type CommentRow = readonly [
  Partial<CommentState>,
  Partial<PostState>,
  string,
  Viewer,
  boolean,
  Decision,
  ...Four,
];
const comments: readonly CommentRow[] = [
  [{}, {}, "guest", guest, true, who, who, who, who, who],
  [{}, {}, "outsider", outsider, true, not, yes, not, not, not],
  [{}, {}, "member", member, true, yes, yes, other, role, role],
  [{}, {}, "staff", staff, true, yes, yes, other, yes, yes],
  [{}, {}, "global admin", globalAdmin, true, not, yes, not, yes, yes],
  [{ hidden: true }, {}, "global admin, hidden", globalAdmin, false, not, yes, not, yes, yes],
  [
    {},
    { deleted: true },
    "global admin under a deleted post",
    globalAdmin,
    true,
    nothing,
    nothing,
    not,
    yes,
    yes,
  ],
  [{ mine: true }, {}, "author", member, true, yes, yes, yes, yes, role],
  [{ mine: true }, {}, "muted author", muted, true, "muted", yes, "muted", yes, role],
  [{ mine: true }, {}, "author who left", outsider, true, not, yes, not, yes, not],
  [
    { mine: true },
    { hidden: true },
    "author under a hidden post",
    member,
    true,
    "post_hidden",
    yes,
    "post_hidden",
    yes,
    role,
  ],
  [
    { mine: true },
    { deleted: true },
    "author under a deleted post",
    member,
    true,
    nothing,
    nothing,
    nothing,
    yes,
    role,
  ],
  [
    { deleted: true, mine: true },
    {},
    "author, deleted",
    member,
    false,
    nothing,
    nothing,
    nothing,
    nothing,
    nothing,
  ],
  [{ deleted: true }, {}, "guest, deleted", guest, false, who, who, who, who, who],
  [{ hidden: true }, {}, "member, hidden", member, false, nothing, yes, other, role, role],
  [{ hidden: true }, {}, "staff, hidden", staff, true, yes, yes, other, yes, yes],
  [{ hidden: true, mine: true }, {}, "author, hidden", member, true, yes, yes, yes, yes, role],
];

describe("commentAccess", () => {
  for (const [state, under, who, viewer, readBody, vote, report, edit, erase, hide] of comments) {
    it(`${JSON.stringify(state)} under ${JSON.stringify(under)}, ${who}`, () => {
      expect(commentAccess({ ...comment, ...state }, { ...post, ...under }, viewer)).toEqual({
        readBody,
        vote,
        report,
        edit,
        delete: erase,
        hide,
      });
    });
  }
});
