import { Webhook } from "standardwebhooks";

/** Returns the headers of a delivery (Standard Webhooks 1.0). @param id the same whenever the same events are sent */
export function signedHeaders(secret: string, id: string, at: Date, body: string): Record<string, string> {
  return {
    "content-type": "application/json",
    "user-agent": "Parley webhook",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign(id, at, body),
  };
}
