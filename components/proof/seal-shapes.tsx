const SCALLOPS = 14;
const CENTER = 24;
const RADIUS = 20.2;

/** Returns the outline of a scalloped disc in a 48-unit box. */
function scalloped(): string {
  const at = (i: number) => {
    const angle = (i / SCALLOPS) * 2 * Math.PI - Math.PI / 2;
    return `${(CENTER + RADIUS * Math.cos(angle)).toFixed(2)} ${(CENTER + RADIUS * Math.sin(angle)).toFixed(2)}`;
  };
  const bump = ((Math.PI * RADIUS) / SCALLOPS) * 1.04;
  const arcs = Array.from(
    { length: SCALLOPS },
    (_, i) => `A${bump.toFixed(2)} ${bump.toFixed(2)} 0 0 1 ${at(i + 1)}`,
  );
  return `M${at(0)}${arcs.join("")}Z`;
}

/** The paths of seals in a 48-unit box: the outline, and a glyph of each kind. */
export const sealPaths = {
  outline: scalloped(),
  glyphs: {
    // An @ sign, drawn with one stroke.
    domain:
      "M28.6 24a4.6 4.6 0 1 1-9.2 0 4.6 4.6 0 0 1 9.2 0Zm0-4.6v5.8c0 4.4 6 3.4 6-1.2a10.6 10.6 0 1 0-4.6 8.7",
    country:
      "M24 13.4a10.6 10.6 0 1 0 0 21.2 10.6 10.6 0 0 0 0-21.2Zm-10.6 10.6h21.2M24 13.4c-5.6 6.3-5.6 14.9 0 21.2 5.6-6.3 5.6-14.9 0-21.2Z",
    person: "M28.8 19.4a4.8 4.8 0 1 1-9.6 0 4.8 4.8 0 0 1 9.6 0ZM15.4 34c0-5 3.9-7.6 8.6-7.6s8.6 2.6 8.6 7.6",
  },
} as const;

/** The shapes of seals, once per page; `SealMark` shows them. */
export function SealShapes() {
  return (
    <svg className="hidden" aria-hidden="true">
      <path id="seal-outline" d={sealPaths.outline} />
      {Object.entries(sealPaths.glyphs).map(([kind, path]) => (
        <path key={kind} id={`seal-${kind}`} d={path} />
      ))}
    </svg>
  );
}
