import type { Metadata } from "next";
import { useWords } from "#words";
import { Answer } from "@/components/proof/run/answer";
import { Page } from "@/components/shell/page";
import { Note } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";

export async function generateMetadata(): Promise<Metadata> {
  const { t } = await getWords();
  return {
    title: t("signIn.callbackTitle"),
    robots: { index: false },
    referrer: "no-referrer",
  };
}

/** Where the identity provider sends people back. The token is in the fragment, which this server never sees. */
export default function Callback() {
  const { t } = useWords();
  return (
    <Page title={t("signIn.callbackTitle")} back="/sign-in">
      <Answer />
      <noscript>
        <Note tone="warning">{t("common.needsScript")}</Note>
      </noscript>
    </Page>
  );
}
