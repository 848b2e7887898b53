import type { AuditEntry } from "../contracts/audit.ts";
import type { Trx } from "../platform/db/pool.ts";
import { insertEntry } from "./store.ts";

export type Audit = {
  /** Keeps a change, in the transaction that makes it: neither is there without the other. */
  write(trx: Trx, entry: AuditEntry): Promise<void>;
};

export function createAudit(): Audit {
  return { write: insertEntry };
}
