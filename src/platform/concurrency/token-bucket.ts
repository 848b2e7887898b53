/** Allows a burst of `size`, then `perSecond` on average. */
export type TokenBucket = Readonly<{ tryTake(): boolean }>;

export type TokenBucketOptions = Readonly<{ size: number; perSecond: number }>;

export function createTokenBucket(
  { size, perSecond }: TokenBucketOptions,
  nowMs: () => number,
): TokenBucket {
  let tokens = size;
  let refilledAtMs = nowMs();
  return {
    tryTake: () => {
      const now = nowMs();
      tokens = Math.min(size, tokens + ((now - refilledAtMs) / 1_000) * perSecond);
      refilledAtMs = now;
      if (tokens < 1) {
        return false;
      }
      tokens -= 1;
      return true;
    },
  };
}
