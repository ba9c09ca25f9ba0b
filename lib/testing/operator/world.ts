import "fake-indexeddb/auto";
import { numberToHex } from "viem";
import { vi } from "vitest";
import { enrol, readElectorate, readStanding } from "@/lib/client/anonymous/crowd";
import { queueAct, type SendingParts } from "@/lib/client/anonymous/entries";
import { sendDue } from "@/lib/client/anonymous/outbox";
import { readSecret } from "@/lib/client/anonymous/secret";
import type { WaitingAct } from "@/lib/client/anonymous/store";
import { partsOf, stubBrowser } from "@/lib/client/anonymous/testing";
import { standInOf } from "@/lib/community/anonymous/testing";
import { publishRoots } from "@/lib/community/crowd/publish";
import { addTo, makePost, makeTopic, signIn } from "@/lib/community/testing";
import { contract, type Poll } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { ballotScope } from "@/lib/proofs/anonymous/act";
import { scopeNullifier } from "@/lib/proofs/anonymous/hash";
import { membershipOf, unlinkedMembershipOf } from "@/lib/proofs/anonymous/membership";
import { topicSecret } from "@/lib/proofs/anonymous/secret";
import type { Harness, TestUser } from "@/lib/testing/harness";
import { png } from "@/lib/testing/images";

/*
 * A site in use: members of one topic say things under their names and without them, and vote secretly, each with the app's
 * own client: its outbox, its delays, its secrets. Proofs are stand-ins that no circuit was solved for: what they show is
 * tested elsewhere, and nothing of a real proof depends on who made it but what it shows.
 */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Hours of a day in which everybody is there. */
const OPEN_MS = 2 * 60 * MINUTE;
/** Every tenth post has a picture. */
const PICTURED = 10;

export interface Numbers {
  readonly members: number;
  /** Of each member. */
  readonly posts: number;
  readonly ballots: number;
  /** What each member does under their name. */
  readonly named: number;
  /**
   * Whether members wait for a random moment, and act under their names at moments of their own; or send at once, right
   * after something under their name, which nobody should.
   */
  readonly careful: boolean;
}

/** Something that was said or voted, and by whom: what the operator wants to know. */
export interface Secret {
  readonly kind: "post" | "ballot";
  /** By which the operator's records name it: the post's id, or the voter's number in the poll. */
  readonly name: string;
  readonly authorId: string;
}

export interface Site {
  readonly topicId: string;
  readonly polls: readonly string[];
  readonly members: readonly TestUser[];
  readonly secrets: readonly Secret[];
}

/** Runs the site. @param setClock moves the harness's time */
export async function runSite(h: Harness, numbers: Numbers, setClock: (at: number) => void): Promise<Site> {
  stubBrowser();
  const owner = await signIn(h, "owner");
  const topicId = (await makeTopic(owner)).id;
  const members: TestUser[] = [];
  for (let i = 0; i < numbers.members; i++) {
    const member = await signIn(h, "member");
    await addTo(h.db, topicId, member);
    members.push(member);
  }
  const begin = h.services.now().getTime();
  for (const member of shuffled(members)) {
    setClock(h.services.now().getTime() + Math.random() * MINUTE);
    await enrol(partsOf(h, member).signed, member.userId, topicId);
  }
  setClock(begin + numbers.members * MINUTE + 10 * MINUTE);
  await publishRoots(h.services);
  for (const member of members) await readStanding(partsOf(h, member).signed, member.userId, topicId);
  const named = await makePost(owner, topicId);
  const polls: Poll[] = [];
  for (let i = 0; i < numbers.ballots; i++) polls.push(await openPoll(owner, topicId, i));
  const actors = members.map((member) => new Actor(h, member, { topicId, postId: named.id }));
  const secrets: Secret[] = [];
  const days = Math.ceil(numbers.posts / LIMITS.anonymous.perDay);
  for (let day = 0; day < days; day++) {
    const open = (Math.floor(h.services.now().getTime() / DAY) + 1) * DAY + 18 * 60 * MINUTE;
    const plans = actors.flatMap((actor) => planOf(actor, numbers, polls, { day, days, open }));
    await play(h, plans, setClock);
  }
  for (const actor of actors) secrets.push(...actor.secrets);
  await h.idle();
  vi.unstubAllGlobals();
  return { topicId, polls: polls.map(({ postId }) => postId), members, secrets };
}

interface Planned {
  readonly at: number;
  /** @returns when what follows is due; null for nothing */
  readonly run: () => Promise<Planned | null>;
}

/** Does everything in the order of its moments. */
async function play(h: Harness, plans: readonly Planned[], setClock: (at: number) => void): Promise<void> {
  const waiting = [...plans];
  while (waiting.length > 0) {
    let first = 0;
    for (let i = 1; i < waiting.length; i++) if ((waiting[i]?.at ?? 0) < (waiting[first]?.at ?? 0)) first = i;
    const [next] = waiting.splice(first, 1);
    if (!next) return;
    setClock(Math.max(next.at, h.services.now().getTime()));
    const after = await next.run();
    if (after) waiting.push(after);
  }
}

function planOf(
  actor: Actor,
  { posts, ballots, named, careful }: Numbers,
  polls: readonly Poll[],
  { day, days, open }: { readonly day: number; readonly days: number; readonly open: number },
): Planned[] {
  const share = (all: number) => Math.floor((all * (day + 1)) / days) - Math.floor((all * day) / days);
  const moment = () => open + Math.random() * OPEN_MS;
  const acts: Planned[] = [];
  const add = (run: (isNow: boolean) => Promise<Planned>) => {
    const at = moment();
    acts.push({ at, run: () => run(!careful) });
    if (!careful) acts.push({ at: at - 1000, run: () => actor.actNamed() });
  };
  for (let i = 0; i < share(posts); i++) add((isNow) => actor.post(isNow));
  const from = Math.floor((ballots * day) / days);
  for (const poll of polls.slice(from, from + share(ballots))) add((isNow) => actor.vote(poll, isNow));
  for (let i = 0; i < share(named); i++) acts.push({ at: moment(), run: () => actor.actNamed() });
  return acts;
}

async function openPoll(owner: TestUser, topicId: string, i: number): Promise<Poll> {
  const { post } = await owner.api.call(contract.posts.create, {
    ...{ topicId, title: `Vote ${i}`, content: "<p>Say.</p>", poll: { options: ["a", "b"], isSecret: true } },
  });
  if (!post.poll) throw new Error("no poll");
  return post.poll;
}

/** A member with their browser. */
class Actor {
  readonly secrets: Secret[] = [];
  readonly #parts: SendingParts;
  #posts = 0;

  constructor(
    h: Harness,
    private readonly member: TestUser,
    private readonly place: { readonly topicId: string; readonly postId: string },
  ) {
    const prove = async (...[of, who]: Parameters<typeof standInOf>) => standInOf(of, who);
    this.#parts = {
      ...partsOf(h, member),
      random: Math.random,
      prove: async (act, terms, acting) => await membershipOf(act, terms, acting, prove),
      proveUnlinked: async (statement, terms, acting) =>
        await unlinkedMembershipOf(statement, terms, acting, prove),
    };
  }

  async post(isNow: boolean): Promise<Planned> {
    const postId = crypto.randomUUID();
    const pictures =
      this.#posts++ % PICTURED === 0
        ? [{ bytes: new Uint8Array(png(1, 1, byte())), type: "image/png", alt: "", src: null }]
        : [];
    this.secrets.push({ kind: "post", name: postId, authorId: this.member.userId });
    const said = { title: words(4), content: `<p>${words(20)}</p>`, tags: [], pictures };
    return await this.#queue({ kind: "post", topicId: this.place.topicId, postId, ...said }, isNow);
  }

  async vote({ id: pollId, postId, options, secret }: Poll, isNow: boolean): Promise<Planned> {
    const { topicId } = this.place;
    const option = options[byte() % options.length];
    if (!option || !secret) throw new Error("nothing to choose");
    const optionIds = [option.id];
    const act: WaitingAct = {
      ...{ kind: "ballot", topicId, postId, pollId, root: secret.root, optionIds, choice: option.text },
    };
    // As the poll does when it is opened.
    await readElectorate(this.#parts.signed, this.member.userId, { topicId, root: secret.root });
    const master = await readSecret(this.member.userId);
    if (!master) throw new Error("no secret");
    const number = scopeNullifier(await topicSecret(master, topicId), ballotScope(pollId));
    const name = numberToHex(number, { size: 32 });
    this.secrets.push({ kind: "ballot", name, authorId: this.member.userId });
    return await this.#queue(act, isNow);
  }

  async #queue(act: WaitingAct, isNow: boolean): Promise<Planned> {
    const { dueAt } = await queueAct(this.member.userId, act, isNow, this.#parts);
    const send = (at: number): Planned => ({
      at: Math.ceil(at),
      run: async () => {
        const next = await sendDue(this.member.userId, this.#parts);
        return next === null ? null : send(next);
      },
    });
    return send(dueAt);
  }

  /** Votes, comments, posts or reads, as a member does. */
  async actNamed(): Promise<null> {
    const { topicId, postId } = this.place;
    const { api } = this.member;
    const { posts } = await api.call(contract.posts.list, { topicId, sort: "new" });
    const other = posts[byte() % posts.length]?.id ?? postId;
    switch (byte() % 4) {
      case 0:
        await api.call(contract.posts.vote, { postId: other, value: 1 });
        break;
      case 1:
        await api.call(contract.comments.create, { postId: other, content: words(10) });
        break;
      case 2:
        await api.call(contract.posts.create, { topicId, title: words(3), content: `<p>${words(20)}</p>` });
        break;
      default:
        await api.call(contract.posts.get, { postId: other });
        await api.call(contract.reading.readTopic, { topicId, postId: other });
    }
    return null;
  }
}

const byte = () => Math.floor(Math.random() * 256);
const WORDS = "plan late ship wait price team week pay roof north road light paper stone river green".split(
  " ",
);
/** A style of writing that all have. */
const words = (count: number) => Array.from({ length: count }, () => WORDS[byte() % WORDS.length]).join(" ");

function shuffled<T>(all: readonly T[]): T[] {
  return all
    .map((one) => [Math.random(), one] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, one]) => one);
}
