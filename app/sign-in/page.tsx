import Link from "next/link";
import { useWords } from "#words";
import { type Demand, demandOf } from "@/components/proof/demand";
import { DevLogin } from "@/components/proof/dev-login";
import { type GateTerms, gateSentence } from "@/components/proof/gate-words";
import { ProofFlow } from "@/components/proof/proof-flow";
import { SignInByPhone } from "@/components/relay/hand-over";
import { Page } from "@/components/shell/page";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState, Note } from "@/components/ui/notes";
import { pathHere } from "@/lib/client/places";
import { getWords } from "@/lib/i18n/server";
import { pageHead } from "../_data/head";
import { config, invite as readInvite, topic as readTopic, viewer } from "../_data/reads";
import { isId, type SearchParams, single, withQuery } from "../_data/search-params";
import { LearnsBox } from "../_parts/learns-box";
import { proofGroups, withWords } from "../_parts/words";

export const generateMetadata = pageHead((t) => t("nav.signIn"));

/** Sign-in: provider, what the site learns, price and wallet, then the proof itself on the same page. */
async function SignIn({ searchParams }: { readonly searchParams: SearchParams }) {
  const { t } = await getWords();
  const query = await searchParams;
  const next = pathHere(single(query.next)) ?? "/";
  const [settings, who] = await Promise.all([config(), viewer()]);
  const goal = await topicBehind(next);
  const asked = goal && demandOf(goal, settings);
  const demand: Extract<Demand, { kind: "domain" }> =
    asked?.kind === "domain" ? asked : { kind: "domain", issuers: settings.issuers, domain: null };
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
      {goal && !again ? <Goal topic={goal} domain={demand.domain} /> : null}
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

/** Returns the topic that someone who signs in wants to join; null for another page, or where they may not see it. */
async function topicBehind(next: string) {
  const [, code] = /^\/invite\/([^/]+)$/.exec(next) ?? [];
  if (code) {
    const invited = await readInvite(code);
    return invited.ok ? invited.value.topic : null;
  }
  const [, id] = /^\/topics\/([^/]+)\/join$/.exec(next) ?? [];
  if (!id || !isId(id)) return null;
  const found = await readTopic(id);
  return found.ok ? found.value.topic : null;
}

interface GoalProps {
  readonly topic: GateTerms & { readonly title: string };
  /** The domain to prove; null where the gate asks for something else. */
  readonly domain: string | null;
}

/** Says what signing in does for the topic that someone wants to join. */
function Goal({ topic, domain }: GoalProps) {
  const words = useWords();
  const { title } = topic;
  if (domain) return <Note>{words.t("signIn.toJoin", { topic: title, domain })}</Note>;
  if (topic.proofType === "none") return <Note>{words.t("signIn.toJoinOpen", { topic: title })}</Note>;
  return <Note>{words.t("signIn.toJoinThen", { topic: title, gate: gateSentence(words, topic) })}</Note>;
}
