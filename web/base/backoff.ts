/** Retry delays. Pure. */

export type BackoffOptions = Readonly<{ firstMs?: number; maxMs?: number; random?: () => number }>;

/**
 * Exponential backoff with jitter: about 1, 2, 4 … 30 seconds, each between 50 and 100 % of that,
 * so that many browsers do not retry at the same moment.
 *
 * @param failures in a row, from 1
 */
export function backoffMs(
  failures: number,
  { firstMs = 1_000, maxMs = 30_000, random = Math.random }: BackoffOptions = {},
): number {
  const ceiling = Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 16));
  return Math.round(ceiling * (0.5 + random() / 2));
}
