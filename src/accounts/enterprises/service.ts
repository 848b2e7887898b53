import { invalidParameter, orNotFound } from "../../contracts/problems.ts";
import { type Clock, dayMs } from "../../platform/clock.ts";
import type { Db, Trx } from "../../platform/db/pool.ts";
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
} from "./model.ts";
import type { CreateEnterpriseBody } from "./schema.ts";
import {
  findEnterprise,
  listEnterprises,
  lockEnterprise,
  readQuotaUse,
  readUsage,
  updateEnterprise,
  type EnterpriseUsage,
  type EnterpriseViewer,
  type QuotaUse,
} from "./store.ts";

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
  quota(viewer: EnterpriseViewer, id: number): Promise<{ enterprise: Enterprise; use: QuotaUse }>;
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
      const since = new Date(clock.now().getTime() - dayMs);
      return { enterprise, use: await readQuotaUse(db, id, since) };
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
