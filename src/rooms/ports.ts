/** Dependencies on other features, injected by `compose`. */
import type { RoomRef, SubjectRef, RoomSubject } from "../contracts/rooms.ts";
import type { Outbox } from "../pipeline/outbox/append.ts";
import type { Clock } from "../platform/clock.ts";
import type { Db, Trx } from "../platform/db/pool.ts";
import type { Ids } from "../platform/ids.ts";
import type { Logger } from "../platform/logger.ts";
import type { Tasks } from "../platform/tasks/task.ts";

export type RoomsDeps = Readonly<{
  db: Db;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
  tasks: Tasks;
  outbox: Outbox;
  log: Pick<Logger, "error">;
  /** Participant limit of the call; higher with a media server than in a mesh. */
  maxParticipants(trx: Trx, room: RoomRef): Promise<number>;
  subjects: Readonly<Record<SubjectRef["kind"], RoomSubject<Trx>>>;
  /**
   * Whether the ticket's customer accepted the terms in this use of the link. Consent covers one
   * session: it expires when a session ends.
   */
  hasConsent(trx: Trx, order: Readonly<{ ticketId: number; visit: string }>): Promise<boolean>;
}>;
