/**
 * Which sites may embed our pages (CSP frame-ancestors), and which origins may use an enterprise's
 * API key.
 */
import type { FindFramePolicy } from "../contracts/directory.ts";
import { grantsOfRole } from "../contracts/permissions.ts";
import type { Db, Queryable } from "../platform/db/pool.ts";
import { preparedRowsOf } from "../platform/db/prepared.ts";
import { isLocalPlatform } from "./enterprises/model.ts";
import { listAvailableServices } from "./directory-store.ts";
import type { Caller } from "../http/route.ts";

/** The signed-in user. */
type SignedInUser = Pick<Caller, "enterpriseId" | "groupIds" | "role">;

export type EmbeddingDeps = Readonly<{
  db: Db;
  /** The owner of the session in a `Cookie` header. */
  findOwner(cookies: string | undefined): Promise<SignedInUser | undefined>;
  /** Public address, without a trailing slash. */
  baseUrl: string;
}>;

export type Embedding = {
  findFramePolicy: FindFramePolicy;
  /** Sources of `frame-ancestors` of a page that belongs to this enterprise and uses no session. */
  listFrameAncestors(enterpriseId: number): Promise<string[]>;
  /**
   * Whether pages of this origin may use the key: our own, and those of the enterprise's domains.
   */
  isAllowedOrigin(from: {
    apiKey: string | undefined;
    origin: string | undefined;
  }): Promise<boolean>;
};

const maxHostNameLength = 253;

/** Anything else is not a key and is not looked up in the database. */
const keyPattern = /^[\w-]{1,128}$/u;

export function createEmbedding({ db, findOwner, baseUrl }: EmbeddingDeps): Embedding {
  const ownName = new URL(baseUrl).hostname;
  /** The platform's own host name is never an alias, even if an old row contains it. */
  const byHost = async (host = ""): Promise<readonly number[]> => {
    const name = hostNameOf(host);
    const mayBeAlias = name !== "" && name !== ownName && name.length <= maxHostNameLength;
    return mayBeAlias ? listEnterprisesByAlias(db, name) : [];
  };
  const byService = async (serviceKey: string | undefined): Promise<number | undefined> =>
    serviceKey === undefined || !keyPattern.test(serviceKey)
      ? undefined
      : findEnterpriseByServiceKey(db, serviceKey);
  const allowedBy = async (enterpriseId: number): Promise<string[]> => {
    const allowed = await listAllowedDomains(db, enterpriseId);
    return allowed.flatMap(({ domain }) => originsOf(domain, baseUrl));
  };
  return {
    findFramePolicy: async ({ host, serviceKey, cookieHeader }) => {
      const ofAlias = await byHost(host);
      const ofService = await byService(serviceKey);
      const signedIn = await findOwner(cookieHeader);
      const owner = ownerOf(ofAlias, [ofService, signedIn?.enterpriseId]);
      const isOthers = signedIn !== undefined && signedIn.enterpriseId !== owner;
      const others = owner === undefined || isOthers ? [] : await allowedBy(owner);
      return {
        frameAncestors: ["'self'", ...others],
        isService:
          ofService !== undefined &&
          (signedIn === undefined || (await mayInvite(db, signedIn, serviceKey))),
      };
    },
    listFrameAncestors: async (enterpriseId) => ["'self'", ...(await allowedBy(enterpriseId))],
    isAllowedOrigin: async ({ apiKey, origin }) => {
      const isKey = apiKey !== undefined && keyPattern.test(apiKey);
      const enterpriseId = isKey ? await findEnterpriseByApiKey(db, apiKey) : undefined;
      if (enterpriseId === undefined || origin === undefined) {
        return false;
      }
      if (origin === new URL(baseUrl).origin) {
        return true;
      }
      const names = (await listAllowedDomains(db, enterpriseId)).flatMap(({ domain, alias }) =>
        alias === "" ? [domain] : [domain, alias],
      );
      return names.some((name) => originsOf(name, baseUrl).includes(origin));
    },
  };
}

/** Without the port, because aliases have none. */
function hostNameOf(host: string): string {
  return host.replace(/:\d+$/u, "").toLowerCase();
}

/** Origins with http are accepted only if the platform runs on localhost. */
function originsOf(domain: string, baseUrl: string): string[] {
  return isLocalPlatform(baseUrl)
    ? [`https://${domain}`, `http://${domain}`]
    : [`https://${domain}`];
}

const permissionOf = { ticket: "tickets.write", conference: "conferences.write" } as const;

/** Whether the form offers this service to the signed-in user. */
async function mayInvite(db: Db, owner: SignedInUser, serviceKey = ""): Promise<boolean> {
  const found = (await listAvailableServices(db, owner)).find(
    ({ service_key: known }) => known === serviceKey,
  );
  return found !== undefined && grantsOfRole[owner.role][permissionOf[found.kind]] !== undefined;
}

/** Whether the host name is an alias of any enterprise. */
export async function isAlias(db: Queryable, host: string): Promise<boolean> {
  return (await listEnterprisesByAlias(db, host)).length > 0;
}

/**
 * The enterprise of a page. Aliases are not verified, so another enterprise may have the same one:
 * then only the page's address or the session can name the owner.
 */
function ownerOf(
  ofAlias: readonly number[],
  named: readonly (number | undefined)[],
): number | undefined {
  const known = named.filter((id) => id !== undefined);
  if (ofAlias.length === 0) {
    return known[0];
  }
  return ofAlias.length === 1 ? ofAlias[0] : known.find((id) => ofAlias.includes(id));
}

/** The enterprises with this alias. */
async function listEnterprisesByAlias(db: Queryable, host: string): Promise<number[]> {
  const rows = await preparedRowsOf<{ enterprise_id: number }>(
    db,
    "SELECT DISTINCT enterprise_id FROM enterprise_domains WHERE alias = ? AND alias <> ''",
    [host],
  );
  return rows.map((row) => row.enterprise_id);
}

/** The enterprise of an active service. */
async function findEnterpriseByServiceKey(
  db: Queryable,
  serviceKey: string,
): Promise<number | undefined> {
  const [row] = await preparedRowsOf<{ enterprise_id: number }>(
    db,
    "SELECT enterprise_id FROM services WHERE service_key = ? AND is_active",
    [serviceKey],
  );
  return row?.enterprise_id;
}

async function findEnterpriseByApiKey(db: Queryable, apiKey: string): Promise<number | undefined> {
  const [row] = await preparedRowsOf<{ id: number }>(
    db,
    "SELECT id FROM enterprises WHERE api_key = ?",
    [apiKey],
  );
  return row?.id;
}

/** The allowed domains of the enterprise, sorted by name. */
function listAllowedDomains(
  db: Queryable,
  enterpriseId: number,
): Promise<{ domain: string; alias: string }[]> {
  return preparedRowsOf(
    db,
    "SELECT domain, alias FROM enterprise_domains WHERE enterprise_id = ? ORDER BY domain",
    [enterpriseId],
  );
}
