import { LIMITS } from "@/lib/contract/limits";
import type { PlainName, Words } from "@/lib/i18n/words";
import { gateTypeOf } from "@/lib/policy/gate";
import type { CircuitId } from "@/lib/proofs/deployment";
import { type HiddenFact, seenByMaker } from "@/lib/proofs/hidden";
import { circuits } from "@/lib/proofs/registry";
import { type RevealedFact, revealedBy } from "@/lib/proofs/revealed";

/** Who could see something of a proof. The chain includes the node that is asked to check or look up. */
export const parties = ["browser", "prover", "app", "chain", "members"] as const;
export type Party = (typeof parties)[number];

type Seen = keyof typeof seenNames;
/**
 * What a party sees at a step: what the proof reveals, what it is made from (both by circuit, from the registry), or a
 * sentence. Nothing else says what a proof shows or hides.
 */
type Sight = "reveals" | "inputs" | "account" | Seen;

const seenNames = {
  challenge: "howItWorks.seen.challenge",
  lookup: "howItWorks.seen.lookup",
  wallet: "howItWorks.seen.wallet",
  payer: "howItWorks.seen.payer",
  transfer: "howItWorks.seen.transfer",
  asEveryone: "howItWorks.seen.asEveryone",
  progress: "howItWorks.seen.progress",
  proof: "howItWorks.seen.proof",
  proofKept: "howItWorks.seen.proofKept",
  node: "howItWorks.seen.node",
  session: "howItWorks.seen.session",
  payments: "howItWorks.seen.payments",
  earlier: "howItWorks.seen.earlier",
  nickname: "howItWorks.seen.nickname",
  gate: "howItWorks.seen.gate",
  badge: "howItWorks.seen.badge",
} as const satisfies Readonly<Record<string, PlainName>>;

export type StepName = "identity" | "attestation" | "payment" | "proving" | "checking" | "after";
type Step = Readonly<Partial<Record<Party, readonly Sight[]>>>;

const common = {
  payment: {
    browser: ["wallet"],
    prover: ["payer"],
    chain: ["transfer"],
    members: ["asEveryone"],
  },
  proving: { browser: ["progress"], prover: ["inputs", "reveals"] },
  checking: { browser: ["proof"], prover: ["proofKept"], app: ["reveals"], chain: ["node"] },
  after: {
    browser: ["session"],
    prover: ["payments"],
    app: ["account"],
    chain: ["earlier"],
    members: ["nickname", "gate"],
  },
} as const satisfies Partial<Record<StepName, Step>>;

/** The steps of a proof of an email account, in order. */
const emailSteps: Readonly<Partial<Record<StepName, Step>>> = {
  identity: { browser: ["inputs"], app: ["challenge"] },
  ...common,
  after: { ...common.after, members: [...common.after.members, "badge"] },
};

/** The steps of a proof of a wallet's attestation, in order. */
const walletSteps: Readonly<Partial<Record<StepName, Step>>> = {
  attestation: { browser: ["inputs"], app: ["challenge"], chain: ["lookup"] },
  ...common,
};

/** One row of the table: a step, and what each party sees at it, as sentences. */
export interface SightsRow {
  readonly step: StepName;
  readonly seen: (party: Party) => readonly string[];
}

const stepNames = ["identity", "attestation", "payment", "proving", "checking", "after"] as const;

/**
 * Returns what each party sees at each step of a proof by our prover.
 * @param kind proofs of one kind of circuits; their facts are told together
 */
export function sightsOf(words: Words, kind: "email" | "wallet"): readonly SightsRow[] {
  const steps = kind === "email" ? emailSteps : walletSteps;
  const of = circuitsOf(kind);
  return stepNames.flatMap((step) => {
    const row = steps[step];
    if (!row) return [];
    const seenBy = (party: Party) => (row[party] ?? []).flatMap((sight) => sentencesOf(words, sight, of));
    return [{ step, seen: seenBy }];
  });
}

function sentencesOf(words: Words, sight: Sight, of: readonly CircuitId[]): readonly string[] {
  if (sight === "reveals") return revealedTo(words, of);
  if (sight === "inputs") return inputsOf(words, of);
  if (sight === "account") return [words.t("howItWorks.seen.account", { days: LIMITS.days.verification })];
  return [words.t(seenNames[sight])];
}

/** The circuits whose proofs members make: those that open a gate. Proofs of accounts need no wallet's signature. */
export const peopleCircuits: readonly CircuitId[] = Object.values(circuits)
  .filter(({ id }) => gateTypeOf(id, null) !== null)
  .map(({ id }) => id);

function circuitsOf(kind: "email" | "wallet"): readonly CircuitId[] {
  return peopleCircuits.filter((id) => (circuits[id].signedDigest === "none") === (kind === "email"));
}

const once = <T>(facts: readonly T[]): readonly T[] => [...new Set(facts)];

function revealedTo(words: Words, of: readonly CircuitId[]): readonly string[] {
  const facts: readonly RevealedFact[] = once(of.flatMap((id) => revealedBy(id)));
  return facts.map((fact) => words.t(`seal.reveals.${fact}`));
}

function inputsOf(words: Words, of: readonly CircuitId[]): readonly string[] {
  const facts: readonly HiddenFact[] = once(of.flatMap((id) => seenByMaker(id)));
  return facts.map((fact) => words.t(`seal.hides.${fact}`));
}
