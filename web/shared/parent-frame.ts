/**
 * Messages to the page that embeds this one. The header of the page decides who may embed it, so
 * that the parent's origin is an allowed one; if it cannot be known, nothing is sent.
 */
export type ParentMessage =
  | Readonly<{ type: "ready" | "signed-out" | "joined" | "left" | "ended" }>
  | Readonly<{ type: "ringing"; isRinging: boolean }>
  | Readonly<{ type: "snapshot"; mediaId: number }>
  | Readonly<{ type: "invited"; kind: "ticket" | "conference"; id: number }>;

/** `{ source: "sightline", type: … }` by `postMessage`. */
export function postToParent(message: ParentMessage): void {
  const origin = isFramed() ? parentOrigin() : undefined;
  if (origin !== undefined) {
    window.parent.postMessage({ source: "sightline", ...message }, origin);
  }
}

export function isFramed(): boolean {
  return window.self !== window.top;
}

function parentOrigin(): string | undefined {
  // Firefox before 148 has no `ancestorOrigins`.
  const { ancestorOrigins } = location as { ancestorOrigins?: DOMStringList };
  try {
    const { origin } = new URL(ancestorOrigins?.[0] ?? document.referrer);
    return origin === "null" ? undefined : origin;
  } catch {
    return undefined;
  }
}
