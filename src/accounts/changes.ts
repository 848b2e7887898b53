import type { AuditChanges, AuditEntry, AuditLog } from "../contracts/audit.ts";
import { maskedValue } from "../contracts/request-headers.ts";
import type { Role } from "../contracts/permissions.ts";
import type { ApiRequest } from "../http/route.ts";
import { violatedUniqueIndex } from "../platform/db/errors.ts";
import { toError } from "../platform/errors.ts";
import type { Trx } from "../platform/db/pool.ts";
import { problem } from "../contracts/problems.ts";

/** Identifies one row of an enterprise. */
export type EntityRef = Readonly<{ enterpriseId: number; id: number }>;

/** The author of an administrative change. */
export type AdminActor = Readonly<{
  enterpriseId: number;
  userId: number;
  login: string;
  role: Role;
  requestId: string;
}>;

/** The fields that differ. Values of hidden fields are masked. Pure. */
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
  return isHidden && value !== null && value !== "" ? maskedValue : value;
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

type AuditAuthor = "userId" | "login" | "requestId";

type AuditedChange = Omit<AuditEntry, AuditAuthor | "enterpriseId"> &
  Readonly<{ enterpriseId?: number }>;

/** Writes an audit entry by this actor. `enterpriseId` defaults to the actor's enterprise. */
export function recordChange(
  trx: Trx,
  audit: AuditLog<Trx>,
  { enterpriseId, userId, login, requestId }: AdminActor,
  change: AuditedChange,
): Promise<void> {
  return audit.write(trx, { enterpriseId, ...change, userId, login, requestId });
}

/** The request field of each unique index. */
const fieldOfIndex: Readonly<Record<string, string>> = {
  users_login: "login",
  users_external_id: "external_id",
  groups_enterprise_id_name_key: "name",
  enterprise_domains_enterprise_id_domain_key: "domain",
};

/** Maps unique violations to a `conflict` that names the field. */
export async function rejectDuplicates<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const field = fieldOfIndex[violatedUniqueIndex(toError(thrown)) ?? ""];
    if (field === undefined) {
      throw thrown;
    }
    throw problem("conflict", `The ${field} is already in use.`, {
      details: `Parameter ${field}`,
      errors: [{ field, reason: "duplicate" }],
    });
  }
}
