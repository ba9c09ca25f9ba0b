import { commentPlace } from "@/lib/client/places";
import type { DeskAct, DeskReport, OperatorRole } from "@/lib/contract/desk";
import type { Report, ReportedKind, ReportReason } from "@/lib/contract/moderation";
import type { CaseAction, CaseReason, QueueCase } from "@/lib/contract/queue";

/** What can be done about a case, in the order in which the interface offers it. */
const ACTS = [
  ...(["approve", "hide", "reset_nickname", "remove_image", "freeze", "renameTag"] as const),
  ...(["dismiss", "resolve", "delete", "take_files_down", "remove_tag", "handOver", "removeTopic"] as const),
  ...(["mute", "ban", "silence", "suspend", "hold", "claim", "release"] as const),
] as const;
export type QueueAct = (typeof ACTS)[number];

/** Whose queue it is: the operators', or that of the staff of topics. */
export type QueueSource = "desk" | "staff";

export interface CasePerson {
  readonly userId: string;
  readonly nickname: string;
  readonly profileImage: string | null;
}

export interface CaseReport {
  readonly id: string;
  readonly reason: ReportReason;
  readonly details: string | null;
  readonly createdAt: string;
  readonly reporter: CasePerson;
  /** How the operators answered earlier reports of this person; null where the queue does not say. */
  readonly record: { readonly resolved: number; readonly dismissed: number } | null;
}

/** Something that was reported or waits for review, with the reports that are answered together. */
export interface Case {
  /** Unique on the page. */
  readonly id: string;
  /** The first report; null for a text that waits for review. */
  readonly reportId: string | null;
  readonly kind: ReportedKind;
  readonly targetId: string;
  /** Null for a profile or tag, and for a topic that is gone. */
  readonly topic: { readonly id: string; readonly title: string } | null;
  readonly postId: string | null;
  readonly title: string;
  readonly text: string;
  /** Whether title and text are those of the report, not of now. */
  readonly isSnapshot: boolean;
  /** Number of pictures in the copy. */
  readonly files: number;
  /** Null for a tag. `noteCount`: of the topic's staff about them. */
  readonly author: (CasePerson & { readonly noteCount?: number }) | null;
  readonly state: "shown" | "hidden" | "gone";
  readonly isWaiting: boolean;
  readonly isHeld: boolean;
  readonly status: Report["status"];
  /** The reason of the decision. */
  readonly decision: string | null;
  readonly claimedBy: CasePerson | null;
  readonly reasons: readonly CaseReason[];
  readonly reportCount: number;
  readonly reports: readonly CaseReport[];
  /** What the reader may do while nobody else works on it, in order. */
  readonly acts: readonly QueueAct[];
  /** Whether cases are claimed here, and whether the reader may release the claims of others. */
  readonly claims: "none" | "own" | "any";
}

const inOrder = (acts: ReadonlySet<QueueAct>) => ACTS.filter((act) => acts.has(act));

/** The cases of the staff's queue. @param namesTopic false on the page of one topic */
export function staffCases(cases: readonly QueueCase[], namesTopic = true): Case[] {
  return cases.map((one) => ({
    ...one,
    id: `${one.kind} ${one.targetId}`,
    reportId: one.reports[0]?.id ?? null,
    topic: { id: one.topicId, title: namesTopic ? one.topicTitle : "" },
    ...shownText(one, one.reports[0]?.snapshot ?? null),
    state: one.isDeleted ? "gone" : one.isHidden ? "hidden" : "shown",
    isHeld: false,
    status: "open",
    decision: null,
    claimedBy: null,
    reports: one.reports.map((report) => ({ ...report, record: null })),
    acts: inOrder(new Set<QueueAct>([...one.actions, ...one.author.abilities])),
    claims: "none",
  }));
}

/** All reports of a topic, answered ones too; each is a case of its own. */
export function topicCases(reports: readonly Report[]): Case[] {
  return reports.map((report) => ({
    id: report.id,
    reportId: report.id,
    kind: report.messageId ? "message" : report.commentId ? "comment" : "post",
    targetId: report.messageId ?? report.commentId ?? report.postId ?? "",
    topic: { id: report.topicId, title: "" },
    postId: report.postId,
    ...shownText(report, report.snapshot),
    author: report.author,
    state: report.isDeleted ? "gone" : report.isHidden ? "hidden" : "shown",
    isWaiting: false,
    isHeld: false,
    status: report.status,
    decision: null,
    claimedBy: null,
    reasons: [report.reason],
    reportCount: 1,
    reports: [{ ...report, record: null }],
    acts: report.status === "open" ? actsOnReport(report) : [],
    claims: "none",
  }));
}

function actsOnReport({ isDeleted, isHidden, author }: Report): readonly QueueAct[] {
  const acts = new Set<QueueAct>(["dismiss", "resolve", ...author.abilities]);
  if (!isDeleted) acts.add("delete");
  if (!isDeleted && !isHidden) acts.add("hide");
  return inOrder(acts);
}

interface Content {
  readonly title: string;
  readonly excerpt: string;
  readonly isDeleted: boolean;
}

/** The text as it is now, or as it was reported where it is gone. */
function shownText({ title, excerpt, isDeleted }: Content, snapshot: Report["snapshot"]) {
  const files = snapshot?.files.length ?? 0;
  if (isDeleted && snapshot) return { title: snapshot.title, text: snapshot.text, isSnapshot: true, files };
  return { title, text: excerpt, isSnapshot: false, files };
}

/** Groups reports to the operators, oldest first, by what they are about; each answered one is a case of its own. */
export function deskCases(reports: readonly DeskReport[], role: OperatorRole): Case[] {
  const groups = new Map<string, DeskReport[]>();
  for (const report of reports) {
    const { kind, targetId, status, id } = report;
    const key = `${kind} ${targetId} ${status === "open" ? "open" : id}`;
    groups.set(key, [...(groups.get(key) ?? []), report]);
  }
  return [...groups.values()].flatMap((group) => (group[0] ? [deskCase(group[0], group, role)] : []));
}

function deskCase(first: DeskReport, all: readonly DeskReport[], role: OperatorRole): Case {
  return {
    id: first.id,
    reportId: first.id,
    kind: first.kind,
    targetId: first.targetId,
    topic: first.topicId && first.topicTitle ? { id: first.topicId, title: first.topicTitle } : null,
    postId: first.postId,
    title: first.snapshot?.title ?? "",
    text: first.snapshot?.text ?? "",
    isSnapshot: true,
    files: first.snapshot?.files.length ?? 0,
    author: first.subject,
    state: first.state,
    isWaiting: false,
    isHeld: first.isHeld,
    status: first.status,
    decision: first.decision,
    claimedBy: first.claimedBy,
    reasons: [...new Set(all.map(({ reason }) => reason))],
    reportCount: all.length,
    reports: all.map(({ reporterRecord, ...report }) => ({ ...report, record: reporterRecord })),
    acts: first.status === "open" ? deskActs(first, role) : [],
    claims: first.status !== "open" ? "none" : role === "operator" ? "any" : "own",
  };
}

/** What operators do that no decision carries. */
const BESIDES: Readonly<Partial<Record<ReportedKind, readonly QueueAct[]>>> = {
  topic: ["handOver", "removeTopic"],
  tag: ["renameTag"],
};

function deskActs({ acts: carried, kind, subject, state, isHeld }: DeskReport, role: OperatorRole) {
  const acts = new Set<QueueAct>([...carried, "dismiss", "resolve"]);
  const isOperator = role === "operator";
  if (isOperator && state !== "gone") {
    for (const act of BESIDES[kind] ?? []) acts.add(act);
    if (kind !== "tag" && !isHeld) acts.add("hold");
  }
  if (isOperator && subject) for (const act of ["silence", "suspend"] as const) acts.add(act);
  return inOrder(acts);
}

/** What the reader may do now. While it is someone else's, an operator can only free it. */
export function actsNow({ acts, claims, claimedBy }: Case, me: string): readonly QueueAct[] {
  if (claims === "none") return acts;
  if (claimedBy && claimedBy.userId !== me) return claims === "any" ? ["release"] : [];
  return [...acts, claimedBy ? "release" : "claim"];
}

/** Acts that a decision of the operators carries. */
export function isCarried(act: QueueAct): act is DeskAct {
  const carried: readonly QueueAct[] = [
    ...(["hide", "delete", "take_files_down", "reset_nickname", "remove_image"] as const),
    ...(["freeze", "remove_tag"] as const),
  ];
  return carried.includes(act);
}

const STAFF_ACTS: readonly QueueAct[] = ["approve", "dismiss", "resolve", "hide", "delete"];

/** Acts that decide a case of the staff's queue. */
export function isCaseAction(act: QueueAct): act is CaseAction {
  return STAFF_ACTS.includes(act);
}

/** Acts that take effect at once, without a question, for the reason of the report. */
const AT_ONCE: readonly QueueAct[] = ["approve", "hide", "dismiss", "resolve", "claim", "release"];

/** Whether an act needs no dialog: it can be undone, or changes nothing but the reports. */
export function isAtOnce(act: QueueAct): boolean {
  return AT_ONCE.includes(act);
}

/** Short text that names a case in a sentence: its title, or the start of its text. */
export function caseName({ title, text }: Pick<Case, "title" | "text">, untitled: string): string {
  const name = title || text.replace(/\s+/g, " ").trim();
  return name.length > 60 ? `${name.slice(0, 57)}…` : name || untitled;
}

/** Path of what a case is about; null where it has none. */
export function casePlace({ kind, targetId, postId, topic }: Case): string | null {
  if (kind === "topic") return `/topics/${targetId}`;
  if (kind === "message") return topic && `/topics/${topic.id}/chat`;
  return postId && commentPlace(postId, kind === "comment" ? targetId : null);
}
