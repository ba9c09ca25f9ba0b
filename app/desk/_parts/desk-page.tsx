import Link from "next/link";
import type { ReactNode } from "react";
import { useWords } from "#words";
import { Page } from "@/components/shell/page";
import { Panel } from "@/components/shell/panel";
import { KeysPanel } from "@/components/staff/queue/key-list";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import { Tabs } from "@/components/ui/tabs";
import { getWords } from "@/lib/i18n/server";
import { type DeskViewer, deskViewer } from "../../_data/desk";

type DeskPart = "queue" | "accounts" | "operators" | "holds";

const paths: Readonly<Record<DeskPart, string>> = {
  queue: "/desk",
  accounts: "/desk/accounts",
  operators: "/desk/operators",
  holds: "/desk/holds",
};
const PARTS: readonly DeskPart[] = ["queue", "accounts", "operators", "holds"];

/** Makes a page of the desk, which only operators and reviewers may see. */
export function deskPage<P extends object>(
  part: DeskPart,
  Part: (props: P & { readonly viewer: DeskViewer }) => ReactNode | Promise<ReactNode>,
) {
  return async (props: P) => {
    const { t } = await getWords();
    const viewer = await deskViewer();
    return (
      <Page
        title={t("desk.title")}
        back={part === "queue" ? "/profile" : "/desk"}
        aside={viewer ? part === "queue" ? <KeysPanel source="desk" /> : <LogPanel /> : null}
      >
        {viewer ? (
          <>
            <Tabs
              label={t("desk.parts")}
              tabs={[
                ...PARTS.filter((one) => one !== "holds" || viewer.role === "operator").map((one) => ({
                  href: paths[one],
                  label: t(`desk.${one}`),
                  current: one === part,
                })),
                { href: "/log", label: t("desk.log"), current: false },
              ]}
            />
            <Part {...props} viewer={viewer} />
          </>
        ) : (
          <EmptyState
            title={t("desk.closedTitle")}
            action={<ButtonLink href="/log">{t("desk.readLog")}</ButtonLink>}
          >
            {t("desk.closed")}
          </EmptyState>
        )}
      </Page>
    );
  };
}

/** That everything done here is in the log. */
function LogPanel() {
  const { t } = useWords();
  return (
    <Panel title={t("desk.logTitle")}>
      <p className="text-sm text-soft">{t("desk.logText")}</p>
      <p>
        <Link href="/log" prefetch={false} className="link tap inline-flex items-center text-sm">
          {t("desk.readLog")}
        </Link>
      </p>
    </Panel>
  );
}
