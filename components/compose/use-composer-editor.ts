"use client";

import { Extension, nodeInputRule } from "@tiptap/core";
import { Image } from "@tiptap/extension-image";
import { NodeSelection, Plugin, PluginKey } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import { type Editor, ReactNodeViewRenderer, useEditor } from "@tiptap/react";
import StarterKit from "@tiptap/starter-kit";
import { useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { type MentionQuery, mentionAtEnd } from "./mention-query";
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
import type { Uploads } from "./uploads";
import { type Mentions, useMentions } from "./use-mentions";
import { videoPage } from "./videos";

/** Pictures from elsewhere come by https only; the server lets no others stand. */
const written = /(?:^|\s)(!\[([^\]]*)\]\((https:\/\/[^\s)]+)\))$/;

/**
 * A picture in the text, a block of its own. `alt` is null until somebody decided: words, or empty for mere decoration.
 * While it is being uploaded it has the id of the upload and no address.
 */
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
    // A picture without an address is nothing to anybody but this editor.
    const upload = textAttribute(node, "upload");
    return ["img", HTMLAttributes.src ? HTMLAttributes : { "data-upload": upload ?? "" }];
  },
  addInputRules() {
    const getAttributes = ([, , alt, src]: readonly string[]) => ({ src, alt: alt || null });
    return [nodeInputRule({ find: written, type: this.type, getAttributes })];
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

/** Marks the @ of a name that is being completed, so that the list can open there (prose.css) without inline styles. */
const MentionMark = Extension.create({
  name: "mentionMark",
  addProseMirrorPlugins() {
    return [
      new Plugin<number | null>({
        key,
        state: {
          init: () => null,
          apply: (transaction, before) => {
            const told: unknown = transaction.getMeta(key);
            if (told === null || typeof told === "number") return told;
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

/** @param from index of the @ in the block of the caret; null when nobody is being named */
function showMention({ state, view }: Editor, from: number | null): void {
  const at = from === null ? null : state.selection.$from.start() + from;
  if ((key.getState(state) ?? null) !== at) view.dispatch(state.tr.setMeta(key, at));
}

export interface ComposerEditorOptions {
  readonly topicId: string;
  /** HTML to begin with. */
  readonly content: string;
  readonly uploads: Uploads;
  readonly onContent: (html: string) => void;
  /** The address of a video was pasted on a line of its own. @returns whether there is a place for it */
  readonly onVideo: (page: string) => boolean;
  /** Pictures of a pasted text that could not be taken along. */
  readonly onLost: (count: number) => void;
  readonly onPictures: (count: number) => void;
}

/** The editor of posts: rich text, pictures that upload themselves, names that are completed. */
export function useComposerEditor(options: ComposerEditorOptions): {
  readonly editor: Editor | null;
  readonly mentions: Mentions;
  /** Puts pictures where the caret is, or at a place, and begins their uploads. */
  readonly addFiles: (files: readonly File[], at?: number) => void;
} {
  const { t } = useWords();
  const { topicId, uploads } = options;
  const [query, setQuery] = useState<MentionQuery | null>(null);
  // The editor is made once; what it calls is always the latest.
  const latest = useRef(options);
  latest.current = options;
  const onKey = useRef<Mentions["onKey"]>(() => false);

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
    // The server must not render the editor: its first paint would differ.
    immediatelyRender: false,
    shouldRerenderOnTransaction: false,
    // Its rules are in prose.css; an injected style element has no nonce.
    injectCSS: false,
    extensions: [
      StarterKit.configure({
        heading: { levels: [2, 3, 4] },
        link: { openOnClick: false, protocols: ["http", "https", "mailto"], defaultProtocol: "https" },
      }),
      Picture,
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
        if (onKey.current(event, event.isComposing || event.keyCode === 229)) return true;
        // It sends the post (PostForm); a line break before that would be sent along.
        return event.key === "Enter" && (event.metaKey || event.ctrlKey);
      },
      handlePaste: (view, event) => {
        const files = filesOf(event.clipboardData);
        if (files.length > 0) {
          addFiles(files);
          return true;
        }
        const page = videoPage(event.clipboardData?.getData("text/plain") ?? "");
        const { $from, empty } = view.state.selection;
        const isOwnLine = empty && $from.parent.isTextblock && $from.parent.content.size === 0;
        return page !== null && isOwnLine && latest.current.onVideo(page);
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
      setQuery((before) => (before?.from === found?.from && before?.typed === found?.typed ? before : found));
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

/** Whom the text names where the caret stands. Code and links name nobody. */
function mentionIn(editor: Editor): MentionQuery | null {
  const { $from, empty } = editor.state.selection;
  if (!empty || !$from.parent.isTextblock || $from.parent.type.spec.code) return null;
  if (editor.isActive("code") || editor.isActive("link")) return null;
  // What is not text counts as one character, as it does in places.
  return mentionAtEnd($from.parent.textBetween(0, $from.parentOffset, undefined, "\ufffc"));
}

/** Gives pictures whose upload is done their address and size. */
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

/** The editor says which member of the list is marked; the name that is being typed is where the list opens. */
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
