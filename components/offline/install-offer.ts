/** Chromium's `beforeinstallprompt` event, which TypeScript's library does not have. It comes once, early. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}

let offer: InstallOffer | null = null;
const watchers = new Set<() => void>();

/** Keeps the browser's offer to install the site for later, so that the browser does not interrupt. @returns stop */
export function keepInstallOffer(): () => void {
  const onOffer = (event: Event) => {
    if (!isOffer(event)) return;
    event.preventDefault();
    setOffer(event);
  };
  const listening = new AbortController();
  const { signal } = listening;
  window.addEventListener("beforeinstallprompt", onOffer, { signal });
  window.addEventListener("appinstalled", () => setOffer(null), { signal });
  return () => listening.abort();
}

function isOffer(event: Event): event is InstallOffer {
  return "prompt" in event && typeof event.prompt === "function";
}

function setOffer(next: InstallOffer | null): void {
  offer = next;
  for (const watcher of watchers) watcher();
}

export const hasInstallOffer = () => offer !== null;

/** Calls back when the offer comes or goes. @returns stop */
export function watchInstallOffer(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Makes the browser ask the user whether to install the site. An offer works once. */
export async function acceptInstallOffer(): Promise<void> {
  const accepted = offer;
  setOffer(null);
  await accepted?.prompt();
}
