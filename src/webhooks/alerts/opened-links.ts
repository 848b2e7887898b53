/** What happens when somebody opens the link of a mail, signed in or not. */
import { problem } from "../../contracts/problems.ts";
import type { Clock } from "../../platform/clock.ts";
import { inTransaction, type Db, type Queryable, type Trx } from "../../platform/db/pool.ts";
import type { Audit } from "../audit.ts";
import { maskedValue } from "../custom-headers.ts";
import type { EmailLinks } from "./email-link.ts";
import { confirmEmail, deleteEmails, lockEmail, type StoredEmail } from "./emails-store.ts";

export type OpenedLinksDeps = Readonly<{
  db: Db;
  clock: Clock;
  audit: Audit;
  links: EmailLinks;
  findCompany(db: Queryable, enterpriseId: number): Promise<{ name: string; language: string }>;
}>;

export type OpenedLinks = Readonly<{
  confirm(token: string, requestId: string): Promise<{ email: string; company: string }>;
  /** Nothing happens where the address is gone already. */
  stop(token: string, requestId: string): Promise<void>;
}>;

const confirmWithinMs = 7 * 86_400_000;

export function createOpenedLinks(deps: OpenedLinksDeps): OpenedLinks {
  const { clock, findCompany } = deps;
  return {
    confirm: (token, requestId) =>
      withEmail(deps, token, async (trx, found) => {
        const isLate =
          found?.confirmed === null &&
          clock.now().getTime() - found.created.getTime() > confirmWithinMs;
        if (found === undefined || isLate) {
          throw over();
        }
        if (found.confirmed === null) {
          await confirmEmail(trx, found.id, clock.now());
          await auditLink(deps, trx, found, { change: "confirmed", requestId });
        }
        const { name } = await findCompany(trx, found.enterpriseId);
        return { email: found.email, company: name };
      }),
    stop: (token, requestId) =>
      withEmail(deps, token, async (trx, found) => {
        if (found !== undefined) {
          await deleteEmails(trx, found.enterpriseId, [found.id]);
          await auditLink(deps, trx, found, { change: "stopped", requestId });
        }
      }),
  };
}

/** Runs `work` with the address that a token was signed for, locked. */
async function withEmail<T>(
  { db, links }: OpenedLinksDeps,
  token: string,
  work: (trx: Trx, email: StoredEmail | undefined) => Promise<T>,
): Promise<T> {
  const id = links.idOf(token);
  if (id === undefined) {
    throw over();
  }
  return inTransaction(db, async (trx) => {
    const found = await lockEmail(trx, id);
    if (found !== undefined && !links.isSigned(token, found)) {
      throw over();
    }
    return work(trx, found);
  });
}

function over() {
  return problem("gone", "The link is unknown or expired. Ask for a new one.");
}

async function auditLink(
  { audit }: OpenedLinksDeps,
  trx: Trx,
  { enterpriseId }: StoredEmail,
  { change, requestId }: { change: "confirmed" | "stopped"; requestId: string },
): Promise<void> {
  const byNobody = { userId: null, login: "", action: "update", object: "alert" } as const;
  const changes = { [change]: { to: maskedValue } };
  await audit.write(trx, {
    ...byNobody,
    ...{ enterpriseId, objectId: enterpriseId, changes, requestId },
  });
}
