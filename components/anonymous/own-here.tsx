import Link from "next/link";
import { useEffect, useState } from "react";
import { useWords } from "#words";
import { reader } from "@/components/offline/state";
import { Button } from "@/components/ui/button";
import { pseudonymHere, rememberThread } from "@/lib/client/anonymous/own";
import { watchAnonymous } from "@/lib/client/anonymous/store";
import { commentPlace } from "@/lib/client/places";
import { DeleteOwnDialog } from "./delete-own-dialog";

/** A text without a name on the page: the post, or a comment on it. */
export interface NamelessText {
  readonly commentId: string | null;
  readonly pseudonym: string;
  /** The title, or what the comment says. */
  readonly text: string;
}

export interface OwnHereProps {
  readonly topicId: string;
  readonly postId: string;
  /** All comments that the thread has, on this page or not. */
  readonly commentCount: number;
  readonly texts: readonly NamelessText[];
}

const EXCERPT = 80;

/** What the reader wrote in a thread without a name, which only this device knows, and a way to delete it. */
export function OwnHere({ topicId, postId, commentCount, texts }: OwnHereProps) {
  const { t } = useWords();
  const own = useOwn({ topicId, postId, commentCount, texts });
  const [asked, setAsked] = useState<NamelessText | null>(null);
  if (own.length === 0) return null;
  return (
    <section aria-label={t("anonymous.own.title")} className="grid gap-2 text-sm">
      <p className="text-soft">{t("anonymous.own.lead")}</p>
      <ul className="grid gap-1">
        {own.map((text) => (
          <li key={text.commentId ?? "post"} className="flex flex-wrap items-center gap-x-3">
            <Link
              href={text.commentId ? commentPlace(postId, text.commentId) : `/posts/${postId}`}
              prefetch={false}
              dir="auto"
              className="link min-w-0 truncate"
            >
              {excerptOf(text)}
            </Link>
            <Button size="sm" tone="quiet" onClick={() => setAsked(text)}>
              {t("anonymous.own.delete")}
            </Button>
          </li>
        ))}
      </ul>
      {asked ? (
        <DeleteOwnDialog
          act={{
            ...{ kind: "deletion", topicId, postId },
            ...{ commentId: asked.commentId, text: excerptOf(asked) },
          }}
          onClose={() => setAsked(null)}
        />
      ) : null}
    </section>
  );
}

function excerptOf({ text }: NamelessText): string {
  const characters = [...text];
  return characters.length > EXCERPT ? `${characters.slice(0, EXCERPT).join("")}…` : text;
}

function useOwn({ topicId, postId, commentCount, texts }: OwnHereProps): readonly NamelessText[] {
  const [pseudonym, setPseudonym] = useState<string | null>(null);
  useEffect(() => {
    let gone = false;
    const userId = reader();
    if (!userId) return;
    const look = () =>
      void pseudonymHere(userId, { topicId, postId }).then(
        (found) => {
          if (!gone) setPseudonym(found);
        },
        () => undefined,
      );
    look();
    const unwatch = watchAnonymous(look);
    return () => {
      gone = true;
      unwatch();
    };
  }, [topicId, postId]);
  const own = texts.filter((text) => text.pseudonym === pseudonym);
  const isOwn = own.length > 0;
  useEffect(() => {
    const userId = reader();
    if (userId && isOwn)
      rememberThread(userId, { topicId, postId, seen: commentCount }).catch(() => undefined);
  }, [isOwn, topicId, postId, commentCount]);
  return own;
}
