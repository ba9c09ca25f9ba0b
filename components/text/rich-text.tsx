import Link from "next/link";
import { memberPath, type PartOptions, type TextPart, textParts } from "./parts";

export interface RichTextProps extends PartOptions {
  readonly text: string;
  /** Topic of the text; without it, mentions are not links. */
  readonly topicId?: string;
}

/** Renders plain text with links for web addresses and mentions; nothing else in it becomes markup. */
export function RichText({ text, names, topicId, links }: RichTextProps) {
  let at = 0;
  return textParts(text, { names: topicId ? names : [], links }).map((part) => {
    const key = at;
    at += part.text.length;
    return <Part key={key} part={part} topicId={topicId ?? ""} />;
  });
}

function Part({ part, topicId }: { readonly part: TextPart; readonly topicId: string }) {
  if (part.kind === "text") return part.text;
  if (part.kind === "mention") {
    return (
      <Link href={memberPath(topicId, part.nickname)} prefetch={false} className="link font-medium">
        {part.text}
      </Link>
    );
  }
  return (
    <a href={part.href} target="_blank" rel="noopener noreferrer nofollow ugc" className="link">
      {part.text}
    </a>
  );
}
