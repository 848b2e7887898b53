/** Dependencies on other slices, injected by `compose`. */
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
  /** People in the call at the same time: a media server carries more than a mesh. */
  maxParticipants(trx: Trx, room: RoomRef): Promise<number>;
  subjects: Readonly<Record<SubjectRef["kind"], RoomSubject<Trx>>>;
  /**
   * Whether the customer of a ticket agreed to the terms in this use of the link, and no session
   * ended since: consent is for one session.
   */
  hasConsent(trx: Trx, order: Readonly<{ ticketId: number; visit: string }>): Promise<boolean>;
}>;
