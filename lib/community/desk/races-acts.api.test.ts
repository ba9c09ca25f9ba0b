import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect } from "vitest";
import type { OpenDatabase } from "@/db/client";
import type { MemberContext } from "@/lib/context";
import { startPostgres } from "@/lib/sql/testing";
import { diskStorage } from "@/lib/storage/disk";
import { arenas, crowdOf, deadlocksOf, outcomes, parallel, race } from "@/lib/testing/crowd";
import { createHarness, type Harness } from "@/lib/testing/harness";
import { png } from "@/lib/testing/images";
import * as community from "../index";
import { freshName, general } from "../testing";
import { digestOf } from "../uploads/digests";
import { storeImages } from "../uploads/store";

/** Operators, staff and members who act on the same thing at once: what must hold in every order. */
const postgres = await startPostgres();
const folder = path.join(tmpdir(), `parley-desk-races-${randomUUID()}`);
afterAll(async () => {
  await postgres?.close();
  await rm(folder, { recursive: true, force: true });
});

const databaseName = "desk_acts";
describe.each(arenas(postgres, databaseName))("$name", ({ open, rounds }) => {
  describe.skipIf(!open)("races", () => {
    let database: OpenDatabase;
    let h: Harness;
    let crowd: readonly MemberContext[];
    let operators: readonly MemberContext[];
    let people: ReturnType<typeof crowdOf>;
    beforeAll(async () => {
      database = (await open?.()) ?? expect.fail();
      h = await createHarness({ database });
      people = crowdOf(database);
      const storage = diskStorage({
        folder,
        env: "test",
        appUrl: "http://localhost:3000",
        secrets: [new Uint8Array(32)],
        now: () => new Date(),
      });
      const stored = (ctx: MemberContext) => ({ ...ctx, storage });
      crowd = (await people.newUsers(parallel)).map(stored);
      operators = (await people.newUsers(10)).map((ctx) => ({
        ...stored(ctx),
        caller: { ...ctx.caller, operator: "operator" as const },
      }));
    });
    afterAll(async () => {
      await h.close();
      if (postgres && !database.pglite) expect(await deadlocksOf(postgres, databaseName)).toBe(0);
    });

    const half = parallel / 2;
    const one = <T>(list: readonly T[], index: number): T => list[index % list.length] ?? expect.fail();
    const operator = (index: number) => one(operators, index);
    const member = (index: number) => one(crowd, index);
    const idOf = ({ caller }: MemberContext) => caller.userId;

    const lastSeq = async () =>
      (await database.db.selectFrom("installation_log_head").select("seq").executeTakeFirstOrThrow()).seq;
    /** What operators did since an entry, oldest first; the log has no gap and each entry is chained. */
    async function actsSince(seq: number) {
      const rows = await database.db
        .selectFrom("installation_log")
        .select(["seq", "action", "target_id", "hash", "previous_hash"])
        .where("seq", ">", seq)
        .orderBy("seq")
        .execute();
      rows.forEach((row, index) => {
        expect(row.seq).toBe(seq + 1 + index);
        if (index > 0) expect(row.previous_hash).toBe(rows[index - 1]?.hash);
      });
      return rows.map(({ action }) => action);
    }
    const count = (actions: readonly string[], action: string) =>
      actions.filter((each) => each === action).length;
    const assertOnly = (counts: Record<string, number>, known: readonly string[]) =>
      expect(Object.keys(counts).filter((name) => !known.includes(name))).toEqual([]);

    /** A topic of a new owner with the crowd in it, and a post of a new author. */
    async function place() {
      const owner = await people.newUser();
      const author = { ...(await people.newUser()), storage: member(0).storage };
      const topic = { title: "T", categoryId: general, visibility: "public" } as const;
      const topicId = (await community.createTopic(owner, topic)).topic.id;
      const users = [author, ...crowd];
      const rows = users.map((ctx) => ({ topic_id: topicId, user_id: idOf(ctx), role: "member" as const }));
      await database.db.insertInto("memberships").values(rows).execute();
      await database.db
        .updateTable("topics")
        .set({ member_count: rows.length + 1 })
        .where("id", "=", topicId)
        .execute();
      const written = { topicId, title: "T", content: "<p>c</p>" };
      const postId = (await community.createPost(author, written)).post.id;
      return { owner, author, topicId, postId };
    }

    async function reportsOn(targetId: string) {
      const rows = await database.db
        .selectFrom("desk_reports")
        .select(["id", "status"])
        .where("target_id", "=", targetId)
        .orderBy("created_at")
        .execute();
      return rows;
    }

    race(
      "suspending and lifting: as many entries as acts, and the last one is what is in force",
      rounds,
      async () => {
        const target = await people.newUser();
        const userId = idOf(target);
        const since = await lastSeq();
        const counts = await outcomes(
          Array.from({ length: half }, (_, i) => [
            community.sanctionAccount(operator(i), { userId, kind: "suspend", reason: "r" }),
            community.liftAccountSanction(operator(i + 1), { userId, kind: "suspend", reason: "r" }),
          ]).flat(),
        );
        assertOnly(counts, ["done", "sanction_not_found"]);
        const actions = await actsSince(since);
        expect(actions).toHaveLength(counts.done ?? 0);
        expect(count(actions, "account_suspended")).toBe(half);
        const rows = await database.db
          .selectFrom("account_sanctions")
          .select("kind")
          .where("user_id", "=", userId)
          .execute();
        expect(rows).toHaveLength(actions.at(-1) === "account_suspended" ? 1 : 0);
      },
    );

    race("claims, decisions and acts: one decision, one act, one entry of each", rounds, async () => {
      const { topicId, postId } = await place();
      for (const i of [0, 1]) await community.reportPost(member(i), { postId, reason: "illegal" });
      const [first, second] = await reportsOn(postId);
      const ids = [first?.id ?? "", second?.id ?? ""];
      const since = await lastSeq();
      const counts = await outcomes(
        Array.from({ length: parallel }, (_, i) => {
          const reportId = one(ids, i);
          if (i % 4 === 0) return community.claimReport(operator(i), { reportId });
          const act = (["hide", "delete", undefined] as const)[i % 3];
          return community.decideDeskReport(operator(i), { reportId, action: "resolve", reason: "r", act });
        }),
      );
      assertOnly(counts, ["done", "report_claimed"]);
      const actions = await actsSince(since);
      const decided = count(actions, "report_resolved");
      expect(decided).toBeLessThanOrEqual(1);
      expect(actions.length - decided).toBeLessThanOrEqual(decided);
      expect(new Set((await reportsOn(postId)).map(({ status }) => status)).size).toBe(1);
      const staff = await database.db
        .selectFrom("moderation_log")
        .select("action")
        .where("topic_id", "=", topicId)
        .execute();
      expect(staff.map(({ action }) => action)).toEqual(
        actions.filter((action) => action !== "report_resolved"),
      );
    });

    race(
      "hiding, showing, deciding, reporting, deleting and withdrawing do not wait for each other in a circle",
      rounds,
      async () => {
        const { topicId, postId, owner, author } = await place();
        const { message } = await community.sendMessage(author, { topicId, message: "m" });
        const reporters = await Promise.all(
          [0, 1, 2, 3].map(async () => h.memberContext((await h.login(freshName("leaver"))).token)),
        );
        for (const reporter of reporters) await community.reportPost(reporter, { postId, reason: "illegal" });
        const [report] = await reportsOn(postId);
        const reportId = report?.id ?? "";
        const since = await lastSeq();
        const counts = await outcomes(
          Array.from({ length: parallel }, (_, i): Promise<unknown> => {
            switch (i % 10) {
              case 0:
                return community.decideDeskReport(operator(i), {
                  reportId,
                  action: "resolve",
                  reason: "r",
                  act: i % 20 ? "hide" : "take_files_down",
                });
              case 1:
              case 2:
                return community.hidePost(operator(i), { postId, hidden: i % 4 < 2, reason: "r" });
              case 3:
                return community.hidePost(owner, { postId, hidden: i % 4 < 2 });
              case 4:
                return community.reportPost(member(i), { postId, reason: "illegal" });
              case 5:
                return community.createComment(member(i), { postId, content: "c" });
              case 6:
                return community.hideMessage(operator(i), { messageId: message.id, hidden: i % 4 < 2 });
              case 7: {
                const reporter = reporters[Math.floor(i / 10)];
                return reporter
                  ? community.deleteAccount(reporter)
                  : community.claimReport(operator(i), { reportId });
              }
              case 8:
                return community.deleteMessage(operator(i), { messageId: message.id, reason: "r" });
              default:
                return community.placeHold(operator(i), { kind: "topic", targetId: topicId, reason: "r" });
            }
          }),
        );
        assertOnly(counts, [
          "done",
          "report_claimed",
          "message_not_found",
          "post_hidden",
          "hidden_by_operators",
          "not_authenticated",
        ]);
        const actions = await actsSince(since);
        expect(count(actions, "report_resolved")).toBeLessThanOrEqual(1);
        expect(count(actions, "message_deleted")).toBe(1);
      },
    );

    let turns = 0;
    race(
      "handing a topic over, by operators and its owner, leaving and deleting: one owner, or no topic",
      rounds,
      async () => {
        turns += 1;
        const { topicId, owner, author } = await place();
        const since = await lastSeq();
        const counts = await outcomes(
          Array.from({ length: parallel }, (_, i): Promise<unknown> => {
            switch (i % 5) {
              case 0:
              case 1:
                return community.handOverTopic(operator(i), {
                  topicId,
                  userId: idOf(member(i)),
                  reason: "r",
                });
              case 2:
                return community.setRole(i % 2 ? owner : member(i - 1), {
                  topicId,
                  userId: idOf(author),
                  role: "owner",
                });
              case 3:
                return community.leaveTopic(member(i - 3), { topicId });
              default:
                // One of them deletes it, in every other round.
                return i === 99 && turns % 2 === 0
                  ? community.deleteTopic(owner, { topicId })
                  : community.freezeTopic(operator(i), { topicId, frozen: i % 2 === 0, reason: "r" });
            }
          }),
        );
        assertOnly(counts, [
          ...["done", "member_not_found", "role_required", "not_a_member", "owner_must_transfer"],
          ...["topic_not_found", "topic_frozen"],
        ]);
        const owners = await database.db
          .selectFrom("memberships")
          .select("user_id")
          .where("topic_id", "=", topicId)
          .where("role", "=", "owner")
          .execute();
        const topic = await database.db
          .selectFrom("topics")
          .select(["creator_id", "member_count"])
          .where("id", "=", topicId)
          .executeTakeFirst();
        expect(owners).toEqual(topic ? [{ user_id: topic.creator_id }] : []);
        const actions = await actsSince(since);
        const { rows } = await sql<{ handed: number; members: number }>`
        select (select count(*)::int from moderation_log where topic_id = ${topicId} and action = 'ownership_transferred'
            and actor_id = any(${operators.map(idOf)}::text[])) as handed,
          (select count(*)::int from memberships where topic_id = ${topicId}) as members`.execute(
          database.db,
        );
        expect(count(actions, "topic_handed_over")).toBe(rows[0]?.handed);
        if (topic) expect(topic.member_count).toBe(rows[0]?.members);
      },
    );

    let seeds = 0;
    race("uploading what is taken down: no copy is left, whoever was first", rounds, async () => {
      seeds += 1;
      const bytes = png(7, 1, seeds);
      const sha256 = digestOf(bytes);
      const since = await lastSeq();
      const counts = await outcomes(
        Array.from(
          { length: parallel },
          (_, i): Promise<unknown> =>
            i % 10 === 5
              ? community.takeFilesDown(operator(i), { sha256, reason: "r" })
              : storeImages(member(i), "post", [bytes], "file"),
        ),
      );
      assertOnly(counts, ["done", "upload_blocked"]);
      const left = await database.db
        .selectFrom("uploads")
        .select("key")
        .where("sha256", "=", sha256)
        .execute();
      expect(left).toEqual([]);
      const { storage } = member(0);
      for await (const key of storage.keys()) {
        expect(digestOf((await storage.read(key)) ?? new Uint8Array())).not.toBe(sha256);
      }
      expect(count(await actsSince(since), "files_taken_down")).toBeGreaterThanOrEqual(1);
    });

    race("holding what its author deletes: what the hold names is there", rounds, async () => {
      const { author, topicId } = await place();
      seeds += 1;
      const [key = ""] = await storeImages(author, "post", [png(9, 1, seeds)], "file");
      const content = `<p>c</p><img src="${author.storage.publicUrl(key)}" alt="">`;
      const { post } = await community.createPost(author, { topicId, title: "T", content });
      const since = await lastSeq();
      const counts = await outcomes([
        ...Array.from({ length: half }, (_, i) =>
          community.placeHold(operator(i), { kind: "post", targetId: post.id, reason: "r" }),
        ),
        community.deletePost(author, { postId: post.id }),
      ]);
      assertOnly(counts, ["done", "post_not_found"]);
      const holds = await database.db
        .selectFrom("legal_holds")
        .select("id")
        .where("target_id", "=", post.id)
        .execute();
      expect(holds.length).toBeLessThanOrEqual(1);
      const actions = await actsSince(since);
      expect(count(actions, "hold_placed")).toBe(holds.length);
      const files = await database.db.selectFrom("held_files").select("key").where("key", "=", key).execute();
      const kept = await author.storage.readWithheld(key);
      expect(await author.storage.read(key)).toBeNull();
      expect(kept !== null).toBe(files.length > 0);
    });

    race("a hundred reports at once are one notification for each operator", rounds, async () => {
      const rows = operators.map((ctx) => ({
        user_id: idOf(ctx),
        role: "operator" as const,
        granted_by: idOf(ctx),
        granted_at: new Date(),
      }));
      await database.db
        .insertInto("operators")
        .values(rows)
        .onConflict((each) => each.doNothing())
        .execute();
      await database.db.updateTable("notifications").set({ read_at: new Date() }).execute();
      const places = await Promise.all(Array.from({ length: 5 }, place));
      // They are staff of the topics, too, who are told of the same reports.
      const staff = places.flatMap(({ topicId }) =>
        operators.map((ctx) => ({ topic_id: topicId, user_id: idOf(ctx), role: "admin" as const })),
      );
      await database.db.insertInto("memberships").values(staff).execute();
      const counts = await outcomes(
        crowd.map((ctx, i) =>
          community.reportPost(ctx, { postId: one(places, i).postId, reason: "illegal" }),
        ),
      );
      expect(counts).toEqual({ done: parallel });
      const unread = await database.db
        .selectFrom("notifications")
        .select("user_id")
        .where("kind", "=", "desk_report_opened")
        .where("read_at", "is", null)
        .execute();
      expect(unread.map(({ user_id }) => user_id).toSorted()).toEqual(operators.map(idOf).toSorted());
    });
  });
});
