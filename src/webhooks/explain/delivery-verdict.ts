/** What a delivery that exists waits for, or how it ended. Pure. */
import { toTimestamp } from "../../platform/timestamps.ts";
import type { EventDelivery } from "./store.ts";
import { finding, offPeriod, type Finding, type Known, type Party } from "./finding.ts";

type Holder = Party & { delivery: EventDelivery };

const endReasons: Readonly<Record<string, string>> = {
  webhook_deleted: "the webhook was deleted",
  off_too_long: "the webhook was off for too long",
  expunged: "the content of the event was removed on request",
  replay_cancelled: "its replay was cancelled",
};

const byState: Readonly<Record<string, (holder: Holder) => Finding>> = {
  delivered: findDelivered,
  available: findAvailable,
  dead: findDead,
  cancelled: findCancelled,
  queued: findInFlight,
  sending: findInFlight,
};

/** In: what is known of the event, and a subscription with its delivery. */
export function judgeDelivery(known: Known, holder: Holder): Finding {
  const { state } = holder.delivery;
  const find = byState[state];
  return find === undefined ? findWaiting(known, holder) : find(holder);
}

/** To be sent: the first thing that holds it up. */
function findWaiting(known: Known, holder: Holder): Finding {
  const { delivery, revisions } = holder;
  const today = revisions.at(-1);
  if (today?.isDeleted === true) {
    return finding("cancelled", "The webhook was deleted.", {
      since: today.validFrom,
      cause: today,
    });
  }
  if (today?.isActive === false) {
    return findPaused(holder);
  }
  return delivery.waitsFor === null
    ? (findHeldBack(known, holder) ?? findScheduled(known, holder))
    : findSuccessor(delivery.waitsFor);
}

function findPaused({ revisions }: Holder): Finding {
  const today = revisions.at(-1);
  const off = today === undefined ? undefined : offPeriod(revisions, today).from;
  const text = "The webhook is off. It goes on when it is switched on again, within seven days.";
  return finding("paused", text, { since: off?.validFrom ?? null, cause: off ?? null });
}

/** What keeps all requests of the webhook back for longer than this one has to wait anyway. */
function findHeldBack({ now }: Known, { delivery, subscription }: Holder): Finding | undefined {
  const { throttledUntil, probeAt } = subscription;
  const later = (time: Date | null): time is Date => time !== null && time > delivery.dueAt;
  if (later(throttledUntil) && throttledUntil > now) {
    return findThrottled(throttledUntil);
  }
  return later(probeAt) ? findCircuit(probeAt) : undefined;
}

function findThrottled(until: Date): Finding {
  const text = `The receiver asked for patience: nothing goes to this webhook before ${toTimestamp(until)}.`;
  return finding("throttled", text, { until });
}

function findCircuit(until: Date): Finding {
  const text = `The receiver fails: only one request at a time is tried, the next from ${toTimestamp(until)} on.`;
  return finding("circuit_open", text, { until });
}

function findScheduled({ now }: Known, { delivery }: Holder): Finding {
  const { attempts, dueAt, lastResult } = delivery;
  if (dueAt <= now) {
    const text = "It is due and goes as soon as the webhook has room for another request.";
    return finding("waiting", text, { since: dueAt });
  }
  const failed =
    attempts === 0
      ? ""
      : ` ${times(attempts)} failed, the last with ${lastResult ?? "an unknown result"}.`;
  return finding("waiting", `Waiting until ${toTimestamp(dueAt)}.${failed}`, { until: dueAt });
}

function findSuccessor(first: NonNullable<EventDelivery["waitsFor"]>): Finding {
  const { id, sequence, state } = first;
  const text = `An earlier delivery of the same object goes first: ${id}, with the sequence ${sequence}, which is ${state}.`;
  return finding("waits_for_other", text);
}

function findCancelled({ delivery }: Holder): Finding {
  const { endReason, endedAt } = delivery;
  const why = endReason === null ? "" : ` because ${endReasons[endReason] ?? endReason}`;
  return finding("cancelled", `Cancelled${why}.`, { since: endedAt });
}

function findDelivered({ delivery: { attempts, endedAt } }: Holder): Finding {
  const tries = attempts > 1 ? ` with the attempt number ${attempts}` : "";
  return finding("delivered", `Delivered${tries}.`, { since: endedAt });
}

function findDead({ delivery: { attempts, lastResult, endedAt } }: Holder): Finding {
  const last = lastResult === null ? "" : ` The last one ended with ${lastResult}.`;
  const text = `Given up after ${times(attempts)}.${last} It can be replayed.`;
  return finding("dead", text, { since: endedAt });
}

function times(count: number): string {
  return count === 1 ? "1 attempt" : `${count} attempts`;
}

function findAvailable({ delivery, subscription }: Holder): Finding {
  const { pulledTo, pulledAt } = subscription;
  return pulledTo >= delivery.sequence
    ? finding("pulled", "The receiver has pulled it.", { until: pulledAt })
    : finding("available", "It is kept until the receiver pulls it.", { since: delivery.endedAt });
}

function findInFlight({ delivery }: Holder): Finding {
  return finding(
    "in_flight",
    delivery.state === "sending"
      ? `The attempt number ${delivery.attempts + 1} is under way.`
      : `The attempt number ${delivery.attempts + 1} is handed to a worker.`,
  );
}
