import { pageReach } from "./reach";

/** What a follower of events has to know of the page it runs in. */
export interface PageLife {
  readonly isHidden: () => boolean;
  /** False while the server is known not to answer. */
  readonly isOnline: () => boolean;
  /** A request got no answer. */
  readonly lost?: () => void;
  /** Calls back when either may have changed; returns how to stop. */
  readonly onChange: (listener: () => void) => () => void;
}

/** The life of a browser's page; outside of browsers one that is always seen and always online. */
export function pageLife(): PageLife {
  if (typeof document === "undefined") {
    return { isHidden: () => false, isOnline: () => true, onChange: () => () => {} };
  }
  const reach = pageReach();
  return {
    isHidden: () => document.visibilityState === "hidden",
    isOnline: () => reach.state() !== "lost",
    lost: () => reach.doubt(),
    onChange(listener) {
      document.addEventListener("visibilitychange", listener);
      const unwatch = reach.watch(listener);
      return () => {
        document.removeEventListener("visibilitychange", listener);
        unwatch();
      };
    },
  };
}
