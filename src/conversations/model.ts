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

export const chatAuthors = ["agent", "guest", "system"] as const;
export type ChatAuthor = (typeof chatAuthors)[number];

export type ChatMessage = Readonly<{
  id: number;
  conversationId: number;
  /** Null: written while nobody was in the room. */
  sessionId: string | null;
  author: ChatAuthor;
  userId: number | null;
  name: string;
  text: string;
  at: Date;
  /** Given by the page that sent it, so that a message sent again is the same one. */
  clientKey: string | null;
}>;
