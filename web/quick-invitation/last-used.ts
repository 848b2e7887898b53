/** The service that was used last, for each user of this browser. Nothing where it keeps nothing. */
const keyOf = (userId: number): string => `sightline.quick-invitation.service.${userId}`;

export const readLastUsed = (userId: number): string | null => {
  try {
    return localStorage.getItem(keyOf(userId));
  } catch {
    return null;
  }
};

export const keepLastUsed = (userId: number, serviceKey: string): void => {
  try {
    localStorage.setItem(keyOf(userId), serviceKey);
  } catch {
    // A frame of another site may be given no storage.
  }
};
