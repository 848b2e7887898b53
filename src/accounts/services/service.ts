import type { AuditLog } from "../../contracts/audit.ts";
import { maskedValue } from "../../contracts/request-headers.ts";
import { invalidParameter, problem, orNotFound } from "../../contracts/problems.ts";
import { defaultSurvey, type Survey } from "../../contracts/directory.ts";
import type { Caller } from "../../http/route.ts";
import type { Db, Trx } from "../../platform/db/pool.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import type { Ids } from "../../platform/ids.ts";
import { recordChange, type AdminActor, changesBetween } from "../changes.ts";
import type { SortedPage } from "../fields.ts";
import { lockUsersOf } from "../users/store.ts";
import { insertButton } from "./buttons.ts";
import { listAvailableServices, type AvailableService } from "../directory-store.ts";
import {
  checkSurvey,
  defaultSettings,
  settingsOf,
  type NewService,
  type Service,
  type ServiceInput,
} from "./model.ts";
import {
  deleteService,
  findService,
  hasOtherActive,
  insertService,
  listServices,
  lockService,
  readSurvey,
  setServiceGroups,
  setServiceKey,
  updateService,
  writeSurvey,
  type ServiceFilter,
} from "./store.ts";

export type ServicesDeps = Readonly<{ db: Db; ids: Pick<Ids, "key">; audit: AuditLog<Trx> }>;

/** Use cases of services. All are restricted to the enterprise of the actor (404 otherwise). */
export type ServiceAdministration = {
  list(
    enterpriseId: number,
    filter: ServiceFilter,
    page: SortedPage,
  ): Promise<{ total: number; services: Service[] }>;
  /** The active services available to this user, oldest first. */
  listAvailable(user: Pick<Caller, "enterpriseId" | "groupIds">): Promise<AvailableService[]>;
  get(actor: AdminActor, id: number): Promise<Service>;
  /** Creates a service with a first button. */
  create(actor: AdminActor, input: NewService): Promise<Service>;
  /** Rejects disabling the last active service of a kind. */
  update(actor: AdminActor, id: number, input: ServiceInput): Promise<Service>;
  /** Soft delete: tickets and conferences are kept. Rejects the last active service of a kind. */
  remove(actor: AdminActor, id: number): Promise<void>;
  rotateKey(actor: AdminActor, id: number): Promise<Service>;
  getSurvey(actor: AdminActor, id: number): Promise<Survey>;
  putSurvey(actor: AdminActor, id: number, survey: Survey): Promise<Survey>;
};

export function createServiceAdministration(deps: ServicesDeps): ServiceAdministration {
  const { db, audit } = deps;
  const get = async ({ enterpriseId }: AdminActor, id: number): Promise<Service> => {
    return orNotFound(await findService(db, { enterpriseId, id }), "Service", id);
  };
  return {
    get,
    list: (enterpriseId, filter, page) => listServices(db, enterpriseId, filter, page),
    listAvailable: (user) => listAvailableServices(db, user),
    create: (actor, input) =>
      inTransaction(db, (trx) => createInTransaction(trx, deps, actor, input)),
    update: (actor, id, input) =>
      inTransaction(db, (trx) => updateInTransaction(trx, deps, actor, { id, input })),
    remove: (actor, id) =>
      inTransaction(db, async (trx) => {
        const service = await requireLockedService(trx, actor, id);
        await requireAnotherActiveService(trx, service);
        await deleteService(trx, service);
        const changes = { name: { from: service.name } };
        await recordChange(trx, audit, actor, {
          action: "delete",
          object: "service",
          objectId: id,
          changes,
        });
      }),
    rotateKey: (actor, id) =>
      inTransaction(db, async (trx) => {
        await setServiceKey(trx, await requireLockedService(trx, actor, id), deps.ids.key(32));
        const changes = { service_key: { from: maskedValue, to: maskedValue } };
        await recordChange(trx, audit, actor, {
          action: "rotate",
          object: "service",
          objectId: id,
          changes,
        });
        return requireLockedService(trx, actor, id);
      }),
    getSurvey: async (actor, id) => (await readSurvey(db, await get(actor, id))) ?? defaultSurvey,
    putSurvey: (actor, id, survey) =>
      inTransaction(db, async (trx) => {
        const service = await requireLockedService(trx, actor, id);
        const before = (await readSurvey(trx, service)) ?? defaultSurvey;
        await writeSurvey(trx, service, checkSurvey(survey));
        const changes = changesBetween(before, survey);
        await recordChange(trx, audit, actor, {
          action: "update",
          object: "survey",
          objectId: id,
          changes,
        });
        return survey;
      }),
  };
}

async function createInTransaction(
  trx: Trx,
  { ids, audit }: ServicesDeps,
  actor: AdminActor,
  { kind, ...input }: NewService,
): Promise<Service> {
  const { enterpriseId } = actor;
  await lockUsersOf(trx, enterpriseId);
  const settings = { ...defaultSettings, ...settingsOf(input), name: input.name };
  const serviceKey = ids.key(32);
  const id = await insertService(trx, { enterpriseId, kind, serviceKey }, settings);
  await insertButton(trx, { enterpriseId, id }, { name: input.name, isActive: true });
  await restrictToGroups(trx, { enterpriseId, id }, input.groups);
  const service = await requireLockedService(trx, actor, id);
  const changes = changesBetween({}, auditFields(service));
  await recordChange(trx, audit, actor, {
    action: "create",
    object: "service",
    objectId: id,
    changes,
  });
  return service;
}

async function updateInTransaction(
  trx: Trx,
  { audit }: Pick<ServicesDeps, "audit">,
  actor: AdminActor,
  { id, input }: { id: number; input: ServiceInput },
): Promise<Service> {
  const before = await requireLockedService(trx, actor, id);
  const settings = { ...before, ...settingsOf(input) };
  if (!settings.is_active) {
    await requireAnotherActiveService(trx, before);
  }
  await updateService(trx, before, settings);
  await restrictToGroups(trx, before, input.groups);
  const after = await requireLockedService(trx, actor, id);
  const changes = changesBetween(auditFields(before), auditFields(after));
  await recordChange(trx, audit, actor, {
    action: "update",
    object: "service",
    objectId: id,
    changes,
  });
  return after;
}

async function requireLockedService(
  trx: Trx,
  { enterpriseId }: AdminActor,
  id: number,
): Promise<Service> {
  return orNotFound(await lockService(trx, { enterpriseId, id }), "Service", id);
}

async function requireAnotherActiveService(trx: Trx, service: Service): Promise<void> {
  if (service.is_active && !(await hasOtherActive(trx, service))) {
    throw problem(
      "conflict",
      `The enterprise needs an active service for ${service.kind}s. Enable another one first.`,
      {
        details: "Last service",
      },
    );
  }
}

async function restrictToGroups(
  trx: Trx,
  ref: { enterpriseId: number; id: number },
  groups: number[] | undefined,
): Promise<void> {
  const [unknown] = groups === undefined ? [] : await setServiceGroups(trx, ref, groups);
  if (groups !== undefined && unknown !== undefined) {
    throw invalidParameter(
      `groups[${groups.indexOf(unknown)}]`,
      "unknown",
      `The enterprise has no group ${unknown}.`,
    );
  }
}

function auditFields(service: Service): Record<string, unknown> {
  const { id: _i, enterpriseId: _e, serviceKey: _k, created: _c, modified: _m, ...rest } = service;
  return { ...rest, groups: service.groups.map(({ name }) => name) };
}
