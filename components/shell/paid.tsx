"use client";

import { type ComponentType, useEffect, useState } from "react";

/** What every paid run that is kept beyond its tab is kept under; see components/proof/run/storage.ts. */
const PREFIX = "parley.paid-run.";

function somethingIsKept(): boolean {
  try {
    return Object.keys(globalThis.localStorage ?? {}).some((key) => key.startsWith(PREFIX));
  } catch {
    return false;
  }
}

/** The banner of a paid proof that waits. Hardly anybody has one, so its script comes only where something is kept. */
export function Paid() {
  const [Banner, setBanner] = useState<ComponentType | null>(null);
  useEffect(() => {
    const look = () => {
      if (!somethingIsKept()) return;
      window.removeEventListener("storage", look);
      import("@/components/proof/run/paid-banner").then(
        ({ PaidBanner }) => setBanner(() => PaidBanner),
        // The next page looks again.
        () => undefined,
      );
    };
    look();
    // Another tab may pay now.
    window.addEventListener("storage", look);
    return () => window.removeEventListener("storage", look);
  }, []);
  return Banner ? <Banner /> : null;
}
