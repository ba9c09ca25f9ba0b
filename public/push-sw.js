// Shows push messages and opens what they lead to; nothing else. What a message says is written in lib/push/message.ts.

self.addEventListener("push", (event) => {
  event.waitUntil(show(event.data));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(ownUrl(event.notification.data?.url)));
});

// Browsers end subscriptions whose messages show nothing: something is shown whatever came.
async function show(data) {
  let message = {};
  try {
    message = data?.json() ?? {};
  } catch {
    // Not ours, or broken: the words below say enough.
  }
  const { title, body, tag, url } = message;
  await self.registration.showNotification(typeof title === "string" ? title : "Parley", {
    body: typeof body === "string" ? body : "There is something new.",
    tag: typeof tag === "string" ? tag : "parley",
    renotify: true,
    icon: "/icons/seal-192.png",
    data: { url: ownUrl(url).href },
  });
}

/** Where a message leads: an address of this site, else the list of notifications. */
function ownUrl(url) {
  const fallback = new URL("/alerts", self.location.origin);
  if (typeof url !== "string" || !URL.canParse(url, self.location.origin)) return fallback;
  const target = new URL(url, self.location.origin);
  return target.origin === self.location.origin ? target : fallback;
}

/** In a tab that shows it already, else in another tab of ours, else in a new one. */
async function open(url) {
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const ours = tabs.filter((tab) => new URL(tab.url).origin === url.origin);
  const there = ours.find((tab) => tab.url === url.href);
  if (there) return await there.focus();
  const [tab] = ours;
  if (!tab) return await self.clients.openWindow(url.href);
  await tab.focus();
  // Of a tab that no worker controls the address cannot be changed from here.
  return await tab.navigate(url.href).catch(() => self.clients.openWindow(url.href));
}
