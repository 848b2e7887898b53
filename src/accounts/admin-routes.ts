/** Users, enterprises and services, put together: their operations over one set of dependencies. */
import type { AuditLog } from "../contracts/audit.ts";
import type { Trx } from "../platform/db/pool.ts";
import type { Limits } from "../http/limits.ts";
import type { Caller, PublicRoute, Route } from "../http/route.ts";
import type { Clock } from "../platform/clock.ts";
import type { Db } from "../platform/db/pool.ts";
import type { Ids } from "../platform/ids.ts";
import { createDomains } from "./enterprises/domains.ts";
import { createUserGroups } from "./enterprises/groups.ts";
import { createMemberRoutes } from "./enterprises/member-routes.ts";
import { createEnterpriseRoutes } from "./enterprises/routes.ts";
import { createEnterprises } from "./enterprises/service.ts";
import type { Embedding } from "./embedding.ts";
import type { Passwords } from "./password.ts";
import type { QueuePrivateMail } from "../contracts/invitations.ts";
import { createPublicAccountRoutes } from "./public-routes.ts";
import { createPasswordResets } from "./password-reset.ts";
import type { Accounts } from "./service.ts";
import { createButtonRoutes } from "./services/button-routes.ts";
import { createButtons } from "./services/buttons.ts";
import { createServiceRoutes } from "./services/routes.ts";
import { createServiceAdministration } from "./services/service.ts";
import type { KnownClients } from "./sign-in/known-clients.ts";
import { createUserRoutes } from "./users/routes.ts";
import { createUsers } from "./users/service.ts";

export type AdministrationDeps = Readonly<{
  db: Db;
  ids: Pick<Ids, "base62" | "bytes" | "hex" | "key" | "uuid">;
  clock: Clock;
  passwords: Passwords;
  knownClients: Pick<KnownClients, "remember">;
  limits: Pick<Limits, "badLogin">;
  accounts: Pick<Accounts, "isTokenOf">;
  audit: AuditLog<Trx>;
  queueMail: QueuePrivateMail<Trx>;
  isAllowedOrigin: Embedding["isAllowedOrigin"];
  baseUrl: string;
}>;

export type Administration = {
  routes: (Route | PublicRoute)[];
  /** Throws where the caller may not see the enterprise: it was not found. */
  requireEnterprise(caller: Caller, enterpriseId: number): Promise<unknown>;
};

export function createAdministration(deps: AdministrationDeps): Administration {
  const { baseUrl } = deps;
  const resets = createPasswordResets(deps);
  const users = createUsers({ ...deps, resets });
  const enterprises = createEnterprises({ ...deps, resets });
  const services = createServiceAdministration(deps);
  return {
    requireEnterprise: (caller, enterpriseId) => enterprises.require(caller, enterpriseId),
    routes: [
      ...createPublicAccountRoutes({ ...deps, resets }),
      ...createUserRoutes({ users, baseUrl }),
      ...createEnterpriseRoutes({ enterprises, users, services, baseUrl }),
      ...createMemberRoutes({
        enterprises,
        groups: createUserGroups(deps),
        domains: createDomains(deps),
      }),
      ...createServiceRoutes({ services }),
      ...createButtonRoutes({ buttons: createButtons(deps), baseUrl }),
    ],
  };
}
