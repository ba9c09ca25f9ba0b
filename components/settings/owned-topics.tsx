import Link from "next/link";
import { useWords } from "#words";
import { Note } from "@/components/ui/notes";

export interface OwnedTopic {
  readonly id: string;
  readonly title: string;
}

/** Topics that need another owner before theirs may go. */
export function OwnedTopics({ topics }: { readonly topics: readonly OwnedTopic[] }) {
  const { t } = useWords();
  return (
    <Note tone="warning" title={t("settings.ownsTitle")}>
      <p>{t("settings.owns")}</p>
      <ul className="mt-2 grid gap-1">
        {topics.map((topic) => (
          <li key={topic.id}>
            <Link
              href={`/topics/${topic.id}/members`}
              className="link tap inline-flex items-center"
              dir="auto"
            >
              {topic.title}
            </Link>
          </li>
        ))}
      </ul>
    </Note>
  );
}
