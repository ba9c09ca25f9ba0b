import type { ProofType } from "@/lib/contract";
import type { CountrySet } from "@/lib/policy/gate";
import type { CircuitId, Deployment } from "@/lib/proofs/deployment";
import { headers } from "@/lib/proofs/wire";

/** Types of gates that require a proof. */
export type GateType = Exclude<ProofType, "none">;

export interface GuideSubject {
  readonly type: GateType;
  readonly circuit: CircuitId;
  readonly deployment: Deployment;
  /** Countries the gate permits; null for other gates, and for guides without a topic. */
  readonly permitted: CountrySet | null;
}

/** One step of a guide: what to do, how, and a command if there is one. */
export type Step = readonly [title: string, description: string, code?: string];

/** What a family of circuits adds to a gate's guide. */
export interface GuideFamily {
  /** For a person with a browser and a wallet. */
  mobileSteps(subject: GuideSubject): readonly Step[];
  /** For a program without prior knowledge, over plain HTTP. */
  agentSteps(subject: GuideSubject): readonly Step[];
  /** The proof request's `inputs` as JSON, with shell variables for the caller's values. */
  inputs(subject: GuideSubject): string;
  readonly challenge: (subject: GuideSubject) => string;
  readonly notes: (subject: GuideSubject) => readonly string[];
}

export const joinStep: Step = [
  "Join",
  "Send proof and publicInputs to the join endpoint with your session. 201 is a member, 202 waits for approval.",
];

/** @param why the purpose of the challenge, and when to request it */
export function challengeStep({ deployment }: GuideSubject, why: string): Step {
  return [
    "Ask for a challenge",
    `With your session (Authorization: Bearer <token>). ${why}`,
    `curl -X POST ${deployment.services.appUrl}/api/auth/challenge -H "authorization: Bearer $TOKEN"`,
  ];
}

/** Returns the steps from the price to the proof. */
export function purchaseSteps(subject: GuideSubject, family: GuideFamily): readonly Step[] {
  const { circuit, deployment } = subject;
  const price = JSON.stringify({ circuit });
  return [
    [
      "Ask the price",
      `Answers 402 with \`accepts\` (the offers; ${priceOf(deployment)}) and a \`nonce\`, also base64 in the header ${headers.paymentRequired}.`,
      `curl -X POST ${deployment.services.proverUrl}/api/v1/prove -H "content-type: application/json" -d '${price}'`,
    ],
    [
      "Sign the payment",
      "x402 version 2, scheme exact: sign EIP-3009 TransferWithAuthorization for one offer as EIP-712 typed data (any x402 client does it) and encode {x402Version: 2, accepted, payload: {signature, authorization}} as base64 JSON. Sign once, keep it: sending the same signature again never charges again.",
    ],
    [
      "Pay and prove",
      "Answers {proof, publicInputs} after a few seconds; nothing is charged for what cannot be proven.",
      proveWith(subject, family),
    ],
  ];
}

/** Returns the call that makes the proof, with shell variables for the caller's values. */
export function proveWith(subject: GuideSubject, family: GuideFamily): string {
  const { circuit, deployment } = subject;
  return [
    `curl -X POST ${deployment.services.proverUrl}/api/v1/prove`,
    `-H "content-type: application/json"`,
    `-H "${headers.paymentSignature}: $PAYMENT_SIGNATURE" -H "${headers.paymentNonce}: $NONCE"`,
    `-d '{"circuit":"${circuit}","inputs":${family.inputs(subject)}}'`,
  ].join(" ");
}

/** Returns the price and where to pay it, for people. */
export function priceOf({ offers, chains }: Deployment): string {
  const [offer] = offers;
  if (!offer) return "free of charge";
  const amount = (Number(offer.amount) / 10 ** offer.decimals).toFixed(2);
  const places = offers.map(
    ({ chainId }) => chains.find(({ id }) => id === chainId)?.name ?? `chain ${chainId}`,
  );
  return `${amount} ${offer.symbol} on ${[...new Set(places)].join(" or ")}`;
}

/** Numbers steps for a response. */
export function numbered(steps: readonly Step[]) {
  return steps.map(([title, description, code], index) => ({
    step: index + 1,
    title,
    description,
    ...(code !== undefined && { code }),
  }));
}
