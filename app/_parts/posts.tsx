import type { ReactNode } from "react";
import { PostList } from "@/components/post/post-list";
import { ErrorNote } from "@/components/ui/notes";
import type { Post } from "@/lib/contract";
import type { Read } from "../_data/result";

export interface PostsProps {
  readonly list: Read<{ readonly posts: readonly Post[] }>;
  readonly empty: ReactNode;
}

/** A list of posts, its empty state, or the reason why it could not be read. */
export function Posts({ list, empty }: PostsProps) {
  if (list.ok && list.value.posts.length > 0) return <PostList posts={list.value.posts} />;
  return <div className="pt-5">{list.ok ? empty : <ErrorNote>{list.message}</ErrorNote>}</div>;
}
