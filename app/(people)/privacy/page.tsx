import { askedServices } from "@/components/proof/demand";
import { proverCookie } from "@/components/proof/prover-choice";
import { Page } from "@/components/shell/page";
import { declinedCookie } from "@/lib/client/anonymous/declined";
import { densityCookie, themeCookie } from "@/lib/client/theme";
import { REQUEST_COOKIE, RESUME_COOKIE } from "@/lib/http/oidc/names";
import { getWords } from "@/lib/i18n/server";
import { localeCookie, type Words } from "@/lib/i18n/words";
import { sessionCookieName } from "@/lib/session/cookie";
import { proofRequestCookie } from "@/lib/session/relay/ties";
import { config } from "../../_data/reads";
import { Contents, Lead, Onward, Part, Points, Text } from "../../_parts/people/article";
import { Facts } from "../../_parts/people/facts";
import { days, keptRows } from "../../_parts/people/kept";
import { Operator } from "../../_parts/people/operator";
import { articleHead } from "../../_parts/people/pages";
import { providersOf } from "../../_parts/people/proven";

export const generateMetadata = articleHead("/privacy", "privacy.title", "privacy.description");

/** Every cookie of this site. */
const cookies = [
  { name: sessionCookieName, purpose: "session", lasts: "session" },
  { name: proofRequestCookie, purpose: "request", lasts: "request" },
  { name: REQUEST_COOKIE, purpose: "app", lasts: "hour" },
  { name: RESUME_COOKIE, purpose: "app", lasts: "hour" },
  { name: localeCookie, purpose: "language", lasts: "choice" },
  { name: themeCookie, purpose: "theme", lasts: "choice" },
  { name: densityCookie, purpose: "density", lasts: "choice" },
  { name: proverCookie, purpose: "prover", lasts: "choice" },
  { name: declinedCookie, purpose: "crowd", lasts: "choice" },
] as const;

/** What is kept, for how long and for whom; what stays after leaving, on chains and elsewhere. */
export default async function Privacy() {
  const [words, settings] = await Promise.all([getWords(), config()]);
  const { t } = words;
  const parts = [
    { id: "short", title: t("privacy.short") },
    { id: "kept", title: t("privacy.kept") },
    { id: "made-from", title: t("privacy.token") },
    { id: "operators", title: t("privacy.operators") },
    { id: "leaving", title: t("privacy.leaving") },
    { id: "chain", title: t("privacy.chain") },
    { id: "device", title: t("privacy.device") },
    { id: "others", title: t("privacy.others") },
    { id: "tells", title: t("privacy.tells") },
    { id: "yours", title: t("privacy.yours") },
    { id: "operator", title: t("people.operator") },
  ] as const;
  const [short, kept, token, operators, leaving, chain, device, others, tells, yours, operator] = parts;
  const providers = providersOf(words, settings);
  const services = [
    ...new Set(settings.attesters.map(({ circuit }) => askedServices(words, settings, circuit))),
  ];
  return (
    <Page title={t("privacy.title")} back="/" aside={<Contents parts={parts} />}>
      <Lead>{t("privacy.lead")}</Lead>
      <Part {...short}>
        <Points
          items={[
            t("privacy.shortItems.never"),
            t("privacy.shortItems.proved", { days: days.verification }),
            t("privacy.shortItems.noTracking"),
            t("privacy.shortItems.leave"),
          ]}
        />
      </Part>
      <Part {...kept}>
        <Facts
          caption={kept.title}
          hideCaption
          columns={[t("privacy.what"), t("privacy.howLong"), t("privacy.who")]}
          rows={keptRows(words).map(({ row, what, howLong, who }) => ({
            key: row,
            head: what,
            cells: [howLong, who],
          }))}
        />
      </Part>
      <Part {...token}>
        <Text>{t("prover.readsToken")}</Text>
        <Text>{t("prover.readsWallet")}</Text>
        <Text>{t("privacy.tokenMemory")}</Text>
        <Onward href="/how-it-works#sees">{t("footer.whoSeesWhat")}</Onward>
      </Part>
      <Part {...operators}>
        <Text>{t("privacy.operatorsRole")}</Text>
        <Text>{t("privacy.operatorsHold")}</Text>
        <Text>{t("privacy.operatorsServer", { days: days.verification })}</Text>
      </Part>
      <Part {...leaving}>
        <Text>{t("privacy.leavingGoes")}</Text>
        <Text>{t("privacy.leavingStays")}</Text>
        <Points items={staysOf(words)} />
        <Text>{t("privacy.leavingNew")}</Text>
      </Part>
      <Part {...chain}>
        <Points
          items={[t("privacy.onChain.payments"), t("privacy.onChain.records"), t("privacy.onChain.log")]}
        />
      </Part>
      <Part {...device}>
        <Facts
          caption={device.title}
          hideCaption
          columns={[t("privacy.cookie"), t("privacy.purpose"), t("privacy.howLong")]}
          rows={cookies.map(({ name, purpose, lasts }) => ({
            key: name,
            head: <code className="font-mono text-sm">{name}</code>,
            cells: [t(`privacy.cookies.${purpose}`), t(`privacy.cookieLasts.${lasts}`, days)],
          }))}
        />
        <Text>{t("privacy.deviceText", days)}</Text>
      </Part>
      <Part {...others}>
        <Points
          items={[
            ...(providers ? [t("privacy.parties.provider", { providers })] : []),
            ...services.map((asked) => t("privacy.parties.services", { services: asked })),
            t("privacy.parties.node"),
            t("privacy.parties.settlement"),
            t("privacy.parties.video"),
            t("privacy.parties.preview"),
            t("privacy.parties.push"),
            t("privacy.parties.hosting"),
          ]}
        />
      </Part>
      <Part {...tells}>
        <Text>{t("privacy.tellsText")}</Text>
        <Points items={[t("privacy.tell.payment"), t("privacy.tell.small"), t("privacy.tell.habits")]} />
      </Part>
      <Part {...yours}>
        <Text>{t("privacy.yoursText")}</Text>
        <Onward href="/settings">{t("privacy.toSettings")}</Onward>
      </Part>
      <Part {...operator}>
        <Operator />
      </Part>
    </Page>
  );
}

const stays = [
  "content",
  "names",
  "logs",
  "sanctions",
  "crowds",
  "reports",
  "holds",
  "recorded",
  "payments",
  "backups",
] as const;

/** What remains of a deleted account. */
function staysOf({ t }: Words): readonly string[] {
  return stays.map((what) => t(`privacy.stays.${what}`, days));
}
