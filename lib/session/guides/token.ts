import type { Deployment, Issuer } from "@/lib/proofs/deployment";
import {
  challengeStep,
  type GateType,
  type GuideFamily,
  type GuideSubject,
  joinStep,
  priceOf,
  purchaseSteps,
} from "./parts";

/** Returns the configured identity providers whose tokens a gate accepts; none for wallet gates. */
export function issuersFor(type: GateType, { issuers }: Pick<Deployment, "issuers">): readonly Issuer[] {
  if (type === "kyc" || type === "country") return [];
  if (type === "workspace") return issuers;
  const provider = type === "workspace_a" ? "provider_a" : "provider_b";
  return issuers.filter((issuer) => issuer.provider === provider);
}

/** The guide for proofs from identity tokens: the workspace gates. */
export const tokenGuide: GuideFamily = {
  mobileSteps({ type, deployment }) {
    const providers = issuersFor(type, deployment)
      .map((issuer) => issuer.label)
      .join(" or ");
    return [
      ["Open the topic", `In the browser of your phone, at ${deployment.services.appUrl}, and press Join.`],
      ["Choose your provider", `Sign in at ${providers} with the account of the domain asked for.`],
      [
        "Pay for the proof",
        `${priceOf(deployment)}, from your wallet. Nothing is charged for what cannot be proven.`,
      ],
      ["Wait", "The proof takes a few seconds; the page then joins by itself."],
    ];
  },

  agentSteps(subject) {
    const [issuer] = issuersFor(subject.type, subject.deployment);
    if (!issuer) return [];
    return [
      challengeStep(
        subject,
        "The challenge then belongs to you, and only you can use the proof. It lives 5 minutes; the next two steps must come after it.",
      ),
      ...deviceFlow(issuer),
      ...purchaseSteps(subject, tokenGuide),
      joinStep,
    ];
  },

  inputs({ type, deployment }: GuideSubject) {
    const provider = issuersFor(type, deployment)[0]?.provider ?? "provider_a";
    return `{"jwt":"'$ID_TOKEN'","scope":${JSON.stringify(deployment.scope)},"provider":"${provider}"}`;
  },

  challenge: () =>
    "With your session. The nonce goes into the identity provider's `nonce` parameter where its flow has one.",

  notes: () => [
    "The prover sees the token while it works and keeps nothing of it.",
    "A proven domain means that the provider once confirmed the address, not that its holder still works there: a consumer account made with a work address keeps it afterwards. Google marks accounts that the domain's owner manages with the claim hd, which a proof does not show.",
  ],
};

/** Returns the steps from the challenge to the identity token. */
export function deviceFlow({
  deviceAuthorizationEndpoint,
  tokenEndpoint,
  deviceClientId,
  deviceClientSecret,
}: Issuer) {
  const secret = deviceClientSecret ? `&client_secret=${deviceClientSecret}` : "";
  const grant = "urn:ietf:params:oauth:grant-type:device_code";
  return [
    [
      "Start the device flow (RFC 8628)",
      "Show verification_uri_complete to the owner of the account. Use this client id: tokens of any other client are refused. A token made this way carries no nonce; it counts while it is younger than the challenge and at most 10 minutes old.",
      `curl -X POST ${deviceAuthorizationEndpoint} -d "client_id=${deviceClientId}&scope=openid email"`,
    ],
    [
      "Fetch the identity token",
      "Repeat every `interval` seconds while the answer is authorization_pending; then take id_token.",
      `curl -X POST ${tokenEndpoint} -d "grant_type=${grant}&client_id=${deviceClientId}${secret}&device_code=$DEVICE_CODE"`,
    ],
  ] as const;
}
