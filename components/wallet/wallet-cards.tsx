"use client";

import { useEffect, useState } from "react";
import { useWords } from "#words";
import type { PublicConfig } from "@/components/proof/config";
import { Badge } from "@/components/ui/badge";
import { Note } from "@/components/ui/notes";
import { type RadioCard, RadioCards } from "@/components/ui/radio-cards";
import { DEVELOPMENT_WALLET, discoverWallets, type FoundWallet } from "./discover";

/** Returns the wallets to choose from; those of the browser appear as they announce themselves. */
export function useWallets(config: Pick<PublicConfig, "mode">): readonly RadioCard<string>[] {
  const { t } = useWords();
  const [wallets, setWallets] = useState<readonly FoundWallet[]>([]);
  useEffect(() => discoverWallets(setWallets), []);
  const own = {
    value: DEVELOPMENT_WALLET,
    title: t("wallet.development"),
    description: t("wallet.developmentHint"),
    icon: <Badge tone="warning">{t("signIn.devTitle")}</Badge>,
  };
  const found = wallets.map((wallet) => ({
    value: wallet.id,
    title: wallet.name,
    // biome-ignore lint/performance/noImgElement: a data URI of the wallet itself
    icon: wallet.icon ? <img src={wallet.icon} alt="" className="size-5 rounded-control" /> : undefined,
  }));
  return config.mode === "development" ? [own, ...found] : found;
}

export interface WalletCardsProps {
  readonly legend: string;
  readonly name: string;
  readonly options: readonly RadioCard<string>[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Lets the user choose a wallet, or says what to do when there is none. */
export function WalletCards(props: WalletCardsProps) {
  const { t } = useWords();
  if (props.options.length === 0) return <Note title={t("wallet.none")}>{t("wallet.noneHint")}</Note>;
  return <RadioCards {...props} />;
}
