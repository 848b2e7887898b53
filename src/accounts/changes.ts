import type { AuditEntry } from "../contracts/audit.ts";
import { maskedValue } from "../contracts/masked.ts";

/** In the place of a value that an entry must not keep: a secret, or what belongs to a person. */
export const masked = maskedValue;

type Changes = AuditEntry["changes"];

/** The fields that differ. Of hidden ones only whether there was and is a value. Pure. */
export function changesBetween(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  hidden: readonly string[] = [],
): Changes {
  return Object.fromEntries(
    Object.entries(after)
      .filter(([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value))
      .map(([name, to]) => {
        const isHidden = hidden.includes(name);
        const was = Object.hasOwn(before, name) ? { from: shown(before[name], isHidden) } : {};
        return [name, { ...was, to: shown(to, isHidden) }];
      }),
  );
}

function shown(value: unknown, isHidden: boolean): unknown {
  return isHidden && value !== null && value !== "" ? masked : value;
}
