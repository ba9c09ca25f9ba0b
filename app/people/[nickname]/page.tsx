import { EmptyState } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";
import { postsOf } from "../../_data/people";
import { Posts } from "../../_parts/posts";
import { withWords } from "../../_parts/words";
import { PersonPage, type PersonPageProps, personMetadata } from "./_parts/person-page";

export const generateMetadata = personMetadata;

export default withWords(["person", "report", "seal"], (props: PersonPageProps) =>
  PersonPage(props, "posts", async (nickname, cursor) => {
    const [{ t }, list] = await Promise.all([getWords(), postsOf(nickname, cursor)]);
    const empty = <EmptyState title={t("person.noPostsTitle")}>{t("person.noPosts")}</EmptyState>;
    return { shown: <Posts list={list} empty={empty} />, nextCursor: list.ok ? list.value.nextCursor : null };
  }),
);
