/**
 * Messages to the embedding page. Sent only to its origin, which the page's frame-ancestors header
 * allows; if the origin is unknown, nothing is sent.
 */
export type ParentMessage =
  | Readonly<{ type: "ready" }>
  | Readonly<{ type: "joined" | "left" | "snapshot" | "ended" }>
  | Readonly<{ type: "invited"; kind: "ticket" | "conference"; id: number }>;

/** `{ source: "sightline", type: … }` by `postMessage`. */
export function postToParent(message: ParentMessage): void {
  const origin = isFramed() ? parentOrigin() : undefined;
  if (origin !== undefined && origin !== "null") {
    window.parent.postMessage({ source: "sightline", ...message }, origin);
  }
}

export function isFramed(): boolean {
  return window.self !== window.top;
}

function parentOrigin(): string | undefined {
  const [nearest] = location.ancestorOrigins ?? [];
  const known = nearest ?? document.referrer;
  return URL.canParse(known) ? new URL(known).origin : undefined;
}
