import { createHash } from "node:crypto";
import { sql } from "kysely";
import webPush from "web-push";
import type { Db } from "@/db/schema";
import { commentPlace } from "@/lib/client/places";
import type { NotificationKind } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { log } from "@/lib/log";
import type { PublicWeb, WebReceipt } from "@/lib/preview/web";
import type { PushKeys } from "./settings";

/** Sends notifications to browsers that are not open (Web Push, RFC 8030). */
export interface Push {
  /** The key browsers subscribe with; null where the installation sends no push messages. */
  readonly publicKey: string | null;
  /** Sends due deliveries soon, without waiting. Call it when deliveries may have been added. */
  wake(): void;
}

/**
 * What the service worker shows. Anyone who sees the screen can read it, so it contains no name, title or text. For a
 * known kind the worker shows its own sentence in the reader's language.
 */
interface PushPayload {
  readonly kind: NotificationKind;
  readonly title: string;
  readonly body: string;
  readonly url: string;
  /** A later message with the same tag replaces an earlier one. */
  readonly tag: string;
}

/** Returns the payload for a notification. */
function payloadOf(parcel: Parcel): PushPayload {
  const { kind, topicId, postId } = parcel;
  return {
    kind,
    title: "Parley",
    body: t(`pushed.${kind}`),
    url: urlOf(parcel),
    tag: `${kind}:${postId ?? topicId ?? ""}`,
  };
}

const inChat: ReadonlySet<NotificationKind> = new Set([
  "chat_mention",
  "chat_reply",
  "message_hidden",
  "message_shown",
  "message_removed",
]);

function urlOf({ kind, topicId, postId, commentId }: Parcel): string {
  if (kind === "digest") return "/";
  if (kind === "scheduled_refused") return "/scheduled";
  if (inChat.has(kind) && topicId) return `/topics/${topicId}/chat`;
  return postId ? commentPlace(postId, commentId) : "/alerts";
}

/** Every payload has this length, so that a push service cannot infer its content. */
const PAYLOAD_LENGTH = 512;

/**
 * Returns the push service's topic for a tag (RFC 8030, 5.4: 32 characters of base64url). It differs per
 * subscription, so that it links no users.
 */
function pushTopicOf(subscriptionId: string, tag: string): string {
  const hash = createHash("sha256").update(`${subscriptionId}\0${tag}`).digest();
  return hash.subarray(0, 24).toString("base64url");
}

export interface PushParts {
  readonly keys: PushKeys | null;
  readonly db: Db;
  readonly web: PublicWeb;
  readonly now: () => Date;
  readonly later: (name: string, work: () => Promise<void>) => void;
}

/** Deliveries sent in parallel; a push service that does not answer delays the others by one timeout. */
const BATCH_SIZE = 20;
/** Delays after each try but the last: together less than a day. */
const RETRY_DELAYS_MS = [60_000, 10 * 60_000, 2 * 60 * 60_000, 18 * 60 * 60_000];
/** How long, in seconds, a push service keeps what a browser does not fetch. */
const TTL_SECONDS = 24 * 60 * 60;
/** Kinds whose sender waits for an answer. */
const urgent: ReadonlySet<NotificationKind> = new Set(["chat_mention", "chat_reply"]);

/**
 * Sends the rows of push_deliveries. A row stays until its delivery is finished, so a crash loses none; one sent just
 * before a crash is sent again and replaces itself by its tag.
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
        while ((await sendSome(sending)) === BATCH_SIZE);
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

/** Runs one round. @returns the number of due deliveries */
async function sendSome(sending: Sending): Promise<number> {
  const { db, now } = sending;
  const due = await takeDue(db, now(), BATCH_SIZE);
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

/** Sends one delivery. Returns whether it is finished, when to try again, or that the subscription is gone. */
async function deliver(
  { keys, web, now }: Sending,
  delivery: Parcel,
): Promise<{ delivery: Parcel; result: "done" | "gone" | Date }> {
  const { status, retryAfter } = await sendPush(keys, web, delivery);
  if (status >= 200 && status < 300) return { delivery, result: "done" };
  if (status === 404 || status === 410) return { delivery, result: "gone" };
  const wait = RETRY_DELAYS_MS[delivery.attempts - 1];
  const where = { host: new URL(delivery.endpoint).host, status, attempts: delivery.attempts };
  if (wait === undefined) {
    log.warn(where, "gave up on a push");
    return { delivery, result: "done" };
  }
  log.info(where, "push not accepted");
  const asked = /^\d{1,5}$/.test(retryAfter ?? "") ? Number(retryAfter) * 1000 : 0;
  return { delivery, result: new Date(now().getTime() + Math.max(wait, asked)) };
}

/** Sends one request; status 0 without a response, or for a URL that may not be requested. */
async function sendPush(keys: PushKeys, web: PublicWeb, delivery: Parcel): Promise<WebReceipt> {
  try {
    const payload = payloadOf(delivery);
    const { endpoint, p256dh, auth } = delivery;
    const request = webPush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      JSON.stringify(payload).padEnd(PAYLOAD_LENGTH),
      {
        vapidDetails: keys,
        TTL: TTL_SECONDS,
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

/** A push message for one browser. */
interface Delivery {
  readonly subscriptionId: string;
  readonly notificationId: string;
  /** Number of tries, including this one. */
  readonly attempts: number;
}

interface Parcel extends Delivery {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly kind: NotificationKind;
  readonly topicId: string | null;
  readonly postId: string | null;
  readonly commentId: string | null;
}

/** How long a process has for a delivery; after a crash another process takes it. */
const LEASE_MS = 2 * 60 * 1000;
/** Older notifications are no longer pushed. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** Takes up to `limit` due deliveries; several processes take different ones. */
export async function takeDue(db: Db, now: Date, limit: number): Promise<Delivery[]> {
  const lease = new Date(now.getTime() + LEASE_MS);
  const { rows } = await sql<Delivery>`
    update push_deliveries d set attempts = d.attempts + 1, next_at = ${lease}
    from (
      select subscription_id, notification_id from push_deliveries where next_at <= ${now}
      order by next_at limit ${limit} for update skip locked
    ) due
    where d.subscription_id = due.subscription_id and d.notification_id = due.notification_id
    returning d.subscription_id as "subscriptionId", d.notification_id as "notificationId", d.attempts`.execute(
    db,
  );
  return rows;
}

/**
 * Returns the deliveries still worth sending: unread, recent, and to a browser whose session is active and belongs to
 * the reader.
 */
async function openParcels(db: Db, due: readonly Delivery[], now: Date): Promise<Parcel[]> {
  if (due.length === 0) return [];
  const { rows } = await sql<Parcel>`
    select due."subscriptionId", due."notificationId", due.attempts, s.endpoint, s.p256dh, s.auth,
      n.kind, n.topic_id as "topicId", n.post_id as "postId", n.comment_id as "commentId"
    from jsonb_to_recordset(${JSON.stringify(due)}::jsonb)
      as due ("subscriptionId" uuid, "notificationId" uuid, attempts int)
    join push_subscriptions s on s.id = due."subscriptionId"
    join sessions e on e.id = s.session_id and e.expires_at > ${now}
    join notifications n on n.id = due."notificationId" and n.user_id = s.user_id and n.read_at is null
      and n.created_at > ${new Date(now.getTime() - MAX_AGE_MS)}`.execute(db);
  return rows;
}

/** Deletes finished deliveries: accepted, given up, or not worth sending. */
async function dropDeliveries(db: Db, done: readonly Delivery[]): Promise<void> {
  if (done.length === 0) return;
  await sql`
    delete from push_deliveries d using jsonb_to_recordset(${JSON.stringify(done)}::jsonb)
      as done ("subscriptionId" uuid, "notificationId" uuid)
    where d.subscription_id = done."subscriptionId" and d.notification_id = done."notificationId"`.execute(
    db,
  );
}

/** Schedules another try of a delivery. */
async function putOff(db: Db, { subscriptionId, notificationId }: Delivery, at: Date): Promise<void> {
  await db
    .updateTable("push_deliveries")
    .set({ next_at: at })
    .where("subscription_id", "=", subscriptionId)
    .where("notification_id", "=", notificationId)
    .execute();
}

/** Deletes a subscription that its push service no longer knows, and its deliveries. */
async function dropSubscription(db: Db, id: string, endpoint: string): Promise<void> {
  await db.deleteFrom("push_subscriptions").where("id", "=", id).where("endpoint", "=", endpoint).execute();
}
