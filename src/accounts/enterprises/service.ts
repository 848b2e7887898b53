import { invalidParameter, orNotFound, problem } from "../../contracts/problems.ts";
import { type Clock, dayMs } from "../../platform/clock.ts";
import { type Db, type Trx, rowsOf, type Queryable } from "../../platform/db/pool.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import type { Ids } from "../../platform/ids.ts";
import { recordChange, type AdminActor, changesBetween, rejectDuplicates } from "../changes.ts";
import type { SortedPage } from "../fields.ts";
import { insertEnterprise, insertInitialService, initialServices } from "../bootstrap.ts";
import { insertPrepared, prepareUser, type UserCreationDeps } from "../users/create.ts";
import {
  checkSuperadminFields,
  settingsOf,
  type Enterprise,
  type EnterpriseInput,
  type EnterpriseSettings,
  parseDomain,
  parseHostName,
  type Domain,
} from "./model.ts";
import type { CreateEnterpriseBody } from "./schema.ts";
import {
  findEnterprise,
  listEnterprises,
  lockEnterprise,
  readUsage,
  updateEnterprise,
  type EnterpriseUsage,
  type EnterpriseViewer,
} from "./store.ts";
import type { AuditLog } from "../../contracts/audit.ts";

export type EnterprisesDeps = UserCreationDeps &
  Readonly<{ db: Db; ids: Pick<Ids, "hex" | "key">; clock: Clock }>;

export type UsagePeriod = Readonly<{ since: Date; until: Date }>;

export type Enterprises = {
  list(
    viewer: EnterpriseViewer,
    page: SortedPage & { search: string | undefined },
  ): Promise<{ total: number; enterprises: Enterprise[] }>;
  /** Throws 404 unless the viewer may see the enterprise. */
  require(viewer: EnterpriseViewer, id: number): Promise<Enterprise>;
  /** Creates an enterprise with its first administrator and the initial services. */
  create(actor: AdminActor, body: CreateEnterpriseBody): Promise<Enterprise>;
  update(actor: AdminActor, id: number, input: EnterpriseInput): Promise<Enterprise>;
  statistics(
    viewer: EnterpriseViewer,
    id: number,
    period: Partial<UsagePeriod>,
  ): Promise<UsagePeriod & EnterpriseUsage>;
  /** Current usage; daily quotas count the last 24 hours. */
  quota(
    viewer: EnterpriseViewer,
    id: number,
  ): Promise<{ enterprise: Enterprise; use: EnterpriseUsage }>;
};

/** Domains whose pages may embed ours in an iframe. */
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

export function createEnterprises(deps: EnterprisesDeps): Enterprises {
  const { db, ids, clock } = deps;
  const require = async (viewer: EnterpriseViewer, id: number): Promise<Enterprise> => {
    return orNotFound(await findEnterprise(db, viewer, id), "Enterprise", id);
  };
  return {
    require,
    list: (viewer, page) => listEnterprises(db, viewer, page),
    create: async (actor, { admin, ...input }) => {
      const user = await prepareUser(deps, actor, { ...admin, role: "admin", isAgent: false });
      return rejectDuplicates(() =>
        inTransaction(db, async (trx) => {
          const id = await insertEnterprise(trx, input.name, ids.hex(16));
          const enterprise = await writeSettings(trx, deps, actor, { id, input, action: "create" });
          for (const service of initialServices) {
            await insertInitialService(trx, {
              enterpriseId: id,
              ...service,
              serviceKey: ids.key(32),
            });
          }
          await insertPrepared(trx, deps, { actor, enterpriseId: id }, user);
          return enterprise;
        }),
      );
    },
    update: async (actor, id, input) => {
      checkSuperadminFields(actor, id, input);
      return inTransaction(db, (trx) =>
        writeSettings(trx, deps, actor, { id, input, action: "update" }),
      );
    },
    statistics: async (viewer, id, period) => {
      await require(viewer, id);
      const until = period.until ?? clock.now();
      const since = period.since ?? new Date(until.getTime() - 30 * dayMs);
      return { since, until, ...(await readUsage(db, id, { since, until })) };
    },
    quota: async (viewer, id) => {
      const enterprise = await require(viewer, id);
      const now = clock.now().getTime();
      const since = new Date(now - dayMs);
      const use = await readUsage(db, id, { since, until: new Date(now + 1) });
      return { enterprise, use };
    },
  };
}

/** Writes the settings and their audit entry. */
async function writeSettings(
  trx: Trx,
  { audit }: Pick<UserCreationDeps, "audit">,
  actor: AdminActor,
  { id, input, action }: { id: number; input: EnterpriseInput; action: "create" | "update" },
): Promise<Enterprise> {
  const before = await requireLockedEnterprise(trx, actor, id);
  const settings = { ...before, ...settingsOf(input) };
  await checkManager(trx, id, settings);
  await updateEnterprise(trx, id, settings);
  const after = await requireLockedEnterprise(trx, actor, id);
  await recordChange(trx, audit, actor, {
    enterpriseId: id,
    action,
    object: "enterprise",
    objectId: id,
    changes: changesBetween(action === "create" ? {} : auditFields(before), auditFields(after)),
  });
  return after;
}

async function requireLockedEnterprise(
  trx: Trx,
  viewer: EnterpriseViewer,
  id: number,
): Promise<Enterprise> {
  return orNotFound(await lockEnterprise(trx, viewer, id), "Enterprise", id);
}

async function checkManager(trx: Trx, id: number, settings: EnterpriseSettings): Promise<void> {
  const { managed_by: manager } = settings;
  const everywhere = { enterpriseId: id, role: "superadmin" } as const;
  if (manager !== null && (manager === id || !(await findEnterprise(trx, everywhere, manager)))) {
    throw invalidParameter(
      "managed_by",
      "unknown",
      `The managed_by field is invalid: there is no other enterprise ${manager}.`,
    );
  }
}

function auditFields(enterprise: Enterprise): Record<string, unknown> {
  const { id: _id, apiKey: _key, created: _created, modified: _modified, ...fields } = enterprise;
  return fields;
}

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
 * Throws unless the alias is in the domain, or beside it as in `www.crm.example` and
 * `video.crm.example`. Only then is it of the same site, so that browsers keep the cookie.
 */
function rejectForeignAlias({ domain, alias }: { domain: string; alias: string }): void {
  const name = domain.replace(/:\d+$/u, "");
  const parent = name.slice(name.indexOf(".") + 1);
  const site = parent.includes(".") ? parent : name;
  if (alias !== "" && !alias.endsWith(`.${site}`)) {
    throw invalidParameter("alias", "range", `The alias must end with .${site}, like the domain.`);
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
