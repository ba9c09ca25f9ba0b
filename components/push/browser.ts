import { registerWorker } from "@/lib/client/worker";

const START_TIMEOUT_MS = 10_000;

/** Returns whether this browser supports push messages. iPhones and iPads do only for sites on the home screen. */
export function pushAbility(): "possible" | "unsupported" | "needs-install" {
  const isSupported = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  if (isSupported) return "possible";
  return isAppleTouch() && !window.matchMedia("(display-mode: standalone)").matches
    ? "needs-install"
    : "unsupported";
}

/** Returns whether this is an iPhone or iPad, where users add sites to the home screen by hand. */
export function isAppleTouch(): boolean {
  // An iPad identifies as a Mac.
  const isTouchMac = /Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1;
  return isTouchMac || /iPhone|iPad|iPod/.test(navigator.userAgent);
}

/** Returns this browser's subscription, or null. */
export async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Subscribes this browser, which has permission already. @param publicKey VAPID public key in base64url */
export async function subscribe(publicKey: string): Promise<PushSubscription> {
  const registration = await registerWorker();
  await activated(registration);
  const key = bytesOf(publicKey);
  const old = await registration.pushManager.getSubscription();
  if (old && !isKeyOf(old, key)) await old.unsubscribe();
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/** Returns the body of POST /api/me/push. */
export function subscriptionBody(subscription: PushSubscription) {
  const { keys } = subscription.toJSON();
  return { endpoint: subscription.endpoint, keys: { p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" } };
}

function activated(registration: ServiceWorkerRegistration): Promise<void> {
  const worker = registration.installing ?? registration.waiting;
  if (!worker || registration.active) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the service worker did not start")), START_TIMEOUT_MS);
    worker.addEventListener("statechange", () => {
      if (worker.state !== "activated") return;
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Returns whether the subscription is for this key. With another key it would never receive anything. */
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
