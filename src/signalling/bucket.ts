/** How much one socket may send: a burst, and so much a second after it. */
export type Bucket = Readonly<{ take(): boolean }>;

export function createBucket(
  { size, perSecond }: Readonly<{ size: number; perSecond: number }>,
  nowMs: () => number,
): Bucket {
  let left = size;
  let atMs = nowMs();
  return {
    take: () => {
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
