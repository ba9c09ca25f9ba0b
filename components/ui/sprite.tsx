import { ArrowBigDown, ArrowBigUp, Bookmark, Link2, type LucideIcon, MessageSquare, Pin } from "lucide-react";

/** Icons that a page shows many times. */
const shapes = {
  bookmark: Bookmark,
  chain: Link2,
  comments: MessageSquare,
  down: ArrowBigDown,
  pin: Pin,
  up: ArrowBigUp,
} as const satisfies Readonly<Record<string, LucideIcon>>;
export type SpriteIcon = keyof typeof shapes;

/** The icons' shapes, once per page; `SpriteUse` shows them. */
export function Sprite() {
  return (
    <svg className="hidden" aria-hidden="true">
      {Object.entries(shapes).map(([name, Shape]) => (
        <symbol key={name} id={`icon-${name}`} viewBox="0 0 24 24">
          <Shape fill="inherit" />
        </symbol>
      ))}
    </svg>
  );
}
