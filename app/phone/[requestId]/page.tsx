import type { Metadata } from "next";
import type { ReactNode } from "react";
import { Learns } from "@/components/proof/learns";
import { demandOfRequest } from "@/components/relay/demand";
import { PhoneFlow } from "@/components/relay/phone-flow";
import { Page } from "@/components/shell/page";
import { EmptyState, Note } from "@/components/ui/notes";
import { TimeAgo } from "@/components/ui/time-ago";
import * as en from "@/lib/i18n/en";
import { config, proofRequest } from "../../_data/reads";

export const metadata: Metadata = {
  title: en.relay.phoneTitle,
  robots: { index: false },
  // The address is enough to answer the request.
  referrer: "same-origin",
};

interface PhoneProps {
  readonly params: Promise<{ readonly requestId: string }>;
}

/** The deep link of a proof request: who asks, what will be learnt, the code to compare, then the proof itself. */
export default async function Phone({ params }: PhoneProps) {
  const { requestId } = await params;
  const [settings, found] = await Promise.all([config(), proofRequest(requestId)]);
  if (!found.ok) {
    return (
      <Frame>
        <EmptyState title={en.relay.gone}>{en.relay.goneText}</EmptyState>
      </Frame>
    );
  }
  const request = found.value;
  const { status, requester, purpose } = request;
  if (status !== "pending") {
    return (
      <Frame>
        <EmptyState title={en.relay.done}>
          {status === "completed" ? en.relay.doneText : en.relay.refused}
        </EmptyState>
      </Frame>
    );
  }
  const demand = demandOfRequest(request, settings);
  const asks =
    purpose === "proof" && requester.nickname !== null
      ? en.relay.asksProof(requester.nickname, requester.client)
      : en.relay.asksSignIn(requester.client);
  return (
    <Frame
      aside={
        demand ? (
          <div className="rounded-sheet border bg-sheet p-4">
            <Learns demand={demand} narrow />
          </div>
        ) : null
      }
    >
      <p className="text-lg">
        {asks}{" "}
        <span className="text-soft">
          {en.relay.asked} <TimeAgo at={Date.parse(requester.createdAt)} />
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
        <Note tone="warning" title={en.relay.impossible} />
      )}
      <noscript>
        <Note tone="warning">{en.common.needsScript}</Note>
      </noscript>
    </Frame>
  );
}

function Frame({ children, aside }: { readonly children: ReactNode; readonly aside?: ReactNode }) {
  return (
    <Page title={en.relay.phoneTitle} back="/" aside={aside}>
      {children}
    </Page>
  );
}
