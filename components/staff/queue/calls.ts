import type { Client } from "@/components/call-api";
import { LIMITS } from "@/lib/contract/limits";
import type { CaseAction } from "@/lib/contract/queue";
import { type Case, isCarried, isCaseAction, type QueueAct, type QueueSource } from "./case";

/** What a dialog asks before an act. */
export interface ActInput {
  readonly reason: string;
  /** End of a sanction; null for until it is lifted. */
  readonly until?: string | null;
  /** The new owner of a topic. */
  readonly userId?: string;
  /** The new name of a tag. */
  readonly name?: string;
}

/** Does something about a case, and answers its reports. */
export function sendAct(source: QueueSource, of: Case, act: QueueAct, input: ActInput) {
  return (client: Client): Promise<unknown> =>
    source === "desk" ? deskAct(client, of, act, input) : staffAct(client, of, act, input);
}

async function staffAct(client: Client, of: Case, act: QueueAct, { reason }: ActInput) {
  if (!isCaseAction(act)) throw new Error(`${act} is no decision of staff`);
  return await decideOne(client, of, act, reason);
}

/** @throws ApiError with the code of the case's result */
async function decideOne({ api, contract, ApiError }: Client, of: Case, action: CaseAction, reason: string) {
  const { results } = await api.call(contract.moderation.decideCases, {
    cases: [caseId(of)],
    action,
    reason: reason || undefined,
  });
  const error = results[0]?.error;
  if (error)
    throw new ApiError(409, { code: error.code, error: error.message, requestId: "" }, error.message);
  return results;
}

async function deskAct({ api, contract }: Client, of: Case, act: QueueAct, input: ActInput) {
  const { reportId, targetId, kind } = of;
  const { reason, until, userId = "", name = "" } = input;
  if (reportId === null) throw new Error("the operators answer reports only");
  if (act === "claim") return await api.call(contract.desk.claim, { reportId });
  if (act === "release") return await api.call(contract.desk.release, { reportId });
  if (act === "dismiss") return await api.call(contract.desk.decide, { reportId, action: act, reason });
  if (isCarried(act)) {
    return await api.call(contract.desk.decide, { reportId, action: "resolve", reason, act });
  }
  if (act === "hold") {
    if (kind === "tag") throw new Error("nothing is held of a tag");
    return await api.call(contract.desk.placeHold, { kind, targetId, reason });
  }
  if (act === "silence" || act === "suspend") {
    const account = of.author?.userId ?? "";
    await api.call(contract.desk.sanction, { userId: account, kind: act, reason, until });
  }
  if (act === "renameTag") await api.call(contract.desk.renameTag, { tag: of.title, name, reason });
  if (act === "handOver") await api.call(contract.desk.handOver, { topicId: targetId, userId, reason });
  if (act === "removeTopic") await api.call(contract.topics.delete, { topicId: targetId, reason });
  return await api.call(contract.desk.decide, { reportId, action: "resolve", reason });
}

/**
 * Does the same about several cases, for the same reason. @returns those it was done about
 * @throws ApiError if it could be done about none
 */
export function sendActs(source: QueueSource, all: readonly Case[], act: QueueAct, reason: string) {
  return async (client: Client): Promise<readonly Case[]> => {
    if (source === "staff" && isCaseAction(act)) return await decideAll(client, all, act, reason);
    const answers = await Promise.allSettled(
      all.map(async (of) => {
        await sendAct(source, of, act, { reason })(client);
        return of;
      }),
    );
    const [refused] = answers.filter((answer) => answer.status === "rejected");
    const done = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (refused && done.length === 0) throw refused.reason;
    return done;
  };
}

async function decideAll(
  { api, contract }: Client,
  all: readonly Case[],
  action: CaseAction,
  reason: string,
): Promise<readonly Case[]> {
  const done: Case[] = [];
  for (let from = 0; from < all.length; from += LIMITS.moderation.cases) {
    const some = all.slice(from, from + LIMITS.moderation.cases);
    const cases = some.map(caseId);
    const { results } = await api.call(contract.moderation.decideCases, {
      cases,
      action,
      reason: reason || undefined,
    });
    done.push(...some.filter((_, at) => results[at]?.done));
  }
  return done;
}

function caseId({ kind, targetId }: Case) {
  if (kind !== "post" && kind !== "comment" && kind !== "message") throw new Error(`no case is a ${kind}`);
  return { kind, targetId };
}

/** What takes an act back. Reports stay answered. */
const BACK: Readonly<Partial<Record<QueueAct, { readonly hidden: boolean }>>> = {
  hide: { hidden: false },
  approve: { hidden: true },
};

/** Whether an act can be taken back. */
export function canUndo(act: QueueAct): boolean {
  return BACK[act] !== undefined;
}

/** Takes an act on the content of a case back. */
export function sendUndo({ kind, targetId }: Case, act: QueueAct) {
  return async ({ api, contract }: Client): Promise<unknown> => {
    const back = BACK[act];
    if (!back) throw new Error(`${act} cannot be taken back`);
    if (kind === "message") {
      return await api.call(contract.moderation.hideMessage, { messageId: targetId, ...back });
    }
    return kind === "comment"
      ? await api.call(contract.moderation.hideComment, { commentId: targetId, ...back })
      : await api.call(contract.moderation.hidePost, { postId: targetId, ...back });
  };
}
