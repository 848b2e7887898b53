/** Users, services, enterprises and their objects. */
import type { Tenant, Member } from "../../support/tenant.ts";
import {
  aTenantButton,
  aTenantDomain,
  aTenantGroup,
  aTenantService,
  aTenantTemplate,
  aTenantUser,
} from "../../support/tenant-objects.ts";
import { aBrowserSession, aTenantApiToken } from "../../support/tenant-tokens.ts";
import type { Ids } from "../routes/kinds.ts";
import { never, nobody, type Target, type Fixture } from "./target.ts";

type Make = (fixture: Fixture, tenant: Tenant, actor: Member) => Promise<Ids>;

/** Objects that every permitted role reaches within its enterprise. */
function ofTenant(make: Make, remove?: (fixture: Fixture, ids: Ids) => Promise<unknown>): Target[] {
  return [
    {
      name: "its enterprise's",
      needs: "all",
      make: (fixture, actor) => make(fixture, fixture.own, actor),
    },
    ...(remove === undefined
      ? []
      : [
          {
            name: "a deleted one",
            needs: undefined,
            make: async (fixture: Fixture, actor: Member) => {
              const ids = await make(fixture, fixture.own, actor);
              await remove(fixture, ids);
              return ids;
            },
          },
        ]),
    {
      name: "another enterprise's",
      needs: undefined,
      make: (fixture, actor) => make(fixture, fixture.foreign, actor),
    },
    {
      name: "one of an enterprise that its own administers",
      needs: undefined,
      make: (fixture, actor) => make(fixture, fixture.managed, actor),
    },
  ];
}

function removed(table: string, name: string) {
  return async ({ db }: Fixture, ids: Ids) =>
    db(table).where({ id: ids[name] }).update({ is_active: false, deleted_at: new Date() });
}

const aUser: Make = async ({ db }, tenant) => ({ userId: await aTenantUser(db, tenant) });

export const userTargets: readonly Target[] = [
  ...ofTenant(aUser, removed("users", "userId")),
  never({ userId: nobody }),
];

/** Only superadmins may change a superadmin. */
export const superadminTarget: Target = {
  name: "a superadmin",
  needs: "all",
  refusedTo: ["admin"],
  make: async ({ db, own }) => ({ userId: await aTenantUser(db, own, { role: "superadmin" }) }),
};

const aService: Make = async ({ db }, tenant) => ({ serviceId: await aTenantService(db, tenant) });

export const serviceTargets: readonly Target[] = [
  ...ofTenant(aService, removed("services", "serviceId")),
  never({ serviceId: nobody }),
];

const aButton: Make = async ({ db }, tenant) => {
  const serviceId = await aTenantService(db, tenant);
  await aTenantButton(db, tenant, serviceId); // the last entry point of a service cannot be deleted
  return { serviceId, buttonId: await aTenantButton(db, tenant, serviceId) };
};

/** Objects of a service, requested by a path with the id of another service. */
function belowOther(make: Make): Target[] {
  return [
    {
      name: "its own, asked for below another of its services",
      needs: undefined,
      make: async (fixture, actor) => ({
        ...(await make(fixture, fixture.own, actor)),
        serviceId: await aTenantService(fixture.db, fixture.own),
      }),
    },
    {
      name: "another enterprise's, asked for below its own service",
      needs: undefined,
      make: async (fixture, actor) => ({
        ...(await make(fixture, fixture.foreign, actor)),
        serviceId: await aTenantService(fixture.db, fixture.own),
      }),
    },
  ];
}

export const buttonTargets: readonly Target[] = [
  ...ofTenant(aButton, removed("buttons", "buttonId")),
  ...belowOther(aButton),
  never({ serviceId: nobody, buttonId: nobody }),
];

const aServiceTemplate: Make = async ({ db }, tenant) => {
  const serviceId = await aTenantService(db, tenant);
  return { serviceId, templateId: await aTenantTemplate(db, tenant, serviceId) };
};

export const serviceTemplateTargets: readonly Target[] = [
  ...ofTenant(aServiceTemplate),
  ...belowOther(aServiceTemplate),
  never({ serviceId: nobody, templateId: nobody }),
];

/** The caller's enterprise, one that it administers, and one that only superadmins reach. */
function inEnterprise(make: Make): Target[] {
  return [
    {
      name: "its own",
      needs: "own",
      make: (fixture, actor) => make(fixture, fixture.own, actor),
    },
    {
      name: "one that its own administers",
      needs: undefined,
      opensTo: ["admin", "superadmin"],
      make: (fixture, actor) => make(fixture, fixture.managed, actor),
    },
    {
      name: "another one",
      needs: undefined,
      opensTo: ["superadmin"],
      make: (fixture, actor) => make(fixture, fixture.foreign, actor),
    },
  ];
}

export const enterpriseTargets: readonly Target[] = [
  ...inEnterprise(async (_fixture, { id }) => ({ enterpriseId: id })),
  never({ enterpriseId: nobody }),
];

/** The same for operations that no role may use on other enterprises. */
export const ownEnterpriseTargets: readonly Target[] = enterpriseTargets.map(
  ({ opensTo: _nobody, ...target }) => target,
);

function belowOwn(make: Make): Target {
  return {
    name: "another enterprise's, asked for below its own",
    needs: undefined,
    make: async (fixture, actor) => ({
      ...(await make(fixture, fixture.foreign, actor)),
      enterpriseId: fixture.own.id,
    }),
  };
}

function belowEnterprise(make: Make, missing: Ids): readonly Target[] {
  return [
    ...inEnterprise(make),
    belowOwn(make),
    {
      name: "one that never was",
      needs: undefined,
      make: async ({ own }) => ({ enterpriseId: own.id, ...missing }),
    },
  ];
}

export const groupTargets = belowEnterprise(
  async ({ db }, tenant) => ({ enterpriseId: tenant.id, groupId: await aTenantGroup(db, tenant) }),
  { groupId: nobody },
);

async function aSession({ db }: Fixture, { id: userId, enterpriseId }: Member): Promise<Ids> {
  return {
    sessionId: await aBrowserSession(db, { userId, enterpriseId }),
  };
}

async function anApiToken({ db }: Fixture, { id: userId, enterpriseId }: Member): Promise<Ids> {
  return {
    tokenId: await aTenantApiToken(db, { userId, enterpriseId }),
  };
}

/** Personal objects: those of others are not found, not even by superadmins. */
function ofTheUser(
  make: (fixture: Fixture, owner: Member) => Promise<Ids>,
  missing: Ids,
): Target[] {
  return [
    { name: "its own", needs: "own", make: (fixture, actor) => make(fixture, actor) },
    {
      name: "a colleague's",
      needs: undefined,
      make: (fixture) => make(fixture, fixture.own.colleague),
    },
    {
      name: "one of another enterprise",
      needs: undefined,
      make: (fixture) => make(fixture, fixture.foreign.members.admin),
    },
    never(missing),
  ];
}

export const ownBrowserSessionTargets = ofTheUser(aSession, { sessionId: nobody });
export const ownApiTokenTargets = ofTheUser(anApiToken, { tokenId: nobody });

export const apiTokenTargets = belowEnterprise(
  async (fixture, tenant) => ({
    enterpriseId: tenant.id,
    ...(await anApiToken(fixture, tenant.members.agent)),
  }),
  { tokenId: nobody },
);

export const domainTargets = belowEnterprise(
  async ({ db }, tenant) => ({
    enterpriseId: tenant.id,
    domainId: await aTenantDomain(db, tenant),
  }),
  { domainId: nobody },
);

export const enterpriseTemplateTargets = belowEnterprise(
  async ({ db }, tenant) => ({
    enterpriseId: tenant.id,
    templateId: await aTenantTemplate(db, tenant),
  }),
  { templateId: nobody },
);
