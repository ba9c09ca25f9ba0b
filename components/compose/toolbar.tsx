"use client";

import { type ChainedCommands, type Editor, useEditorState } from "@tiptap/react";
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
  Table,
  Undo2,
} from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { useWords } from "#words";
import { Button, IconButton } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { AddressForm } from "./address-form";
import { linkAddress } from "./parse";
import { changeTable, insertTable, tableActions } from "./table";

/** A kind of formatting that the selection can have. */
interface Tool {
  readonly name: string;
  readonly icon: LucideIcon;
  /** Name of its mark or node in the editor's schema. */
  readonly type: string;
  readonly toggle: (chain: ChainedCommands) => ChainedCommands;
}

const tools = [
  { name: "bold", icon: Bold, type: "bold", toggle: (chain) => chain.toggleBold() },
  { name: "italic", icon: Italic, type: "italic", toggle: (chain) => chain.toggleItalic() },
  { name: "strike", icon: Strikethrough, type: "strike", toggle: (chain) => chain.toggleStrike() },
  { name: "code", icon: Code, type: "code", toggle: (chain) => chain.toggleCode() },
  { name: "heading", icon: Heading2, type: "heading", toggle: (chain) => chain.toggleHeading({ level: 2 }) },
  { name: "bullets", icon: List, type: "bulletList", toggle: (chain) => chain.toggleBulletList() },
  { name: "numbers", icon: ListOrdered, type: "orderedList", toggle: (chain) => chain.toggleOrderedList() },
  { name: "quote", icon: Quote, type: "blockquote", toggle: (chain) => chain.toggleBlockquote() },
  { name: "codeBlock", icon: SquareCode, type: "codeBlock", toggle: (chain) => chain.toggleCodeBlock() },
] as const satisfies readonly Tool[];

const onApple = () => /Mac|iPhone|iPad/.test(navigator.userAgent);

/** What the keyboard does: the keys, or the text at the start of a line. */
const shortcuts = [
  { keys: ["Mod", "B"], name: "bold" },
  { keys: ["Mod", "I"], name: "italic" },
  { keys: ["Mod", "Shift", "S"], name: "strike" },
  { keys: ["Mod", "E"], name: "code" },
  { keys: ["Mod", "K"], name: "link" },
  { keys: ["##"], name: "heading" },
  { keys: ["-"], name: "bullets" },
  { keys: ["1."], name: "numbers" },
  { keys: [">"], name: "quote" },
  { keys: ["```"], name: "codeBlock" },
  { keys: ["@"], name: "mention" },
  { keys: ["Alt", "↑"], name: "pictureUp" },
  { keys: ["Alt", "↓"], name: "pictureDown" },
  { keys: ["Mod", "Z"], name: "undo" },
  { keys: ["Mod", "Enter"], name: "post" },
] as const;

interface ShortcutsProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

function Shortcuts({ open, onClose }: ShortcutsProps) {
  const { t } = useWords();
  return (
    <Dialog open={open} onClose={onClose} title={t("composer.shortcuts")}>
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-2">
        {shortcuts.map(({ keys, name }) => (
          <div key={name} className="contents">
            <dt className="flex gap-1">
              {keys.map((key) => (
                <kbd key={key} className="rounded-control border bg-wash px-1.5 py-px font-mono text-sm">
                  {key === "Mod" ? (onApple() ? "⌘" : "Ctrl") : key}
                </kbd>
              ))}
            </dt>
            <dd>{t(`composer.${name}`)}</dd>
          </div>
        ))}
      </dl>
      <p className="text-sm text-soft">{t("composer.shortcutsHint")}</p>
    </Dialog>
  );
}

export interface ToolbarProps {
  readonly editor: Editor | null;
  /** Whether the link form is open; a keyboard shortcut opens it too. */
  readonly isLinking: boolean;
  readonly onLinking: (isLinking: boolean) => void;
}

/** Formats the selection. The toolbar is one tab stop; arrow keys move between its buttons. */
export function Toolbar({ editor, isLinking, onLinking }: ToolbarProps) {
  const { t } = useWords();
  const [isHelping, setHelping] = useState(false);
  const [stop, setStop] = useState(0);
  const state = useEditorState({
    editor,
    selector: ({ editor: now }) =>
      now
        ? {
            active: tools.map(({ type }) => now.isActive(type)),
            link: now.isActive("link"),
            table: now.isActive("table"),
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
        // Pressing a button must not take the focus from the text.
        onMouseDown={(event) => event.preventDefault()}
        className="scrollbar-none flex gap-0.5 overflow-x-auto p-1"
      >
        {tools.map(({ name, icon: Icon, toggle }, i) => (
          <IconButton
            key={name}
            label={t(`composer.${name}`)}
            aria-pressed={state?.active[i] ?? false}
            tabIndex={tabIndex(i)}
            onClick={() => toggle(editor.chain().focus()).run()}
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
        <IconButton
          label={t("composer.table")}
          aria-pressed={state?.table ?? false}
          tabIndex={tabIndex(last + 1)}
          onClick={() => insertTable(editor)}
        >
          <Table className="size-4.5" aria-hidden />
        </IconButton>
        <span className="ms-auto flex">
          <IconButton
            label={t("composer.undo")}
            aria-disabled={!state?.canUndo}
            className="aria-disabled:opacity-40"
            tabIndex={tabIndex(last + 2)}
            onClick={() => editor.chain().focus().undo().run()}
          >
            <Undo2 className="size-4.5" aria-hidden />
          </IconButton>
          <IconButton
            label={t("composer.redo")}
            aria-disabled={!state?.canRedo}
            className="aria-disabled:opacity-40"
            tabIndex={tabIndex(last + 3)}
            onClick={() => editor.chain().focus().redo().run()}
          >
            <Redo2 className="size-4.5" aria-hidden />
          </IconButton>
          <IconButton
            label={t("composer.shortcuts")}
            aria-haspopup="dialog"
            tabIndex={tabIndex(last + 4)}
            onClick={() => setHelping(true)}
          >
            <Keyboard className="size-4.5" aria-hidden />
          </IconButton>
        </span>
      </div>
      {state?.table ? <TableTools editor={editor} /> : null}
      {isLinking ? <LinkForm editor={editor} onClose={() => onLinking(false)} /> : null}
      <Shortcuts open={isHelping} onClose={() => setHelping(false)} />
    </div>
  );
}

/** What can be done to the table that has the caret. */
function TableTools({ editor }: { readonly editor: Editor }) {
  const { t } = useWords();
  return (
    <fieldset
      // Pressing a button must not take the focus from the text.
      onMouseDown={(event) => event.preventDefault()}
      className="flex min-w-0 flex-wrap gap-1 border-t p-1"
    >
      <legend className="sr-only">{t("composer.table")}</legend>
      {tableActions.map((name) => (
        <Button
          key={name}
          size="sm"
          tone="quiet"
          className="shrink-0"
          onClick={() => changeTable(editor, name)}
        >
          {t(`composer.tableActs.${name}`)}
        </Button>
      ))}
    </fieldset>
  );
}

interface LinkFormProps {
  readonly editor: Editor;
  readonly onClose: () => void;
}

/** Makes the selection a link, or changes or removes the link at the caret. */
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
