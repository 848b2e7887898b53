/** Who is shown where. Pure. */
export type Placed = Readonly<{ id: string; isSharing: boolean }>;

export type Arrangement =
  /** Nobody else is there. */
  | Readonly<{ kind: "alone" }>
  /** One other person large, with one's own picture in a corner. */
  | Readonly<{ kind: "pair"; large: string }>
  | Readonly<{ kind: "grid"; ids: readonly string[] }>
  /** A screen or a person large, with all pictures in a strip. */
  | Readonly<{
      kind: "large";
      large: Readonly<{ id: string; what: "screen" | "camera" }>;
      strip: readonly string[];
    }>;

export type ArrangementInput = Readonly<{
  selfId: string;
  /** The others, in the order in which they came. */
  others: readonly Placed[];
  /** The person selected for the large picture. */
  pinnedId: string | undefined;
}>;

/** One's own screen is never large, because it would show itself recursively. */
export function arrange({ selfId, others, pinnedId }: ArrangementInput): Arrangement {
  const [first] = others;
  if (first === undefined) {
    return { kind: "alone" };
  }
  const ids = [...others.map(({ id }) => id), selfId];
  const sharing = others.filter(({ isSharing }) => isSharing).pop();
  const pinned = ids.find((id) => id === pinnedId);
  if (pinned !== undefined) {
    const large = { id: pinned, what: "camera" } as const;
    return { kind: "large", large, strip: ids.filter((id) => id !== pinned) };
  }
  if (sharing !== undefined) {
    return { kind: "large", large: { id: sharing.id, what: "screen" }, strip: ids };
  }
  return others.length === 1 ? { kind: "pair", large: first.id } : { kind: "grid", ids };
}
