import { ApiError } from "@/lib/client";
import { contract } from "@/lib/contract";
import { signingRequest } from "@/lib/proofs/client/attested";
import type { Deployment, PaymentOffer } from "@/lib/proofs/deployment";
import type { ProveResult } from "@/lib/proofs/wire";
import { proveIdentity } from "./identity";
import { UsageError } from "./options";
import { type Options } from "./rules";
import { amountText, networkName, requestText, statementLine } from "./show";
import { statementOf } from "./statement";
import { memberOf, type Purchase, type World } from "./world";

/** What the command prints. */
export type Outcome =
  | { readonly circuit: string; readonly proof: string; readonly publicInputs: readonly string[] }
  | { readonly joined: string; readonly status: "member" | "pending" };

/** The person said no, or nobody was there to say yes. Nothing was signed or paid. */
export class NotConfirmedError extends Error {
  override readonly name = "NotConfirmedError";
}

/** The verifier contract does not accept the proof. */
export class RefusedProofError extends Error {
  override readonly name = "RefusedProofError";
}

/**
 * One proof from what was asked to what came of it.
 * @throws UsageError, NotConfirmedError, RefusedProofError, ApiError, and as `proveAttested` and `proveIdentity`.
 */
export async function run(options: Options, world: World): Promise<Outcome> {
  const { deployment, tell, store } = world;
  const offer = offerOf(deployment, options);
  if (options.job !== null && !(await store.get(options.job))) {
    throw new UsageError("No payment is kept under the name of --job on this machine.");
  }
  const job = options.job ?? world.newJob();
  const progress = { paid: false };
  const purchase: Purchase = {
    proverUrl: deployment.services.proverUrl,
    expectedOffers: deployment.offers,
    allowGateway: offer.settlement === "gateway",
    accept: (offers) => offers.find((one) => networkName(one) === networkName(offer)),
    maxAmount: options.maxPrice ?? BigInt(offer.amount),
    store,
    jobKey: job,
    fetch: world.fetch,
    onProgress: (event) => {
      if (event.stage === "payment") progress.paid = true;
      tell.progress(event, offer);
    },
  };
  const { buy, answering } = await prepare(options, world, purchase);
  tell.say(
    `Price: at most ${amountText({ ...offer, amount: String(purchase.maxAmount) })}, from ${world.payer.address}`,
  );
  await confirm(options, world);
  tell.job(job);
  try {
    const result = await buy();
    if ((await world.verify(deployment, result)) !== "valid") {
      throw new RefusedProofError("The verifier contract does not accept the proof.");
    }
    tell.say("The verifier contract accepts the proof.");
    const outcome = options.join ? await join(options.join, result, world) : toOutcome(result);
    await store.delete(job);
    return outcome;
  } catch (error) {
    // What the community refuses for good is not cured by doing it again.
    const refused = error instanceof ApiError && error.status < 500;
    const paid = progress.paid || options.job !== null;
    if (paid && !refused) tell.resumable(job, answering);
    throw error;
  } finally {
    tell.end();
  }
}

/** What is ready to be bought, once somebody confirmed. */
interface Ready {
  readonly buy: () => Promise<ProveResult>;
  /** The nonce an identity proof answers. */
  readonly answering: string | null;
}

/** Settles what is to be proven and shows it in full. Nothing is signed yet. */
async function prepare(options: Options, world: World, purchase: Purchase): Promise<Ready> {
  const { tell, deployment } = world;
  if (options.circuit === "oidc_domain_attestation") {
    return { buy: await proveIdentity(options, world, purchase), answering: null };
  }
  const holder = world.holder();
  const { statement, answering } = await statementOf({ ...options, circuit: options.circuit }, world);
  const request = signingRequest({ ...statement, user: holder.address });
  tell.say(statementLine(statement));
  tell.say(requestText(request));
  // An action's hashes are all that is sent; what was shown and what is signed must be the same all the same.
  const shown = request.kind === "action" ? JSON.stringify(request.lines) : null;
  const buy = () =>
    world.prove({
      ...statement,
      ...purchase,
      deployment,
      attestationWallet: holder,
      paymentWallet: world.payer,
      confirmAction: async (lines) => JSON.stringify(lines) === shown,
    });
  return { buy, answering };
}

/** The offer that is paid: the named one, or the first that needs no deposit with a gateway. */
function offerOf({ offers }: Deployment, { network, maxPrice }: Options): PaymentOffer {
  const offer = offers.find((one) =>
    network === null ? one.settlement !== "gateway" : networkName(one) === network,
  );
  if (!offer) {
    const known = offers.map(networkName).join(", ");
    throw new UsageError(`No payment is taken on that network. Here: ${known || "none"}.`);
  }
  if (maxPrice !== null && BigInt(offer.amount) > maxPrice) {
    throw new UsageError(`The price is ${amountText(offer)}, more than --max-price.`);
  }
  return offer;
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
