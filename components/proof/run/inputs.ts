import type { Address } from "viem";
import { connectWallet } from "@/components/wallet/signer";
import { countriesOr, countryName } from "@/lib/i18n/countries";
import type { Words } from "@/lib/i18n/words";
import { type AttestationDeployment, findAttestation } from "@/lib/proofs/attestation/find";
import {
  type AttestedStatement,
  attestedWireInputs,
  type SigningRequest,
  signingRequest,
} from "@/lib/proofs/client/attested";
import { oidcFacts } from "@/lib/proofs/oidc/claims";
import type { PublicConfig } from "../config";
import { isStale, neededMs, newChallenge } from "./challenge";
import type { RunEvent } from "./machine";
import { problemOf } from "./problems";
import {
  type CountryRule,
  isWalletRun,
  type Run,
  type RunChallenge,
  type RunProblem,
  type WalletRun,
  type WalletSubject,
} from "./types";

/** A driver's hold on its run. */
export interface DriverParts {
  readonly words: Words;
  readonly config: PublicConfig;
  /** The run as it is now. */
  readonly read: () => Run;
  /** Tells the machine what happened; the run is kept for a reload before it is shown. */
  readonly dispatch: (event: RunEvent) => void;
  readonly signal: AbortSignal;
}

/** Time the wallet and the price need, besides the proof: with less left, a fresh code is fetched before signing. */
const SIGNING_MS = 45_000;

/** The installation as the attestation lookup takes it; a browser knows a chain by its public address only. */
function attestationDeployment(config: PublicConfig): AttestationDeployment {
  const { mode, attestations } = config;
  return { mode, attestations, chains: config.chains.map((c) => ({ ...c, rpcUrl: c.publicRpcUrl })) };
}

/** Whether what the wallet signs carries our server's one-time code. */
export function signsChallenge({ circuit, action }: WalletSubject): boolean {
  return circuit !== "partner_country_attestation" && action === null;
}

/** What speaks against a proof: the attested country is not one the gate takes. Said here, sent nowhere. */
function countryProblem(words: Words, rule: CountryRule | null, country: string | null): RunProblem | null {
  if (!rule || !country || rule.countries.includes(country) === rule.isIncluded) return null;
  const asked = countriesOr(words, rule.countries);
  const message = rule.isIncluded
    ? words.t("attested.notInList", { country: countryName(words, country), asked: asked })
    : words.t("attested.inExcludedList", { country: countryName(words, country), asked: asked });
  return { message, final: true };
}

/** What the proof of a run is to say, as the paying client takes it. */
function statementOf({ subject, challenge }: WalletRun): AttestedStatement {
  const { circuit, scope, list, action } = subject;
  const nonce = signsChallenge(subject) ? challenge?.nonce : undefined;
  return { circuit, scope, list: list ?? undefined, action: action ?? undefined, nonce };
}

/** What the wallet of a run is to sign; null while it is not known yet. */
export function requestOf(run: WalletRun): SigningRequest | null {
  const { subject, challenge } = run;
  if (!subject.holder || !subject.attestation || (signsChallenge(subject) && !challenge)) return null;
  return signingRequest({ ...statementOf(run), user: subject.holder });
}

/**
 * First stage: connects the wallet, looks up who vouched for it, and sees that the proof can say what is asked. Our
 * server hears of none of it; it is asked for a one-time code at most.
 */
export async function identify({ config, read, dispatch, words }: DriverParts): Promise<void> {
  const run = read();
  if (!isWalletRun(run)) throw new Error("the run has no wallet");
  const { subject } = run;
  const wallet = await connectWallet(subject.holderId, config);
  const [holder] = wallet.addresses;
  dispatch({ type: "wallet-connected", holder });
  const attestation = await findAttestation({
    deployment: attestationDeployment(config),
    circuit: subject.circuit,
    recipient: holder,
  });
  const problem = countryProblem(words, subject.list, attestation.country);
  if (problem) return dispatch({ type: "failed", problem });
  const action = await actionOf(run, holder, config);
  if (action === "done") {
    const message = words.t("petition.signedAlready");
    return dispatch({ type: "failed", problem: { message, final: true } });
  }
  const challenge = signsChallenge({ ...subject, action }) ? await challengeOf(run) : null;
  dispatch({ type: "attestation-found", attestation, action, challenge });
}

/** A fresh one-time code; for a run that has paid, the one its payment was for as long as it is open. */
async function challengeOf({ payment, challenge, purpose }: WalletRun): Promise<RunChallenge> {
  return payment && challenge && !isStale(challenge) ? challenge : newChallenge(purpose);
}

/** The action a wallet would authorise: only known once it is known whose turn it is. */
async function actionOf({ purpose, subject }: WalletRun, holder: Address, config: PublicConfig) {
  if (purpose.kind !== "petition") return subject.action;
  const { petitionAction } = await import("@/components/actions/petition");
  const { statement, contract } = purpose;
  const { circuit, scope } = subject;
  return (await petitionAction({ statement, contract, holder, circuit, scope }, config)) ?? "done";
}

/** Fetches a fresh one-time code when the one on the screen is about to run out; what will be signed changes with it. */
export async function renewChallenge({
  read,
  dispatch,
}: Pick<DriverParts, "read" | "dispatch">): Promise<boolean> {
  const run = read();
  if (!isWalletRun(run) || !signsChallenge(run.subject)) return false;
  if (!isStale(run.challenge, neededMs(run) + SIGNING_MS)) return false;
  dispatch({ type: "challenged", challenge: await newChallenge(run.purpose) });
  return true;
}

/** Second stage: the wallet signs what the screen shows, and the inputs are checked as the prover will check them. */
export async function sign({ config, read, dispatch, words }: DriverParts): Promise<void> {
  // Nobody signs another code than the one they read: with a fresh one, the button is pressed again.
  if (await renewChallenge({ read, dispatch })) return;
  const run = read();
  const request = isWalletRun(run) ? requestOf(run) : null;
  if (!isWalletRun(run) || !request || !run.subject.holder) throw new Error("nothing to sign is known");
  const { subject } = run;
  const wallet = await connectWallet(subject.holderId, config);
  const holder = wallet.addresses.find((one) => one.toLowerCase() === subject.holder?.toLowerCase());
  if (!holder) {
    const message = words.t("attested.otherAccount");
    return dispatch({ type: "failed", problem: { message, final: false } });
  }
  const holding = wallet.holding(holder);
  const signature =
    request.kind === "message"
      ? await holding.signMessage({ message: { raw: request.raw } })
      : await holding.signTypedData(request.action);
  await provingInputs({ ...run, subject: { ...subject, signature } }, config);
  dispatch({ type: "signed", signature });
}

/**
 * What goes to the prover, and the words its proof must have.
 * @throws ProofInputError when no proof could be made of it.
 */
export async function provingInputs(run: WalletRun, config: PublicConfig) {
  const { holder, attestation, signature } = run.subject;
  if (!holder || !attestation || !signature) throw new Error("the run has no signature");
  const { wire, expectedPublicInputs } = await attestedWireInputs({
    ...statementOf(run),
    deployment: config,
    attestation,
    user: holder,
    signature,
  });
  return { inputs: { ...wire }, expectedPublicInputs };
}

/**
 * Before paying: the one-time code must outlive the proof. A signature over an old one is worth nothing, so the run
 * goes back to signing; a country proof answers any open code, so a fresh one is enough.
 * @returns false when the run went back.
 */
export async function keepFresh({ dispatch, words }: DriverParts, run: WalletRun): Promise<boolean> {
  if (run.purpose.kind === "petition" || !isStale(run.challenge, neededMs(run))) return true;
  const challenge = await newChallenge(run.purpose);
  if (!signsChallenge(run.subject)) {
    dispatch({ type: "challenged", challenge });
    return true;
  }
  dispatch({ type: "signature-expired", challenge, message: words.t("attested.staleSignature") });
  return false;
}

/**
 * What speaks against paying for a proof of this token, as far as this device can see: a claim the circuit refuses,
 * another sign-in's nonce, or a domain the gate does not ask for. Null when nothing does.
 */
export function tokenProblem(
  words: Words,
  run: Pick<Run, "subject" | "challenge">,
  scope: string,
): RunProblem | null {
  const { subject, challenge } = run;
  if (subject.kind !== "domain" || !subject.token) return null;
  const { token, provider, requiredDomain } = subject;
  try {
    const facts = oidcFacts(token, { scope, provider });
    if (facts.nonce !== challenge?.nonce) return { message: words.t("signIn.lost"), final: true };
    if (requiredDomain && facts.domain !== requiredDomain) {
      const message = words.t("run.wrongDomain", { has: facts.domain, wants: requiredDomain });
      return { message, final: true };
    }
    return null;
  } catch (error) {
    return { message: problemOf(words, error, false).message, final: true };
  }
}
