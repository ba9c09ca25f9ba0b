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

/** What a driver works with. */
export interface DriverParts {
  readonly words: Words;
  readonly config: PublicConfig;
  readonly read: () => Run;
  /** Applies an event to the run; the run is stored before it is shown. */
  readonly dispatch: (event: RunEvent) => void;
  readonly signal: AbortSignal;
  /** The trace of this part of the run, from one click to the next. */
  readonly traceparent?: string;
}

/** Time for the wallet and the price besides the proof; a challenge that expires sooner is renewed before signing. */
const SIGNING_MS = 45_000;

/** Returns the installation in the form that the attestation lookup needs, with the chains' public addresses. */
function attestationDeployment(config: PublicConfig): AttestationDeployment {
  const { mode, attestations } = config;
  return { mode, attestations, chains: config.chains.map((c) => ({ ...c, rpcUrl: c.publicRpcUrl })) };
}

/** Whether the wallet signs our server's challenge. */
export function signsChallenge({ circuit, action }: WalletSubject): boolean {
  return circuit !== "partner_country_attestation" && action === null;
}

/** Returns a problem when the gate does not accept the attested country, which never leaves this browser. */
function countryProblem(words: Words, rule: CountryRule | null, country: string | null): RunProblem | null {
  if (!rule || !country || rule.countries.includes(country) === rule.isIncluded) return null;
  const message = words.t(rule.isIncluded ? "attested.notInList" : "attested.inExcludedList", {
    country: countryName(words, country),
    asked: countriesOr(words, rule.countries),
  });
  return { message, final: true };
}

/** Returns a run's statement in the form that the paying client needs. */
function statementOf({ subject, challenge }: WalletRun): AttestedStatement {
  const { circuit, scope, list, action } = subject;
  const nonce = signsChallenge(subject) ? challenge?.nonce : undefined;
  return { circuit, scope, list: list ?? undefined, action: action ?? undefined, nonce };
}

/** Returns what the wallet has to sign; null while it is unknown. */
export function requestOf(run: WalletRun): SigningRequest | null {
  const { subject, challenge } = run;
  if (!subject.holder || !subject.attestation || (signsChallenge(subject) && !challenge)) return null;
  return signingRequest({ ...statementOf(run), user: subject.holder });
}

/** First stage: connects the wallet, and checks that its attestation satisfies the gate. Our server learns none of it. */
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

/** Returns a new challenge; for a paid run the one that its payment was for, until it expires. */
async function challengeOf({ payment, challenge, purpose }: WalletRun): Promise<RunChallenge> {
  return payment && challenge && !isStale(challenge) ? challenge : newChallenge(purpose);
}

/** Returns the action that the proof authorizes, which depends on the account; "done" when the account already did it. */
async function actionOf({ purpose, subject }: WalletRun, holder: Address, config: PublicConfig) {
  if (purpose.kind !== "petition") return subject.action;
  const { petitionAction } = await import("@/components/actions/petition");
  const { statement, contract } = purpose;
  const { circuit, scope } = subject;
  return (await petitionAction({ statement, contract, holder, circuit, scope }, config)) ?? "done";
}

/** Replaces a challenge that is about to expire. @returns whether it did; then the message to sign has changed */
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
  // The user must not sign a challenge that they have not seen: with a new one, they click again.
  if (await renewChallenge({ read, dispatch })) return;
  const run = read();
  const request = isWalletRun(run) ? requestOf(run) : null;
  if (!isWalletRun(run) || !request || !run.subject.holder) throw new Error("the run has nothing to sign");
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

/** Returns the prover's inputs and the public inputs to expect. @throws ProofInputError when they cannot be proven */
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
 * Renews a challenge that would not outlive the proof. A signature over the old one is worthless; country proofs sign none.
 * @returns false when the run went back to signing
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

/** Returns why a proof of this token would be useless, as far as this device can tell; null when it seems fine. */
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
