/** The browser's offer to install the site. It is made once, early, and may be accepted later. */

/** As Chromium has it; TypeScript's library does not know it. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}

let offer: InstallOffer | null = null;
const watchers = new Set<() => void>();

/** Keeps the offer instead of letting the browser interrupt with it. @returns stop */
export function keepInstallOffer(): () => void {
  const onOffer = (event: Event) => {
    if (!isOffer(event)) return;
    event.preventDefault();
    tell(event);
  };
  const onInstalled = () => tell(null);
  window.addEventListener("beforeinstallprompt", onOffer);
  window.addEventListener("appinstalled", onInstalled);
  return () => {
    window.removeEventListener("beforeinstallprompt", onOffer);
    window.removeEventListener("appinstalled", onInstalled);
  };
}

function isOffer(event: Event): event is InstallOffer {
  return "prompt" in event && typeof event.prompt === "function";
}

function tell(next: InstallOffer | null): void {
  offer = next;
  for (const watcher of watchers) watcher();
}

/** Whether the browser would install the site now. */
export const hasInstallOffer = () => offer !== null;

export function watchInstallOffer(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Asks the browser to install the site; it asks the reader. An offer is good for one time. */
export async function acceptInstallOffer(): Promise<void> {
  const accepted = offer;
  tell(null);
  await accepted?.prompt();
}
