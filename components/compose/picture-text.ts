import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { NodeSelection, Selection } from "@tiptap/pm/state";

/** Name of pictures among the kinds of nodes of a text. */
export const pictureName = "image";

/** Text of an attribute, or null. An attribute of a node may be anything. */
export function textAttribute(node: Node, name: string): string | null {
  const value: unknown = node.attrs[name];
  return typeof value === "string" ? value : null;
}

/** A side of a picture in whole pixels, as the server takes it; else null. */
export function pixels(value: string | null): string | null {
  return value && /^[1-9]\d{0,4}$/.test(value) ? value : null;
}

/** Pictures of a text with their places, in order. */
export function picturesIn(doc: Node): { readonly node: Node; readonly at: number }[] {
  const found: { node: Node; at: number }[] = [];
  doc.descendants((node, at) => {
    if (node.type.name === pictureName) found.push({ node, at });
  });
  return found;
}

/** Puts a picture past the block before or behind it. @returns whether there is one */
export function movePicture({ state, view }: Editor, at: number, direction: -1 | 1): boolean {
  const node = state.doc.nodeAt(at);
  const place = state.doc.resolve(at);
  const index = place.index() + direction;
  if (!node || index < 0 || index >= place.parent.childCount) return false;
  const step = place.parent.child(index).nodeSize * direction;
  const transaction = state.tr.delete(at, at + node.nodeSize).insert(at + step, node);
  transaction.setSelection(NodeSelection.create(transaction.doc, at + step));
  view.dispatch(transaction.scrollIntoView());
  return true;
}

/** Puts pictures that are being uploaded behind the selection, or at a place; the caret goes behind them. */
export function insertPictures(editor: Editor, ids: readonly string[], at?: number): void {
  if (ids.length === 0) return;
  const nodes = ids.map((upload) => ({ type: pictureName, attrs: { upload } }));
  editor
    .chain()
    .insertContentAt(at ?? editor.state.selection.to, nodes, { updateSelection: true })
    .command(({ tr }) => {
      const end = tr.selection.to;
      const { paragraph } = editor.schema.nodes;
      if (paragraph && !tr.doc.resolve(end).nodeAfter) tr.insert(end, paragraph.create());
      // A picture that stays selected would be replaced by the next key.
      tr.setSelection(Selection.near(tr.doc.resolve(end), 1));
      return true;
    })
    .run();
}

/** What becomes of a picture: its attributes, without a step that could be undone. */
export function settlePicture({ state, view }: Editor, at: number, attrs: Record<string, string>): void {
  const transaction = state.tr.setMeta("addToHistory", false);
  for (const [name, value] of Object.entries(attrs)) transaction.setNodeAttribute(at, name, value);
  view.dispatch(transaction);
}

/** HTML of a text as it is sent and kept: without pictures that have no address, and without empty lines at its end. */
export function contentOf(editor: Editor): string {
  if (editor.isEmpty) return "";
  return editor
    .getHTML()
    .replaceAll(/<img data-upload="[^"]*">/g, "")
    .replace(/(<p><\/p>)+$/, "");
}
