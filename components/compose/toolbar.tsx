"use client";

import { type Editor, useEditorState } from "@tiptap/react";
import {
  Bold,
  Code,
  Heading2,
  Italic,
  Keyboard,
  Link2,
  List,
  ListOrdered,
  type LucideIcon,
  Quote,
  Redo2,
  SquareCode,
  Strikethrough,
  Undo2,
} from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { useWords } from "#words";
import { Button, IconButton } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { AddressForm } from "./address-form";
import { linkAddress } from "./link-address";

/** A kind of formatting that can be given and taken back. */
interface Tool {
  readonly name:
    | "bold"
    | "italic"
    | "strike"
    | "code"
    | "heading"
    | "bullets"
    | "numbers"
    | "quote"
    | "codeBlock";
  readonly icon: LucideIcon;
  readonly isActive: (editor: Editor) => boolean;
  readonly run: (editor: Editor) => void;
}

const tools: readonly Tool[] = [
  {
    name: "bold",
    icon: Bold,
    isActive: (e) => e.isActive("bold"),
    run: (e) => e.chain().focus().toggleBold().run(),
  },
  {
    name: "italic",
    icon: Italic,
    isActive: (e) => e.isActive("italic"),
    run: (e) => e.chain().focus().toggleItalic().run(),
  },
  {
    name: "strike",
    icon: Strikethrough,
    isActive: (e) => e.isActive("strike"),
    run: (e) => e.chain().focus().toggleStrike().run(),
  },
  {
    name: "code",
    icon: Code,
    isActive: (e) => e.isActive("code"),
    run: (e) => e.chain().focus().toggleCode().run(),
  },
  {
    name: "heading",
    icon: Heading2,
    isActive: (e) => e.isActive("heading"),
    run: (e) => e.chain().focus().toggleHeading({ level: 2 }).run(),
  },
  {
    name: "bullets",
    icon: List,
    isActive: (e) => e.isActive("bulletList"),
    run: (e) => e.chain().focus().toggleBulletList().run(),
  },
  {
    name: "numbers",
    icon: ListOrdered,
    isActive: (e) => e.isActive("orderedList"),
    run: (e) => e.chain().focus().toggleOrderedList().run(),
  },
  {
    name: "quote",
    icon: Quote,
    isActive: (e) => e.isActive("blockquote"),
    run: (e) => e.chain().focus().toggleBlockquote().run(),
  },
  {
    name: "codeBlock",
    icon: SquareCode,
    isActive: (e) => e.isActive("codeBlock"),
    run: (e) => e.chain().focus().toggleCodeBlock().run(),
  },
];

const onApple = () => /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Keys, and what is typed at the beginning of a line, with what they do. */
const entries = [
  ["Mod", "B", "bold"],
  ["Mod", "I", "italic"],
  ["Mod", "Shift", "S", "strike"],
  ["Mod", "E", "code"],
  ["Mod", "K", "link"],
  ["## ", "heading"],
  ["- ", "bullets"],
  ["1. ", "numbers"],
  ["> ", "quote"],
  ["``` ", "codeBlock"],
  ["@", "mention"],
  ["Alt", "↑", "pictureUp"],
  ["Alt", "↓", "pictureDown"],
  ["Mod", "Z", "undo"],
  ["Mod", "Enter", "post"],
] as const;

interface ShortcutsProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** What can be done without the mouse. */
function Shortcuts({ open, onClose }: ShortcutsProps) {
  const { t } = useWords();
  return (
    <Dialog open={open} onClose={onClose} title={t("composer.shortcuts")}>
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-2">
        {entries.map((entry) => {
          const keys = entry.slice(0, -1);
          const name = entry[entry.length - 1] ?? "";
          return (
            <div key={name} className="contents">
              <dt className="flex gap-1">
                {keys.map((key) => (
                  <kbd key={key} className="rounded-control border bg-wash px-1.5 py-px font-mono text-sm">
                    {key === "Mod" ? (onApple() ? "⌘" : "Ctrl") : key.trim()}
                  </kbd>
                ))}
              </dt>
              <dd>{t(`composer.${nameOf(entry)}`)}</dd>
            </div>
          );
        })}
      </dl>
      <p className="text-sm text-soft">{t("composer.shortcutsHint")}</p>
    </Dialog>
  );
}

type Entry = (typeof entries)[number];

function nameOf(entry: Entry) {
  return entry.length === 2 ? entry[1] : entry.length === 3 ? entry[2] : entry[3];
}

export interface ToolbarProps {
  readonly editor: Editor | null;
  /** The form for a link is open; the keyboard opens it too. */
  readonly isLinking: boolean;
  readonly onLinking: (isLinking: boolean) => void;
}

/** Formatting of the selection. One tab stop; arrows move between the buttons. */
export function Toolbar({ editor, isLinking, onLinking }: ToolbarProps) {
  const { t } = useWords();
  const [isHelping, setHelping] = useState(false);
  const [stop, setStop] = useState(0);
  const state = useEditorState({
    editor,
    selector: ({ editor: now }) =>
      now
        ? {
            active: tools.map((tool) => tool.isActive(now)),
            link: now.isActive("link"),
            canUndo: now.can().undo(),
            canRedo: now.can().redo(),
          }
        : null,
  });
  if (!editor) return null;
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>("button")];
    const at = buttons.findIndex((button) => button.matches(":focus"));
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const index = (to + buttons.length) % buttons.length;
    setStop(index);
    buttons[index]?.focus();
  };
  const tabIndex = (index: number) => (index === stop ? 0 : -1);
  const last = tools.length;
  return (
    <div className="sticky top-13 z-20 rounded-t-sheet border-b bg-sheet md:top-0">
      <div
        role="toolbar"
        aria-label={t("composer.toolbar")}
        tabIndex={-1}
        onKeyDown={move}
        // Pressing a button must not take the focus: what is typed next belongs into the text.
        onMouseDown={(event) => event.preventDefault()}
        className="scrollbar-none flex gap-0.5 overflow-x-auto p-1"
      >
        {tools.map(({ name, icon: Icon, run }, i) => (
          <IconButton
            key={name}
            label={t(`composer.${name}`)}
            aria-pressed={state?.active[i] ?? false}
            tabIndex={tabIndex(i)}
            onClick={() => run(editor)}
          >
            <Icon className="size-4.5" aria-hidden />
          </IconButton>
        ))}
        <IconButton
          label={t("composer.link")}
          aria-pressed={state?.link ?? false}
          aria-expanded={isLinking}
          tabIndex={tabIndex(last)}
          onClick={() => onLinking(!isLinking)}
        >
          <Link2 className="size-4.5" aria-hidden />
        </IconButton>
        <span className="ms-auto flex">
          <IconButton
            label={t("composer.undo")}
            aria-disabled={!state?.canUndo}
            className="aria-disabled:opacity-40"
            tabIndex={tabIndex(last + 1)}
            onClick={() => editor.chain().focus().undo().run()}
          >
            <Undo2 className="size-4.5" aria-hidden />
          </IconButton>
          <IconButton
            label={t("composer.redo")}
            aria-disabled={!state?.canRedo}
            className="aria-disabled:opacity-40"
            tabIndex={tabIndex(last + 2)}
            onClick={() => editor.chain().focus().redo().run()}
          >
            <Redo2 className="size-4.5" aria-hidden />
          </IconButton>
          <IconButton
            label={t("composer.shortcuts")}
            aria-haspopup="dialog"
            tabIndex={tabIndex(last + 3)}
            onClick={() => setHelping(true)}
          >
            <Keyboard className="size-4.5" aria-hidden />
          </IconButton>
        </span>
      </div>
      {isLinking ? <LinkForm editor={editor} onClose={() => onLinking(false)} /> : null}
      <Shortcuts open={isHelping} onClose={() => setHelping(false)} />
    </div>
  );
}

interface LinkFormProps {
  readonly editor: Editor;
  readonly onClose: () => void;
}

/** Makes the selection a link, or changes or removes the link in which the caret stands. */
function LinkForm({ editor, onClose }: LinkFormProps) {
  const { t } = useWords();
  const [before] = useState(() => {
    const href: unknown = editor.getAttributes("link").href;
    return typeof href === "string" ? href : "";
  });
  const close = () => {
    editor.commands.focus();
    onClose();
  };
  const set = (address: string) => {
    const href = linkAddress(address);
    if (!href) return t("composer.linkWrong");
    const chain = editor.chain().focus();
    if (before) chain.extendMarkRange("link").setLink({ href }).run();
    else if (editor.state.selection.empty) {
      chain.insertContent({ type: "text", text: href, marks: [{ type: "link", attrs: { href } }] }).run();
    } else chain.setLink({ href }).run();
    onClose();
    return null;
  };
  const remove = () => {
    editor.chain().focus().extendMarkRange("link").unsetLink().run();
    onClose();
  };
  return (
    <AddressForm
      name={t("composer.link")}
      label={t("composer.linkAddress")}
      initial={before}
      confirm={t(before ? "composer.linkChange" : "composer.linkSet")}
      onAddress={set}
      onClose={close}
      className="grid gap-2 border-t p-3"
      more={
        before ? (
          <Button size="sm" tone="quiet" onClick={remove}>
            {t("composer.linkRemove")}
          </Button>
        ) : null
      }
    />
  );
}
