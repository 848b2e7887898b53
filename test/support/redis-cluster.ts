import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Redis, type RedisOptions } from "ioredis";
import { eventually } from "./eventually.ts";
import { freePort } from "./free-port.ts";
import { launchRedis, type RedisProcess } from "./redis-server.ts";
import { insideDescribe } from "./scope.ts";

export type RedisCluster = {
  /** URLs of all nodes. */
  readonly urls: readonly string[];
  /**
   * `kill -9` of the master of the replicated key. Returns a function that restarts it as a
   * replica.
   */
  killMaster(): Promise<() => Promise<void>>;
  stop(): Promise<void>;
};

type ClusterNode = {
  port: number;
  busPort: number;
  dir: string;
  isEncrypted: boolean;
  process: RedisProcess;
};

export type ClusterOptions = {
  /** One more node is the replica of this key's master. */
  replicatedKey?: string;
  /** Only TLS, between the nodes too, with certificates for `localhost`. */
  isEncrypted?: boolean;
};

/** A node as described by another node. */
type NodeInfo = { id: string; port: number; slots: (readonly [from: number, to: number])[] };

const host = "127.0.0.1";
/** Contains characters that must be encoded in a URL. */
const password = "only for/tests";
const slotCount = 16_384;
const masterCount = 3;
/** High enough that a delay of a busy machine does not cause a failover. */
const nodeTimeoutMs = 2_000;

async function startNode(isEncrypted: boolean): Promise<ClusterNode> {
  const dir = await mkdtemp(join(tmpdir(), "sightline-redis-"));
  const place = { port: await freePort(), busPort: await freePort(), dir, isEncrypted };
  return { ...place, process: await launchNode(place) };
}

function launchNode(node: Omit<ClusterNode, "process">): Promise<RedisProcess> {
  const { port, busPort, dir, isEncrypted } = node;
  return launchRedis({
    port,
    dir,
    url: urlOf(node),
    clients: clientsOf(node),
    args: [
      ...["--requirepass", password, "--masterauth", password],
      ...["--cluster-enabled", "yes", "--cluster-port", String(busPort)],
      ...["--cluster-node-timeout", String(nodeTimeoutMs)],
      // A replica may take over even if its data is old, because missing jobs are in the ledger.
      ...["--cluster-replica-validity-factor", "0"],
      ...(isEncrypted ? tlsArgs(port) : []),
    ],
  });
}

function tlsFile(name: string): string {
  return fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url));
}

/** The authority that has signed the certificates of encrypted nodes. */
export const clusterAuthority = tlsFile("ca.pem");

function tlsArgs(port: number): string[] {
  return [
    ...["--port", "0", "--tls-port", String(port), "--tls-auth-clients", "no"],
    ...["--tls-cluster", "yes", "--tls-replication", "yes"],
    ...["--tls-cert-file", tlsFile("localhost.pem"), "--tls-key-file", tlsFile("server.key")],
    ...["--tls-ca-cert-file", clusterAuthority],
    // Certificates name hosts, so clients must get names of the other nodes, not addresses.
    ...["--cluster-announce-hostname", "localhost"],
    ...["--cluster-preferred-endpoint-type", "hostname"],
  ];
}

function urlOf({ port, isEncrypted }: Pick<ClusterNode, "port" | "isEncrypted">): string {
  const login = `:${encodeURIComponent(password)}`;
  return isEncrypted ? `rediss://${login}@localhost:${port}` : `redis://${login}@${host}:${port}`;
}

function clientsOf({ isEncrypted }: Pick<ClusterNode, "isEncrypted">): Pick<RedisOptions, "tls"> {
  return isEncrypted ? { tls: { ca: readFileSync(clusterAuthority) } } : {};
}

async function onNode<T>(node: ClusterNode, work: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(urlOf(node), { ...clientsOf(node), maxRetriesPerRequest: 1 });
  client.on("error", () => undefined);
  try {
    return await work(client);
  } finally {
    client.disconnect();
  }
}

async function listNodes(client: Redis): Promise<NodeInfo[]> {
  const lines = String(await client.cluster("NODES"))
    .trim()
    .split("\n");
  return lines.map((line) => {
    const [id = "", address = "", , , , , , , ...ranges] = line.split(" ");
    const port = Number(/:(\d+)@/u.exec(address)?.[1]);
    const slots = ranges.map((range) => {
      const [from = 0, to = from] = range.split("-").map(Number);
      return [from, to] as const;
    });
    return { id, port, slots };
  });
}

/** The master of a key, according to this node. */
function readMaster(node: ClusterNode, key: string): Promise<NodeInfo> {
  return onNode(node, async (client) => {
    const slot = await client.cluster("KEYSLOT", key);
    const found = (await listNodes(client)).find(({ slots }) =>
      slots.some(([from, to]) => slot >= from && slot <= to),
    );
    if (found === undefined) {
      throw new Error(`No node is known that holds the slot ${slot}`);
    }
    return found;
  });
}

/**
 * Assigns a third of the slots to each master, and makes the replica follow the master of the key.
 */
async function form(
  masters: readonly ClusterNode[],
  replica: ClusterNode | undefined,
  key: string,
): Promise<void> {
  const share = Math.ceil(slotCount / masters.length);
  for (const [index, node] of masters.entries()) {
    const range = [index * share, Math.min((index + 1) * share, slotCount) - 1];
    await onNode(node, (client) => client.call("CLUSTER", "ADDSLOTSRANGE", ...range));
  }
  const nodes = replica === undefined ? masters : [...masters, replica];
  for (const { port, busPort } of nodes.slice(1)) {
    const meet = ["CLUSTER", "MEET", host, port, busPort] as const;
    await onNode(nodes[0] as ClusterNode, (client) => client.call(...meet));
  }
  await waitUntilWhole(nodes);
  if (replica !== undefined) {
    const { id } = await readMaster(replica, key);
    await onNode(replica, (client) => client.cluster("REPLICATE", id));
    await waitUntilWhole(nodes);
  }
}

/**
 * Waits until all nodes agree that all slots are served, and the replica has the data of its
 * master.
 */
async function waitUntilWhole(nodes: readonly ClusterNode[]): Promise<void> {
  const isWhole = async (client: Redis): Promise<boolean> => {
    const state = await client.cluster("INFO");
    const replication = await client.info("replication");
    return (
      state.includes("cluster_state:ok") &&
      state.includes(`cluster_known_nodes:${nodes.length}`) &&
      !replication.includes("master_link_status:down")
    );
  };
  await eventually(
    async () => {
      const states = await Promise.all(nodes.map((node) => onNode(node, isWhole)));
      return states.every(Boolean);
    },
    { timeoutMs: 20_000 },
  );
}

/**
 * Three masters on loopback, without persistence; with a key, also a replica of its master. While a
 * master is down and not replaced, the whole cluster refuses commands, which is the default of
 * Redis, and the worst case.
 */
export async function startRedisCluster({
  replicatedKey,
  isEncrypted = false,
}: ClusterOptions = {}): Promise<RedisCluster> {
  const count = masterCount + (replicatedKey === undefined ? 0 : 1);
  const nodes = await Promise.all(Array.from({ length: count }, () => startNode(isEncrypted)));
  const stop = async (): Promise<void> => {
    await Promise.all(
      nodes.map(async ({ process, dir }) => {
        await process.end("SIGKILL");
        await rm(dir, { recursive: true, force: true });
      }),
    );
  };
  try {
    await form(nodes.slice(0, masterCount), nodes[masterCount], replicatedKey ?? "");
  } catch (thrown) {
    await stop();
    throw thrown;
  }
  return {
    urls: nodes.map(urlOf),
    stop,
    killMaster: async () => {
      const { port } = await readMaster(nodes[0] as ClusterNode, replicatedKey ?? "");
      const master = nodes.find((node) => node.port === port) as ClusterNode;
      await master.process.end("SIGKILL");
      return async () => {
        master.process = await launchNode(master);
        await waitUntilWhole(nodes);
      };
    },
  };
}

/**
 * A cluster without replicas for the tests of the surrounding `describe`. Returns only one of its
 * URLs, because clients must discover the other nodes.
 */
export function useRedisCluster(): () => Pick<RedisCluster, "urls"> {
  let cluster: RedisCluster | undefined;
  before("start a Redis Cluster", async function () {
    insideDescribe(this, "useRedisCluster");
    this.timeout(60_000);
    cluster = await startRedisCluster();
  });
  after("stop the Redis Cluster", async () => {
    await cluster?.stop();
  });
  return () => {
    if (cluster === undefined) {
      throw new Error("The Redis Cluster is started by a hook");
    }
    return { urls: cluster.urls.slice(0, 1) };
  };
}
