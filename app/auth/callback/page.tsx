import { useWords } from "#words";
import { Answer } from "@/components/proof/run/answer";
import { Page } from "@/components/shell/page";
import { Note } from "@/components/ui/notes";
import { pageHead } from "../../_data/head";
import { withWords } from "../../_parts/words";

export const generateMetadata = pageHead((t) => t("signIn.callbackTitle"), { referrer: "no-referrer" });

/** The redirect target of identity providers. The token is in the fragment, which this server never sees. */
function Callback() {
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

export default withWords(["signIn"], Callback);
