import { Page } from "@/components/shell/page";
import { Note } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";
import { config } from "../../_data/reads";
import { Contents, Lead, Named, Onward, Part, Text } from "../../_parts/people/article";
import { NotProtected } from "../../_parts/people/open";
import { Operator } from "../../_parts/people/operator";
import { articleHead } from "../../_parts/people/pages";
import { priceOf } from "../../_parts/people/price";
import { peopleCircuits } from "../../_parts/people/sights";

export const generateMetadata = articleHead("/about", "aboutSite.title", "aboutSite.description");

/** What this site is, who decides here and who runs it. */
export default async function About() {
  const [words, settings] = await Promise.all([getWords(), config()]);
  const { t } = words;
  const price = priceOf(words, settings);
  const parts = [
    { id: "what", title: t("aboutSite.what") },
    { id: "proven", title: t("aboutSite.proven") },
    { id: "written", title: t("aboutSite.written") },
    { id: "decides", title: t("aboutSite.decides") },
    { id: "costs", title: t("aboutSite.costs") },
    { id: "limits", title: t("open.title") },
    { id: "operator", title: t("people.operator") },
  ] as const;
  const [what, proven, written, decides, costs, limits, operator] = parts;
  return (
    <Page title={t("aboutSite.title")} back="/" aside={<Contents parts={parts} />}>
      <Lead>{t("aboutSite.lead")}</Lead>
      {settings.srs === "development" ? (
        <Note tone="warning" title={t("aboutSite.development")}>
          {t("seal.developmentLong")}
        </Note>
      ) : null}
      <Part {...what}>
        <Text>{t("aboutSite.whatText")}</Text>
        <Text>{t("aboutSite.whatSeal")}</Text>
      </Part>
      <Part {...proven}>
        <Named
          items={peopleCircuits.map((id) => ({
            name: t(`circuit.${id}.name`),
            about: [t(`circuit.${id}.about`)],
          }))}
        />
        <Onward href="/how-it-works">{t("aboutSite.provenMore")}</Onward>
      </Part>
      <Part {...written}>
        <Text>{t("aboutSite.writtenText")}</Text>
        <Text>{t("aboutSite.writtenRecord")}</Text>
      </Part>
      <Part {...decides}>
        <Text>{t("aboutSite.decidesStaff")}</Text>
        <Text>{t("aboutSite.decidesOperators")}</Text>
        <Text>{t("aboutSite.decidesYou")}</Text>
      </Part>
      <Part {...costs}>
        <Text>
          {t("aboutSite.costsFree")} {price ? t("aboutSite.costsProof", { amount: price }) : null}
        </Text>
      </Part>
      <NotProtected id={limits.id} />
      <Part {...operator}>
        <Operator />
      </Part>
    </Page>
  );
}
