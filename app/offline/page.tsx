import { OfflineLead, SavedList } from "@/components/offline/saved-list";
// Not when it is used, as elsewhere: this page has to have all of its scripts.
import { PendingContent } from "@/components/outbox/pending-content";
import { Page } from "@/components/shell/page";
import { getWords } from "@/lib/i18n/server";
import { pageHead } from "../_data/head";
import { withWords } from "../_parts/words";

export const generateMetadata = pageHead((t) => t("saved.title"));

/** What this device has saved. The service worker also shows it in place of unreachable pages. */
async function Offline() {
  const { t } = await getWords();
  return (
    <Page title={t("saved.title")}>
      <OfflineLead />
      <PendingContent />
      <section aria-labelledby="saved" className="grid gap-3">
        <h2 id="saved" className="font-serif text-xl font-semibold">
          {t("saved.list")}
        </h2>
        <SavedList />
      </section>
    </Page>
  );
}

export default withWords(["saved"], Offline);
