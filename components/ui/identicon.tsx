import { cx } from "./cx";

/** Pairs of colors for disc and shape, `tint-0` and on in app/rows.css. */
const TINTS = 8;
/**
 * Large shapes on a square of eight by eight; each can be turned by quarters. Few and far apart, so that two are told
 * apart at 20 px.
 */
const SHAPES = [
  "M0 0h8v4H0z",
  "M0 0h8L0 8z",
  "M0 0h4v4h4v4H4V4H0z",
  "M0 8a8 8 0 0 1 8-8v8z",
  "M4 1l3 6H1z",
  "M3 0h2v3h3v2H0V3h3z",
  "M0 3h8v2H0z",
  "M4 0l4 4-4 4-4-4z",
  "M0 0l4 4-4 4zM8 0v8L4 4z",
  "M4 2a2 2 0 0 1 0 4 2 2 0 0 1 0-4z",
  "M0 0h2v8H0zM6 0h2v8H6z",
  "M2 2h6v6H2z",
] as const;

/** 32-bit FNV-1a with a final mix; not cryptographic, because a picture needs only distribution. */
function fnv(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

const sizes = { xs: "size-5", sm: "size-6", md: "size-9", lg: "size-16", xl: "size-24" } as const;
type AvatarSize = keyof typeof sizes;

/** A picture generated from an id, so that accounts without a photo are recognizable. */
export function Identicon({ of, size = "sm" }: { readonly of: string; readonly size?: AvatarSize }) {
  return (
    <svg
      viewBox="0 0 8 8"
      aria-hidden="true"
      className={cx("identicon", sizes[size], `tint-${fnv(of, 3) % TINTS}`)}
    >
      <path d={SHAPES[fnv(of, 7) % SHAPES.length]} transform={`rotate(${90 * (fnv(of, 11) % 4)} 4 4)`} />
    </svg>
  );
}

/** The picture of a guest or an unknown author. */
function Silhouette({ size }: { readonly size: AvatarSize }) {
  return (
    <svg
      viewBox="0 0 24 24"
      aria-hidden="true"
      className={cx("shrink-0 rounded-full bg-wash fill-line-strong", sizes[size])}
    >
      <circle cx="12" cy="9.5" r="3.6" />
      <path d="M5 19.5c0-3.6 3.1-5.6 7-5.6s7 2 7 5.6Z" />
    </svg>
  );
}

export interface AvatarProps {
  /** Null for an unknown user. */
  readonly userId: string | null;
  readonly image?: string | null;
  readonly size?: AvatarSize;
  /** Alternative text, where no name is beside it. */
  readonly alt?: string;
}

/** A member's photo or identicon. Beside a nickname, as almost always, it needs no alternative text. */
export function Avatar({ userId, image, size = "sm", alt = "" }: AvatarProps) {
  if (!image) {
    const drawn = userId === null ? <Silhouette size={size} /> : <Identicon of={userId} size={size} />;
    if (!alt) return drawn;
    return (
      <span role="img" aria-label={alt} className="shrink-0">
        {drawn}
      </span>
    );
  }
  return (
    // biome-ignore lint/performance/noImgElement: next/image writes inline styles, which the CSP refuses
    <img
      src={image}
      alt={alt}
      loading="lazy"
      className={cx("shrink-0 rounded-full bg-wash object-cover", sizes[size])}
    />
  );
}
