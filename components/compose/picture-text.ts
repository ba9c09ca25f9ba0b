import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { NodeSelection, Selection } from "@tiptap/pm/state";

/** Node type of pictures in the editor's schema. */
export const pictureName = "image";

/** Returns a node's attribute when it is a string; else null. */
export function textAttribute(node: Node, name: string): string | null {
  const value: unknown = node.attrs[name];
  return typeof value === "string" ? value : null;
}

/** Returns a width or height in whole pixels that the server accepts; else null. */
export function pixels(value: string | null): string | null {
  return value && /^[1-9]\d{0,4}$/.test(value) ? value : null;
}

/** Returns the pictures of a document in order, with their positions. */
export function picturesIn(doc: Node): { readonly node: Node; readonly at: number }[] {
  const found: { node: Node; at: number }[] = [];
  doc.descendants((node, at) => {
    if (node.type.name === pictureName) found.push({ node, at });
  });
  return found;
}

/** Swaps a picture with the block above (-1) or below (1). @returns false when there is none */
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

/** Inserts pictures that are being uploaded, by default after the selection; the caret moves behind them. */
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
      // The next key would replace a selected picture.
      tr.setSelection(Selection.near(tr.doc.resolve(end), 1));
      return true;
    })
    .run();
}

/** Sets a picture's attributes without an undo step. */
export function settlePicture({ state, view }: Editor, at: number, attrs: Record<string, string>): void {
  const transaction = state.tr.setMeta("addToHistory", false);
  for (const [name, value] of Object.entries(attrs)) transaction.setNodeAttribute(at, name, value);
  view.dispatch(transaction);
}

/** Returns the HTML to send and store: without pictures that are not uploaded and without empty lines at its end. */
export function contentOf(editor: Editor): string {
  if (editor.isEmpty) return "";
  return editor
    .getHTML()
    .replaceAll(/<img data-upload="[^"]*">/g, "")
    .replace(/(<p><\/p>)+$/, "");
}
