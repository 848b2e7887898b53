/**
 * In: the subscriptions that a pass processes in batches. Out: how many deliveries it changed.
 * Guarantee: a subscription that fails delays no other. It is logged, and after a time-out it comes
 * last, with smaller batches. The pass fails at the end, so that its heartbeat shows the reason.
 * On crash: every subscription starts with full batches again.
 */
import { mapEachInOrder } from "../../platform/concurrency/queues.ts";
import { isStatementTimeout } from "../../platform/db/errors.ts";
import type { TimeBudget } from "../../platform/clock.ts";
import { toError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";

type Subject = Readonly<{ subscriptionId: number }>;

type SubjectDeps = Readonly<{ log: Pick<Logger, "error"> }>;

/** After a time-out, batches are divided by this, and again after the next one. */
const timeoutFactor = 4;

const maxDivisor = 64;

/** The divisors of subscriptions whose batches timed out, by id. Each pass has its own. */
export type Divisors = Map<number, number>;

/** What a pass remembers, and when it must end. */
type PassContext = Readonly<{ divisors: Divisors; budget: TimeBudget }>;

/**
 * Calls `work` for one subscription after another, until the budget is spent: the next pass continues.
 * `work` divides its batches by `divisor`.
 */
export async function sumPerSubscription<S extends Subject>(
  { log, divisors, budget }: SubjectDeps & PassContext,
  subjects: readonly S[],
  work: (subject: S, divisor: number) => Promise<number>,
): Promise<number> {
  const divisorOf = ({ subscriptionId }: Subject): number => divisors.get(subscriptionId) ?? 1;
  const slowLast = subjects.toSorted((a, b) => divisorOf(a) - divisorOf(b));
  const counts = await mapEachInOrder(slowLast, async (subject) => {
    if (budget.isSpent()) {
      return 0;
    }
    const { subscriptionId } = subject;
    const divisor = divisorOf(subject);
    try {
      const count = await work(subject, divisor);
      if (divisor > 1) {
        divisors.set(subscriptionId, divisor / 2);
      } else {
        divisors.delete(subscriptionId);
      }
      return count;
    } catch (thrown) {
      const error = toError(thrown);
      if (isStatementTimeout(error)) {
        divisors.set(subscriptionId, Math.min(divisor * timeoutFactor, maxDivisor));
      }
      const reason = error.message;
      log.error({ subscription_id: subscriptionId, reason }, "subscription.backlog_failed");
      throw error;
    }
  });
  return counts.reduce((sum, count) => sum + count, 0);
}
