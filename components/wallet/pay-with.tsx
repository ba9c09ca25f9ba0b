"use client";

import { useEffect, useState } from "react";
import type { PublicConfig } from "@/components/proof/config";
import { PriceTag } from "@/components/proof/price-tag";
import { Field, Select } from "@/components/ui/field";
import { Badge, Note } from "@/components/ui/notes";
import { RadioCards } from "@/components/ui/radio-cards";
import * as en from "@/lib/i18n/en";
import { DEVELOPMENT_WALLET, discoverWallets, type FoundWallet } from "./discover";

export interface PayChoice {
  readonly walletId: string;
  readonly network: string;
}

export interface PayWithProps {
  readonly config: PublicConfig;
  readonly value: PayChoice;
  readonly onChange: (value: PayChoice) => void;
}

/** First choice of a fresh page. */
export function firstPayChoice(config: PublicConfig): PayChoice {
  return {
    walletId: config.mode === "development" ? DEVELOPMENT_WALLET : "",
    network: config.offers[0]?.network ?? "",
  };
}

/** The price, on which chain, and from which wallet. Nothing here asks a wallet for anything. */
export function PayWith({ config, value, onChange }: PayWithProps) {
  const [wallets, setWallets] = useState<readonly FoundWallet[]>([]);
  useEffect(() => discoverWallets(setWallets), []);
  const [first] = wallets;
  useEffect(() => {
    if (value.walletId === "" && first) onChange({ ...value, walletId: first.id });
  }, [first, value, onChange]);

  const development = config.mode === "development";
  const offer = config.offers.find((o) => o.network === value.network) ?? config.offers[0];
  if (!offer) return null;
  const options = [
    ...(development
      ? [
          {
            value: DEVELOPMENT_WALLET,
            title: en.wallet.development,
            description: en.wallet.developmentHint,
            icon: <Badge tone="warning">{en.signIn.devTitle}</Badge>,
          },
        ]
      : []),
    ...wallets.map((wallet) => ({
      value: wallet.id,
      title: wallet.name,
      // biome-ignore lint/performance/noImgElement: a data URI of the wallet itself
      icon: wallet.icon ? <img src={wallet.icon} alt="" className="size-5 rounded-control" /> : undefined,
    })),
  ];
  return (
    <div className="grid gap-4">
      <PriceTag offer={offer} config={config} />
      {config.offers.length > 1 ? (
        <Field label={en.signIn.network}>
          {(control) => (
            <Select
              {...control}
              value={offer.network}
              onChange={(event) => onChange({ ...value, network: event.target.value })}
            >
              {config.offers.map((o) => (
                <option key={o.network} value={o.network}>
                  {config.chains.find((c) => c.id === o.chainId)?.name ?? o.network}
                </option>
              ))}
            </Select>
          )}
        </Field>
      ) : null}
      {options.length > 0 ? (
        <RadioCards
          legend={en.signIn.wallet}
          name="wallet"
          options={options}
          value={value.walletId}
          onChange={(walletId) => onChange({ ...value, walletId })}
        />
      ) : (
        <Note title={en.wallet.none}>{en.wallet.noneHint}</Note>
      )}
    </div>
  );
}
