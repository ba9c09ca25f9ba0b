import type { ProofType } from "@/lib/contract";
import type { CountrySet } from "@/lib/policy/gate";
import type { CircuitId, Deployment } from "@/lib/proofs/deployment";
import { headers } from "@/lib/proofs/wire";

/** Kinds of gate that ask for a proof. */
export type GateType = Exclude<ProofType, "none">;

/** What a guide is about. */
export interface GuideSubject {
  readonly type: GateType;
  readonly circuit: CircuitId;
  readonly deployment: Deployment;
  /** Countries the gate permits; null for other gates, and where no topic is in question. */
  readonly permitted: CountrySet | null;
}

/** One step of a guide: what to do, how, and a command where there is one. */
export type Step = readonly [title: string, description: string, code?: string];

/** What one family of circuits adds to the guide of a gate. */
export interface GuideFamily {
  /** With a browser, a wallet and hands. */
  mobileSteps(subject: GuideSubject): readonly Step[];
  /** Everything over plain HTTP, for a program that has seen nothing but this. */
  agentSteps(subject: GuideSubject): readonly Step[];
  /** `inputs` of the proof request as JSON, with what the caller fills in as shell variables. */
  inputs(subject: GuideSubject): string;
  /** What the challenge is for. */
  readonly challenge: (subject: GuideSubject) => string;
  readonly notes: (subject: GuideSubject) => readonly string[];
}

/** The last step of a page or a program. */
export const joinStep: Step = [
  "Join",
  "Send proof and publicInputs to the join endpoint with your session. 201 is a member, 202 waits for approval.",
];

/** @param why what the challenge is for, and when it must be asked for */
export function challengeStep({ deployment }: GuideSubject, why: string): Step {
  return [
    "Ask for a challenge",
    `With your session (Authorization: Bearer <token>). ${why}`,
    `curl -X POST ${deployment.services.appUrl}/api/auth/challenge -H "authorization: Bearer $TOKEN"`,
  ];
}

/** From the price to the proof. */
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

/** The call that makes the proof, with what the caller fills in as shell variables. */
export function proveWith(subject: GuideSubject, family: GuideFamily): string {
  const { circuit, deployment } = subject;
  return [
    `curl -X POST ${deployment.services.proverUrl}/api/v1/prove`,
    `-H "content-type: application/json"`,
    `-H "${headers.paymentSignature}: $PAYMENT_SIGNATURE" -H "${headers.paymentNonce}: $NONCE"`,
    `-d '{"circuit":"${circuit}","inputs":${family.inputs(subject)}}'`,
  ].join(" ");
}

/** Price and places of payment, for people. */
export function priceOf({ offers, chains }: Deployment): string {
  const [offer] = offers;
  if (!offer) return "free of charge";
  const amount = (Number(offer.amount) / 10 ** offer.decimals).toFixed(2);
  const places = offers.map(
    ({ chainId }) => chains.find(({ id }) => id === chainId)?.name ?? `chain ${chainId}`,
  );
  return `${amount} ${offer.symbol} on ${[...new Set(places)].join(" or ")}`;
}

/** Steps as they stand in an answer. */
export function numbered(steps: readonly Step[]) {
  return steps.map(([title, description, code], index) => ({
    step: index + 1,
    title,
    description,
    ...(code !== undefined && { code }),
  }));
}
