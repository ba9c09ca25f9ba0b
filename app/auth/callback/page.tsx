import type { Metadata } from "next";
import { Answer } from "@/components/proof/run/answer";
import { Page } from "@/components/shell/page";
import { Note } from "@/components/ui/notes";
import * as en from "@/lib/i18n/en";

export const metadata: Metadata = {
  title: en.signIn.callbackTitle,
  robots: { index: false },
  referrer: "no-referrer",
};

/** Where the identity provider sends people back. The token is in the fragment, which this server never sees. */
export default function Callback() {
  return (
    <Page title={en.signIn.callbackTitle} back="/sign-in">
      <Answer />
      <noscript>
        <Note tone="warning">{en.common.needsScript}</Note>
      </noscript>
    </Page>
  );
}
