/** What statistics need of others. */
import type { Reach } from "../contracts/permissions.ts";

export type Scope = Readonly<{
  enterpriseId: number;
  userId: number;
  groupIds: readonly number[];
  reach: Reach;
}>;

/**
 * The part of a WHERE clause over `tickets t` that leaves what a scope reaches: the list of tickets
 * and their statistics show the same ones.
 */
export type TicketReach = (scope: Scope) => { sql: string; bindings: readonly unknown[] };
