import type { AuditEntry } from "../contracts/audit.ts";
import { maskedValue } from "../contracts/request-headers.ts";
import type { Role } from "../contracts/permissions.ts";
import type { ApiRequest } from "../http/route.ts";
import { violatedUniqueIndex } from "../platform/db/errors.ts";
import { toError } from "../platform/errors.ts";
import type { Trx } from "../platform/db/pool.ts";
import { problem } from "../contracts/problems.ts";

/** In the place of a value that an entry must not keep: a secret, or what belongs to a person. */
export const masked = maskedValue;

/** Who makes an administrative change. */
export type AdminActor = Readonly<{
  enterpriseId: number;
  userId: number;
  login: string;
  role: Role;
  requestId: string;
}>;

/** What accounts need of other slices. */
export type AccountsAudit = { write(trx: Trx, entry: AuditEntry): Promise<void> };

/** A mail to a user. Its text holds a link that works once: whoever may list mails never sees it. */
export type AccountMail = Readonly<{
  enterpriseId: number;
  to: string;
  subject: string;
  text: string;
  /** Who asked for it. Null: the platform itself. */
  createdBy: number | null;
}>;

/** Stores a mail in the transaction; it is sent after the commit. */
export type QueueAccountMail = (trx: Trx, mail: AccountMail) => Promise<void>;

type AuditChanges = AuditEntry["changes"];

/** The fields that differ. Of hidden ones only whether there was and is a value. Pure. */
export function changesBetween(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  hidden: readonly string[] = [],
): AuditChanges {
  return Object.fromEntries(
    Object.entries(after)
      .filter(([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value))
      .map(([name, to]) => {
        const isHidden = hidden.includes(name);
        const previous = Object.hasOwn(before, name) ? { from: shown(before[name], isHidden) } : {};
        return [name, { ...previous, to: shown(to, isHidden) }];
      }),
  );
}

function shown(value: unknown, isHidden: boolean): unknown {
  return isHidden && value !== null && value !== "" ? masked : value;
}

export function actorOf({
  caller,
  requestId,
}: Pick<ApiRequest, "caller" | "requestId">): AdminActor {
  return {
    enterpriseId: caller.enterpriseId,
    userId: caller.userId,
    login: caller.login,
    role: caller.role,
    requestId,
  };
}

type AuditAuthor = Pick<AuditEntry, "enterpriseId" | "userId" | "login" | "requestId">;

/** The part of an audit entry that says who did it, in the enterprise that it was done to. */
export function entryBy(actor: AdminActor, enterpriseId = actor.enterpriseId): AuditAuthor {
  return {
    enterpriseId,
    userId: actor.userId,
    login: actor.login,
    requestId: actor.requestId,
  };
}

/** Unique indexes and the field whose value there can only be once. */
const fieldOfIndex: Readonly<Record<string, string>> = {
  users_login: "login",
  users_external_id: "external_id",
  groups_enterprise_id_name_key: "name",
  enterprise_domains_enterprise_id_domain_key: "domain",
};

/** Runs a use case. A value that another object has already becomes a conflict that names it. */
export async function rejectDuplicates<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const field = fieldOfIndex[violatedUniqueIndex(toError(thrown)) ?? ""];
    if (field === undefined) {
      throw thrown;
    }
    throw problem("conflict", `The ${field} is taken.`, {
      details: `Parameter ${field}`,
      errors: [{ field, reason: "duplicate" }],
    });
  }
}
