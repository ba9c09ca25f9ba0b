import { createHash } from "node:crypto";
import webPush from "web-push";
import type { Db } from "@/db/schema";
import { commentPlace } from "@/lib/client/places";
import type { NotificationKind } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { log } from "@/lib/log";
import type { PublicWeb, WebReceipt } from "@/lib/preview";
import type { Push } from "./index";
import {
  type Delivery,
  dropDeliveries,
  dropSubscription,
  openParcels,
  type Parcel,
  putOff,
  takeDue,
} from "./outbox";
import type { PushKeys } from "./settings";

/** What a notification is about, as far as a push says it. */
interface Pushed {
  readonly kind: NotificationKind;
  readonly topicId: string | null;
  readonly postId: string | null;
  readonly commentId: string | null;
}

/**
 * What the service worker shows. Anybody who sees the screen reads it: no name, no title and no word of a text. Where it
 * knows the kind, it says it in its reader's language instead.
 */
interface PushPayload {
  readonly kind: NotificationKind;
  readonly title: string;
  readonly body: string;
  /** A path of this site. */
  readonly url: string;
  /** A later message with the same tag takes the place of an earlier one. */
  readonly tag: string;
}

/** What is pushed of a notification. */
function payloadOf({ kind, topicId, postId, commentId }: Pushed): PushPayload {
  return {
    kind,
    title: "Parley",
    body: t(`pushed.${kind}`),
    url: urlOf({ kind, topicId, postId, commentId }),
    tag: `${kind}:${postId ?? topicId ?? ""}`,
  };
}

function urlOf({ kind, topicId, postId, commentId }: Pushed): string {
  if (kind === "chat_mention" && topicId) return `/topics/${topicId}/chat`;
  return postId ? commentPlace(postId, commentId) : "/alerts";
}

/** Every payload is made this long, so that its length does not tell a push service what it says. */
const paddedLength = 512;

/** The payload as it is encrypted: JSON, with spaces after it. */
function payloadText(payload: PushPayload): string {
  return JSON.stringify(payload).padEnd(paddedLength);
}

/**
 * What a push service knows a tag by (RFC 8030, 5.4: 32 characters of base64url): of the same tag, another one for each
 * subscription, so that it links nobody.
 */
function pushTopicOf(subscriptionId: string, tag: string): string {
  const hash = createHash("sha256").update(`${subscriptionId}\0${tag}`).digest();
  return hash.subarray(0, 24).toString("base64url");
}

export interface PushParts {
  /** Null where this installation sends none. */
  readonly keys: PushKeys | null;
  readonly db: Db;
  readonly web: PublicWeb;
  readonly now: () => Date;
  readonly later: (name: string, work: () => Promise<void>) => void;
}

/** Sent at the same time; a push service that does not answer costs the others as long as a timeout. */
const atOnce = 20;
/** After each attempt but the last the next one waits for so long: together less than a day. */
const waitsMs = [60_000, 10 * 60_000, 2 * 60 * 60_000, 18 * 60 * 60_000];
/** For so long, in seconds, a push service keeps what a browser does not fetch. */
const keptSeconds = 24 * 60 * 60;
/** Somebody waits for an answer there. */
const urgent: ReadonlySet<NotificationKind> = new Set(["chat_mention"]);

/**
 * Sends what waits in push_deliveries. A delivery is in the database before it is sent and until it is done with, so a
 * crash loses none; one that was sent when the process died is sent again, and takes its own place by its tag.
 */
export function createPush(parts: PushParts): Push {
  const { keys, later } = parts;
  if (!keys) return { publicKey: null, wake: () => undefined };
  const sending = { ...parts, keys };
  let running = false;
  let again = false;

  async function sendAll(): Promise<void> {
    try {
      do {
        again = false;
        while ((await sendSome(sending)) === atOnce);
      } while (again);
    } finally {
      running = false;
    }
  }

  return {
    publicKey: keys.publicKey,
    wake() {
      again = true;
      if (running) return;
      running = true;
      later("push", sendAll);
    },
  };
}

type Sending = PushParts & { readonly keys: PushKeys };

/** One round. @returns how many deliveries were due */
async function sendSome(sending: Sending): Promise<number> {
  const { db, now } = sending;
  const due = await takeDue(db, now(), atOnce);
  const parcels = await openParcels(db, due, now());
  const worth = new Set(parcels.map(keyOf));
  const results = await Promise.all(parcels.map((parcel) => deliver(sending, parcel)));
  const done = due.filter((delivery) => !worth.has(keyOf(delivery)));
  for (const { delivery, result } of results) {
    if (result === "gone") await dropSubscription(db, delivery.subscriptionId, delivery.endpoint);
    else if (result === "done") done.push(delivery);
    else await putOff(db, delivery, result);
  }
  await dropDeliveries(db, done);
  return due.length;
}

function keyOf({ subscriptionId, notificationId }: Delivery): string {
  return `${subscriptionId} ${notificationId}`;
}

/** Sends one; says whether it is done with, when to try again, or that nobody listens there any more. */
async function deliver(
  { keys, web, now }: Sending,
  delivery: Parcel,
): Promise<{ delivery: Parcel; result: "done" | "gone" | Date }> {
  const { status, retryAfter } = await attempt(keys, web, delivery);
  if (status >= 200 && status < 300) return { delivery, result: "done" };
  if (status === 404 || status === 410) return { delivery, result: "gone" };
  const wait = waitsMs[delivery.attempts - 1];
  const where = { host: new URL(delivery.endpoint).host, status, attempts: delivery.attempts };
  if (wait === undefined) {
    log.warn(where, "a push was given up");
    return { delivery, result: "done" };
  }
  log.info(where, "a push was not taken");
  const asked = /^\d{1,5}$/.test(retryAfter ?? "") ? Number(retryAfter) * 1000 : 0;
  return { delivery, result: new Date(now().getTime() + Math.max(wait, asked)) };
}

/** Status 0: nobody answered, or nobody may be asked there. */
async function attempt(keys: PushKeys, web: PublicWeb, delivery: Parcel): Promise<WebReceipt> {
  try {
    const payload = payloadOf(delivery);
    const { endpoint, p256dh, auth } = delivery;
    const request = webPush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      payloadText(payload),
      {
        vapidDetails: keys,
        TTL: keptSeconds,
        urgency: urgent.has(delivery.kind) ? "high" : "normal",
        topic: pushTopicOf(delivery.subscriptionId, payload.tag),
      },
    );
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    return await web.post(web.read(endpoint, "endpoint"), {
      headers,
      body: request.body ?? new Uint8Array(),
    });
  } catch {
    return { status: 0, retryAfter: null };
  }
}
