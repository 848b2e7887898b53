/** Users, services, enterprises and what is theirs. */
import type { House, Member } from "../../support/house.ts";
import {
  aHouseButton,
  aHouseDomain,
  aHouseGroup,
  aHouseService,
  aHouseTemplate,
  aHouseUser,
} from "../../support/house-objects.ts";
import { aBrowserSession, aHouseApiToken } from "../../support/house-tokens.ts";
import type { Ids } from "../routes/kinds.ts";
import { never, nobody, type Target, type World } from "./target.ts";

type Make = (world: World, house: House, actor: Member) => Promise<Ids>;

/** What every member of the enterprise reaches whose role lets them at all. */
function ofHouse(make: Make, remove?: (world: World, ids: Ids) => Promise<unknown>): Target[] {
  return [
    {
      name: "its enterprise's",
      needs: "all",
      make: (world, actor) => make(world, world.own, actor),
    },
    ...(remove === undefined
      ? []
      : [
          {
            name: "a deleted one",
            needs: undefined,
            make: async (world: World, actor: Member) => {
              const ids = await make(world, world.own, actor);
              await remove(world, ids);
              return ids;
            },
          },
        ]),
    {
      name: "another enterprise's",
      needs: undefined,
      make: (world, actor) => make(world, world.foreign, actor),
    },
    {
      name: "one of an enterprise that its own administers",
      needs: undefined,
      make: (world, actor) => make(world, world.managed, actor),
    },
  ];
}

function removed(table: string, name: string) {
  return async ({ db }: World, ids: Ids) =>
    db(table).where({ id: ids[name] }).update({ is_active: false, deleted_at: new Date() });
}

const aUser: Make = async ({ db }, house) => ({ userId: await aHouseUser(db, house) });

export const userTargets: readonly Target[] = [
  ...ofHouse(aUser, removed("users", "userId")),
  never({ userId: nobody }),
];

/** Whom only their like may change. */
export const superadminTarget: Target = {
  name: "a superadmin",
  needs: "all",
  refusedTo: ["admin"],
  make: async ({ db, own }) => ({ userId: await aHouseUser(db, own, { role: "superadmin" }) }),
};

const aService: Make = async ({ db }, house) => ({ serviceId: await aHouseService(db, house) });

export const serviceTargets: readonly Target[] = [
  ...ofHouse(aService, removed("services", "serviceId")),
  never({ serviceId: nobody }),
];

const aButton: Make = async ({ db }, house) => {
  const serviceId = await aHouseService(db, house);
  await aHouseButton(db, house, serviceId); // the last one of a service stays
  return { serviceId, buttonId: await aHouseButton(db, house, serviceId) };
};

/** Below a service, whose id the path names first. */
function belowOther(make: Make): Target[] {
  return [
    {
      name: "its own, asked for below another of its services",
      needs: undefined,
      make: async (world, actor) => ({
        ...(await make(world, world.own, actor)),
        serviceId: await aHouseService(world.db, world.own),
      }),
    },
    {
      name: "another enterprise's, asked for below its own service",
      needs: undefined,
      make: async (world, actor) => ({
        ...(await make(world, world.foreign, actor)),
        serviceId: await aHouseService(world.db, world.own),
      }),
    },
  ];
}

export const buttonTargets: readonly Target[] = [
  ...ofHouse(aButton, removed("buttons", "buttonId")),
  ...belowOther(aButton),
  never({ serviceId: nobody, buttonId: nobody }),
];

const aServiceTemplate: Make = async ({ db }, house) => {
  const serviceId = await aHouseService(db, house);
  return { serviceId, templateId: await aHouseTemplate(db, house, serviceId) };
};

export const serviceTemplateTargets: readonly Target[] = [
  ...ofHouse(aServiceTemplate),
  ...belowOther(aServiceTemplate),
  never({ serviceId: nobody, templateId: nobody }),
];

/** Its own; one that it administers; another, which only the platform's own people see. */
function inEnterprise(make: Make): Target[] {
  return [
    {
      name: "its own",
      needs: "own",
      make: (world, actor) => make(world, world.own, actor),
    },
    {
      name: "one that its own administers",
      needs: undefined,
      opensTo: ["admin", "superadmin"],
      make: (world, actor) => make(world, world.managed, actor),
    },
    {
      name: "another one",
      needs: undefined,
      opensTo: ["superadmin"],
      make: (world, actor) => make(world, world.foreign, actor),
    },
  ];
}

export const enterpriseTargets: readonly Target[] = [
  ...inEnterprise(async (_world, { id }) => ({ enterpriseId: id })),
  never({ enterpriseId: nobody }),
];

/** Where no role leads into another enterprise. */
export const ownEnterpriseTargets: readonly Target[] = enterpriseTargets.map(
  ({ opensTo: _nobody, ...target }) => target,
);

function belowOwn(make: Make): Target {
  return {
    name: "another enterprise's, asked for below its own",
    needs: undefined,
    make: async (world, actor) => ({
      ...(await make(world, world.foreign, actor)),
      enterpriseId: world.own.id,
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
  async ({ db }, house) => ({ enterpriseId: house.id, groupId: await aHouseGroup(db, house) }),
  { groupId: nobody },
);

async function aSession({ db }: World, { id: userId, enterpriseId }: Member): Promise<Ids> {
  return {
    sessionId: await aBrowserSession(db, { userId, enterpriseId }),
  };
}

async function anApiToken({ db }: World, { id: userId, enterpriseId }: Member): Promise<Ids> {
  return {
    tokenId: await aHouseApiToken(db, { userId, enterpriseId }),
  };
}

/** Personal objects: those of others are not found, not even by superadmins. */
function ofTheUser(make: (world: World, owner: Member) => Promise<Ids>, missing: Ids): Target[] {
  return [
    { name: "its own", needs: "own", make: (world, actor) => make(world, actor) },
    {
      name: "a colleague's",
      needs: undefined,
      make: (world) => make(world, world.own.colleague),
    },
    {
      name: "one of another enterprise",
      needs: undefined,
      make: (world) => make(world, world.foreign.members.admin),
    },
    never(missing),
  ];
}

export const ownBrowserSessionTargets = ofTheUser(aSession, { sessionId: nobody });
export const ownApiTokenTargets = ofTheUser(anApiToken, { tokenId: nobody });

export const apiTokenTargets = belowEnterprise(
  async (world, house) => ({
    enterpriseId: house.id,
    ...(await anApiToken(world, house.members.agent)),
  }),
  { tokenId: nobody },
);

export const domainTargets = belowEnterprise(
  async ({ db }, house) => ({ enterpriseId: house.id, domainId: await aHouseDomain(db, house) }),
  { domainId: nobody },
);

export const enterpriseTemplateTargets = belowEnterprise(
  async ({ db }, house) => ({
    enterpriseId: house.id,
    templateId: await aHouseTemplate(db, house),
  }),
  { templateId: nobody },
);
