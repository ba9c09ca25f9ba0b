import { type Editor, Extension } from "@tiptap/core";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";

const key = new PluginKey<number | null>("mention");

/** Marks the @ of a name that is being completed, so that the list can open there (prose.css) without inline styles. */
export const MentionMark = Extension.create({
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
export function showMention({ state, view }: Editor, from: number | null): void {
  const at = from === null ? null : state.selection.$from.start() + from;
  if ((key.getState(state) ?? null) !== at) view.dispatch(state.tr.setMeta(key, at));
}
