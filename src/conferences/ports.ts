/** Dependencies on other features, injected by `compose`. */
import type { RoomTokens } from "../http/room-tokens.ts";
import type { ConferenceInvitations } from "../contracts/invitations.ts";
import type { ConferenceService, FindUser } from "../contracts/directory.ts";
import type { EndRoom, ConversationFactory, WakeRoom } from "../contracts/rooms.ts";
import type { Clock } from "../platform/clock.ts";
import type { Db, Queryable, Trx } from "../platform/db/pool.ts";
import type { Ids } from "../platform/ids.ts";
import type { SecretBox } from "../platform/secret-box.ts";
import type { Tasks } from "../platform/tasks/task.ts";

/** Look-ups within one enterprise. */
type ConferenceDirectory = {
  findUser: FindUser<Queryable, number>;
  findUserByLogin: FindUser<Queryable, string>;
  /** The active conference service with this key; without a key, the oldest one. */
  findServiceForConferences(
    db: Queryable,
    enterpriseId: number,
    serviceKey: string | undefined,
  ): Promise<ConferenceService | undefined>;
};

export type ConferenceDeps = Readonly<{
  db: Db;
  clock: Clock;
  ids: Pick<Ids, "hex" | "base62" | "digits" | "uuid">;
  directory: ConferenceDirectory;
  conversations: ConversationFactory<Trx>;
  invitations: ConferenceInvitations<Trx>;
  roomTokens: Pick<RoomTokens, "issue">;
  tasks: Tasks;
  endRoom: EndRoom<Trx>;
  wakeRoom: WakeRoom;
  /** Seals passwords. */
  secretBox: SecretBox;
  /** Public address without a trailing slash. */
  baseUrl: string;
}>;
