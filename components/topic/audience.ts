import type { Topic } from "@/lib/contract";
import { listed } from "@/lib/i18n/time";
import type { Words } from "@/lib/i18n/words";
import type { Openness } from "./openness";

interface Author {
  readonly nickname: string;
  /** Those that they show beside their name. */
  readonly domains: readonly string[];
}

/** Says who will read what someone writes in a topic. */
export function readersOf(words: Words, { title, visibility }: Pick<Topic, "title" | "visibility">): string {
  return visibility === "public"
    ? words.t("audience.everyone")
    : words.t("audience.members", { topic: title });
}

/** Says who will read what someone writes in a topic, and under which name. */
export function audienceOf(
  words: Words,
  topic: Pick<Topic, "title" | "visibility">,
  { nickname, domains }: Author,
): string {
  const name =
    domains.length === 0
      ? words.t("audience.name", { name: nickname })
      : words.t("audience.nameWith", {
          name: nickname,
          domains: listed(
            words,
            domains.map((domain) => `@${domain}`),
          ),
        });
  return `${readersOf(words, topic)} ${name}`;
}

/** Says who finds, reads and joins a topic. @param isGated whether joining takes a proof */
export function opennessHint(words: Words, openness: Openness, isGated: boolean): string {
  const gated = {
    public: "publicGated",
    members: "membersGated",
    private: "private",
    secret: "secret",
  } as const;
  return words.t(`topic.visibilityHints.${isGated ? gated[openness] : openness}`);
}
