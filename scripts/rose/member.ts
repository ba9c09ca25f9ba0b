import { randomUUID } from "node:crypto";
import { numberToHex } from "viem";
import { ApiError, createClient } from "@/lib/client";
import { contract } from "@/lib/contract";
import type { CrowdRoot } from "@/lib/contract/crowd";
import {
  type AnonymousAct,
  ballotStatement,
  deletionStatement,
  topicElement,
  type UnlinkedStatement,
} from "@/lib/proofs/anonymous/act";
import type { MembershipEngine } from "@/lib/proofs/anonymous/engine";
import { leafOf } from "@/lib/proofs/anonymous/hash";
import { membershipOf, proverOf, unlinkedMembershipOf } from "@/lib/proofs/anonymous/membership";
import { topicSecret } from "@/lib/proofs/anonymous/secret";

export interface RoseOptions {
  readonly appUrl: string;
  readonly topicId: string;
  /** The master secret, 32 bytes. */
  readonly master: Uint8Array;
  /** Of a session, to enroll, and to read what not everyone may; no act carries it. */
  readonly token?: string;
  readonly engine: MembershipEngine;
  /** Sends requests; by default the platform's. */
  readonly fetch?: typeof fetch;
}

type Client = ReturnType<typeof createClient>;

/** A member of a topic's crowd who speaks over plain HTTP, with proofs made here. Nothing is kept between calls. */
export class RoseMember {
  readonly #options: RoseOptions;
  readonly #signed: Client;
  readonly #nobody: Client;
  readonly #leaves = new Map<number, Uint8Array>();

  constructor(options: RoseOptions) {
    const { appUrl, fetch: send, token } = options;
    this.#options = options;
    this.#signed = createClient({ baseUrl: appUrl, token: () => token, fetch: send });
    this.#nobody = createClient({ baseUrl: appUrl, fetch: send });
  }

  /** Enrolls this secret's leaf; it counts from a later root on. @throws ApiError */
  async enroll(): Promise<void> {
    const { topicId } = this.#options;
    const leaf = numberToHex(leafOf(await this.#secret(), topicElement(topicId)), { size: 32 });
    await this.#signed.call(contract.crowd.enrol, { topicId, leaf });
  }

  /** @param content HTML that sanitizing leaves as it is @throws ApiError, BannedError, NotInCrowdError */
  async post(written: {
    readonly title: string;
    readonly content: string;
    readonly tags: readonly string[];
  }) {
    const { topicId } = this.#options;
    const id = randomUUID();
    const tags = [...written.tags];
    const act: AnonymousAct = { kind: "post", topicId, postId: id, ...written, tags };
    return await this.#say(act, async (membership, key) => {
      const body = { topicId, key, id, title: written.title, content: written.content, tags, membership };
      return await this.#nobody.call(contract.anonymous.post, body);
    });
  }

  /** @throws ApiError, BannedError, NotInCrowdError */
  async comment(postId: string, content: string, parentId: string | null = null) {
    const act: AnonymousAct = { kind: "comment", topicId: this.#options.topicId, postId, parentId, content };
    return await this.#say(act, async (membership, key) => {
      const body = { postId, key, content, parentId, membership };
      return await this.#nobody.call(contract.anonymous.comment, body);
    });
  }

  /**
   * Casts a ballot in a post's poll, in the place of this member's last one.
   * @param options numbers of the chosen options, from 1
   * @throws ApiError, BannedError, NotInCrowdError; RangeError for a poll or option that there is not
   */
  async vote(postId: string, options: readonly number[]) {
    const { topicId } = this.#options;
    const { post } = await this.#signed.call(contract.posts.get, { postId });
    const { poll } = post;
    if (!poll?.secret) throw new RangeError("this post has no poll with secret ballots");
    const optionIds = poll.options.flatMap(({ id }, at) => (options.includes(at + 1) ? [id] : []));
    if (optionIds.length !== new Set(options).size) throw new RangeError("the poll has no such option");
    const root = await this.#root(poll.secret.root);
    for (let counter = 0; ; counter = 2 * counter + 1) {
      const { key, terms } = await this.#terms();
      const statement = ballotStatement({ topicId, pollId: poll.id, optionIds, counter });
      const proven = await this.#unlinked(statement, terms.bans, root);
      const membership = { at: terms.at, ...proven };
      try {
        return await this.#nobody.call(contract.anonymous.ballot, {
          ...{ postId, key, optionIds, counter, membership },
        });
      } catch (error) {
        // One of before has a higher counter.
        if (!(error instanceof ApiError && error.code === "ballot_replaced")) throw error;
      }
    }
  }

  /** Deletes what this member wrote. @param commentId null for the post @throws ApiError, NotInCrowdError */
  async remove(postId: string, commentId: string | null = null): Promise<void> {
    const { key, root } = await this.#terms();
    const statement = deletionStatement({ topicId: this.#options.topicId, postId, commentId });
    const membership = { root: root.number, ...(await this.#unlinked(statement, [], root)) };
    await this.#nobody.call(contract.anonymous.delete, { postId, key, commentId, membership });
  }

  async #secret(): Promise<bigint> {
    return await topicSecret(this.#options.master, this.#options.topicId);
  }

  /** Reads the terms of now. @throws RangeError before the first root */
  async #terms() {
    const { topicId, token } = this.#options;
    const crowd = token ? (await this.#signed.call(contract.crowd.get, { topicId })).crowd : null;
    const key = crowd?.termsKey ?? undefined;
    const { terms } = await this.#nobody.call(contract.anonymous.terms, { topicId, key });
    if (!terms.root) throw new RangeError("this crowd has nobody yet");
    return { key, terms, root: terms.root };
  }

  async #root(number: number): Promise<CrowdRoot> {
    const { topicId } = this.#options;
    const { roots } = await this.#signed.call(contract.crowd.roots, { topicId, limit: 500 });
    const found = roots.find((root) => root.number === number);
    if (!found) throw new RangeError("this crowd has no such root");
    return found;
  }

  async #leavesOf(number: number): Promise<Uint8Array> {
    const { appUrl, fetch: send = fetch, token, topicId } = this.#options;
    const known = this.#leaves.get(number);
    if (known) return known;
    const headers = token ? { authorization: `Bearer ${token}` } : undefined;
    const response = await send(`${appUrl}/api/topics/${topicId}/crowd/roots/${number}/leaves`, { headers });
    if (!response.ok) throw new Error(`the leaves' request returned ${response.status}`);
    const leaves = new Uint8Array(await response.arrayBuffer());
    this.#leaves.set(number, leaves);
    return leaves;
  }

  async #unlinked(
    statement: UnlinkedStatement,
    bans: readonly { readonly week: number; readonly tag: string }[],
    root: CrowdRoot,
  ) {
    const { engine, topicId } = this.#options;
    const leaves = await this.#leavesOf(root.number);
    const acting = { secret: await this.#secret(), root, leaves, slot: 0 };
    const terms = { topic: numberToHex(topicElement(topicId), { size: 32 }), bans };
    return await unlinkedMembershipOf(statement, terms, acting, proverOf(engine));
  }

  /** Says something in the day's next free slot. */
  async #say<T>(
    act: AnonymousAct,
    send: (membership: Awaited<ReturnType<typeof membershipOf>>, key: string | undefined) => Promise<T>,
  ): Promise<T> {
    const prove = proverOf(this.#options.engine);
    for (let slot = 0; ; slot++) {
      const { key, root, terms } = await this.#terms();
      if (slot >= terms.limit) throw new RangeError(`all ${terms.limit} slots of today are used`);
      const leaves = await this.#leavesOf(root.number);
      const acting = { secret: await this.#secret(), root, leaves, slot };
      try {
        return await send(await membershipOf(act, terms, acting, prove), key);
      } catch (error) {
        if (!(error instanceof ApiError && error.code === "slot_used")) throw error;
      }
    }
  }
}
