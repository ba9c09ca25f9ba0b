"use client";

import { Link2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import type { contract, ResponseBody } from "@/lib/contract";
import { proxied } from "./picture-address";

type Preview = ResponseBody<typeof contract.previews.get>;

/**
 * A link of a post as a card. It has its full size from the start and shows the address, until the preview loads as the
 * card comes near the screen; without a preview it becomes one line. The preview is untrusted: its text renders as plain
 * text, its picture loads through this site, and the host comes from the address.
 */
function LinkPreview({ href }: { readonly href: string }) {
  const root = useRef<HTMLAnchorElement>(null);
  /** Null once there is none. */
  const [preview, setPreview] = useState<Preview | null | undefined>(undefined);
  const [broken, setBroken] = useState(false);
  useEffect(() => {
    const element = root.current;
    if (!element) return;
    let gone = false;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        void read(href).then((found) => {
          if (!gone) setPreview(found);
        });
      },
      { rootMargin: "400px" },
    );
    observer.observe(element);
    return () => {
      gone = true;
      observer.disconnect();
    };
  }, [href]);
  const { host, pathname, search } = new URL(href);
  const image = preview?.image && !broken ? preview.image : null;
  if (preview === null) {
    return (
      <a
        href={href}
        rel="nofollow ugc noopener"
        className="ease flex items-center gap-2 rounded-control border bg-sheet px-3 py-2 text-sm hover:border-line-strong"
      >
        <Link2 className="size-4 shrink-0 text-soft" aria-hidden />
        <span className="truncate text-ink">
          <span className="text-soft">{host}</span>
          {`${pathname}${search}`}
        </span>
      </a>
    );
  }
  return (
    <a
      ref={root}
      href={href}
      rel="nofollow ugc noopener"
      className="ease flex h-32 overflow-hidden rounded-sheet border bg-sheet hover:border-line-strong"
    >
      <span className="flex w-24 shrink-0 items-center justify-center border-e bg-wash text-soft sm:w-36">
        {image ? (
          // biome-ignore lint/performance/noImgElement: next/image writes inline styles, which the CSP refuses
          <img
            src={proxied(image)}
            alt=""
            width={144}
            height={128}
            onError={() => setBroken(true)}
            className="size-full object-cover"
          />
        ) : (
          <Link2 className="size-6" aria-hidden />
        )}
      </span>
      <span className="flex min-w-0 flex-1 flex-col justify-center gap-0.5 px-3 py-2 sm:px-4">
        <span className="truncate text-xs text-soft">{host}</span>
        <span className="line-clamp-2 font-medium text-ink" dir="auto">
          {preview?.title || `${pathname}${search}`}
        </span>
        {preview?.description ? (
          <span className="line-clamp-2 text-sm text-soft" dir="auto">
            {preview.description}
          </span>
        ) : null}
      </span>
    </a>
  );
}

/** Returns what a page says of itself; null for nothing. */
async function read(url: string): Promise<Preview | null> {
  const { api, contract } = await import("@/components/api");
  const found = await api.call(contract.previews.get, { url }).catch(() => null);
  return found && (found.title || found.description || found.image) ? found : null;
}

/** The links of a post as cards. */
export function LinkPreviews({ links }: { readonly links: readonly string[] }) {
  const { t } = useWords();
  if (links.length === 0) return null;
  return (
    <ul aria-label={t("post.links")} className="grid gap-3">
      {links.map((href) => (
        <li key={href}>
          <LinkPreview href={href} />
        </li>
      ))}
    </ul>
  );
}
