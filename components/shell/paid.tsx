"use client";

import { type ComponentType, useEffect, useState } from "react";

/** Prefix of the keys of stored paid proof runs; see components/proof/run/storage.ts. */
const PREFIX = "parley.paid-run.";

function hasPaidRun(): boolean {
  try {
    return Object.keys(globalThis.localStorage ?? {}).some((key) => key.startsWith(PREFIX));
  } catch {
    return false;
  }
}

/** The banner of an unused paid proof. Few readers have one, so its script loads only when there is one. */
export function Paid() {
  const [Banner, setBanner] = useState<ComponentType | null>(null);
  useEffect(() => {
    const check = () => {
      if (!hasPaidRun()) return;
      window.removeEventListener("storage", check);
      import("@/components/proof/run/paid-banner").then(
        ({ PaidBanner }) => setBanner(() => PaidBanner),
        // The next page tries again.
        () => undefined,
      );
    };
    check();
    // Another tab may pay later.
    window.addEventListener("storage", check);
    return () => window.removeEventListener("storage", check);
  }, []);
  return Banner ? <Banner /> : null;
}
