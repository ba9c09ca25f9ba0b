import { randomBytes, randomUUID } from "node:crypto";
import { seededCategories } from "@/db/seeded-categories";
import { verified } from "@/lib/community/testing";
import { contract, type OperationSpec, type Role } from "@/lib/contract";
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

/** Path, query and body with which the operation succeeds for whoever may call it. */
export function requestFor(op: OperationSpec, cell: Cell, matrix: Matrix): { path: string; body?: unknown } {
  const values: Readonly<Record<string, string>> = {
    topicId: cell.topicId,
    postId: cell.postId,
    commentId: cell.commentId,
    messageId: cell.messageId,
    userId: cell.other.userId,
    tag: "none",
    reportId: cell.deskReportId,
    fileId: randomUUID(),
    holdId: randomUUID(),
    inviteCode: cell.inviteCode,
    ...{ type: "kyc", sessionId: "none", requestId: "none", number: "1" },
    noteId: randomUUID(),
    scheduledId: randomUUID(),
    nickname: cell.other.nickname,
  };
  const path = op.path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
  const query = queries[op.id];
  const body = bodies(cell, matrix)[op.id];
  return { path: query ? `${path}?${query}` : path, body: body ?? (op.body ? {} : undefined) };
}

const queries: Readonly<Record<string, string>> = {
  "search.all": "q=matrix",
  "desk.accounts": "q=matrix",
  "previews.get": "url=http://127.0.0.1/",
  "previews.image": "src=http://127.0.0.1/",
};

function bodies(cell: Cell, { people }: Matrix): Readonly<Record<string, unknown>> {
  return {
    "auth.verify": { challengeId: "none", result: { circuit: "none", proof: "0x", publicInputs: ["0x"] } },
    "auth.answerProofRequest": { proof: "0x", publicInputs: ["0x"] },
    "profile.setNickname": { nickname: "taken_by_me" },
    "profile.setImage": { imageUrl: "https://elsewhere.example/a.png" },
    "topics.create": { title: "T", categoryId: seededCategories[0]?.id },
    "notifications.setDigest": { every: "day" },
    "topics.update": { title: "Other" },
    "requests.decide": { requestId: cell.requestId, action: "reject" },
    "members.setRole": { userId: cell.other.userId, role: "admin" },
    "members.remove": { userId: cell.other.userId },
    "members.addNote": { note: "n" },
    "ownership.offer": { userId: cell.other.userId },
    "ownership.answer": { accept: false },
    "moderation.reportPost": { reason: "spam" },
    "moderation.reportComment": { reason: "spam" },
    "moderation.reportMessage": { reason: "spam" },
    "moderation.reportTopic": { reason: "owner" },
    "moderation.reportProfile": { reason: "abuse" },
    "moderation.reportTag": { reason: "abuse" },
    "moderation.decideReport": { reportId: cell.reportId, action: "dismiss" },
    "moderation.decideCases": {
      cases: [{ kind: "post", targetId: cell.postId }],
      action: "dismiss",
    },
    "moderation.hidePost": { hidden: true },
    "moderation.hideComment": { hidden: true },
    "moderation.hideMessage": { hidden: true },
    "moderation.sanction": { userId: cell.other.userId, kind: "mute", reason: "r" },
    "moderation.lift": { userId: people.asker.userId, kind: "mute" },
    "desk.grant": { userId: cell.other.userId, role: "reviewer" },
    "desk.take": { userId: cell.other.userId },
    "desk.decide": { action: "dismiss", reason: "r" },
    "desk.sanction": { kind: "silence", reason: "r" },
    "desk.lift": { kind: "silence" },
    "desk.endSessions": { reason: "r" },
    "desk.resetNickname": { reason: "r" },
    "desk.removeImage": { reason: "r" },
    "desk.freeze": { frozen: true, reason: "r" },
    "desk.handOver": { userId: cell.other.userId, reason: "r" },
    "desk.renameTag": { name: "Other", reason: "r" },
    "desk.removeTag": { reason: "r" },
    "desk.takeFilesDown": { sha256: "0".repeat(64), reason: "r" },
    "desk.unblockFile": { reason: "r" },
    "desk.placeHold": { kind: "post", targetId: cell.postId, reason: "r" },
    "desk.releaseHold": { reason: "r" },
    "desk.exportHold": { reason: "r" },
    "posts.create": { title: "T", content: "<p>c</p>" },
    "posts.update": { title: "Other" },
    "posts.vote": { value: 1 },
    "posts.react": { emoji: "🔥" },
    "posts.votePoll": { optionIds: [cell.pollOptionId] },
    "comments.create": { content: "c" },
    "comments.update": { content: "d" },
    "comments.vote": { value: 1 },
    "chat.send": { message: "m" },
    "chat.update": { message: "n" },
    "chat.react": { emoji: "🔥", reacted: true },
    "reading.readTopic": { postId: cell.postId },
    "reading.unreadTopic": { postId: cell.postId, messageId: cell.messageId },
    "reading.readThread": { commentId: cell.commentId },
    "reading.unreadThread": { commentId: cell.commentId },
    "notifications.read": { ids: [randomUUID()] },
    "notifications.setKinds": { kinds: ["reply"], push: false },
    "topics.setNotifications": { level: "mentions" },
    "posts.setNotifications": { level: "watch" },
    "crowd.enrol": { leaf: `0x${randomBytes(31).toString("hex").padStart(64, "0")}` },
    "drafts.save": {
      content: { title: "", content: "", tags: [], videos: [], images: [], poll: null },
      version: null,
    },
    "scheduled.create": {
      title: "t",
      content: "<p>c</p>",
      publishAt: new Date(Date.now() + 3_600_000).toISOString(),
    },
    "push.add": {
      endpoint: "https://push.example/1",
      keys: { p256dh: `B${"A".repeat(86)}`, auth: "A".repeat(22) },
    },
    "push.remove": { id: randomUUID() },
    "uploads.create": { filename: "a.png", contentType: "image/png", size: 10 },
    "uploads.delete": { urls: [] },
  };
}

/**
 * Codes that an allowed call may answer all the same, because it names nothing that exists: what is tested here is
 * who may call, and these say that the caller got past that.
 */
export const domainRefusals: Readonly<Record<string, readonly string[]>> = {
  "auth.verify": ["challenge_unknown", "proof_malformed", "unknown_circuit", "invalid_request"],
  "auth.answerProofRequest": ["proof_request_unknown", "invalid_request"],
  "auth.getProofRequest": ["proof_request_unknown"],
  "auth.pollProofRequest": ["proof_request_unknown"],
  "auth.endSession": ["session_not_found"],
  "moderation.reportTag": ["tag_not_found"],
  "members.deleteNote": ["note_not_found"],
  "crowd.leaves": ["root_not_found"],
  "scheduled.cancel": ["scheduled_not_found"],
  "ownership.cancel": ["offer_not_found"],
  "ownership.answer": ["offer_not_found"],
  // On a slow machine the matrix takes longer than a proof is fresh.
  "ownership.offer": ["fresh_proof_required"],
  "topics.delete": ["fresh_proof_required"],
  "desk.grant": ["fresh_proof_required"],
  // Whether someone has a role depends on who granted one before.
  "desk.take": ["user_not_found", "fresh_proof_required"],
  "desk.sanction": ["operator_protected"],
  "desk.lift": ["sanction_not_found", "own_case"],
  "desk.handOver": ["fresh_proof_required"],
  "desk.renameTag": ["tag_not_found", "fresh_proof_required"],
  "desk.removeTag": ["tag_not_found", "fresh_proof_required"],
  "desk.takeFilesDown": ["fresh_proof_required"],
  "desk.unblockFile": ["upload_not_found"],
  "desk.releaseHold": ["hold_not_found", "fresh_proof_required"],
  "desk.exportHold": ["hold_not_found", "fresh_proof_required"],
  "posts.delete": ["fresh_proof_required"],
  "comments.delete": ["fresh_proof_required"],
  "chat.delete": ["fresh_proof_required"],
  "profile.setNickname": ["nickname_taken"],
  "profile.setImage": ["not_your_upload"],
  "profile.addDomainBadge": ["no_verified_domain"],
  "profile.previewDomainBadge": ["no_verified_domain"],
  "profile.deleteAccount": ["owns_topics"],
  // The post of a cell is young, and there is no record board.
  "records.record": ["record_too_new", "record_unavailable"],
  "push.add": ["push_unavailable"],
  "previews.get": ["address_not_allowed"],
  "previews.image": ["address_not_allowed"],
};
