import type { ProofGuide, ProofType } from "@/lib/contract";
import { gateCircuit } from "@/lib/policy/gate";
import type { Deployment, Issuer } from "@/lib/proofs/deployment";
import { circuits } from "@/lib/proofs/registry";
import { headers } from "@/lib/proofs/wire";

/** Kinds of gate that ask for a proof. */
export type GateType = Exclude<ProofType, "none">;

const titles: Readonly<Record<GateType, string>> = {
  kyc: "Prove that an accepted attester vouched for you",
  country: "Prove your attested country",
  workspace_a: "Prove your email domain with provider A",
  workspace_b: "Prove your email domain with provider B",
  workspace: "Prove your email domain",
};

/** Identity providers whose tokens a gate takes, as configured here. */
export function issuersFor(type: GateType, { issuers }: Deployment): readonly Issuer[] {
  if (type === "workspace_a") return issuers.filter((issuer) => issuer.provider === "provider_a");
  if (type === "workspace_b") return issuers.filter((issuer) => issuer.provider === "provider_b");
  return issuers;
}

/** How to make the proof a gate of this kind asks for, with this installation's own addresses and prices. */
export function guideFor(type: GateType, deployment: Deployment): ProofGuide {
  const circuit = circuits[gateCircuit(type)];
  const offered = deployment.verifiers[circuit.id] !== undefined;
  const workspace = circuit.id === "oidc_domain_attestation";
  return {
    title: titles[type],
    description: circuit.description,
    steps: {
      mobile: workspace && offered ? mobileSteps(type, deployment) : [],
      agent: workspace && offered ? agentSteps(type, deployment) : [],
    },
    notes: [
      ...(workspace && offered ? [] : ["This community does not accept proofs of this circuit yet."]),
      `The community learns: ${circuit.reveals.join("; ")}.`,
      `It does not learn: ${circuit.hides.join("; ")}. The prover sees the token while it works and keeps nothing of it.`,
      "A proof counts for 30 days: joins in that time need no new one.",
      "One identity takes one seat per topic, whatever account it uses.",
      ...(deployment.srs.kind === "development"
        ? ["This installation uses development setup data: anyone could forge its proofs."]
        : []),
    ],
  };
}

function mobileSteps(type: GateType, deployment: Deployment): ProofGuide["steps"]["mobile"] {
  const providers = issuersFor(type, deployment)
    .map((issuer) => issuer.label)
    .join(" or ");
  return numbered([
    ["Open the topic", `In the browser of your phone, at ${deployment.services.appUrl}, and press Join.`],
    ["Choose your provider", `Sign in at ${providers} with the account of the domain asked for.`],
    [
      "Pay for the proof",
      `${priceOf(deployment)}, from your wallet. Nothing is charged for what cannot be proven.`,
    ],
    ["Wait", "The proof takes a few seconds; the page then joins by itself."],
  ]);
}

/** Everything over plain HTTP, for a program that has seen nothing but this. */
function agentSteps(type: GateType, deployment: Deployment): ProofGuide["steps"]["agent"] {
  const { appUrl, proverUrl } = deployment.services;
  const [issuer] = issuersFor(type, deployment);
  if (!issuer) return [];
  const circuit = gateCircuit(type);
  const price = JSON.stringify({ circuit });
  const secret = issuer.deviceClientSecret ? `&client_secret=${issuer.deviceClientSecret}` : "";
  const grant = "urn:ietf:params:oauth:grant-type:device_code";
  return numbered([
    [
      "Ask for a challenge",
      "With your session (Authorization: Bearer <token>): the challenge then belongs to you, and only you can use the proof. It lives 5 minutes; the next two steps must come after it.",
      `curl -X POST ${appUrl}/api/auth/challenge -H "authorization: Bearer $TOKEN"`,
    ],
    [
      "Start the device flow (RFC 8628)",
      "Show verification_uri_complete to the owner of the account. Use this client id: tokens of any other client are refused. A token made this way carries no nonce; it counts while it is younger than the challenge and at most 10 minutes old.",
      `curl -X POST ${issuer.deviceAuthorizationEndpoint} -d "client_id=${issuer.deviceClientId}&scope=openid email"`,
    ],
    [
      "Fetch the identity token",
      "Repeat every `interval` seconds while the answer is authorization_pending; then take id_token.",
      `curl -X POST ${issuer.tokenEndpoint} -d "grant_type=${grant}&client_id=${issuer.deviceClientId}${secret}&device_code=$DEVICE_CODE"`,
    ],
    [
      "Ask the price",
      `Answers 402 with \`accepts\` (the offers; ${priceOf(deployment)}) and a \`nonce\`, also base64 in the header ${headers.paymentRequired}.`,
      `curl -X POST ${proverUrl}/api/v1/prove -H "content-type: application/json" -d '${price}'`,
    ],
    [
      "Sign the payment",
      "x402 version 2, scheme exact: sign EIP-3009 TransferWithAuthorization for one offer as EIP-712 typed data (any x402 client does it) and encode {x402Version: 2, accepted, payload: {signature, authorization}} as base64 JSON. Sign once, keep it: sending the same signature again never charges again.",
    ],
    [
      "Pay and prove",
      "Answers {proof, publicInputs} after a few seconds; nothing is charged for what cannot be proven.",
      proveCommand(type, deployment),
    ],
    [
      "Join",
      "Send proof and publicInputs to the join endpoint with your session. 201 is a member, 202 waits for approval.",
    ],
  ]);
}

/** The call that makes the proof, with what the caller fills in as shell variables. */
export function proveCommand(type: GateType, deployment: Deployment): string {
  const provider = issuersFor(type, deployment)[0]?.provider ?? "provider_a";
  const inputs = `{"jwt":"'$ID_TOKEN'","scope":${JSON.stringify(deployment.scope)},"provider":"${provider}"}`;
  return [
    `curl -X POST ${deployment.services.proverUrl}/api/v1/prove`,
    `-H "content-type: application/json"`,
    `-H "${headers.paymentSignature}: $PAYMENT_SIGNATURE" -H "${headers.paymentNonce}: $NONCE"`,
    `-d '{"circuit":"${gateCircuit(type)}","inputs":${inputs}}'`,
  ].join(" ");
}

function priceOf({ offers, chains }: Deployment): string {
  const [offer] = offers;
  if (!offer) return "free of charge";
  const amount = (Number(offer.amount) / 10 ** offer.decimals).toFixed(2);
  const places = offers.map(
    ({ chainId }) => chains.find(({ id }) => id === chainId)?.name ?? `chain ${chainId}`,
  );
  return `${amount} ${offer.symbol} on ${[...new Set(places)].join(" or ")}`;
}

type Step = readonly [title: string, description: string, code?: string];

function numbered(steps: readonly Step[]) {
  return steps.map(([title, description, code], index) => ({
    step: index + 1,
    title,
    description,
    ...(code !== undefined && { code }),
  }));
}
