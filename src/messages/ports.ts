/** What messages need of other slices. `compose` hands the real ones over. */
import type { AuditEntry } from "../contracts/audit.ts";
import type { Trx } from "../platform/db/pool.ts";

export type Audit = {
  write(trx: Trx, entry: AuditEntry): Promise<void>;
};

/** How many SMS one enterprise may send in a minute. */
export type SmsLimiter = {
  take(
    key: string,
  ): Promise<
    Readonly<{ isAllowed: boolean; limit: number; remaining: number; resetSeconds: number }>
  >;
};
