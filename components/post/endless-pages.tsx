"use client";

import { type MouseEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { useWords } from "#words";
import { type Client, callApi } from "@/components/call-api";
import { reader } from "@/components/offline/state";
import { ButtonLink } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import type { Post } from "@/lib/contract";
import { keptPages } from "./kept-pages";
import { PostList } from "./post-list";
import type { NextPages, PostSource } from "./post-source";

/** Pages that load without a click, so that the end of the page can be reached. */
const AUTOMATIC = 4;
/** How far below the window the next page is asked for. */
const AHEAD = "800px";

/** The upper half of the window. */
const HALF = { rootMargin: "0px 0px -50% 0px" };

function addressOf(path: string, cursor: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(cursor)}`;
}

/** Whether the list shows a post already: while it was read, others may have moved it to the next page. */
const isShown = ({ id }: Post) =>
  document.querySelector(`main article a.stretched[href="/posts/${id}"]`) !== null;

/** The pages of a list after the first. */
export function EndlessPages({ source, path, current, next: first }: NextPages) {
  const words = useWords();
  const { t } = words;
  const key = `${current} ${first}`;
  const [pages, setPages] = useState(() => keptPages(reader()).of(key));
  const [busy, setBusy] = useState(false);
  const [added, setAdded] = useState(0);
  const end = useRef<HTMLDivElement>(null);
  const wasAsked = useRef(false);
  const last = pages.at(-1);
  const next = last ? last.next : first;

  const load = async (): Promise<void> => {
    if (busy || next === null) return;
    setBusy(true);
    const answer = await callApi(words, ({ api, contract }) => read(source, next, api, contract));
    setBusy(false);
    if (!answer.ok) return toast({ tone: "wrong", text: answer.sentence });
    const posts = answer.value.posts.filter((post) => !isShown(post));
    const all = [...pages, { cursor: next, posts, next: answer.value.nextCursor }];
    setPages(all);
    setAdded(posts.length);
    keptPages(reader()).keep(key, all);
  };

  // Who asked for a page goes on at its beginning.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when a page was added
  useEffect(() => {
    if (!wasAsked.current) return;
    wasAsked.current = false;
    const page = [...document.querySelectorAll("[data-page]")].at(-1);
    page?.querySelector<HTMLElement>("a.stretched")?.focus();
  }, [pages.length]);
  const near = useEffectEvent(() => {
    // Who goes through the list by keyboard wants to get past it, too.
    const isByKey = document.querySelector("main article :focus-visible") !== null;
    if (pages.length < AUTOMATIC && navigator.onLine && !isByKey) void load();
  });
  // Observed anew after each page: one that is short leaves the end in sight, of which the observer says nothing.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (!end.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && near(), {
      rootMargin: AHEAD,
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [pages.length]);

  const onMore = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    wasAsked.current = true;
    void load();
  };
  return (
    <>
      {pages.map(({ cursor, posts }, place) => (
        <OnePage
          key={cursor}
          address={addressOf(path, cursor)}
          before={place === 0 ? current : addressOf(path, pages[place - 1]?.cursor ?? "")}
          posts={posts}
          showTopic={source.of === "feed"}
        />
      ))}
      <p role="status" className="sr-only">
        {added > 0 ? t("common.addedPosts", { n: added }) : null}
      </p>
      <div ref={end} data-endless className="flex justify-center gap-2 pt-2">
        {current === path ? null : (
          <ButtonLink href={path} tone="quiet">
            {t("common.firstPage")}
          </ButtonLink>
        )}
        {next === null ? null : (
          <ButtonLink href={addressOf(path, next)} aria-busy={busy || undefined} onClick={onMore}>
            {busy ? t("common.loading") : t("common.more")}
          </ButtonLink>
        )}
      </div>
    </>
  );
}

async function read(source: PostSource, cursor: string, api: Client["api"], contract: Client["contract"]) {
  return source.of === "feed"
    ? await api.call(contract.feed.list, { ...source.query, cursor })
    : await api.call(contract.posts.list, { ...source.query, cursor });
}

interface OnePageProps {
  readonly address: string;
  /** Address of the page above. */
  readonly before: string;
  readonly posts: readonly Post[];
  readonly showTopic: boolean;
}

/** A further page. The window has its address from when its beginning is scrolled past the middle, and until it is again. */
function OnePage({ address, before, posts, showTopic }: OnePageProps) {
  const start = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!start.current) return;
    let isPast = false;
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry) return;
      const now = entry.boundingClientRect.top < window.innerHeight / 2;
      if (now !== isPast) window.history.replaceState(null, "", now ? address : before);
      isPast = now;
    }, HALF);
    observer.observe(start.current);
    return () => observer.disconnect();
  }, [address, before]);
  return (
    <div data-page className="border-t">
      <div ref={start} />
      <PostList posts={posts} showTopic={showTopic} />
    </div>
  );
}
