/** Domains whose pages may embed ours in an iframe. */
import type { AuditLog } from "../../contracts/audit.ts";
import { invalidParameter, orNotFound, problem } from "../../contracts/problems.ts";
import { type Db, type Queryable, rowsOf, type Trx } from "../../platform/db/pool.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { type AdminActor, changesBetween, recordChange, rejectDuplicates } from "../changes.ts";
import { type Domain, parseDomain, parseHostName } from "./model.ts";
import { lockEnterprise } from "./store.ts";

type DomainRow = { id: number; domain: string; alias: string; created_at: Date };

export type DomainsDeps = Readonly<{
  db: Db;
  audit: AuditLog<Trx>;
  /** Public address, without a trailing slash. */
  baseUrl: string;
}>;

/** The caller has checked access to the enterprise. */
export type Domains = {
  list(enterpriseId: number): Promise<Domain[]>;
  add(
    actor: AdminActor,
    enterpriseId: number,
    input: { domain: string; alias?: string },
  ): Promise<Domain>;
  remove(actor: AdminActor, enterpriseId: number, id: number): Promise<void>;
};

const maxDomains = 50;

export function createDomains({ db, audit, baseUrl }: DomainsDeps): Domains {
  return {
    list: (enterpriseId) => listDomains(db, enterpriseId),
    add: async (actor, enterpriseId, { domain, alias = "" }) => {
      const hosts = {
        domain: hostOf("domain", parseDomain(domain, baseUrl)),
        alias: alias.trim() === "" ? "" : hostOf("alias", parseHostName(alias)),
      };
      rejectPlatformHost(hosts.alias, baseUrl);
      rejectForeignAlias(hosts);
      return rejectDuplicates(() =>
        inTransaction(db, async (trx) => {
          await lockEnterprise(trx, actor, enterpriseId);
          if ((await listDomains(trx, enterpriseId)).length >= maxDomains) {
            throw problem("quota_reached", `An enterprise has at most ${maxDomains} domains.`);
          }
          const added = await insertDomain(trx, enterpriseId, hosts);
          await recordChange(trx, audit, actor, {
            enterpriseId,
            action: "create",
            object: "domain",
            objectId: added.id,
            changes: changesBetween({}, hosts),
          });
          return added;
        }),
      );
    },
    remove: (actor, enterpriseId, id) =>
      inTransaction(db, async (trx) => {
        const removed = orNotFound(await deleteDomain(trx, enterpriseId, id), "Domain", id);
        await recordChange(trx, audit, actor, {
          enterpriseId,
          action: "delete",
          object: "domain",
          objectId: id,
          changes: { domain: { from: removed.domain }, alias: { from: removed.alias } },
        });
      }),
  };
}

/** The enterprise's domains, sorted by name. */
async function listDomains(db: Queryable, enterpriseId: number): Promise<Domain[]> {
  const rows = await rowsOf<DomainRow>(
    db,
    `SELECT id, domain, alias, created_at FROM enterprise_domains
     WHERE enterprise_id = ? ORDER BY domain`,
    [enterpriseId],
  );
  return rows.map(toDomain);
}

function hostOf(field: string, host: string | undefined): string {
  if (host === undefined) {
    throw invalidParameter(
      field,
      "format",
      `The ${field} field is invalid: it must be a host name, such as desk.example.com, without scheme, port or path.`,
    );
  }
  return host;
}

/**
 * With an alias equal to the platform's host, an enterprise could decide who may embed our pages.
 */
function rejectPlatformHost(alias: string, baseUrl: string): void {
  if (alias === new URL(baseUrl).hostname) {
    throw invalidParameter(
      "alias",
      "range",
      "The alias must differ from the platform's own host name.",
    );
  }
}

/**
 * Throws unless the alias ends like the domain: with its last two labels. Browsers keep the cookie
 * of a frame only within one site. Neither name is verified, so this catches mistakes, no attacks.
 */
function rejectForeignAlias({ domain, alias }: { domain: string; alias: string }): void {
  const name = domain.replace(/:\d+$/u, "");
  const site = name.split(".").slice(-2).join(".");
  const isNear = alias === site || alias.endsWith(`.${site}`);
  if (alias !== "" && (!isNear || alias === name)) {
    const detail = `The alias must end with ${site}, like the domain, and differ from it.`;
    throw invalidParameter("alias", "range", detail);
  }
}

/** Throws if the enterprise already has the domain. */
async function insertDomain(
  trx: Trx,
  enterpriseId: number,
  { domain, alias }: { domain: string; alias: string },
): Promise<Domain> {
  const [row] = await rowsOf<DomainRow>(
    trx,
    `INSERT INTO enterprise_domains (enterprise_id, domain, alias) VALUES (?, ?, ?)
     RETURNING id, domain, alias, created_at`,
    [enterpriseId, domain, alias],
  );
  if (row === undefined) {
    throw new Error("The domain was not stored");
  }
  return toDomain(row);
}

function toDomain({ created_at: created, ...row }: DomainRow): Domain {
  return { ...row, created };
}

/** Returns the deleted row. */
async function deleteDomain(
  trx: Trx,
  enterpriseId: number,
  id: number,
): Promise<{ domain: string; alias: string } | undefined> {
  const [row] = await rowsOf<{ domain: string; alias: string }>(
    trx,
    "DELETE FROM enterprise_domains WHERE enterprise_id = ? AND id = ? RETURNING domain, alias",
    [enterpriseId, id],
  );
  return row;
}
