import { getWords } from "@/lib/i18n/server";
import { getServices } from "@/lib/runtime/services";
import { Text } from "./article";

/** Who runs this installation, and how people reach them, from OPERATOR_NAME, CONTACT_ADDRESS and APPEAL_ADDRESS. */
export async function Operator() {
  const [{ t }, { config }] = await Promise.all([getWords(), getServices()]);
  const { operator, appealAddress } = config;
  return (
    <>
      <Text>
        {operator.name ? t("people.operatorNamed", { name: operator.name }) : t("people.operatorUnnamed")}
      </Text>
      <dl className="grid gap-1">
        <Reach name={t("people.contact")} address={operator.contact} none={t("people.contactNone")} />
        {appealAddress ? <Reach name={t("people.appeals")} address={appealAddress} /> : null}
      </dl>
    </>
  );
}

interface ReachProps {
  readonly name: string;
  readonly address: string | undefined;
  readonly none?: string;
}

function Reach({ name, address, none }: ReachProps) {
  const link = address && linkTo(address);
  return (
    <div className="flex flex-wrap gap-x-2">
      <dt className="text-soft">{name}</dt>
      <dd>
        {link ? (
          <a href={link} className="link tap inline-flex items-center">
            {address}
          </a>
        ) : (
          (address ?? none)
        )}
      </dd>
    </div>
  );
}

/** Returns the link of a mail address or an https URL; null for any other text. */
function linkTo(address: string): string | null {
  if (/^[^\s@:/?]+@[^\s@:/?]+$/.test(address)) return `mailto:${address}`;
  return address.startsWith("https://") && URL.canParse(address) ? address : null;
}
