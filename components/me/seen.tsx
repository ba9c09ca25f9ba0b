import { useWords } from "#words";
import { Panel } from "@/components/shell/panel";
import { Avatar } from "@/components/ui/identicon";

export interface SeenProps {
  readonly userId: string;
  readonly nickname: string;
  /** Address of the member's picture, or null. */
  readonly picture: string | null;
}

/** The member as others have them before their eyes, and what none of them has. */
export function Seen({ userId, nickname, picture }: SeenProps) {
  const { t } = useWords();
  return (
    <>
      <Panel title={t("me.seenTitle")}>
        <p className="flex items-center gap-2 font-medium">
          <Avatar userId={userId} image={picture} size="md" />
          {nickname}
        </p>
        <ul className="grid gap-1.5 text-sm text-soft">
          <li>{t("me.seenName")}</li>
          <li>{t("me.seenSeal")}</li>
        </ul>
      </Panel>
      <Panel title={t("me.unseenTitle")}>
        <p className="text-sm text-soft">{t("me.unseen")}</p>
      </Panel>
    </>
  );
}
