/** Seats for what holds on to a process: calls that wait, streams. */
export type Seats = {
  /** Gives the seat back; undefined where there is none left. */
  take(enterpriseId: number): (() => void) | undefined;
};

/** At most `perEnterprise` for each enterprise, and `inAll` in this process. */
export const createSeats = ({
  perEnterprise,
  inAll,
}: {
  perEnterprise: number;
  inAll: number;
}): Seats => {
  const taken = new Map<number, number>();
  let all = 0;
  return {
    take: (enterpriseId) => {
      const own = taken.get(enterpriseId) ?? 0;
      if (own >= perEnterprise || all >= inAll) {
        return undefined;
      }
      taken.set(enterpriseId, own + 1);
      all += 1;
      let isHeld = true;
      return () => {
        if (!isHeld) {
          return;
        }
        isHeld = false;
        all -= 1;
        const left = (taken.get(enterpriseId) ?? 1) - 1;
        if (left === 0) {
          taken.delete(enterpriseId);
        } else {
          taken.set(enterpriseId, left);
        }
      };
    },
  };
};
