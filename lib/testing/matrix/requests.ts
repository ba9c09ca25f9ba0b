import { randomBytes, randomUUID } from "node:crypto";
import { seededCategories } from "@/db/seeded-categories";
import type { OperationSpec } from "@/lib/contract";
import type { Cell, Matrix } from "./world";

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
    ...{ type: "kyc", sessionId: "none", tokenId: randomUUID(), requestId: "none", number: "1" },
    noteId: randomUUID(),
    webhookId: randomUUID(),
    ...{ clientId: randomUUID(), appRequestId: "none" },
    banId: randomUUID(),
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
  "sealed.take": `id=${"A".repeat(22)}`,
  "previews.get": "url=http://127.0.0.1/",
  "previews.image": "src=http://127.0.0.1/",
};

function bodies(cell: Cell, { people }: Matrix): Readonly<Record<string, unknown>> {
  return {
    "auth.verify": { challengeId: "none", result: { circuit: "none", proof: "0x", publicInputs: ["0x"] } },
    "auth.createToken": { name: "n", scopes: ["read"] },
    "auth.spend": { amount: 1 },
    "apps.create": { name: "n", kind: "browser", redirectUris: ["https://app.example.org/"] },
    "apps.answer": { ticket: "none", allow: true },
    "webhooks.create": { url: "https://hooks.example.org/" },
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
    "sealed.leave": { id: "A".repeat(22), sealed: "AAAA" },
    "crowd.enrol": { leaf: `0x${randomBytes(31).toString("hex").padStart(64, "0")}` },
    "anonymous.post": {
      id: randomUUID(),
      title: "T",
      content: "<p>c</p>",
      membership: nobody(),
    },
    "anonymous.picture": {
      image: "data:image/png;base64,AAAA",
      membership: unlinkedOfNobody({ root: 1, at: new Date().toISOString() }),
    },
    "anonymous.comment": { content: "c", membership: nobody() },
    "anonymous.delete": { membership: unlinkedOfNobody({ root: 1 }) },
    "anonymous.ballot": {
      optionIds: [cell.pollOptionId],
      counter: 0,
      membership: unlinkedOfNobody({ at: new Date().toISOString() }),
    },
    "anonymous.ban": { weeks: 1, reason: "r" },
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

const zero = `0x${"0".repeat(64)}`;
const noProof = `0x${"0".repeat(2 * 7_616)}`;

/** A proof that shows nothing. */
function nobody() {
  const said = { slotNullifier: zero, scopeNullifier: zero, tag: zero, blinding: zero };
  return { root: 1, at: new Date().toISOString(), ...said, proof: noProof };
}

function unlinkedOfNobody(more: object) {
  return { ...more, slotNullifier: zero, scopeNullifier: zero, tagCommitment: zero, proof: noProof };
}

/**
 * Codes that an allowed call may answer all the same, because it names nothing that exists: what is tested here is
 * who may call, and these say that the caller got past that.
 */
export const domainRefusals: Readonly<Record<string, readonly string[]>> = {
  "auth.revokeToken": ["token_not_found"],
  "apps.renewSecret": ["app_not_found"],
  "apps.delete": ["app_not_found"],
  "apps.answer": ["app_request_not_found"],
  "webhooks.replay": ["webhook_not_found"],
  "webhooks.delete": ["webhook_not_found"],
  "auth.verify": ["challenge_unknown", "proof_malformed", "unknown_circuit", "invalid_request"],
  "auth.answerProofRequest": ["proof_request_unknown", "invalid_request"],
  "auth.getProofRequest": ["proof_request_unknown"],
  "auth.pollProofRequest": ["proof_request_unknown"],
  "auth.endSession": ["session_not_found"],
  "moderation.reportTag": ["tag_not_found"],
  "members.deleteNote": ["note_not_found"],
  "crowd.leaves": ["root_not_found"],
  // In the topic of a cell nothing is said anonymously; without its key, a topic that not everyone reads does not exist.
  "anonymous.terms": ["topic_not_found"],
  "anonymous.post": ["anonymous_off", "topic_not_found"],
  "anonymous.picture": ["anonymous_off", "topic_not_found"],
  "anonymous.comment": ["anonymous_off", "post_not_found"],
  "anonymous.ballot": ["poll_named", "post_not_found"],
  "anonymous.delete": ["not_anonymous", "post_not_found"],
  "anonymous.ballots": ["poll_named"],
  "anonymous.evidence": ["not_anonymous"],
  "anonymous.ban": ["not_anonymous"],
  "anonymous.lift": ["ban_not_found"],
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
