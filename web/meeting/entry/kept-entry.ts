/**
 * The room token of this tab, so that a reload leads back into the room as the same person, who need
 * not be admitted again. Some browsers refuse storage in frames: then a reload begins anew.
 */
export type KeptEntry = Readonly<{ token: string; role: string; name: string }>;

export type EntryMemory = Readonly<{
  read(): KeptEntry | undefined;
  keep(entry: KeptEntry): void;
  forget(): void;
}>;

export function createEntryMemory(roomName: string): EntryMemory {
  const key = `sightline.meeting.${roomName}`;
  return {
    read: () => {
      try {
        const kept = sessionStorage.getItem(key);
        return kept === null ? undefined : (JSON.parse(kept) as KeptEntry);
      } catch {
        return undefined;
      }
    },
    keep: (entry) => {
      try {
        sessionStorage.setItem(key, JSON.stringify(entry));
      } catch {
        // Only a reload is affected.
      }
    },
    forget: () => {
      try {
        sessionStorage.removeItem(key);
      } catch {
        // Nothing was kept.
      }
    },
  };
}
