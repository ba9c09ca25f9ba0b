"use client";

import { Extension, nodeInputRule } from "@tiptap/core";
import { Image } from "@tiptap/extension-image";
import { NodeSelection, Plugin, PluginKey } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import { type Editor, ReactNodeViewRenderer, useEditor } from "@tiptap/react";
import StarterKit from "@tiptap/starter-kit";
import { useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { htmlOfMarkdown } from "@/lib/html/markdown";
import { videoPage } from "./parse";
import {
  contentOf,
  insertPictures,
  movePicture,
  pictureName,
  picturesIn,
  pixels,
  settlePicture,
  textAttribute,
} from "./picture-text";
import { PictureView } from "./picture-view";
import { filesOf, withoutForeignData } from "./pictures";
import { Table } from "./table";
import type { Uploads } from "./uploads";
import { isSameQuery, type MentionQuery, type Mentions, mentionAtEnd, useMentions } from "./use-mentions";

/** A picture in Markdown. The server accepts only https addresses. */
const MARKDOWN_PICTURE = /(?:^|\s)(!\[([^\]]*)\]\((https:\/\/[^\s)]+)\))$/;

/** A picture as a block. `alt` is null until the author decides; an uploading picture has `upload` and no `src`. */
const Picture = Image.extend({
  name: pictureName,
  addAttributes() {
    return {
      src: { default: null },
      alt: { default: null },
      width: { default: null, parseHTML: (element) => pixels(element.getAttribute("width")) },
      height: { default: null, parseHTML: (element) => pixels(element.getAttribute("height")) },
      upload: { default: null, parseHTML: (element) => element.getAttribute("data-upload"), rendered: false },
    };
  },
  parseHTML() {
    return [{ tag: 'img[src]:not([src^="data:"]):not([src^="blob:"])' }, { tag: "img[data-upload]" }];
  },
  renderHTML({ node, HTMLAttributes }) {
    // Only this editor understands a picture without an address.
    const upload = textAttribute(node, "upload");
    return ["img", HTMLAttributes.src ? HTMLAttributes : { "data-upload": upload ?? "" }];
  },
  addInputRules() {
    const getAttributes = ([, , alt, src]: readonly string[]) => ({ src, alt: alt || null });
    return [nodeInputRule({ find: MARKDOWN_PICTURE, type: this.type, getAttributes })];
  },
  addKeyboardShortcuts() {
    const move = (direction: -1 | 1) => () => {
      const { selection } = this.editor.state;
      const isPicture = selection instanceof NodeSelection && selection.node.type.name === this.name;
      return isPicture && movePicture(this.editor, selection.from, direction);
    };
    return { "Alt-ArrowUp": move(-1), "Alt-ArrowDown": move(1) };
  },
  addNodeView() {
    return ReactNodeViewRenderer(PictureView);
  },
});

const key = new PluginKey<number | null>("mention");

/** Marks the @ of the mention being typed, so that the list can open there (prose.css) without inline styles. */
const MentionMark = Extension.create({
  name: "mentionMark",
  addProseMirrorPlugins() {
    return [
      new Plugin<number | null>({
        key,
        state: {
          init: () => null,
          apply: (transaction, before) => {
            const position: unknown = transaction.getMeta(key);
            if (position === null || typeof position === "number") return position;
            return before === null ? null : transaction.mapping.map(before, -1);
          },
        },
        props: {
          decorations: (state) => {
            const at = key.getState(state) ?? null;
            if (at === null || at + 1 > state.doc.content.size) return null;
            return DecorationSet.create(state.doc, [
              Decoration.inline(at, at + 1, { class: "mention-mark" }),
            ]);
          },
        },
      }),
    ];
  },
});

/** Marks a mention. @param from index of the @ in the caret's block; null when no mention is being typed */
function showMention({ state, view }: Editor, from: number | null): void {
  const at = from === null ? null : state.selection.$from.start() + from;
  if ((key.getState(state) ?? null) !== at) view.dispatch(state.tr.setMeta(key, at));
}

export interface ComposerEditorOptions {
  readonly topicId: string;
  readonly content: string;
  readonly uploads: Uploads;
  readonly onContent: (html: string) => void;
  /** Receives a video address pasted on its own line. @returns false when the post has its maximum of videos */
  readonly onVideo: (page: string) => boolean;
  /** Receives the number of pasted pictures that had to be removed. */
  readonly onLost: (count: number) => void;
  readonly onPictures: (count: number) => void;
}

/** Creates the editor of posts: rich text, pictures with uploads, and mentions that are completed. */
export function useComposerEditor(options: ComposerEditorOptions): {
  readonly editor: Editor | null;
  readonly mentions: Mentions;
  /** Inserts pictures at the caret or at a position, and begins their uploads. */
  readonly addFiles: (files: readonly File[], at?: number) => void;
} {
  const { t } = useWords();
  const { topicId, uploads } = options;
  const [query, setQuery] = useState<MentionQuery | null>(null);
  // The editor is created once and must call the latest callbacks.
  const latest = useRef(options);
  latest.current = options;
  const onKey = useRef<Mentions["onKey"]>(() => false);
  /** Whether the keys were those that paste without formatting. */
  const asTyped = useRef(false);

  const current = useRef<Editor | null>(null);
  const addFiles = (files: readonly File[], at?: number) => {
    const now = current.current;
    if (!now || files.length === 0) return;
    insertPictures(
      now,
      files.map((file) => uploads.add(file)),
      at,
    );
    latest.current.onPictures(files.length);
  };

  const editor = useEditor({
    // The server must not render the editor: hydration would differ.
    immediatelyRender: false,
    shouldRerenderOnTransaction: false,
    // The rules are in prose.css; an injected style element has no nonce.
    injectCSS: false,
    extensions: [
      StarterKit.configure({
        heading: { levels: [2, 3, 4] },
        link: { openOnClick: false, protocols: ["http", "https", "mailto"], defaultProtocol: "https" },
      }),
      Picture,
      Table,
      MentionMark,
    ],
    content: options.content,
    editorProps: {
      attributes: {
        role: "textbox",
        "aria-multiline": "true",
        "aria-label": t("composer.bodyLabel"),
        "aria-autocomplete": "list",
        class: "prose-post",
        dir: "auto",
      },
      handleKeyDown: (_, event) => {
        asTyped.current = event.shiftKey && event.key.toLowerCase() === "v";
        if (onKey.current(event, event.isComposing || event.keyCode === 229)) return true;
        // Mod+Enter submits the form (PostForm) and must not add a line break first.
        return event.key === "Enter" && (event.metaKey || event.ctrlKey);
      },
      handlePaste: (view, event) => {
        const files = filesOf(event.clipboardData);
        if (files.length > 0) {
          addFiles(files);
          return true;
        }
        const text = event.clipboardData?.getData("text/plain") ?? "";
        const page = videoPage(text);
        const { $from, empty } = view.state.selection;
        const isOwnLine = empty && $from.parent.isTextblock && $from.parent.content.size === 0;
        if (page !== null && isOwnLine && latest.current.onVideo(page)) return true;
        return pasteMarkdown(current.current, event, asTyped.current);
      },
      handleDrop: (view, event, _slice, moved) => {
        if (moved) return false;
        const files = filesOf(event.dataTransfer);
        if (files.length === 0) return false;
        event.preventDefault();
        addFiles(files, view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos);
        return true;
      },
      transformPastedHTML: (html) => {
        const pasted = withoutForeignData(html, (file) => uploads.add(file));
        if (pasted.lost > 0) latest.current.onLost(pasted.lost);
        return pasted.html;
      },
    },
    onUpdate: ({ editor: now }) => {
      settle(now, uploads);
      latest.current.onContent(contentOf(now));
    },
    onTransaction: ({ editor: now }) => {
      const found = now.isFocused || now.view.hasFocus() ? mentionIn(now) : null;
      setQuery((before) => (isSameQuery(before, found) ? before : found));
    },
    onBlur: () => setQuery(null),
  });

  current.current = editor;

  useEffect(() => {
    if (!editor) return;
    return uploads.watch(() => settle(editor, uploads));
  }, [editor, uploads]);

  const mentions = useMentions({
    topicId,
    query,
    onChoose: (nickname) => {
      if (!editor || !query) return;
      const { $from, from } = editor.state.selection;
      const start = $from.start() + query.from;
      editor
        .chain()
        .focus()
        .insertContentAt({ from: start, to: from }, { type: "text", text: `@${nickname} ` })
        .run();
      setQuery(null);
    },
  });
  onKey.current = mentions.onKey;
  useMentionAttributes(editor, mentions, query);
  return { editor, mentions, addFiles };
}

/** Pastes Markdown as what it means, except in code. @returns whether the text was Markdown */
function pasteMarkdown(editor: Editor | null, event: ClipboardEvent, asTyped: boolean): boolean {
  const data = event.clipboardData;
  if (!editor || !data || asTyped || editor.isActive("codeBlock") || editor.isActive("code")) return false;
  // What comes with formatting of its own says itself what it means.
  if (data.types.includes("text/html")) return false;
  const html = htmlOfMarkdown(data.getData("text/plain").replaceAll("\r\n", "\n"));
  return html !== null && editor.commands.insertContent(html);
}

/** Returns the mention being typed at the caret. Code and links have no mentions. */
function mentionIn(editor: Editor): MentionQuery | null {
  const { $from, empty } = editor.state.selection;
  if (!empty || !$from.parent.isTextblock || $from.parent.type.spec.code) return null;
  if (editor.isActive("code") || editor.isActive("link")) return null;
  // A node that is not text counts as one character, as it does in positions.
  return mentionAtEnd($from.parent.textBetween(0, $from.parentOffset, undefined, "\ufffc"));
}

/** Sets the address and the size of pictures whose upload is done. */
function settle(editor: Editor, uploads: Uploads): void {
  for (const { node, at } of picturesIn(editor.state.doc)) {
    const upload = uploads.get(textAttribute(node, "upload") ?? "");
    if (!upload?.url || textAttribute(node, "src")) continue;
    const { url, width, height } = upload;
    const size: Record<string, string> =
      width && height ? { width: String(width), height: String(height) } : {};
    settlePicture(editor, at, { src: url, ...size });
  }
}

/** Points the editor's ARIA attributes to the active member, and marks the mention at which the list opens. */
function useMentionAttributes(editor: Editor | null, mentions: Mentions, query: MentionQuery | null): void {
  const { members, active, listId, optionId } = mentions;
  const isOpen = members.length > 0;
  const marked = isOpen ? optionId(active) : null;
  useEffect(() => {
    if (!editor || editor.isDestroyed) return;
    const { dom } = editor.view;
    if (marked) {
      dom.setAttribute("aria-controls", listId);
      dom.setAttribute("aria-activedescendant", marked);
    } else {
      dom.removeAttribute("aria-controls");
      dom.removeAttribute("aria-activedescendant");
    }
  }, [editor, marked, listId]);
  const from = isOpen ? (query?.from ?? null) : null;
  useEffect(() => {
    if (editor && !editor.isDestroyed) showMention(editor, from);
  }, [editor, from]);
}
