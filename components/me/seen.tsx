import { useWords } from "#words";
import { ShownDomains } from "@/components/proof/shown-domains";
import { Panel } from "@/components/shell/panel";
import { Avatar } from "@/components/ui/identicon";

export interface SeenProps {
  readonly userId: string;
  readonly nickname: string;
  /** Address of the member's picture, or null. */
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
