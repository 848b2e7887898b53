/** A room's lasting side: sessions come and go, what was written in it stays. */
export type Conversation = Readonly<{
  id: number;
  /** What webhooks name. */
  uid: string;
  roomName: string;
  createdAt: Date;
  ticketId: number | null;
  conferenceId: number | null;
  /** Whether people are in the room. */
  isOngoing: boolean;
  /** The last leave of the last session; null before that and while one goes on. */
  finishedAt: Date | null;
  /** Its ticket or conference is closed, cancelled or ended: nothing more is written. */
  isOver: boolean;
}>;
