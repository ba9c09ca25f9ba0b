import { useWords } from "#words";
import { Seal, type SealFacts } from "@/components/proof/seal";
import { ShownDomains } from "@/components/proof/shown-domains";
import { Panel } from "@/components/shell/panel";
import { Badge } from "@/components/ui/badge";
import { Avatar } from "@/components/ui/identicon";
import { TimeAgo } from "@/components/ui/time-ago";
import { dateOnly } from "@/lib/i18n/time";

const DAY_MS = 86_400_000;
/** Days before the end when a seal shows a warning. */
const SOON_DAYS = 4;

/** A member's seals: what each proves, who vouched for it and how long it is valid. */
export function SealCards({ seals }: { readonly seals: readonly SealFacts[] }) {
  return (
    <ul className="grid gap-3">
      {seals.map((facts) => (
        <li key={facts.statement} className="grid gap-2 rounded-sheet border bg-sheet p-4">
          <Seal facts={facts} />
          <Life facts={facts} />
        </li>
      ))}
    </ul>
  );
}

function Life({ facts: { checkedAt, until } }: { readonly facts: SealFacts }) {
  const words = useWords();
  const now = Date.now();
  const days = until === undefined ? null : Math.floor((until - now) / DAY_MS);
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
      {checkedAt === undefined ? null : (
        <span>
          {words.t("me.sealChecked")} <TimeAgo at={checkedAt} />
        </span>
      )}
      {until === undefined || days === null ? null : (
        <span>
          {words.t("me.sealUntil", { date: dateOnly(words, new Date(until), new Date(now)), days })}
        </span>
      )}
      {days !== null && days < SOON_DAYS ? <Badge tone="warning">{words.t("me.sealSoon")}</Badge> : null}
    </p>
  );
}

export interface SeenProps {
  readonly userId: string;
  readonly nickname: string;
  readonly picture: string | null;
  /** Domains that show beside the nickname. */
  readonly domains: readonly string[];
}

/** What other members see of the member, and what they never see. */
export function Seen({ userId, nickname, picture, domains }: SeenProps) {
  const { t } = useWords();
  return (
    <>
      <Panel title={t("seal.whatOthersSee")}>
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <Avatar userId={userId} image={picture} size="md" />
          {nickname}
          <ShownDomains of={domains} />
        </p>
        <ul className="grid gap-1.5 text-sm text-soft">
          <li>{t("me.seenName")}</li>
          <li>{t("me.seenSeal")}</li>
          {domains.length > 0 ? <li>{t("me.seenDomains")}</li> : null}
        </ul>
      </Panel>
      <Panel title={t("me.unseenTitle")}>
        <p className="text-sm text-soft">{t("me.unseen")}</p>
      </Panel>
    </>
  );
}
