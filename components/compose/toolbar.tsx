"use client";

import { type Editor, useEditorState } from "@tiptap/react";
import { Keyboard, Link2, Redo2, Undo2 } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { useWords } from "#words";
import { IconButton } from "@/components/ui/button";
import { LinkForm } from "./link-form";
import { Shortcuts } from "./shortcuts";
import { tools } from "./tools";

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
