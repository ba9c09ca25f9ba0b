import { chainName, explorerLink, type PublicConfig } from "@/components/proof/config";
import { Page } from "@/components/shell/page";
import { Note } from "@/components/ui/notes";
import { LIMITS } from "@/lib/contract/limits";
import { getWords } from "@/lib/i18n/server";
import type { Words } from "@/lib/i18n/words";
import { config } from "../../_data/reads";
import { Contents, Lead, Named, Part, Points, Text } from "../../_parts/people/article";
import { Facts } from "../../_parts/people/facts";
import { NotProtected } from "../../_parts/people/open";
import { articleHead } from "../../_parts/people/pages";
import { priceOf } from "../../_parts/people/price";
import { Proven } from "../../_parts/people/proven";
import { parties, peopleCircuits, sightsOf } from "../../_parts/people/sights";

export const generateMetadata = articleHead("/how-it-works", "howItWorks.title", "howItWorks.description");

/** What is proven and by whom, what each party sees at each step, and what is not protected. */
export default async function HowItWorks() {
  const [words, settings] = await Promise.all([getWords(), config()]);
  const { t } = words;
  const price = priceOf(words, settings);
  const { verification, sessionUnused, session } = LIMITS.days;
  const parts = [
    { id: "proven", title: t("howItWorks.proven") },
    { id: "makers", title: t("howItWorks.makers") },
    { id: "sees", title: t("howItWorks.sees") },
    { id: "lasts", title: t("howItWorks.lasts") },
    { id: "check", title: t("howItWorks.check") },
    { id: "limits", title: t("open.title") },
  ] as const;
  const [proven, makers, sees, lasts, check, limits] = parts;
  return (
    <Page title={t("howItWorks.title")} back="/" wide>
      <Lead>{t("howItWorks.lead")}</Lead>
      {settings.srs === "development" ? <Note tone="warning">{t("seal.developmentLong")}</Note> : null}
      {/* Not beside the text: the tables take the right column. */}
      <Contents parts={parts} />
      <Part {...proven}>
        <Proven config={settings} />
      </Part>
      <Part {...makers}>
        <Text>{t("howItWorks.makersText")}</Text>
        <Named
          items={[
            { name: t("prover.browser"), about: [t("howItWorks.inBrowser")] },
            { name: t("prover.server"), about: [t("prover.readsToken"), t("prover.readsWallet")] },
            { name: t("prover.own"), about: [t("prover.ownAbout")] },
          ]}
        />
      </Part>
      <Part {...sees}>
        <Text>{t("howItWorks.partiesAbout")}</Text>
        <Text>{t("howItWorks.seesText")}</Text>
        <Sights words={words} kind="email" caption={t("howItWorks.byEmail")} />
        <Text>{t("howItWorks.provider")}</Text>
        <Sights words={words} kind="wallet" caption={t("howItWorks.byWallet")} />
      </Part>
      <Part {...lasts}>
        <Points
          items={[
            ...(price ? [t("howItWorks.lastsPrice", { amount: price })] : []),
            t("howItWorks.lastsFree"),
            t("howItWorks.lastsProof", { days: verification }),
            t("howItWorks.lastsSession", { unused: sessionUnused, most: session }),
            t("howItWorks.lastsMember"),
          ]}
        />
      </Part>
      <Part {...check}>
        <Text>{t("howItWorks.checkText")}</Text>
        <Verifiers words={words} config={settings} />
      </Part>
      <NotProtected id={limits.id} />
    </Page>
  );
}

interface SightsProps {
  readonly words: Words;
  readonly kind: "email" | "wallet";
  readonly caption: string;
}

/** The table of what each party sees at each step. */
function Sights({ words, kind, caption }: SightsProps) {
  const { t } = words;
  return (
    <Facts
      wide
      caption={caption}
      columns={[t("howItWorks.step"), ...parties.map((party) => t(`howItWorks.parties.${party}`))]}
      rows={sightsOf(words, kind).map(({ step, seen }) => ({
        key: step,
        head: t(`howItWorks.steps.${step}`),
        cells: parties.map((party) => (
          <Seen key={party} items={seen(party)} none={t("howItWorks.nothing")} />
        )),
      }))}
    />
  );
}

function Seen({ items, none }: { readonly items: readonly string[]; readonly none: string }) {
  if (items.length === 0) return <span className="text-soft">{none}</span>;
  return (
    <ul>
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}

/** The contracts that check proofs, to be asked by anyone. */
function Verifiers({ words, config: settings }: { readonly words: Words; readonly config: PublicConfig }) {
  const { t } = words;
  const shown = settings.verifiers.filter(({ circuit }) => peopleCircuits.includes(circuit));
  if (shown.length === 0) return null;
  return (
    <>
      <h3 className="font-semibold">{t("howItWorks.checkContracts")}</h3>
      <dl className="grid gap-2">
        {shown.map(({ circuit, chainId, address }) => {
          const link = explorerLink(settings, chainId, "address", address);
          return (
            <div key={circuit}>
              <dt>
                {t(`circuit.${circuit}.name`)} · {chainName(settings, chainId)}
              </dt>
              <dd className="font-mono text-sm text-soft">
                {link ? (
                  <a href={link} className="link tap inline-flex items-center" rel="noreferrer">
                    {address}
                  </a>
                ) : (
                  address
                )}
              </dd>
            </div>
          );
        })}
      </dl>
    </>
  );
}
