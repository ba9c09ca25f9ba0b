import { type Editor, type JSONContent, Node } from "@tiptap/core";
import {
  addColumnAfter,
  addRowAfter,
  deleteColumn,
  deleteRow,
  deleteTable,
  goToNextCell,
  isInTable,
  tableEditing,
} from "@tiptap/pm/tables";

/*
 * Tables of plain rows and columns. Tiptap's own extension writes inline styles, which the policy refuses; this one has
 * only the nodes, and takes everything else from prosemirror-tables.
 */

/** What prosemirror-tables calls our nodes. */
const roles: Readonly<Record<string, string>> = {
  table: "table",
  tableRow: "row",
  tableCell: "cell",
  tableHeader: "header_cell",
};

/** Posts have no merged cells and no widths, but prosemirror-tables reads these. */
const plainCell = () => ({
  colspan: { default: 1, parseHTML: () => 1, rendered: false },
  rowspan: { default: 1, parseHTML: () => 1, rendered: false },
  colwidth: { default: null, parseHTML: () => null, rendered: false },
});

const CELL_CONTENT = "(paragraph | bulletList | orderedList)+";

const Cell = Node.create({
  name: "tableCell",
  content: CELL_CONTENT,
  isolating: true,
  addAttributes: plainCell,
  parseHTML: () => [{ tag: "td" }],
  renderHTML: () => ["td", 0],
});

const HeaderCell = Node.create({
  name: "tableHeader",
  content: CELL_CONTENT,
  isolating: true,
  addAttributes: plainCell,
  parseHTML: () => [{ tag: "th" }],
  renderHTML: () => ["th", 0],
});

const Row = Node.create({
  name: "tableRow",
  content: "(tableCell | tableHeader)+",
  parseHTML: () => [{ tag: "tr" }],
  renderHTML: () => ["tr", 0],
});

/** A table. Tab moves to the next cell, and out of the last one. */
export const Table = Node.create({
  name: "table",
  content: "tableRow+",
  group: "block",
  isolating: true,
  addExtensions: () => [Row, HeaderCell, Cell],
  extendNodeSchema: ({ name }) => (roles[name] ? { tableRole: roles[name] } : {}),
  parseHTML: () => [{ tag: "table" }],
  renderHTML: () => ["table", ["tbody", 0]],
  addKeyboardShortcuts() {
    const go = (direction: 1 | -1) => () => {
      const { state, view } = this.editor;
      return goToNextCell(direction)(state, view.dispatch);
    };
    return { Tab: go(1), "Shift-Tab": go(-1) };
  },
  addProseMirrorPlugins: () => [tableEditing()],
});

/** Inserts a table of three columns with a row of headings, and puts the caret into its first cell. */
export function insertTable(editor: Editor): void {
  if (isInTable(editor.state)) return;
  const row = (type: string): JSONContent => ({
    type: "tableRow",
    content: Array.from({ length: 3 }, () => ({ type, content: [{ type: "paragraph" }] })),
  });
  const content = [row("tableHeader"), row("tableCell"), row("tableCell")];
  const at = editor.state.selection.from;
  editor.chain().focus().insertContent({ type: "table", content }).run();
  let first: number | null = null;
  editor.state.doc.nodesBetween(Math.max(0, at - 1), editor.state.doc.content.size, (node, position) => {
    if (first === null && node.type.name === "tableHeader") first = position + 2;
    return first === null;
  });
  if (first !== null) editor.commands.setTextSelection(first);
}

/** What can be done to the table that has the caret. */
const commands = {
  addRow: addRowAfter,
  addColumn: addColumnAfter,
  deleteRow,
  deleteColumn,
  deleteTable,
} as const;

export const tableActions = ["addRow", "addColumn", "deleteRow", "deleteColumn", "deleteTable"] as const;

/** Does it, and keeps the focus in the text. */
export function changeTable(editor: Editor, name: (typeof tableActions)[number]): void {
  commands[name](editor.state, editor.view.dispatch);
  editor.commands.focus();
}
