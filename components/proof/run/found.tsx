import { useWords } from "#words";
import { Hash } from "@/components/ui/hash";
import { TimeAgo } from "@/components/ui/time-ago";
import { countryName } from "@/lib/i18n/countries";
import { chainName, explorerLink, type PublicConfig } from "../config";
import { countryStatement } from "../gate-words";
import type { WalletSubject } from "./types";

export interface FoundProps {
  readonly subject: WalletSubject;
  readonly config: PublicConfig;
}

/** Who vouched for the wallet, when, and what they wrote; read in this browser and shown to its owner only. */
export function Found({ subject, config }: FoundProps) {
  const words = useWords();
  const { holder, attestation, list } = subject;
  const attester = config.attesters.find((one) => one.circuit === subject.circuit);
  if (!holder || !attestation || !attester) return null;
  const link = (what: "tx" | "address", value: string) => explorerLink(config, attester.chainId, what, value);
  return (
    <div className="mt-1 grid gap-2 rounded-sheet border bg-wash px-4 py-3 text-sm">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        <dt className="text-soft">{words.t("attested.wallet")}</dt>
        <dd>
          <Hash value={holder} label={words.t("attested.wallet")} href={link("address", holder)} picture />
        </dd>
        <dt className="text-soft">{words.t("attested.voucher")}</dt>
        <dd>
          {words.t("attested.attester", { chain: chainName(config, attester.chainId) })}{" "}
          <Hash
            value={attester.contract}
            label={words.t("attested.attesterContract")}
            href={link("address", attester.contract)}
          />
        </dd>
        <dt className="text-soft">{words.t("attested.when")}</dt>
        <dd>
          <TimeAgo at={attestation.time * 1000} />
        </dd>
        <dt className="text-soft">{words.t("attested.record")}</dt>
        <dd>
          <Hash
            value={attestation.transactionHash}
            label={words.t("attested.recordLabel")}
            href={link("tx", attestation.transactionHash)}
          />
        </dd>
        {attestation.country ? (
          <>
            <dt className="text-soft">{words.t("attested.country")}</dt>
            <dd className="font-medium">{countryName(words, attestation.country)}</dd>
          </>
        ) : null}
      </dl>
      <p className="text-soft">
        {words.t("attested.onlyHere")}{" "}
        {list ? words.t("attested.provesList", { statement: countryStatement(words, list) }) : null}
      </p>
    </div>
  );
}
