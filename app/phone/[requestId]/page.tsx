import type { ReactNode } from "react";
import { useWords } from "#words";
import { demandOfRequest } from "@/components/relay/demand";
import { PhoneFlow } from "@/components/relay/phone-flow";
import { Page } from "@/components/shell/page";
import { EmptyState, Note } from "@/components/ui/notes";
import { TimeAgo } from "@/components/ui/time-ago";
import { getWords } from "@/lib/i18n/server";
import { pageHead } from "../../_data/head";
import { config, proofRequest } from "../../_data/reads";
import { LearnsBox } from "../../_parts/learns-box";
import { proofGroups, withWords } from "../../_parts/words";

// The address is enough to answer the request, so other sites must not see it.
export const generateMetadata = pageHead((t) => t("relay.phoneTitle"), { referrer: "same-origin" });

/** The deep link of a proof request: who asks, what they learn, the code to compare, and the proof itself. */
async function Phone({ params }: { readonly params: Promise<{ readonly requestId: string }> }) {
  const { t } = await getWords();
  const { requestId } = await params;
  const [settings, found] = await Promise.all([config(), proofRequest(requestId)]);
  if (!found.ok) {
    return (
      <Frame>
        <EmptyState title={t("relay.gone")}>{t("relay.goneText")}</EmptyState>
      </Frame>
    );
  }
  const request = found.value;
  const { status, requester, purpose } = request;
  if (status !== "pending") {
    return (
      <Frame>
        <EmptyState title={t("relay.done")}>
          {status === "completed" ? t("relay.doneText") : t("relay.refused")}
        </EmptyState>
      </Frame>
    );
  }
  const demand = demandOfRequest(request, settings);
  const asks =
    purpose === "proof" && requester.nickname !== null
      ? t("relay.asksProof", { who: requester.nickname, client: requester.client })
      : t("relay.asksSignIn", { client: requester.client });
  return (
    <Frame aside={demand ? <LearnsBox demand={demand} /> : null}>
      <p className="text-lg">
        {asks}{" "}
        <span className="text-soft">
          {t("relay.asked")} <TimeAgo at={Date.parse(requester.createdAt)} />
        </span>
      </p>
      {demand ? (
        <PhoneFlow
          config={settings}
          demand={demand}
          requestId={requestId}
          code={request.code}
          signsIn={purpose === "sign_in"}
        />
      ) : (
        <Note tone="warning" title={t("relay.impossible")} />
      )}
      <noscript>
        <Note tone="warning">{t("common.needsScript")}</Note>
      </noscript>
    </Frame>
  );
}

export default withWords(proofGroups, Phone);

function Frame({ children, aside }: { readonly children: ReactNode; readonly aside?: ReactNode }) {
  const { t } = useWords();
  return (
    <Page title={t("relay.phoneTitle")} back="/" aside={aside}>
      {children}
    </Page>
  );
}
