import Link from "next/link";
import type { ComponentProps, MouseEvent, ReactNode } from "react";
import { cx } from "./cx";
import { LinkPending } from "./link-pending";

export type ButtonTone = "primary" | "plain" | "quiet" | "danger";
type ButtonSize = "sm" | "md";

function buttonClass(tone: ButtonTone, size: ButtonSize, className?: string, wrap?: boolean): string {
  return cx("ease tap button", `button-${tone} button-${size}`, wrap && "button-wrap", className);
}

export interface ButtonProps extends ComponentProps<"button"> {
  readonly tone?: ButtonTone;
  readonly size?: ButtonSize;
  /** Shows a spinner and ignores further presses. Unlike `disabled`, this keeps the focus for keyboard users. */
  readonly busy?: boolean;
  /** Wraps a long label, such as one with a name. */
  readonly wrap?: boolean;
}

const preventDefault = (event: MouseEvent) => event.preventDefault();

/** A button. Its label starts with a verb. */
export function Button({
  tone = "plain",
  size = "md",
  busy,
  wrap,
  className,
  type = "button",
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={buttonClass(tone, size, className, wrap)}
      aria-disabled={busy || rest["aria-disabled"]}
      aria-busy={busy || undefined}
      onClick={busy ? preventDefault : rest.onClick}
    >
      {busy ? <Spinner /> : null}
      {children}
    </button>
  );
}

export interface ButtonLinkProps extends ComponentProps<typeof Link> {
  readonly tone?: ButtonTone;
  readonly size?: ButtonSize;
}

/** A link that looks like a button. */
export function ButtonLink({ tone = "plain", size = "md", className, children, ...rest }: ButtonLinkProps) {
  return (
    <Link {...rest} className={buttonClass(tone, size, className)}>
      {children}
      <LinkPending />
    </Link>
  );
}

export interface IconButtonProps extends ComponentProps<"button"> {
  /** Accessible name; also the tooltip. */
  readonly label: string;
  readonly children: ReactNode;
}

/** A square button with an icon only. */
export function IconButton({ label, className, type = "button", children, ...rest }: IconButtonProps) {
  return (
    <button
      title={label}
      {...rest}
      type={type}
      aria-label={label}
      className={cx("ease tap button-icon", className)}
    >
      {children}
    </button>
  );
}

/** A small spinner, hidden from assistive technology. */
export function Spinner({ className }: { readonly className?: string }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" className={cx("turning size-4 shrink-0", className)}>
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeOpacity="0.25" strokeWidth="2" />
      <path d="M8 2a6 6 0 0 1 6 6" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}
