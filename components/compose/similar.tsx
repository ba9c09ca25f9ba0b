"use client";

import { useWords } from "#words";
import { Title } from "@/components/text/title";
import { LIMITS } from "@/lib/contract/limits";
import { useLookup } from "./use-lookup";

/** A title of fewer characters says too little. */
const SHORTEST = 8;
const SHOWN = 3;
const PAUSE_MS = 500;

interface SimilarOne {
  readonly id: string;
  readonly title: string;
  readonly href: string;
}

export interface SimilarProps {
  readonly title: string;
  /** The topic whose posts may be similar; without it, topics. */
  readonly topicId?: string;
}

/** What resembles the title being written, so that nobody starts what is there already. */
export function Similar({ title, topicId }: SimilarProps) {
  const { t } = useWords();
  const wanted = title.trim().slice(0, LIMITS.search);
  const find = async (q: string, signal: AbortSignal): Promise<readonly SimilarOne[]> => {
    const { api, contract } = await import("@/components/api");
    const type = topicId ? "posts" : "topics";
    const query = { q, type, topicId, match: "any", limit: SHOWN } as const;
    const { posts, topics } = await api.call(contract.search.all, query, { signal });
    return [
      ...posts.map((post) => ({ id: post.id, title: post.title, href: `/posts/${post.id}` })),
      ...topics.map((topic) => ({ id: topic.id, title: topic.title, href: `/topics/${topic.id}` })),
    ];
  };
  const found = useLookup(wanted.length >= SHORTEST ? wanted : null, find, PAUSE_MS);
  const heading = t(topicId ? "similar.posts" : "similar.topics");
  return (
    <>
      <p role="status" className="sr-only">
        {found.length > 0 ? heading : null}
      </p>
      {found.length > 0 ? (
        <section aria-label={heading} className="grid gap-1 rounded-control bg-wash px-3 py-2 text-sm">
          <p className="text-soft" aria-hidden="true">
            {heading}
          </p>
          <ul>
            {found.map((one) => (
              <li key={one.id}>
                {/* What is being written stays as it is. */}
                <a
                  href={one.href}
                  target="_blank"
                  rel="noopener"
                  className="link tap inline-flex items-center"
                  dir="auto"
                >
                  <Title of={one.title} />
                </a>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </>
  );
}
