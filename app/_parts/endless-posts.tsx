import { Endless } from "@/components/post/endless";
import type { PostSource } from "@/components/post/post-source";
import { More, type MoreProps } from "@/components/shell/more";

export interface EndlessPostsProps extends MoreProps {
  readonly source: PostSource;
}

/** The rest of a list of posts: links to its pages, which a script replaces by the pages themselves. */
export function EndlessPosts({ source, href, cursor, next }: EndlessPostsProps) {
  const links = <More href={href} cursor={cursor} next={next} />;
  if (next === null) return links;
  return (
    <Endless source={source} path={href()} current={href(cursor ?? undefined)} next={next}>
      {links}
    </Endless>
  );
}
