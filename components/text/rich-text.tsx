import Link from "next/link";
import type { ReactNode } from "react";
import { personPath } from "@/lib/client/places";
import { type PartOptions, type TextPart, textParts } from "./parts";

export interface RichTextProps extends PartOptions {
  readonly text: string;
}

/** Renders plain text with links for web addresses and mentions; nothing else in it becomes markup. */
export function RichText({ text, names, links }: RichTextProps) {
  let at = 0;
  return textParts(text, { names, links }).map((part) => {
    const key = at;
    at += part.text.length;
    return <Part key={key} part={part} />;
  });
}

function Part({ part }: { readonly part: TextPart }) {
  if (part.kind === "text") return part.text;
  if (part.kind === "mention") {
    return (
      <Link href={personPath(part.nickname)} prefetch={false} className="link font-medium">
        {part.text}
      </Link>
    );
  }
  return <WebLink href={part.href}>{part.text}</WebLink>;
}

interface WebLinkProps {
  readonly href: string;
  readonly children: ReactNode;
}

/** A link that somebody wrote, to another site. */
export function WebLink({ href, children }: WebLinkProps) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow ugc" className="link">
      {children}
    </a>
  );
}
