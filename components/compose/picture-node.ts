import { nodeInputRule } from "@tiptap/core";
import { Image } from "@tiptap/extension-image";
import { NodeSelection } from "@tiptap/pm/state";
import { ReactNodeViewRenderer } from "@tiptap/react";
import { movePicture, pictureName, pixels, textAttribute } from "./picture-text";
import { PictureView } from "./picture-view";

/** Pictures from elsewhere come by https only; the server lets no others stand. */
const written = /(?:^|\s)(!\[([^\]]*)\]\((https:\/\/[^\s)]+)\))$/;

/**
 * A picture in the text, a block of its own. `alt` is null until somebody decided: words, or empty for mere decoration.
 * While it is being uploaded it has the id of the upload and no address.
 */
export const Picture = Image.extend({
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
