/** A tab that was open while the app was replaced asks for scripts that are not there any more. */

const KEY = "parley.reloaded";
/** A page that fails again so soon after a reload is not helped by one more. Milliseconds. */
const ONCE_IN = 60_000;

/** Whether an error says that a script or style of the build could not be loaded. */
function isChunkError(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === "ChunkLoadError" ||
      /load(?:ing)? (?:css )?chunk|dynamically imported module/i.test(error.message))
  );
}

/**
 * Loads the page anew, once, when a script of it is gone; where something was typed its writer is asked instead.
 * @param ask called instead of reloading
 * @returns stop
 */
export function reloadForChunks(ask: () => void): () => void {
  const look = (error: unknown) => {
    // Without a network the script may well be there.
    if (!isChunkError(error) || !navigator.onLine || reloadedLately()) return;
    if (hasTyped()) return ask();
    remember();
    window.location.reload();
  };
  const onError = ({ error }: ErrorEvent) => look(error);
  const onRejection = ({ reason }: PromiseRejectionEvent) => look(reason);
  window.addEventListener("error", onError);
  window.addEventListener("unhandledrejection", onRejection);
  document.addEventListener("input", rememberTyping);
  return () => {
    document.removeEventListener("input", rememberTyping);
    window.removeEventListener("error", onError);
    window.removeEventListener("unhandledrejection", onRejection);
  };
}

/** What somebody typed into since the page came. React keeps no difference between a field's value and its default. */
const typedInto = new Set<HTMLElement>();

function rememberTyping({ target }: Event): void {
  if (target instanceof HTMLElement) typedInto.add(target);
}

function hasTyped(): boolean {
  return [...typedInto].some((field) => {
    if (!field.isConnected) return false;
    const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
    return (isField ? field.value : field.textContent) !== "";
  });
}

function reloadedLately(): boolean {
  try {
    return Date.now() - Number(sessionStorage.getItem(KEY)) < ONCE_IN;
  } catch {
    // Where it cannot be remembered, it would be done again and again.
    return true;
  }
}

function remember(): void {
  try {
    sessionStorage.setItem(KEY, String(Date.now()));
  } catch {
    // reloadedLately() has read it, so it can be written.
  }
}
