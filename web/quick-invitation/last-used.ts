export function readLastUsed(userId: number): string | null {
  try {
    return localStorage.getItem(keyOf(userId));
  } catch {
    return null;
  }
}

export function keepLastUsed(userId: number, serviceKey: string): void {
  try {
    localStorage.setItem(keyOf(userId), serviceKey);
  } catch {
    // A frame of another site may be given no storage.
  }
}

/** The service that was used last, for each user of this browser. Nothing where it keeps nothing. */
function keyOf(userId: number): string {
  return `sightline.quick-invitation.service.${userId}`;
}
