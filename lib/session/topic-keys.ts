import { createHmac, hkdfSync } from "node:crypto";

/**
 * Makes the keys by which whoever asks without a session shows that they know a topic from the inside. All its members
 * have the same one.
 */
export function createTopicKeys(secret: Uint8Array): (topicId: string) => string {
  return (topicId) =>
    createHmac("sha256", secret).update(`anonymous acts\0${topicId}`).digest("base64url").slice(0, 22);
}

/** Makes the secrets of webhooks, as their receivers get them (Standard Webhooks): `whsec_` and base64. None is stored. */
export function createWebhookSecrets(secret: Uint8Array): (webhookId: string) => string {
  return (webhookId) =>
    `whsec_${Buffer.from(hkdfSync("sha256", secret, webhookId, "parley webhook", 32)).toString("base64")}`;
}
