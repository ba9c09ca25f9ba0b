import type { Page } from "@playwright/test";

/**
 * Takes the place of the push service of the browser's maker, which is not part of any test; what the page makes of its answer is.
 * Notifications are permitted.
 */
export async function standInForPush(page: Page): Promise<void> {
  await page.context().grantPermissions(["notifications"]);
  await page.addInitScript(() => {
    const base64url = (bytes: Uint8Array) =>
      btoa(String.fromCharCode(...bytes))
        .replaceAll("+", "-")
        .replaceAll("/", "_")
        .replaceAll("=", "");
    const keys = crypto.subtle
      .generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"])
      .then(async ({ publicKey }) => ({
        p256dh: base64url(new Uint8Array(await crypto.subtle.exportKey("raw", publicKey))),
        auth: base64url(crypto.getRandomValues(new Uint8Array(16))),
      }));
    const subscription = {
      endpoint: `https://fcm.googleapis.com/fcm/send/${crypto.randomUUID()}`,
      options: { applicationServerKey: null },
      toJSON: () => ({ keys: Reflect.get(window, "keysOfSubscription") }),
      unsubscribe: async () => {
        Reflect.set(window, "subscribed", false);
        return true;
      },
    };
    Reflect.set(PushManager.prototype, "subscribe", async () => {
      Reflect.set(window, "keysOfSubscription", await keys);
      Reflect.set(window, "subscribed", true);
      return subscription;
    });
    Reflect.set(PushManager.prototype, "getSubscription", async () =>
      Reflect.get(window, "subscribed") ? subscription : null,
    );
  });
}
