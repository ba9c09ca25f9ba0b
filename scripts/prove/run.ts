import { ApiError, type createClient } from "@/lib/client";
import { contract } from "@/lib/contract";
import { readAction } from "@/lib/proofs/attestation/action";
import type { PayingWallet, PaymentStore } from "@/lib/proofs/client";
import {
  type AttestationWallet,
  type AttestedStatement,
  type ProveAttestedRequest,
  signingRequest,
} from "@/lib/proofs/client/attested";
import type { Deployment, PaymentOffer } from "@/lib/proofs/deployment";
import type { ProveResult } from "@/lib/proofs/wire";
import { type Options, UsageError } from "./options";
import { amountText, progressLine, requestText, statementLine } from "./show";

/** The community as a member, or nobody where no token was given. */
export type Member = ReturnType<typeof createClient> | null;

/** Everything a run touches, so that tests put doubles in its place. */
export interface World {
  readonly deployment: Deployment;
  readonly holder: AttestationWallet;
  readonly payer: PayingWallet;
  readonly member: Member;
  readonly store: PaymentStore;
  readonly readFile: (path: string) => Promise<string>;
  readonly prove: (request: ProveAttestedRequest) => Promise<ProveResult>;
  readonly verify: (deployment: Deployment, result: ProveResult) => Promise<"valid" | "invalid">;
  /** A name for a payment that no other has. */
  readonly newJob: () => string;
  /** For people; not the result. */
  readonly say: (text: string) => void;
  /** Asks a person yes or no; null where nobody is there. */
  readonly ask: ((question: string) => Promise<boolean>) | null;
}

/** What the command prints. */
export type Outcome =
  | { readonly circuit: string; readonly proof: string; readonly publicInputs: readonly string[] }
  | { readonly joined: string; readonly status: "member" | "pending" };

/** The person said no, or nobody was there to say yes. Nothing was signed or paid. */
export class NotConfirmedError extends Error {
  override readonly name = "NotConfirmedError";
}

/**
 * One proof from what was asked to what came of it.
 * @throws UsageError, NotConfirmedError, ApiError, and as `proveAttested`.
 */
export async function run(options: Options, world: World): Promise<Outcome> {
  const { deployment, say } = world;
  const offer = offerOf(deployment, options.network);
  const { statement, answering } = await statementOf(options, world);
  const request = signingRequest({ ...statement, user: world.holder.address });
  say(statementLine(statement));
  say(requestText(request));
  say(`Price: at most ${amountText(offer)}, from ${world.payer.address}`);
  await confirm(options, world);

  const job = options.job ?? world.newJob();
  // An action's hashes are all that is sent; what was shown and what is signed must be the same all the same.
  const shown = request.kind === "action" ? JSON.stringify(request.lines) : null;
  let paid = false;
  try {
    const result = await world.prove({
      ...statement,
      deployment,
      proverUrl: deployment.services.proverUrl,
      attestationWallet: world.holder,
      paymentWallet: world.payer,
      confirmAction: async (lines) => JSON.stringify(lines) === shown,
      expectedOffers: deployment.offers,
      accept: (offers) => offers.find((one) => one.network === offer.network),
      maxAmount: BigInt(offer.amount),
      store: world.store,
      jobKey: job,
      onProgress: (event) => {
        if (event.stage === "payment") paid = true;
        const line = progressLine(event, offer);
        if (line) say(line);
      },
    });
    if ((await world.verify(deployment, result)) !== "valid") {
      throw new Error("The verifier contract does not accept the proof.");
    }
    say("The verifier contract accepts the proof.");
    const outcome = options.join ? await join(options.join, result, world) : toOutcome(result);
    await world.store.delete(job);
    return outcome;
  } catch (error) {
    // What the community refuses for good is not cured by doing it again.
    const refused = error instanceof ApiError && error.status < 500;
    if (paid && !refused)
      say(`To go on without paying again: --job ${job}${answering ? ` --nonce ${answering}` : ""}`);
    throw error;
  }
}

function offerOf({ offers }: Deployment, network: string | null): PaymentOffer {
  const offer = network === null ? offers[0] : offers.find((one) => one.network === network);
  if (offer) return offer;
  const known = offers.map((one) => one.network).join(", ");
  throw new UsageError(`No payment is taken on that network. Here: ${known || "none"}.`);
}

interface Asked {
  readonly statement: AttestedStatement;
  /** The nonce an identity proof answers. */
  readonly answering: string | null;
}

/** What is to be proven: from the command line, the action's file, the topic and a challenge. */
async function statementOf(options: Options, world: World): Promise<Asked> {
  const { circuit } = options;
  const scope = options.scope ?? world.deployment.scope;
  if (circuit === "partner_country_attestation") {
    const list = options.countries
      ? { countries: options.countries, isIncluded: !options.excluded }
      : await listOfTopic(options.join ?? "", world);
    // The proof itself has no room for a challenge; that one is open shows whose proof it is.
    if (options.join) await memberOf(world).call(contract.auth.challenge, {});
    return { statement: { circuit, scope, list }, answering: null };
  }
  if (options.actionFile !== null) {
    const action = readAction(parseJson(await world.readFile(options.actionFile)));
    return { statement: { circuit, scope, action }, answering: null };
  }
  const nonce = options.nonce ?? (await memberOf(world).call(contract.auth.challenge, {})).nonce;
  return { statement: { circuit, scope, nonce }, answering: nonce };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError("The file of --action is not JSON.");
  }
}

/** Exactly the topic's own list: a shorter one would tell more about the holder than the topic asks. */
async function listOfTopic(topicId: string, world: World) {
  const { topic } = await memberOf(world).call(contract.topics.get, { topicId });
  if (topic.allowedCountries) return { countries: topic.allowedCountries, isIncluded: true };
  if (topic.excludedCountries) return { countries: topic.excludedCountries, isIncluded: false };
  throw new UsageError("That topic does not ask for countries.");
}

function memberOf({ member }: World): NonNullable<Member> {
  if (member) return member;
  throw new UsageError("--join acts as a member: set PARLEY_TOKEN to your session token.");
}

async function confirm({ yes }: Options, { ask }: World): Promise<void> {
  if (yes) return;
  if (!ask)
    throw new NotConfirmedError("Nobody is here to confirm: add --yes to sign and pay without asking.");
  if (!(await ask("Sign and pay?")))
    throw new NotConfirmedError("Not confirmed. Nothing was signed or paid.");
}

function toOutcome({ circuit, proof, publicInputs }: ProveResult): Outcome {
  return { circuit, proof, publicInputs };
}

/** @throws ApiError, the documented refusals of a join */
async function join(topicId: string, { proof, publicInputs }: ProveResult, world: World): Promise<Outcome> {
  const body = { topicId, proof, publicInputs };
  const { status } = await memberOf(world).callWithStatus(contract.topics.join, body);
  return { joined: topicId, status: status === 202 ? "pending" : "member" };
}
