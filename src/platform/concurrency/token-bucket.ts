/** How much one socket may send: a burst, and so much a second after it. */
export type TokenBucket = Readonly<{ tryTake(): boolean }>;

export function createTokenBucket(
  { size, perSecond }: Readonly<{ size: number; perSecond: number }>,
  nowMs: () => number,
): TokenBucket {
  let left = size;
  let atMs = nowMs();
  return {
    tryTake: () => {
      const now = nowMs();
      left = Math.min(size, left + ((now - atMs) / 1_000) * perSecond);
      atMs = now;
      if (left < 1) {
        return false;
      }
      left -= 1;
      return true;
    },
  };
}
