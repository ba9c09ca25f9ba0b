import Link from "next/link";
import type { Demand } from "@/components/proof/demand";
import { DevLogin } from "@/components/proof/dev-login";
import { ProofFlow } from "@/components/proof/proof-flow";
import { SignInByPhone } from "@/components/relay/hand-over";
import { Page } from "@/components/shell/page";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import { pathHere } from "@/lib/client/places";
import { getWords } from "@/lib/i18n/server";
import { pageHead } from "../_data/head";
import { config, viewer } from "../_data/reads";
import { type SearchParams, single, withQuery } from "../_data/search-params";
import { LearnsBox } from "../_parts/learns-box";
import { proofGroups, withWords } from "../_parts/words";

export const generateMetadata = pageHead((t) => t("nav.signIn"));

/** Sign-in: provider, what the site learns, price and wallet, then the proof itself on the same page. */
async function SignIn({ searchParams }: { readonly searchParams: SearchParams }) {
  const { t } = await getWords();
  const query = await searchParams;
  const next = pathHere(single(query.next)) ?? "/";
  const [settings, who] = await Promise.all([config(), viewer()]);
  const demand: Demand = { kind: "domain", issuers: settings.issuers, domain: null };
  // Some actions require a fresh proof from a member who is already signed in.
  const again = who !== null && single(query.again) === "1";
  const page = withQuery("/sign-in", {
    again: again ? "1" : undefined,
    next: next === "/" ? undefined : next,
  });
  return (
    <Page title={t("signIn.title")} back="/" aside={<LearnsBox demand={demand} />}>
      <p className="max-w-[60ch] text-lg text-soft">
        {again ? t("signIn.again", { name: who.nickname }) : t("signIn.lead")}{" "}
        <Link href="/how-it-works" prefetch={false} className="link">
          {t("footer.whoSeesWhat")}
        </Link>
      </p>
      <ProofFlow
        config={settings}
        purpose={{ kind: "sign-in" }}
        demand={demand}
        beside
        page={page}
        next={next}
        extra={
          <>
            <SignInByPhone next={next} />
            {settings.devLogin ? <DevLogin next={next} /> : null}
          </>
        }
        otherwise={
          who && !again ? (
            <EmptyState
              title={t("signIn.already", { name: who.nickname })}
              action={
                <>
                  <ButtonLink href={next} tone="primary">
                    {t("common.goOn")}
                  </ButtonLink>
                  <ButtonLink href="/profile">{t("nav.profile")}</ButtonLink>
                </>
              }
            />
          ) : undefined
        }
      />
    </Page>
  );
}

export default withWords(proofGroups, SignIn);
