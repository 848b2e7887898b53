/**
 * Which sites may show our pages in an iframe, and which may use an enterprise's API key. In: what
 * a request says before anybody is signed in. Out: origins.
 */
import { grantsOfRole } from "../contracts/permissions.ts";
import type { Db } from "../platform/db/pool.ts";
import { isLocalPlatform } from "./enterprises/model.ts";
import { findAliasOwner, findKeyOwner, findServiceOwner, listAllowed } from "./framing-store.ts";
import { listOwnServices } from "./services/own-store.ts";
import type { Caller } from "../http/route.ts";

/** Who is signed in. */
type Owner = Pick<Caller, "enterpriseId" | "groupIds" | "role">;

export type FramingDeps = Readonly<{
  db: Db;
  /** Whose session a `Cookie` header presents. */
  findOwner(cookies: string | undefined): Promise<Owner | undefined>;
  /** Public address without a slash at the end. */
  baseUrl: string;
}>;

/** A request for a page. */
export type Framed = Readonly<{
  /** The `Host` header, with or without a port. */
  host: string | undefined;
  /** `service_key` of the query. */
  serviceKey: string | undefined;
  cookieHeader: string | undefined;
}>;

/** What is known of a page before it is shown. */
export type PageFraming = Readonly<{
  /**
   * The sources of the directive `frame-ancestors`: `'self'`, and the domains of the enterprise
   * that owns the alias in `host`, else the service, else the session. `'self'` alone where none of
   * them is known, and where somebody of another enterprise is signed in: whose key or alias it is
   * must not get at their clicks.
   */
  frameAncestors: string[];
  /** Whether an active service has the key; one they may invite to, where somebody is signed in. */
  isService: boolean;
}>;

export type Framing = {
  read(request: Framed): Promise<PageFraming>;
  /** Whether pages of this origin may use the key: ours, and those of the enterprise's domains. */
  isAllowedOrigin(from: {
    apiKey: string | undefined;
    origin: string | undefined;
  }): Promise<boolean>;
};

const longestName = 253;

/** Everything else cannot be a key, and may be nothing that a database takes. */
const key = /^[\w-]{1,128}$/u;

export function createFraming({ db, findOwner, baseUrl }: FramingDeps): Framing {
  const ownName = new URL(baseUrl).hostname;
  /** Our own name is nobody's, though an alias may be from before it was ours, or was refused. */
  const byHost = async (host = ""): Promise<number | undefined> => {
    const name = nameOf(host);
    const isAlias = name !== "" && name !== ownName && name.length <= longestName;
    return isAlias ? findAliasOwner(db, name) : undefined;
  };
  const byService = async (serviceKey: string | undefined): Promise<number | undefined> =>
    serviceKey === undefined || !key.test(serviceKey)
      ? undefined
      : findServiceOwner(db, serviceKey);
  const allowedBy = async (enterpriseId: number): Promise<string[]> => {
    const allowed = await listAllowed(db, enterpriseId);
    return allowed.flatMap(({ domain }) => originsOf(domain, baseUrl));
  };
  return {
    read: async ({ host, serviceKey, cookieHeader }) => {
      const ofAlias = await byHost(host);
      const ofService = await byService(serviceKey);
      const signedIn = await findOwner(cookieHeader);
      const owner = ofAlias ?? ofService ?? signedIn?.enterpriseId;
      const isOthers = signedIn !== undefined && signedIn.enterpriseId !== owner;
      const others = owner === undefined || isOthers ? [] : await allowedBy(owner);
      return {
        frameAncestors: ["'self'", ...others],
        isService:
          ofService !== undefined &&
          (signedIn === undefined || (await mayInvite(db, signedIn, serviceKey))),
      };
    },
    isAllowedOrigin: async ({ apiKey, origin }) => {
      const isKey = apiKey !== undefined && key.test(apiKey);
      const enterpriseId = isKey ? await findKeyOwner(db, apiKey) : undefined;
      if (enterpriseId === undefined || origin === undefined) {
        return false;
      }
      if (origin === new URL(baseUrl).origin) {
        return true;
      }
      const names = (await listAllowed(db, enterpriseId)).flatMap(({ domain, alias }) =>
        alias === "" ? [domain] : [domain, alias],
      );
      return names.some((name) => originsOf(name, baseUrl).includes(origin));
    },
  };
}

/** Without the port, which no alias has. */
function nameOf(host: string): string {
  return host.replace(/:\d+$/u, "").toLowerCase();
}

/** Pages on http count where the platform itself is only on this machine. */
function originsOf(domain: string, baseUrl: string): string[] {
  return isLocalPlatform(baseUrl)
    ? [`https://${domain}`, `http://${domain}`]
    : [`https://${domain}`];
}

const permissionOf = { ticket: "tickets.write", conference: "conferences.write" } as const;

/** Whether the form offers them the service: where it does not, it warns of it, too. */
async function mayInvite(db: Db, owner: Owner, serviceKey = ""): Promise<boolean> {
  const found = (await listOwnServices(db, owner)).find(
    ({ service_key: known }) => known === serviceKey,
  );
  return found !== undefined && grantsOfRole[owner.role][permissionOf[found.kind]] !== undefined;
}
