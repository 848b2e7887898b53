import { createAudit } from "../../src/audit/audit-log.ts";
import type { Role } from "../../src/contracts/permissions.ts";
import type { Caller } from "../../src/http/route.ts";
import { systemClock, type Clock } from "../../src/platform/clock.ts";
import type { Db } from "../../src/platform/db/pool.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { createAddressGuard } from "../../src/platform/net/address-guard.ts";
import { createSecretBox, type SecretBox } from "../../src/platform/secret-box.ts";
import { createWebhookRoutes } from "../../src/subscriptions/routes.ts";
import { createWebhookService, type WebhookService } from "../../src/subscriptions/service.ts";
import { serveCallers, type ApiAnswer, type Call } from "./callers-api.ts";
import { aUser, anEnterprise } from "./factories.ts";

export type { ApiAnswer, Call };

export type WebhookApi = {
  service: WebhookService;
  secretBox: SecretBox;
  /** The number of change notifications of the service. */
  readonly changes: number;
  as(caller: Caller): Call;
  close(): Promise<void>;
};

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Names that the tests resolve; other names are unknown. */
const addresses: Record<string, string> = {
  "receiver.example": "93.184.215.14",
  "inside.example": "10.0.0.5",
};

const resolver = {
  resolve: async (hostname: string) => {
    const address = addresses[hostname];
    if (address === undefined) {
      throw new Error("ENOTFOUND");
    }
    return [{ address, family: 4 }];
  },
};

/** The webhook operations on a real HTTP server, with the real router and address check. */
export async function startWebhookApi(db: Db, clock: Clock = systemClock): Promise<WebhookApi> {
  const secretBox = createSecretBox(Buffer.alloc(32, 7));
  const guard = createAddressGuard({ areLocalReceiversAllowed: false, allowList: [], resolver });
  const counted = { changes: 0 };
  const service = createWebhookService({
    db,
    secretBox,
    ids: randomIds,
    clock,
    log: silent as never,
    checkUrl: guard.checkResolved,
    inbox: { bases: ["https://sightline.example"], deleteRequests: async () => undefined },
    audit: createAudit(),
    onChanged: () => {
      counted.changes += 1;
    },
  });
  const api = await serveCallers(createWebhookRoutes(service));
  return {
    ...api,
    service,
    secretBox,
    get changes() {
      return counted.changes;
    },
  };
}

/** A user of a new enterprise, or of the given one. */
export async function aCaller(
  db: Db,
  role: Role = "admin",
  enterpriseId?: number,
): Promise<Caller> {
  const enterprise = enterpriseId ?? (await anEnterprise(db)).id;
  const user = await aUser(db, { enterprise_id: enterprise, role });
  return {
    userId: user.id,
    enterpriseId: enterprise,
    login: user.login,
    role,
    accountType: "solution",
    groupIds: [],
    token: randomIds.hex(16),
  };
}
