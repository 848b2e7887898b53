/** What statistics need of others. */
import type { Scope } from "../contracts/permissions.ts";

/**
 * The part of a WHERE clause over `tickets t` that leaves what a scope reaches: the list of tickets
 * and their statistics show the same ones.
 */
export type TicketReach = (scope: Scope) => { sql: string; bindings: readonly unknown[] };
