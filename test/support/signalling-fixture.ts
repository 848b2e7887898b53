/**
 * Web processes with sockets on a separate database, and an enterprise whose users connect to them.
 */
import { useDatabase, type TestDatabase } from "./database.ts";
import { aTenant, aWholeTicket, type Tenant, type TenantTicket } from "./tenant.ts";
import { closeClients, startWebNode, type NodeSetup, type WebNode } from "./signalling.ts";

export type SignallingFixture = Readonly<{
  database: TestDatabase;
  /** The first process. */
  node: WebNode;
  at(index: number): WebNode;
  /** An enterprise with the allowed domain `crm.example`. */
  tenant: Tenant;
  /** A ticket of the tenant's agent. */
  aTicket(): Promise<TenantTicket>;
  /** Makes a REST call with this token. Returns its status. */
  rest(token: string, operation: string, json?: object): Promise<number>;
}>;

function get<T>(made: T | undefined): T {
  if (made === undefined) {
    throw new Error("Processes and tenant exist inside tests and hooks only");
  }
  return made;
}

/**
 * Starts the processes before the tests of a `describe`, and closes each test's clients after it.
 */
export function useSignalling(setup: NodeSetup & Readonly<{ nodes?: number }> = {}) {
  const nodes: WebNode[] = [];
  let tenant: Tenant | undefined;
  after("close the sockets", async () => {
    closeClients();
    await Promise.all(nodes.map((node) => node.close()));
  });
  const database = useDatabase();
  before("start the web processes", async function () {
    this.timeout(30_000);
    tenant = await aTenant(database.db);
    const page = { enterprise_id: tenant.id, domain: "crm.example" };
    await database.db("enterprise_domains").insert(page);
    for (let started = 0; started < (setup.nodes ?? 1); started += 1) {
      nodes.push(await startWebNode(database.url, setup));
    }
  });
  afterEach(closeClients);
  const made: SignallingFixture = {
    database,
    get node() {
      return get(nodes[0]);
    },
    at: (index) => get(nodes[index]),
    get tenant() {
      return get(tenant);
    },
    aTicket: () => {
      const { members } = get(tenant);
      const wanted = { agentId: members.agent.id, state: "invited" } as const;
      return aWholeTicket(database.db, get(tenant), wanted);
    },
    rest: async (token, operation, json) => {
      const [method = "GET", path = ""] = operation.split(" ");
      const response = await fetch(`${get(nodes[0]).url}/api${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      });
      await response.arrayBuffer();
      return response.status;
    },
  };
  return made;
}
