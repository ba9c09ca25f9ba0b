/** What this browser can do about push messages, and doing it. */

import { registerWorker } from "@/lib/client/worker";

/** A worker that does not start in this time does not start. */
const READY_MS = 10_000;

export type PushAbility =
  | "possible"
  | "unsupported"
  /** iPhones and iPads take push messages for sites on the home screen only. */
  | "needs-install";

export function pushAbility(): PushAbility {
  const isSupported = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  if (isSupported) return "possible";
  return isAppleTouch() && !window.matchMedia("(display-mode: standalone)").matches
    ? "needs-install"
    : "unsupported";
}

/** An iPhone or an iPad, where sites are put on the home screen by hand. */
export function isAppleTouch(): boolean {
  return /iPhone|iPad|iPod/.test(navigator.userAgent) || isTouchMac();
}

/** An iPad says that it is a Mac. */
function isTouchMac(): boolean {
  return /Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1;
}

/** This browser's subscription, or null. */
export async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/**
 * Subscribes this browser; asks for nothing, so the permission must be there.
 * @param publicKey VAPID public key in base64url
 * @throws when the worker does not start or the browser's push service does not answer
 */
export async function subscribe(publicKey: string): Promise<PushSubscription> {
  const registration = await registerWorker();
  await activated(registration);
  const key = bytesOf(publicKey);
  const old = await registration.pushManager.getSubscription();
  if (old && !isKeyOf(old, key)) await old.unsubscribe();
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/** As POST /api/me/push takes it. */
export function subscriptionBody(subscription: PushSubscription): {
  endpoint: string;
  keys: { p256dh: string; auth: string };
} {
  const { keys } = subscription.toJSON();
  return {
    endpoint: subscription.endpoint,
    keys: { p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" },
  };
}

function activated(registration: ServiceWorkerRegistration): Promise<void> {
  const worker = registration.installing ?? registration.waiting;
  if (!worker || registration.active) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the service worker did not start")), READY_MS);
    worker.addEventListener("statechange", () => {
      if (worker.state !== "activated") return;
      clearTimeout(timer);
      resolve();
    });
  });
}

/** A subscription made for another key would never receive anything. */
function isKeyOf(subscription: PushSubscription, key: Uint8Array<ArrayBuffer>): boolean {
  const made = subscription.options.applicationServerKey;
  if (!made) return false;
  const bytes = new Uint8Array(made);
  return bytes.length === key.length && bytes.every((byte, at) => byte === key[at]);
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
