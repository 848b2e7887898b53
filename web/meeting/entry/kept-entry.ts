/**
 * The room token of this tab, so that a reload leads back into the room as the same person, who need
 * not be admitted again. Without storage a reload begins anew.
 */
export type KeptEntry = Readonly<{ token: string; role: string; name: string }>;

export function keyOfEntry(roomName: string): string {
  return `sightline.meeting.${roomName}`;
}
