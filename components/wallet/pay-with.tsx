"use client";

import { useEffect } from "react";
import { useWords } from "#words";
import { chainName, type PublicConfig } from "@/components/proof/config";
import { PriceTag } from "@/components/proof/price-tag";
import type { PayChoice } from "@/components/proof/run/types";
import { Field, Select } from "@/components/ui/field";
import type { RadioCard } from "@/components/ui/radio-cards";
import type { Words } from "@/lib/i18n/words";
import { DEVELOPMENT_WALLET } from "./discover";
import { useWallets, WalletCards } from "./wallet-cards";

export interface PayWithProps {
  readonly config: PublicConfig;
  readonly value: PayChoice;
  readonly onChange: (value: PayChoice) => void;
  /** Id of the wallet whose attestation is proven; null for other proofs. */
  readonly holderId: string | null;
  /** Whether chain and wallet were chosen before: then one line shows the choice and can be expanded. */
  readonly folded?: boolean;
}

/** Returns the default payer. With an attestation there is none: its wallet must not become the payer by accident. */
export function firstPayChoice(config: PublicConfig, holderId: string | null = null): PayChoice {
  return {
    walletId: config.mode === "development" && holderId === null ? DEVELOPMENT_WALLET : "",
    network: config.offers[0]?.network ?? "",
  };
}

/** Says of the wallet with the attestation that it pays from another account. */
function payOptions(
  words: Words,
  wallets: readonly RadioCard<string>[],
  holderId: string | null,
): RadioCard<string>[] {
  return wallets.map((wallet) =>
    wallet.value === holderId
      ? {
          ...wallet,
          title: words.t("wallet.otherAccount", { wallet: wallet.title }),
          description: words.t("wallet.otherAccountHint"),
        }
      : wallet,
  );
}

/** Shows the price and lets the user choose chain and wallet. It opens no wallet. */
export function PayWith({ config, value, onChange, holderId, folded }: PayWithProps) {
  const words = useWords();
  const wallets = useWallets(config);
  const [first] = wallets;
  useEffect(() => {
    if (holderId === null && value.walletId === "" && first) onChange({ ...value, walletId: first.value });
  }, [first, value, onChange, holderId]);

  const offer = config.offers.find((o) => o.network === value.network) ?? config.offers[0];
  if (!offer) return null;
  const chosen = wallets.find((wallet) => wallet.value === value.walletId);
  const choices = (
    <>
      {config.offers.length > 1 ? (
        <Field label={words.t("signIn.network")}>
          {(control) => (
            <Select
              {...control}
              value={offer.network}
              onChange={(event) => onChange({ ...value, network: event.target.value })}
            >
              {config.offers.map((o) => (
                <option key={o.network} value={o.network}>
                  {chainName(config, o.chainId)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      ) : null}
      <WalletCards
        legend={words.t("signIn.wallet")}
        name="wallet"
        options={payOptions(words, wallets, holderId)}
        value={value.walletId}
        onChange={(walletId) => onChange({ ...value, walletId })}
      />
    </>
  );
  return (
    <div className="grid gap-4">
      <PriceTag offer={offer} config={config} />
      {folded && chosen ? (
        <details>
          <summary className="tap w-fit text-sm text-soft">
            {words.t("signIn.paidFrom", { wallet: chosen.title })}
          </summary>
          <div className="grid gap-4 pt-4">{choices}</div>
        </details>
      ) : (
        choices
      )}
    </div>
  );
}
