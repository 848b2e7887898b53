/** The objects that a call can be about, as seen by one actor: mine, ours, another enterprise's. */
import type { Reach } from "../../src/contracts/permissions.ts";
import type { ProblemKind } from "../../src/contracts/problems.ts";
import { rowsOf, type Db } from "../../src/platform/db/pool.ts";
import { aHouseTicket, aHouseWebhook, type House, type Member } from "../support/house.ts";
import type { Classified } from "./routes.ts";

export type World = { db: Db; own: House; foreign: House };

export type Target = {
  name: string;
  /** Smallest reach that gets there; undefined where nobody does. */
  needs: Reach | undefined;
  /** Makes the object. Out: the values of the path's parameters, by name. */
  make(world: World, actor: Member): Promise<Record<string, number>>;
};

const nobody = 999_999_999;

const ticketTargets = (route: Classified): Target[] => {
  const { state = "new" } = route;
  const ticket = async (
    { db }: World,
    house: House,
    more: { agentId?: number; groupId?: number; isDeleted?: boolean },
  ) => ({ ticketId: await aHouseTicket(db, house, { state, ...more }) });
  return [
    {
      name: "its own",
      needs: "own",
      make: (world, { id: agentId }) => ticket(world, world.own, { agentId }),
    },
    {
      name: "a group colleague's",
      needs: "group",
      make: (world) => ticket(world, world.own, { agentId: world.own.colleague.id }),
    },
    {
      name: "one in its group's queue, of an agent of another group",
      needs: "group",
      make: (world) =>
        ticket(world, world.own, { agentId: world.own.stranger.id, groupId: world.own.north }),
    },
    {
      name: "another group's",
      needs: "all",
      make: (world) =>
        ticket(world, world.own, { agentId: world.own.stranger.id, groupId: world.own.south }),
    },
    {
      name: "a deleted one of its own",
      needs: undefined,
      make: (world, { id: agentId }) => ticket(world, world.own, { agentId, isDeleted: true }),
    },
    {
      name: "another enterprise's",
      needs: undefined,
      make: (world) =>
        ticket(world, world.foreign, {
          agentId: world.foreign.members.agent.id,
          groupId: world.foreign.north,
        }),
    },
    { name: "one that never was", needs: undefined, make: async () => ({ ticketId: nobody }) },
  ];
};

const idsOf = ({ id, deliveryId }: { id: number; deliveryId: number }) => ({
  webhookId: id,
  deliveryId,
});

const webhookTargets: readonly Target[] = [
  {
    name: "its enterprise's",
    needs: "all",
    make: async ({ db, own }) => idsOf(await aHouseWebhook(db, own)),
  },
  {
    name: "a deleted one",
    needs: undefined,
    make: async ({ db, own }) => idsOf(await aHouseWebhook(db, own, { isDeleted: true })),
  },
  {
    name: "another enterprise's",
    needs: undefined,
    make: async ({ db, foreign }) => idsOf(await aHouseWebhook(db, foreign)),
  },
  {
    name: "one that never was",
    needs: undefined,
    make: async () => ({ webhookId: nobody, deliveryId: nobody }),
  },
];

const deliveryTargets: readonly Target[] = [
  ...webhookTargets,
  {
    name: "another enterprise's, asked for below its own webhook",
    needs: undefined,
    make: async ({ db, own, foreign }) => ({
      webhookId: (await aHouseWebhook(db, own)).id,
      deliveryId: (await aHouseWebhook(db, foreign)).deliveryId,
    }),
  },
  {
    name: "its own, asked for below another of its webhooks",
    needs: undefined,
    make: async ({ db, own }) => ({
      webhookId: (await aHouseWebhook(db, own)).id,
      deliveryId: (await aHouseWebhook(db, own)).deliveryId,
    }),
  },
];

export const targetsOf = (route: Classified): readonly Target[] => {
  switch (route.target) {
    case "ticket":
      return ticketTargets(route);
    case "webhook":
      return webhookTargets;
    case "delivery":
      return deliveryTargets;
    case "none":
      return [{ name: "what it asks for", needs: "own", make: async () => ({}) }];
  }
};

const width: Record<Reach, number> = { own: 1, group: 2, all: 3 };

/** What a call must end in: role first, then whether the object exists, then whose it is. */
export const expectedEnd = (
  { status }: Classified,
  reach: Reach | undefined,
  { needs }: Target,
): number | ProblemKind => {
  if (reach === undefined) {
    return "forbidden";
  }
  if (needs === undefined) {
    return "not_found";
  }
  return width[reach] >= width[needs] ? status : "forbidden";
};

/** Everything a call can change, as one text: what a refused call must leave as it was. */
export const snapshot = async ({ db }: World): Promise<string> => {
  const [row] = await rowsOf<{ all: string }>(
    db,
    `SELECT concat_ws('|',
       (SELECT md5(string_agg(t::text, '|' ORDER BY t.id)) FROM tickets t),
       (SELECT md5(string_agg(s::text, '|' ORDER BY s.id)) FROM subscriptions s),
       (SELECT md5(string_agg(d::text, '|' ORDER BY d.id)) FROM deliveries d),
       (SELECT count(*) FROM session_events), (SELECT count(*) FROM events),
       (SELECT count(*) FROM conversations), (SELECT count(*) FROM tokens),
       (SELECT count(*) FROM subscription_revisions)) AS all`,
  );
  return row?.all ?? "";
};

export const pathOf = (path: string, ids: Readonly<Record<string, number>>): string =>
  path.replace(/\{(\w+)\}/gu, (_whole, name: string) => String(ids[name]));
