/**
 * Decodes a room token. The page uses it only to choose its first message and the name of its
 * stored values; the server decides what the token allows.
 */
type Claims = Readonly<{ role?: unknown; sub?: unknown; conversation?: unknown }>;

/** Whether it is that of a waiting guest. */
export function isWaitingToken(token: string): boolean {
  return claimsOf(token).role === "waiting";
}

/** The person and the room, the same in every token of theirs. */
export function ownerOfToken(token: string): string {
  const { conversation, sub } = claimsOf(token);
  return JSON.stringify([conversation, sub]);
}

function claimsOf(token: string): Claims {
  const [, payload = ""] = token.split(".");
  try {
    return JSON.parse(atob(payload.replace(/-/gu, "+").replace(/_/gu, "/"))) as Claims;
  } catch {
    return {};
  }
}
