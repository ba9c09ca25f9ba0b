"use client";

import { type Editor, useEditorState } from "@tiptap/react";
import {
  Bold,
  Code,
  Heading2,
  Italic,
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
import { Input } from "@/components/ui/field";

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
  readonly active: (editor: Editor) => boolean;
  readonly run: (editor: Editor) => void;
}

const tools: readonly Tool[] = [
  {
    name: "bold",
    icon: Bold,
    active: (e) => e.isActive("bold"),
    run: (e) => e.chain().focus().toggleBold().run(),
  },
  {
    name: "italic",
    icon: Italic,
    active: (e) => e.isActive("italic"),
    run: (e) => e.chain().focus().toggleItalic().run(),
  },
  {
    name: "strike",
    icon: Strikethrough,
    active: (e) => e.isActive("strike"),
    run: (e) => e.chain().focus().toggleStrike().run(),
  },
  {
    name: "code",
    icon: Code,
    active: (e) => e.isActive("code"),
    run: (e) => e.chain().focus().toggleCode().run(),
  },
  {
    name: "heading",
    icon: Heading2,
    active: (e) => e.isActive("heading"),
    run: (e) => e.chain().focus().toggleHeading({ level: 2 }).run(),
  },
  {
    name: "bullets",
    icon: List,
    active: (e) => e.isActive("bulletList"),
    run: (e) => e.chain().focus().toggleBulletList().run(),
  },
  {
    name: "numbers",
    icon: ListOrdered,
    active: (e) => e.isActive("orderedList"),
    run: (e) => e.chain().focus().toggleOrderedList().run(),
  },
  {
    name: "quote",
    icon: Quote,
    active: (e) => e.isActive("blockquote"),
    run: (e) => e.chain().focus().toggleBlockquote().run(),
  },
  {
    name: "codeBlock",
    icon: SquareCode,
    active: (e) => e.isActive("codeBlock"),
    run: (e) => e.chain().focus().toggleCodeBlock().run(),
  },
];

/** Formatting of the selection. One tab stop; arrows move between the buttons. */
export function Toolbar({ editor }: { readonly editor: Editor | null }) {
  const { t } = useWords();
  const [linking, setLinking] = useState(false);
  const state = useEditorState({
    editor,
    selector: ({ editor: now }) =>
      now
        ? {
            active: tools.map((tool) => tool.active(now)),
            link: now.isActive("link"),
            canUndo: now.can().undo(),
            canRedo: now.can().redo(),
          }
        : null,
  });
  if (!editor) return null;
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>("button:not(:disabled)")];
    const at = buttons.findIndex((button) => button.matches(":focus"));
    const step = event.key === "ArrowRight" ? 1 : -1;
    buttons[(at + step + buttons.length) % buttons.length]?.focus();
  };
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
            onClick={() => run(editor)}
          >
            <Icon className="size-4.5" aria-hidden />
          </IconButton>
        ))}
        <IconButton
          label={state?.link ? t("composer.linkRemove") : t("composer.link")}
          aria-pressed={state?.link ?? false}
          onClick={() => (state?.link ? editor.chain().focus().unsetLink().run() : setLinking(true))}
        >
          <Link2 className="size-4.5" aria-hidden />
        </IconButton>
        <span className="ms-auto flex">
          <IconButton
            label={t("composer.undo")}
            disabled={!state?.canUndo}
            onClick={() => editor.chain().focus().undo().run()}
          >
            <Undo2 className="size-4.5" aria-hidden />
          </IconButton>
          <IconButton
            label={t("composer.redo")}
            disabled={!state?.canRedo}
            onClick={() => editor.chain().focus().redo().run()}
          >
            <Redo2 className="size-4.5" aria-hidden />
          </IconButton>
        </span>
      </div>
      {linking ? <LinkForm editor={editor} onClose={() => setLinking(false)} /> : null}
    </div>
  );
}

function LinkForm({ editor, onClose }: { readonly editor: Editor; readonly onClose: () => void }) {
  const { t } = useWords();
  const [address, setAddress] = useState("https://");
  const set = () => {
    const url = URL.parse(address);
    if (url && ["http:", "https:", "mailto:"].includes(url.protocol)) {
      if (editor.state.selection.empty) {
        editor
          .chain()
          .focus()
          .insertContent({
            type: "text",
            text: url.href,
            marks: [{ type: "link", attrs: { href: url.href } }],
          })
          .run();
      } else {
        editor.chain().focus().setLink({ href: url.href }).run();
      }
    }
    onClose();
  };
  return (
    <div className="flex gap-2 border-t p-2">
      <Input
        autoFocus
        type="url"
        aria-label={t("composer.linkAddress")}
        value={address}
        onChange={(event) => setAddress(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onClose();
          if (event.key !== "Enter") return;
          // The composer's form must not be sent from here.
          event.preventDefault();
          set();
        }}
      />
      <Button onClick={set}>{t("composer.linkSet")}</Button>
    </div>
  );
}
