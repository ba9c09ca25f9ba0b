import { readFile, writeFile } from "node:fs/promises";
import { z } from "zod";
import { ApiError } from "@/lib/client";
import { contract } from "@/lib/contract";
import type { Deployment } from "@/lib/proofs/deployment";
import { developmentAccount } from "../accounts";
import { apiClient, type Client, signInWithProof } from "../member";
import type { Reporter, StepControls } from "../progress";
import {
  type DemoPost,
  type DemoTopic,
  type Persona,
  type PersonaKey,
  personas,
  posts,
  topics,
} from "./content";

/** A sign-in takes about as long as this many other calls. Used for the progress bar only. */
const SIGN_IN_WEIGHT = 20;

/**
 * Fills the demo community, once per installation, as a client of the running stack: every member signs in with a paid
 * proof and acts through the API. Resumes after an interruption.
 */
export async function ensureDemo(marker: string, deployment: Deployment, reporter: Reporter): Promise<void> {
  const ledger = await DemoLedger.open(marker);
  if (ledger.finished) return;
  await reporter.step("Demo community", async (step) => {
    const filler = new DemoFiller(deployment, ledger, step);
    await filler.fill();
    await ledger.finish();
    step.detail(`${personas.length} members, ${topics.length} topics, ${posts.length} posts`);
  });
}

function answersTo({ votes, reactions = {}, poll }: DemoPost): number {
  return [votes, reactions, poll?.chosen ?? {}].reduce((sum, of) => sum + Object.keys(of).length, 0);
}

class DemoFiller {
  readonly #clients = new Map<PersonaKey, Client>();
  readonly #total: number;
  #weight = 0;
  readonly #deployment: Deployment;
  readonly #ledger: DemoLedger;
  readonly #step: StepControls;

  constructor(deployment: Deployment, ledger: DemoLedger, step: StepControls) {
    this.#deployment = deployment;
    this.#ledger = ledger;
    this.#step = step;
    const joins = topics.reduce((sum, t) => sum + 1 + t.members.length, 0);
    const writes = posts.reduce((sum, p) => sum + 1 + p.comments.length + answersTo(p), 0);
    const domains = personas.filter(({ showsDomain }) => showsDomain).length;
    this.#total = personas.length * SIGN_IN_WEIGHT + domains + joins + writes;
  }

  async fill(): Promise<void> {
    for (const persona of personas) await this.#signIn(persona);
    const { categories } = await apiClient(this.#deployment).call(contract.categories.list, {});
    const topicIds = new Map<string, string>();
    for (const topic of topics) {
      const category = categories.find((c) => c.slug === topic.category);
      if (!category) throw new Error(`no category ${topic.category}`);
      topicIds.set(topic.key, await this.#makeTopic(topic, category.id));
    }
    // `posts` alternates between topics, so that the feed mixes them.
    for (const post of posts) await this.#writePost(post, topicIds.get(post.topic) ?? "");
  }

  async #signIn(persona: Persona): Promise<void> {
    const { key, email, nickname } = persona;
    const prove = async () => {
      const member = await signInWithProof({
        ...{ deployment: this.#deployment, email, nickname, wallet: developmentAccount("demo") },
        onProgress: ({ stage }) => this.#show(`${nickname}: ${stage}`),
      });
      return member.token;
    };
    const token = await this.#once(`member:${key}`, `${nickname} proves`, prove, SIGN_IN_WEIGHT);
    const client = apiClient(this.#deployment, token);
    this.#clients.set(key, client);
    if (!persona.showsDomain) return;
    // Adding it twice shows it once.
    await this.#once(`domain:${key}`, nickname, async () => {
      return (await client.call(contract.profile.addDomainBadge, {})).domain;
    });
  }

  async #makeTopic(topic: DemoTopic, categoryId: string): Promise<string> {
    const owner = this.#as(topic.owner);
    const topicId = await this.#once(`topic:${topic.key}`, topic.title, async () => {
      const created = await owner.call(contract.topics.create, {
        title: topic.title,
        description: topic.description,
        categoryId,
        visibility: topic.visibility,
        ...(topic.requiredDomain ? { proofType: "workspace", requiredDomain: topic.requiredDomain } : {}),
      });
      return created.topic.id;
    });
    for (const key of topic.members) {
      await this.#once(`join:${topic.key}:${key}`, topic.title, () => this.#join(topic, topicId, key));
    }
    return topicId;
  }

  async #join(topic: DemoTopic, topicId: string, key: PersonaKey): Promise<string> {
    try {
      if (topic.visibility === "public") {
        // The verification of the sign-in satisfies a domain gate.
        await this.#as(key).call(contract.topics.join, { topicId });
      } else {
        const { topic: seen } = await this.#as(topic.owner).call(contract.topics.get, { topicId });
        await this.#as(key).call(contract.topics.joinByInvite, { inviteCode: seen.inviteCode ?? "" });
      }
    } catch (error) {
      // An earlier run was interrupted between the call and its entry in the ledger.
      if (!(error instanceof ApiError && error.code === "already_member")) throw error;
    }
    return "joined";
  }

  async #writePost(post: DemoPost, topicId: string): Promise<void> {
    const postId = await this.#once(`post:${post.key}`, post.title, async () => {
      const { title, content, tags, poll } = post;
      const created = await this.#as(post.author).call(contract.posts.create, {
        topicId,
        title,
        content,
        tags: [...tags],
        poll: poll && { question: poll.question, options: [...poll.options] },
      });
      return created.post.id;
    });
    const commentIds: string[] = [];
    for (const [index, comment] of post.comments.entries()) {
      const parentId = comment.replyTo === undefined ? undefined : commentIds[comment.replyTo];
      const id = await this.#once(`comment:${post.key}:${index}`, post.title, async () => {
        const created = await this.#as(comment.author).call(contract.comments.create, {
          postId,
          content: comment.text,
          parentId,
        });
        return created.comment.id;
      });
      commentIds.push(id);
    }
    for (const { key } of personas) await this.#answer(post, postId, key);
  }

  /** Casts the votes of a persona. Checks first what an interrupted start has done: the same vote twice retracts it. */
  async #answer(post: DemoPost, postId: string, key: PersonaKey): Promise<void> {
    const client = this.#as(key);
    const seen = async () => (await client.call(contract.posts.get, { postId })).post;
    const value = post.votes[key];
    if (value) {
      await this.#once(`vote:${post.key}:${key}`, post.title, async () => {
        if ((await seen()).userVoted !== value) await client.call(contract.posts.vote, { postId, value });
        return String(value);
      });
    }
    const emoji = post.reactions?.[key];
    if (emoji) {
      await this.#once(`reaction:${post.key}:${key}`, post.title, async () => {
        const { reactions } = await seen();
        const isThere = reactions.some((one) => one.emoji === emoji && one.userReacted);
        if (!isThere) await client.call(contract.posts.react, { postId, emoji });
        return emoji;
      });
    }
    const chosen = post.poll?.chosen[key];
    if (chosen !== undefined) {
      await this.#once(`poll:${post.key}:${key}`, post.title, async () => {
        const optionId = (await seen()).poll?.options[chosen]?.id ?? "";
        await client.call(contract.posts.votePoll, { postId, optionIds: [optionId] });
        return optionId;
      });
    }
  }

  #as(key: PersonaKey): Client {
    const client = this.#clients.get(key);
    if (!client) throw new Error(`${key} has not signed in`);
    return client;
  }

  async #once(key: string, label: string, work: () => Promise<string>, weight = 1): Promise<string> {
    this.#show(label);
    const result = await this.#ledger.once(key, work);
    this.#weight += weight;
    this.#show(label);
    return result;
  }

  #show(label: string): void {
    this.#step.progress(this.#weight / this.#total, label);
  }
}

const ledgerSchema = z.object({
  finished: z.boolean(),
  done: z.record(z.string(), z.string()),
});

/** The completed steps of the demo, so that an interrupted first start resumes where it stopped. */
export class DemoLedger {
  readonly #file: string;
  readonly #state: z.infer<typeof ledgerSchema>;

  private constructor(file: string, state: z.infer<typeof ledgerSchema>) {
    this.#file = file;
    this.#state = state;
  }

  /** @throws Error when the file exists and is not a ledger: filling twice would double every post */
  static async open(file: string): Promise<DemoLedger> {
    const text = await readFile(file, "utf8").catch(() => null);
    if (text === null) return new DemoLedger(file, { finished: false, done: {} });
    const parsed = ledgerSchema.safeParse(JSON.parse(text));
    if (!parsed.success)
      throw new Error(`${file} is not valid. Start with DEMO=0, or move it away to fill the demo again.`);
    return new DemoLedger(file, parsed.data);
  }

  get finished(): boolean {
    return this.#state.finished;
  }

  /** Runs a step, or returns its result if an earlier start ran it. */
  async once(key: string, work: () => Promise<string>): Promise<string> {
    const known = this.#state.done[key];
    if (known !== undefined) return known;
    const result = await work();
    this.#state.done[key] = result;
    await this.#save();
    return result;
  }

  /** Marks the demo as complete and deletes the results, which include session tokens. */
  async finish(): Promise<void> {
    this.#state.finished = true;
    this.#state.done = {};
    await this.#save();
  }

  #save(): Promise<void> {
    return writeFile(this.#file, JSON.stringify(this.#state), { mode: 0o600 });
  }
}
