import { createBreath } from "../../platform/breath.ts";
import { rowsOf, type Trx } from "../../platform/db/pool.ts";
import { judgeConditions, openContent, type Candidate } from "../ledger/revisions.ts";
import type { Match, Matched } from "./plan.ts";
import type { OutboxEvent, SubscriptionSet } from "./subscription-set.ts";

/** An event and the subscriptions whose filters let it through. */
type Candidates = { event: OutboxEvent; candidates: readonly Candidate[] };

/**
 * The subscriptions that each event is for. Bodies are read, once per batch, and parsed, once per
 * event, only where a subscription with conditions is left after its filters.
 */
export async function chooseSubscriptions(
  trx: Trx,
  subscriptions: SubscriptionSet,
  events: readonly OutboxEvent[],
): Promise<Matched[]> {
  const found = events.map((event) => ({ event, candidates: subscriptions.match(event) }));
  const asking = found.filter(needsBody).map(({ event }) => event);
  const bodies = asking.length === 0 ? undefined : await readBodies(trx, asking);
  const breathe = createBreath();
  const matched: Matched[] = [];
  for (const one of found) {
    const body = bodies?.get(one.event.eventId);
    const matches = body === undefined ? one.candidates.map(toMatch) : passing(one, body);
    matched.push({ event: one.event, matches });
    if (body !== undefined) {
      // oxlint-disable-next-line no-await-in-loop -- conditions may be dear: others have to go on
      await breathe();
    }
  }
  return matched;
}

/** What was removed cannot be asked: nothing of it goes out anyway. */
function needsBody({ event, candidates }: Candidates): boolean {
  return !event.isExpunged && candidates.some(({ inForce }) => inForce.passesConditions !== null);
}

async function readBodies(trx: Trx, events: readonly OutboxEvent[]): Promise<Map<number, string>> {
  const rows = await rowsOf<{ event_id: number; body: string }>(
    trx,
    `SELECT given.event_id, e.body
     FROM unnest(?::bigint[], ?::timestamptz[]) AS given(event_id, occurred_at)
     CROSS JOIN LATERAL (
       SELECT body FROM events
       WHERE id = given.event_id AND occurred_at = given.occurred_at LIMIT 1) AS e`,
    [events.map((event) => event.eventId), events.map((event) => event.occurredAt)],
  );
  return new Map(rows.map((row) => [row.event_id, row.body]));
}

function passing({ candidates }: Candidates, body: string | null): Match[] {
  const content = openContent(body);
  return candidates
    .filter((candidate) => judgeConditions(candidate, content).verdict === "matches")
    .map(toMatch);
}

function toMatch({ today }: Candidate): Match {
  return {
    subscriptionId: today.subscriptionId,
    isOrdered: today.isOrdered,
    isActive: today.isActive,
    mode: today.mode,
  };
}
