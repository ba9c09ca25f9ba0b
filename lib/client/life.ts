/** What a follower of events has to know of the page it runs in. */
export interface PageLife {
  readonly isHidden: () => boolean;
  /** False only where the browser is certain that there is no network. */
  readonly isOnline: () => boolean;
  /** Calls back when either may have changed; returns how to stop. */
  readonly onChange: (listener: () => void) => () => void;
}

/** The life of a browser's page; outside of browsers one that is always seen and always online. */
export function pageLife(): PageLife {
  if (typeof document === "undefined") {
    return { isHidden: () => false, isOnline: () => true, onChange: () => () => {} };
  }
  return {
    isHidden: () => document.visibilityState === "hidden",
    isOnline: () => navigator.onLine,
    onChange(listener) {
      document.addEventListener("visibilitychange", listener);
      window.addEventListener("online", listener);
      window.addEventListener("offline", listener);
      return () => {
        document.removeEventListener("visibilitychange", listener);
        window.removeEventListener("online", listener);
        window.removeEventListener("offline", listener);
      };
    },
  };
}
