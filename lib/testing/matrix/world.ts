import { randomUUID } from "node:crypto";
import { seededCategories } from "@/db/seeded-categories";
import { verified } from "@/lib/community/testing";
import { contract, type Role } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "../harness";
import type { CallerKind, Place } from "./expected";

const domain = "acme.example";

/** Everything the operations of one cell act on, made anew whenever a call may have changed it. */
export interface Cell {
  readonly topicId: string;
  readonly inviteCode: string;
  readonly postId: string;
  readonly pollOptionId: string;
  readonly commentId: string;
  readonly messageId: string;
  readonly requestId: string;
  readonly reportId: string;
  /** To the operators. */
  readonly deskReportId: string;
  /** A plain member whom nobody calls as. */
  readonly other: TestUser;
}

type People = Readonly<Record<Exclude<CallerKind, "guest">, TestUser>> & {
  readonly asker: TestUser;
  readonly other: TestUser;
};

/** One harness and the people of the matrix; topics are made per cell, straight in the database. */
export async function createMatrix() {
  const admins = new Set<string>();
  const h: Harness = await createHarness();
  // The set the services were made with is configuration; here its one member is only known after signing in.
  Object.assign(h.services, { adminUserIds: admins });
  const named = async (name: string) => await h.login(name);
  const people: People = {
    "no nickname": await h.login(),
    outsider: await named("outsider"),
    member: await named("member"),
    admin: await named("admin"),
    owner: await named("owner"),
    "global admin": await named("global_admin"),
    reviewer: await named("reviewer_of_all"),
    "lapsed member": await named("lapsed"),
    "revoked token": await named("revoked"),
    asker: await named("asker"),
    other: await named("other"),
  };
  admins.add(people["global admin"].userId);
  const granted = { granted_by: people["global admin"].userId, granted_at: new Date() };
  await h.db
    .insertInto("operators")
    .values({ user_id: people.reviewer.userId, role: "reviewer", ...granted })
    .execute();
  await people["revoked token"].api.call(contract.auth.logout, {});

  /** A verified badge for whoever shall pass the gate of "gated" topics: nobody of the matrix has one. */
  await verified(h, people.asker, { domain });

  /** In one statement: the matrix makes about a thousand. */
  async function cell(place: Place): Promise<Cell> {
    const now = new Date();
    const gated = place === "gated";
    const visibility = gated ? "public" : place;
    const is_public = visibility === "public";
    const topic_id = randomUUID();
    const post_id = randomUUID();
    const comment_id = randomUUID();
    const message_id = randomUUID();
    const poll_id = randomUUID();
    const invite_code = randomCode();
    const roles: readonly [TestUser, Role][] = [
      [people.owner, "owner"],
      [people.admin, "admin"],
      [people.member, "member"],
      [people.other, "member"],
      [people["lapsed member"], "member"],
    ];
    const lapsedAt = (user: TestUser) =>
      user === people["lapsed member"] ? new Date(now.getTime() - 1) : null;
    const made = await h.db
      .with("topic", (db) =>
        db.insertInto("topics").values({
          id: topic_id,
          title: "Matrix",
          creator_id: people.owner.userId,
          category_id: seededCategories[0]?.id,
          visibility,
          proof_type: gated ? "workspace" : "none",
          required_domain: gated ? domain : null,
          invite_code,
          member_count: roles.length,
          post_count: 1,
          open_report_count: 1,
          score_at: now,
          last_activity_at: now,
          updated_at: now,
        }),
      )
      .with("people", (db) =>
        db.insertInto("memberships").values(
          roles.map(([user, role]) => ({
            topic_id,
            user_id: user.userId,
            role,
            reprove_by: lapsedAt(user),
          })),
        ),
      )
      .with("topic_words", (db) =>
        db
          .insertInto("topic_search")
          .values({ topic_id, is_secret: visibility === "secret", text: "matrix" }),
      )
      .with("post", (db) =>
        db.insertInto("posts").values({
          id: post_id,
          topic_id,
          author_id: people.member.userId,
          is_public,
          category_id: seededCategories[0]?.id,
          title: "A post",
          content: "<p>Words.</p>",
          summary: "Words.",
          media: JSON.stringify({ images: [], videos: [] }),
          comment_count: 1,
          score: 0,
          last_activity_at: now,
          updated_at: now,
        }),
      )
      .with("post_words", (db) =>
        db
          .insertInto("post_search")
          .values({ post_id, topic_id, is_public, created_at: now, text: "a post" }),
      )
      .with("comment", (db) =>
        db.insertInto("comments").values({
          id: comment_id,
          post_id,
          author_id: people.member.userId,
          content: "c",
          updated_at: now,
        }),
      )
      .with("comment_words", (db) =>
        db
          .insertInto("comment_search")
          .values({ comment_id, topic_id, is_public, created_at: now, text: "c" }),
      )
      .with("chat", (db) =>
        db.insertInto("chat_rooms").values({ topic_id, last_position: 1, message_count: 1, last_at: now }),
      )
      .with("message", (db) =>
        db.insertInto("chat_messages").values({
          id: message_id,
          topic_id,
          position: 1,
          user_id: people.member.userId,
          type: "message",
          message: "m",
          created_at: now,
        }),
      )
      .with("poll", (db) => db.insertInto("polls").values({ id: poll_id, post_id, multiple_choice: false }))
      .with("choice", (db) =>
        db
          .insertInto("poll_options")
          .values([0, 1].map((position) => ({ poll_id, text: `Option ${position}`, position })))
          .returning(["id", "position"]),
      )
      .with("request", (db) =>
        db
          .insertInto("join_requests")
          .values({ topic_id, user_id: people.asker.userId, status: "pending" })
          .returning("id"),
      )
      .with("report", (db) =>
        db
          .insertInto("reports")
          .values({ topic_id, post_id, reporter_id: people.other.userId, reason: "spam", status: "open" })
          .returning("id"),
      )
      .with("desk_report", (db) =>
        db
          .insertInto("desk_reports")
          .values({
            kind: "post",
            target_id: post_id,
            topic_id,
            post_id,
            subject_id: people.member.userId,
            reporter_id: people.other.userId,
            reason: "illegal",
            details: null,
            snapshot: JSON.stringify({ title: "A post", text: "Words.", files: [] }),
            status: "open",
            created_at: now,
          })
          .returning("id"),
      )
      .with("sanction", (db) =>
        db.insertInto("sanctions").values({
          topic_id,
          user_id: people.asker.userId,
          kind: "mute",
          reason: "r",
          created_by: people.owner.userId,
        }),
      )
      .selectFrom(["choice", "request", "report", "desk_report"])
      .select(["choice.id as pollOptionId", "request.id as requestId", "report.id as reportId"])
      .select("desk_report.id as deskReportId")
      .where("choice.position", "=", 0)
      .executeTakeFirstOrThrow();
    return {
      topicId: topic_id,
      inviteCode: invite_code,
      postId: post_id,
      commentId: comment_id,
      messageId: message_id,
      ...made,
      other: people.other,
    };
  }

  return { h, people, cell, close: () => h.close() };
}

export type Matrix = Awaited<ReturnType<typeof createMatrix>>;

function randomCode(): string {
  return randomUUID().replaceAll("-", "").slice(0, 8).toUpperCase();
}
