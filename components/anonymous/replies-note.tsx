import Link from "next/link";
import { useEffect, useState } from "react";
import { useWords } from "#words";
import { reader } from "@/components/offline/state";
import { Note } from "@/components/ui/notes";
import { newInThreads } from "@/lib/client/anonymous/own";

export interface RepliesNoteProps {
  /** The posts that the page lists. */
  readonly posts: readonly { readonly id: string; readonly title: string; readonly commentCount: number }[];
}

/** Says where comments came under what the reader wrote without a name, from what the page lists anyway. */
export function RepliesNote({ posts }: RepliesNoteProps) {
  const { t } = useWords();
  const [fresh, setFresh] = useState<Awaited<ReturnType<typeof newInThreads>>>([]);
  useEffect(() => {
    let gone = false;
    const userId = reader();
    if (!userId) return;
    void newInThreads(userId, posts).then(
      (found) => {
        if (!gone) setFresh(found);
      },
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [posts]);
  if (fresh.length === 0) return null;
  return (
    <div className="my-3">
      <Note title={t("anonymous.replies.title")}>
        <ul className="grid gap-1">
          {fresh.map(({ id, count }) => (
            <li key={id}>
              <Link href={`/posts/${id}`} prefetch={false} dir="auto" className="link">
                {posts.find((post) => post.id === id)?.title}
              </Link>{" "}
              {t("anonymous.replies.new", { n: count })}
            </li>
          ))}
        </ul>
      </Note>
    </div>
  );
}
