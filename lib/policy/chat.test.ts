import { describe, expect, it } from "vitest";
import { type MessageState, messageAccess, readsMessage } from "./chat";
import type { Decision, Viewer } from "./decision";

const guest: Viewer = { signedIn: false, role: null, muted: false, proof: "current", isAdmin: false };
const outsider: Viewer = { ...guest, signedIn: true };
const globalAdmin: Viewer = { ...outsider, isAdmin: true };
const member: Viewer = { ...outsider, role: "member" };
const muted: Viewer = { ...member, muted: true };
const staff: Viewer = { ...outsider, role: "admin" };

const yes = "allowed";
const who = "not_authenticated";
const not = "not_a_member";
const role = "role_required";
const gone = "message_not_found";
const other = "not_the_author";

// Columns: reads its text, answer or react, edit, delete, hide.
type Row = readonly [
  Partial<MessageState>,
  string,
  Viewer,
  boolean,
  ...[Decision, Decision, Decision, Decision],
];
const table: readonly Row[] = [
  [{}, "guest", guest, true, who, who, who, who],
  [{}, "outsider", outsider, true, not, not, not, not],
  [{}, "global admin", globalAdmin, true, not, not, yes, yes],
  [{}, "member", member, true, yes, other, role, role],
  [{}, "muted member", muted, true, "muted", other, role, role],
  [{}, "staff", staff, true, yes, other, yes, yes],
  [{ mine: true }, "author", member, true, yes, yes, yes, role],
  [{ mine: true }, "muted author", muted, true, "muted", "muted", yes, role],
  // Someone who left can only delete what they wrote.
  [{ mine: true }, "author who left", outsider, true, not, not, yes, not],
  [{ mine: true }, "staff who wrote it", staff, true, yes, yes, yes, yes],
  // Hidden: staff and author can still read and answer it.
  [{ hidden: true }, "member", member, false, gone, other, role, role],
  [{ hidden: true }, "muted member", muted, false, "muted", other, role, role],
  [{ hidden: true }, "staff", staff, true, yes, other, yes, yes],
  [{ hidden: true, mine: true }, "author", member, true, yes, yes, yes, role],
  // Deleted: nobody finds it, and guests learn nothing.
  [{ deleted: true }, "guest", guest, false, who, who, who, who],
  [{ deleted: true }, "outsider", outsider, false, gone, gone, gone, gone],
  [{ deleted: true }, "staff", staff, false, gone, gone, gone, gone],
  [{ deleted: true, mine: true }, "author", member, false, gone, gone, gone, gone],
  [{ deleted: true, hidden: true }, "global admin", globalAdmin, false, gone, gone, gone, gone],
];

/** Whoever reads the chat and this message in it may report it. */
function reportOf({ deleted }: MessageState, viewer: Viewer): Decision {
  if (!viewer.signedIn) return who;
  if (deleted) return gone;
  if (!viewer.role) return "topic_not_found";
  return "allowed";
}

describe("a chat message", () => {
  it.each(table)("%j for a %s", (over, _, viewer, reads, answer, edit, remove, hide) => {
    const state = { deleted: false, hidden: false, mine: false, ...over };
    expect(readsMessage(state, viewer)).toBe(reads);
    for (const visibility of ["public", "private", "secret"] as const) {
      expect(messageAccess({ ...state, visibility }, viewer)).toEqual({
        reply: answer,
        react: answer,
        edit,
        delete: remove,
        hide,
        report: !reads && viewer.role ? gone : reportOf(state, viewer),
      });
    }
  });
});
