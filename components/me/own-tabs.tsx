import { useWords } from "#words";
import { Tabs } from "@/components/ui/tabs";

/** Where each of a member's lists of posts is. */
export const ownPaths = {
  posts: "/my/posts",
  bookmarks: "/bookmarks",
  likes: "/likes",
  records: "/profile/records",
} as const;
export type OwnPath = keyof typeof ownPaths;

const order = ["posts", "bookmarks", "likes", "records"] as const satisfies readonly OwnPath[];

/** From one of a member's lists of posts to the others. */
export function OwnTabs({ current }: { readonly current: OwnPath }) {
  const { t } = useWords();
  return (
    <Tabs
      label={t("me.tabs")}
      tabs={order.map((one) => ({
        href: ownPaths[one],
        label: t(`me.lists.${one}`),
        current: one === current,
      }))}
    />
  );
}
