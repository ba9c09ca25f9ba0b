import { describe, expect, it } from "vitest";
import type { ChatMessage } from "@/lib/contract";
import { PAGE_SIZE } from "./log";
import type { Room } from "./room";
import { entry, ME, mine, network, ofStaff, Refused, server } from "./testing";

const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

describe("changes of messages", () => {
  const shown = (room: Room, n: number) =>
    room.snapshot().log.entries.find(({ id }) => id === `id-${n}`) ?? expect.fail();
  const changed = (message: ChatMessage) => ({ name: "message_changed", data: message }) as const;
  const FIRE = "\u{1F525}";
  const refusal = { ok: false, code: "network", sentence: "No network.", body: null, cause: null } as const;

  it("come from the stream, in any order, and show in replies", () => {
    const { room, tell, say } = server(2);
    room.open(null);
    const replyTo = { id: "id-0", userId: "other", nickname: "other", excerpt: "text 0" };
    say(entry(2, { replyTo }));
    tell(changed(entry(0, { message: "second", revision: 12 })));
    tell(changed(entry(0, { message: "first", revision: 11 })));
    expect(shown(room, 0).message).toBe("second");
    expect(shown(room, 2).replyTo?.excerpt).toBe("second");
    tell(changed(entry(0, { message: "", isDeleted: true, revision: 13 })));
    expect(shown(room, 0)).toMatchObject({ message: "", isDeleted: true });
    expect(shown(room, 2).replyTo?.excerpt).toBe("");
  });

  it("are not lost while a page with an older copy is on its way", async () => {
    const { room, tell } = server(PAGE_SIZE + 5);
    room.open(null);
    const loading = room.loadOlder();
    tell(changed(entry(2, { message: "", isDeleted: true, revision: 99 })));
    await loading;
    expect(shown(room, 2)).toMatchObject({ message: "", isDeleted: true });
  });

  it("are read again after a reset", async () => {
    const { room, history, tell } = server(4);
    room.open(null);
    history[1] = entry(1, { message: "changed", revision: 50 });
    tell({ name: "reset", data: {} });
    await settle();
    expect(shown(room, 1).message).toBe("changed");
  });

  it("of the reader show at once, and are undone when refused; the form comes back with the text", async () => {
    const { room, changes } = server(1);
    room.open(null);
    const edit = room.edit("id-0", "better");
    expect(shown(room, 0)).toMatchObject({ message: "better" });
    expect(shown(room, 0).editedAt).not.toBeNull();
    await settle();
    changes[0]?.(refusal);
    expect(await edit).toMatchObject({ ok: false });
    expect(shown(room, 0)).toMatchObject({ message: "text 0", editedAt: null });
    expect(room.snapshot().editing).toEqual({ id: "id-0", text: "better", problem: "No network." });
  });

  it("count a reaction of the reader once, whichever of answer and stream comes first", async () => {
    for (const streamFirst of [true, false]) {
      const { room, changes, tell } = server(1);
      room.open(null);
      const counts: number[] = [];
      room.subscribe(() => counts.push(shown(room, 0).reactions[0]?.count ?? 0));
      const reacting = room.react(shown(room, 0), FIRE);
      await settle();
      const copy = changed(entry(0, { reactions: [{ emoji: FIRE, count: 1 }], revision: 7 }));
      const value = entry(0, { reactions: [{ emoji: FIRE, count: 1, userReacted: true }], revision: 7 });
      if (streamFirst) tell(copy);
      changes[0]?.({ ok: true, value });
      await reacting;
      if (!streamFirst) tell(copy);
      expect(shown(room, 0).reactions).toEqual([{ emoji: FIRE, count: 1, userReacted: true }]);
      expect(counts.filter((count) => count > 1)).toEqual([]);
      // Somebody else gives it, too.
      tell(changed(entry(0, { reactions: [{ emoji: FIRE, count: 2 }], revision: 8 })));
      expect(shown(room, 0).reactions).toEqual([{ emoji: FIRE, count: 2, userReacted: true }]);
    }
  });

  it("that come during an act of the reader show after it", async () => {
    const { room, changes, tell } = server(1);
    room.open(null);
    const reacting = room.react(shown(room, 0), FIRE);
    await settle();
    tell(changed(entry(0, { message: "", isDeleted: true, revision: 9 })));
    changes[0]?.(refusal);
    await reacting;
    expect(shown(room, 0)).toMatchObject({ isDeleted: true, reactions: [] });
  });

  it("of a message that waits for review bring its text to staff, from the history, and to nobody else", async () => {
    const waiting = entry(1, { message: "", isHidden: true });
    for (const who of [undefined, ofStaff]) {
      const one = server(1, 1, who);
      one.room.open(null);
      one.history[1] = entry(1, { message: "waits", isHidden: true });
      one.tell({ name: "message", data: waiting });
      await settle();
      expect(shown(one.room, 1)).toMatchObject({ isHidden: true, message: who ? "waits" : "" });
    }
  });

  it("that hide a message take its text from members, not from staff and author", async () => {
    const hidden = entry(0, { message: "", isHidden: true, revision: 5 });
    const member = server(1);
    member.room.open(null);
    member.tell(changed(hidden));
    expect(shown(member.room, 0)).toMatchObject({ message: "", isHidden: true });
    expect(member.room.abilitiesOf(shown(member.room, 0))).toEqual([]);
    const staff = server(1, 1, ofStaff);
    staff.room.open(null);
    // As the history has it for them.
    staff.history[0] = entry(0, { message: "edited while hidden", isHidden: true, revision: 6 });
    staff.tell(changed(hidden));
    expect(shown(staff.room, 0)).toMatchObject({ message: "text 0", isHidden: true });
    await settle();
    expect(shown(staff.room, 0)).toMatchObject({ message: "edited while hidden", isHidden: true });
    expect(staff.room.abilitiesOf(shown(staff.room, 0))).toContain("hide");
  });

  it("end what the reader was about to write about them", () => {
    const { room, tell } = server(2);
    room.open(null);
    room.answer(shown(room, 0));
    room.write({ id: "id-1", text: "x", problem: null });
    for (const n of [0, 1]) tell(changed(entry(n, { message: "", isDeleted: true, revision: 9 })));
    expect(room.snapshot()).toMatchObject({ replyTo: null, editing: null });
  });
});

describe("a reply", () => {
  it("is sent with what it answers, once, also when it is sent again", async () => {
    const { room, sends } = server(1);
    room.open(null);
    room.answer(room.snapshot().log.entries[0] ?? null);
    room.send("No.");
    room.send("And no.");
    expect(room.snapshot().replyTo).toBeNull();
    await settle();
    sends[0]?.fail(network);
    await settle();
    room.retry("key-1");
    await settle();
    sends[1]?.done(mine(1, "And no."));
    await settle();
    expect(sends.map(({ text, replyToId }) => [text, replyToId])).toEqual([
      ["No.", "id-0"],
      ["And no.", undefined],
      ["No.", "id-0"],
    ]);
  });

  it("is possible to what the reader may answer, and not while they are muted", async () => {
    const { room, sends } = server(1);
    room.open(null);
    const [message = expect.fail()] = room.snapshot().log.entries;
    expect(room.abilitiesOf(message)).toEqual(["reply", "react", "report"]);
    expect(room.abilitiesOf({ ...message, userId: ME })).toContain("edit");
    expect(room.abilitiesOf({ ...message, type: "join" })).toEqual([]);
    room.send("x");
    await settle();
    sends[0]?.fail(new Refused({ sentence: "Muted.", code: "muted", until: null }));
    await settle();
    expect(room.abilitiesOf(message)).toEqual(["report"]);
    expect(room.abilitiesOf({ ...message, userId: ME })).toEqual(["delete"]);
  });
});
