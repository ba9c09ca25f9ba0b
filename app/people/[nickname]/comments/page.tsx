import { CommentHit } from "@/components/search/hits";
import { EmptyState, ErrorNote } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";
import { commentsOf } from "../../../_data/people";
import { withWords } from "../../../_parts/words";
import { PersonPage, type PersonPageProps, personMetadata } from "../_parts/person-page";

export const generateMetadata = personMetadata;

export default withWords(["person", "report", "seal"], (props: PersonPageProps) =>
  PersonPage(props, "comments", async (nickname, cursor) => {
    const [{ t }, list] = await Promise.all([getWords(), commentsOf(nickname, cursor)]);
    if (!list.ok) return { shown: <ErrorNote>{list.message}</ErrorNote>, nextCursor: null };
    const { comments, nextCursor } = list.value;
    if (comments.length === 0) {
      const empty = <EmptyState title={t("person.noCommentsTitle")}>{t("person.noComments")}</EmptyState>;
      return { shown: <div className="pt-5">{empty}</div>, nextCursor };
    }
    const shown = (
      <div className="divide-y">
        {comments.map((comment) => (
          <CommentHit key={comment.id} comment={comment} q="" />
        ))}
      </div>
    );
    return { shown, nextCursor };
  }),
);
