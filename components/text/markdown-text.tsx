import { Fragment, type ReactNode } from "react";
import { type Block, type Inline, parseMarkdown } from "./markdown";
import { RichText, WebLink } from "./rich-text";

export interface MarkdownTextProps {
  readonly text: string;
  /** Current nicknames of the members that the text mentions. */
  readonly names: readonly string[];
}

/** A comment's text with the Markdown it knows, and links to mentioned members. */
export function MarkdownText({ text, names }: MarkdownTextProps) {
  return <div className="prose-comment">{blocks(parseMarkdown(text), names)}</div>;
}

// Parts of one text have no identity but their place.
const keyed = <T,>(parts: readonly T[], show: (part: T) => ReactNode) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: see above
  parts.map((part, place) => <Fragment key={place}>{show(part)}</Fragment>);

const blocks = (parts: readonly Block[], names: readonly string[]) =>
  keyed(parts, (part) => block(part, names));

function block(part: Block, names: readonly string[]): ReactNode {
  switch (part.kind) {
    case "paragraph":
      return <p dir="auto">{inlines(part.of, names)}</p>;
    case "typed":
      return (
        <p dir="auto" className="whitespace-pre-wrap">
          <RichText text={part.text} names={names} links />
        </p>
      );
    case "code":
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, also by keyboard
        <pre tabIndex={0}>
          <code>{part.text}</code>
        </pre>
      );
    case "quote":
      return <blockquote dir="auto">{blocks(part.of, names)}</blockquote>;
    case "list": {
      const items = keyed(part.items, (item) => <li dir="auto">{blocks(item, names)}</li>);
      return part.start === null ? <ul>{items}</ul> : <ol start={part.start}>{items}</ol>;
    }
  }
}

const inlines = (parts: readonly Inline[], names: readonly string[]) =>
  keyed(parts, (part) => inline(part, names));

function inline(part: Inline, names: readonly string[]): ReactNode {
  switch (part.kind) {
    case "text":
      return <RichText text={part.text} names={names} />;
    case "code":
      return <code>{part.text}</code>;
    case "break":
      return <br />;
    case "strong":
      return <strong>{inlines(part.of, names)}</strong>;
    case "em":
      return <em>{inlines(part.of, names)}</em>;
    case "del":
      return <del>{inlines(part.of, names)}</del>;
    case "link":
      // A link in a link is none.
      return <WebLink href={part.href}>{inlines(part.of, [])}</WebLink>;
  }
}
