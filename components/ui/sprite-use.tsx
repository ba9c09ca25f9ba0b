import { cx } from "./cx";
import type { SpriteIcon } from "./sprite";

export interface SpriteUseProps {
  readonly icon: SpriteIcon;
  readonly className?: string;
}

/** A decorative icon whose shape is in the page's `Sprite`: lists repeat icons too often to repeat their shapes. */
export function SpriteUse({ icon, className }: SpriteUseProps) {
  return (
    <svg className={cx("icon", className ?? "size-4")} aria-hidden="true">
      <use href={`#icon-${icon}`} />
    </svg>
  );
}
