/** The product's logo, as in the favicon. */
export function Mark({ size = 20 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" aria-hidden focusable="false">
      <rect width="20" height="20" rx="5" fill="var(--accent)" />
      <g fill="none" stroke="var(--surface)">
        <circle cx="10" cy="10" r="5.2" strokeWidth="1.6" />
        <circle cx="10" cy="10" r="1.9" fill="var(--surface)" stroke="none" />
      </g>
    </svg>
  );
}
