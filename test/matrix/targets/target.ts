import type { Reach, Role } from "../../../src/contracts/permissions.ts";
import type { Db } from "../../../src/platform/db/pool.ts";
import {
  aWholeTicket,
  type Tenant,
  type TenantTicket,
  type Member,
  type TicketInput,
} from "../../support/tenant.ts";
import { aTenantConference, type TenantConference } from "../../support/tenant-objects.ts";
import type { Classified, Ids } from "../routes/kinds.ts";

/** `managed` is an enterprise that the administrators of `own` also administer. */
export type Fixture = { db: Db; blobDir: string; own: Tenant; foreign: Tenant; managed: Tenant };

export type Target = {
  name: string;
  /** The smallest sufficient reach; undefined if none is. */
  needs: Reach | undefined;
  /** Roles with access even if their reach is too small. */
  opensTo?: readonly Role[];
  /** Roles without access, whatever their reach. */
  refusedTo?: readonly Role[];
  /** It has no agent yet. */
  isUnclaimed?: true;
  /** Creates the object. Returns the path parameters, by name. */
  make(fixture: Fixture, actor: Member, route: Classified): Promise<Ids>;
};

export const nobody = 999_999_999;

type Named = Pick<Target, "name" | "needs" | "isUnclaimed">;

/** Tickets of every relation to the actor, except deleted ones. */
export function everyTicket(
  use: (fixture: Fixture, ticket: TenantTicket, tenant: Tenant) => Promise<Ids>,
): Target[] {
  const target = (
    named: Named,
    input: (fixture: Fixture, actor: Member) => TicketInput,
    tenantOf: (fixture: Fixture) => Tenant = ({ own }) => own,
  ): Target => ({
    ...named,
    make: async (fixture, actor, { state = "new" }) => {
      const tenant = tenantOf(fixture);
      const whole = await aWholeTicket(fixture.db, tenant, { state, ...input(fixture, actor) });
      return use(fixture, whole, tenant);
    },
  });
  return [
    target({ name: "its own", needs: "own" }, (_fixture, { id: agentId }) => ({ agentId })),
    target({ name: "a group colleague's", needs: "group" }, ({ own }) => ({
      agentId: own.colleague.id,
    })),
    target(
      { name: "one in its group's queue, of an agent of another group", needs: "group" },
      ({ own }) => ({ agentId: own.stranger.id, groupId: own.north }),
    ),
    target(
      { name: "one that nobody has yet, of no group", needs: "group", isUnclaimed: true },
      () => ({}),
    ),
    target({ name: "another group's", needs: "all" }, ({ own }) => ({
      agentId: own.stranger.id,
      groupId: own.south,
    })),
    target({ name: "a deleted one of its own", needs: undefined }, (_fixture, { id: agentId }) => ({
      agentId,
      isDeleted: true,
    })),
    target(
      { name: "another enterprise's", needs: undefined },
      ({ foreign }) => ({ agentId: foreign.members.agent.id, groupId: foreign.north }),
      ({ foreign }) => foreign,
    ),
  ];
}

/** The same for conferences, whose parts are in reach by group, but not the conference. */
export function everyConference(
  use: (fixture: Fixture, conference: TenantConference, tenant: Tenant) => Promise<Ids>,
): Target[] {
  const target = (
    named: Named,
    input: (fixture: Fixture, actor: Member) => { organizerId: number; moderatorId?: number },
    tenantOf: (fixture: Fixture) => Tenant = ({ own }) => own,
  ): Target => ({
    ...named,
    make: async (fixture, actor, { conference: status = "scheduled" }) => {
      const tenant = tenantOf(fixture);
      const made = await aTenantConference(fixture.db, tenant, {
        status,
        ...input(fixture, actor),
      });
      return use(fixture, made, tenant);
    },
  });
  return [
    target({ name: "one it organizes", needs: "own" }, (_fixture, { id: organizerId }) => ({
      organizerId,
    })),
    target({ name: "one it moderates", needs: "own" }, ({ own }, { id: moderatorId }) => ({
      organizerId: own.stranger.id,
      moderatorId,
    })),
    target({ name: "one of a group colleague", needs: "group" }, ({ own }) => ({
      organizerId: own.colleague.id,
    })),
    target({ name: "one of another group", needs: "all" }, ({ own }) => ({
      organizerId: own.stranger.id,
    })),
    target(
      { name: "a conference of another enterprise", needs: undefined },
      ({ foreign }) => ({ organizerId: foreign.members.agent.id }),
      ({ foreign }) => foreign,
    ),
  ];
}

/** An object that does not exist. */
export function never(ids: Ids): Target {
  return {
    name: "one that never was",
    needs: undefined,
    make: async () => ids,
  };
}
