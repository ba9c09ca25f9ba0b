import type { Metadata } from "next";
import { AlertList } from "@/components/alerts/alert-list";
import { PushPart } from "@/components/push/push-part";
import { Page } from "@/components/shell/page";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import * as en from "@/lib/i18n/en";
import { alerts } from "../_data/alerts";

export const metadata: Metadata = { title: en.alerts.title };

/** What happened to things of mine. */
export default async function Alerts() {
  const first = await alerts();
  return (
    <Page title={en.alerts.title}>
      {first ? (
        <>
          <AlertList first={first} />
          <PushPart />
        </>
      ) : (
        <EmptyState
          title={en.alerts.guestTitle}
          action={
            <ButtonLink href="/sign-in?next=/alerts" tone="primary">
              {en.signIn.title}
            </ButtonLink>
          }
        >
          {en.alerts.guest}
        </EmptyState>
      )}
    </Page>
  );
}
