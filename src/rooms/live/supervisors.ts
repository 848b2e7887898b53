/**
 * Supervisors, who watch a running session: they see and hear, send nothing, and are not counted. The
 * pages in the call tell their people so.
 */
import type { AuditLog } from "../../contracts/audit.ts";
import type { Role, Scope } from "../../contracts/permissions.ts";
import { problem } from "../../contracts/problems.ts";
import { supervisionOf, type SupervisionState } from "../../contracts/rooms.ts";
import { reachOf, type Actor } from "../../http/authorize.ts";
import type { RoomTokens } from "../../http/room-tokens.ts";
import type { Guest } from "../../http/route.ts";
import type { Clock } from "../../platform/clock.ts";
import { rowsOf, type Db, type Queryable, type Trx } from "../../platform/db/pool.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { sessionLimitMs } from "../model.ts";
import { findWatchedRoom } from "./store.ts";

export type SupervisionDeps = Readonly<{
  db: Db;
  clock: Clock;
  audit: AuditLog<Trx>;
  roomTokens: Pick<RoomTokens, "issue">;
  hasLivekit: boolean;
}>;

/** The token ends with the session, which lasts no longer than this. */
export const supervisorTokenSeconds = sessionLimitMs / 1_000;

const refusals: Readonly<Record<Exclude<SupervisionState, "available">, string>> = {
  no_livekit: "Calls can be watched only over LiveKit, which is not configured.",
  mesh_only: "The service of this call uses direct connections only, which cannot be watched.",
  unreachable: "LiveKit was unreachable during this call, so it cannot be watched.",
};

/** Out: a room token of a supervisor for this session. It is written into the audit log. */
export function issueSupervisorToken(
  { db, clock, audit, roomTokens, hasLivekit }: SupervisionDeps,
  { actor, scope, sessionId }: Readonly<{ actor: Actor; scope: Scope; sessionId: string }>,
): Promise<{ token: string; guest: Guest }> {
  return inTransaction(db, async (trx) => {
    const { enterpriseId, userId } = scope;
    const room = await findWatchedRoom(trx, scope, sessionId);
    if (room === undefined) {
      throw problem("not_found", `No session ${sessionId} is running.`);
    }
    const { kind, subjectId, conversationId, isInReach } = room;
    if (!isInReach) {
      throw problem("forbidden", `Session ${sessionId} belongs to another user.`);
    }
    const state = supervisionOf(room, hasLivekit);
    if (state !== "available") {
      throw problem("conflict", refusals[state], { details: `Reason ${state}` });
    }
    await audit.write(trx, {
      ...actor,
      action: "watch",
      object: kind,
      objectId: subjectId,
      changes: { session: { to: sessionId } },
    });
    const guest: Guest = {
      enterpriseId,
      conversationId,
      ticketId: kind === "ticket" ? subjectId : null,
      conferenceId: kind === "conference" ? subjectId : null,
      role: "supervisor",
      participant: `supervisor:${userId}`,
      visit: sessionId,
      userId,
      // The people in the call learn that somebody watches, not who.
      name: "",
    };
    const expiresAt = new Date(clock.now().getTime() + supervisorTokenSeconds * 1_000);
    return { token: await roomTokens.issue(guest, expiresAt), guest };
  });
}

/** Whether a supervisor's room token still holds: the session is running, and the user reaches it. */
export async function maySupervise(
  db: Queryable,
  { enterpriseId, userId, visit }: Pick<Guest, "enterpriseId" | "userId" | "visit">,
): Promise<boolean> {
  const [user] = await rowsOf<{ id: number; role: Role; group_ids: number[] }>(
    db,
    `SELECT u.id, u.role, coalesce((SELECT json_agg(m.group_id) FROM group_members m
       WHERE m.user_id = u.id), '[]') AS group_ids
     FROM users u WHERE u.enterprise_id = ? AND u.id = ? AND u.is_active`,
    [enterpriseId, userId],
  );
  const reach = user && reachOf(user.role, "rooms.watch");
  if (user === undefined || reach === undefined) {
    return false;
  }
  const scope: Scope = { enterpriseId, userId: user.id, groupIds: user.group_ids, reach };
  return (await findWatchedRoom(db, scope, visit))?.isInReach === true;
}
