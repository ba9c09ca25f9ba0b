/** A wallet in this browser that the user can choose. */
export interface FoundWallet {
  readonly id: string;
  readonly name: string;
  /** data: URI of its icon, if it announced one. */
  readonly icon: string | null;
}

export const DEVELOPMENT_WALLET = "development";
/** Id of a wallet that only provides `window.ethereum`. */
export const INJECTED_WALLET = "injected";

function readAnnouncement(event: Event): FoundWallet | null {
  if (!(event instanceof CustomEvent)) return null;
  const detail: unknown = event.detail;
  if (typeof detail !== "object" || detail === null || !("info" in detail)) return null;
  const info: unknown = detail.info;
  if (typeof info !== "object" || info === null || !("rdns" in info) || !("name" in info)) return null;
  if (typeof info.rdns !== "string" || typeof info.name !== "string") return null;
  const icon =
    "icon" in info && typeof info.icon === "string" && info.icon.startsWith("data:image/") ? info.icon : null;
  return { id: info.rdns, name: info.name, icon };
}

/** Listens for wallets that announce themselves (EIP-6963), which needs no wagmi. @returns stop */
export function discoverWallets(onFound: (wallets: readonly FoundWallet[]) => void): () => void {
  const found = new Map<string, FoundWallet>();
  const listen = (event: Event) => {
    const wallet = readAnnouncement(event);
    if (!wallet) return;
    found.set(wallet.id, wallet);
    onFound([...found.values()]);
  };
  window.addEventListener("eip6963:announceProvider", listen);
  window.dispatchEvent(new Event("eip6963:requestProvider"));
  const timer = setTimeout(() => {
    if (found.size === 0 && "ethereum" in window) {
      onFound([{ id: INJECTED_WALLET, name: "Browser wallet", icon: null }]);
    }
  }, 400);
  return () => {
    clearTimeout(timer);
    window.removeEventListener("eip6963:announceProvider", listen);
  };
}
