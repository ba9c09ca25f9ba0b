"use client";

import { Download, Share } from "lucide-react";
import { useSyncExternalStore } from "react";
import { useWords } from "#words";
import { isAppleTouch } from "@/components/push/browser";
import { Button } from "@/components/ui/button";
import { acceptInstallOffer, hasInstallOffer, watchInstallOffer } from "./install-offer";

const never = () => () => {};
const no = () => false;
const byHand = () => isAppleTouch() && !isInstalled();

function isInstalled(): boolean {
  return window.matchMedia("(display-mode: standalone)").matches;
}

/** Offers to install the site, where that is possible and not done. */
export function InstallPart() {
  const { t } = useWords();
  const isOffered = useSyncExternalStore(watchInstallOffer, hasInstallOffer, no);
  const isByHand = useSyncExternalStore(never, byHand, no);
  if (!isOffered && !isByHand) return null;
  return (
    <section aria-labelledby="install" className="grid gap-3 border-t pt-5">
      <h2 id="install" className="font-serif text-lg font-semibold">
        {t("install.title")}
      </h2>
      <p className="text-soft">{t("install.lead")}</p>
      {isOffered ? (
        <div>
          <Button onClick={() => void acceptInstallOffer()}>
            <Download className="size-4" aria-hidden />
            {t("install.act")}
          </Button>
        </div>
      ) : (
        <p className="flex items-center gap-2 text-soft">
          <Share className="size-4 shrink-0" aria-hidden />
          {t("install.apple")}
        </p>
      )}
    </section>
  );
}
