import { queueSchema, type BackendKind } from "./backends.ts";
import { useDatabase } from "./database.ts";
import { eventually } from "./eventually.ts";
import { freePort } from "./free-port.ts";
import { useProcesses, type Process, type Processes } from "./processes.ts";
import { useRedis, type TestRedis } from "./redis.ts";
import { logIn, type Login, type RestClient } from "./rest-client.ts";

/** The long-running processes of the Procfile. */
export const roles = ["web", "relay", "schedule", "delivery"] as const;
/** The processes of task queues, which most tests do not need. */
export const taskRoles = ["timers", "messages", "media"] as const;
type UsualRole = (typeof roles)[number];
export type Role = UsualRole | (typeof taskRoles)[number];

const fileOf: Record<Role, string> = {
  web: "src/server.ts",
  relay: "workers/relay.ts",
  schedule: "workers/schedule.ts",
  delivery: "workers/delivery.ts",
  timers: "workers/timers.ts",
  messages: "workers/messages.ts",
  media: "workers/media.ts",
};

export type RoleProcess = Process & { readonly role: Role; readonly url: string };

export type Environment = Readonly<Record<string, string>>;

export type StackOptions = {
  kind: BackendKind;
  processes: Processes;
  database: { readonly url: string };
  /** Used only if the queue is on Redis. */
  redis: TestRedis;
  /**
   * Called at each start of a process, so that it may contain addresses of servers that a hook has
   * started.
   */
  env?: () => Environment;
};

export type Stack = {
  readonly env: Environment;
  /** Runs `release` to its end. */
  release(): Promise<string>;
  /** Starts one more process and waits until it reports that it is ready. */
  start(role: Role, env?: Environment): Promise<RoleProcess>;
  startAll(): Promise<Record<UsualRole, RoleProcess>>;
  /** The newest process of the role. */
  current(role: Role): RoleProcess;
  /** Signs in at the newest web process; later calls follow its replacement. */
  logIn(login: Login): Promise<RestClient>;
};

/** The administrator of the enterprise that `release` creates. */
export const firstAdmin: Login = { login: "admin@demo.example", password: "Correct-horse-9" };

/** Short times, so that expired leases and the sweeper's work are visible within seconds. */
export const fastEnvironment = {
  HOST: "127.0.0.1",
  SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
  ADMIN_PASSWORD: firstAdmin.password,
  AGENT_PASSWORD: "Battery-staple-7",
  ALLOW_LOCAL_RECEIVERS: "1",
  DELIVERY_TIMEOUT_MS: "2000",
  DELIVERY_LEASE_SECONDS: "4",
  RATE_LIMIT_API: "1000000",
  SHUTDOWN_GRACE_SECONDS: "10",
  SHUTDOWN_DRAIN_SECONDS: "0",
  LOG_LEVEL: "warn",
};

/** Generous, because several processes may start concurrently on a small machine. */
const readyTimeoutMs = 90_000;

/** Waits until the process reports that it is ready. */
export async function waitUntilReady(one: Process, url: string): Promise<void> {
  await eventually(
    async () => {
      if (!one.isRunning()) {
        return "ended";
      }
      const answer = await fetch(`${url}/readyz`);
      await answer.arrayBuffer();
      return answer.status === 200;
    },
    { timeoutMs: readyTimeoutMs, everyMs: 50 },
  );
  if (!one.isRunning()) {
    throw new Error(`${one.name} ended before it was ready:\n${one.output()}`);
  }
}

/** The processes of a production installation, on these servers. Nothing is started yet. */
export function createStack(options: StackOptions): Stack {
  const { kind, processes, database, redis, env = () => ({}) } = options;
  const newest = new Map<Role, RoleProcess>();
  const environment = (): Environment => ({
    ...fastEnvironment,
    DATABASE_URL: database.url,
    ...(kind === "redis"
      ? { REDIS_URL: redis.url, QUEUE_PREFIX: redis.prefix }
      : { QUEUE_PREFIX: queueSchema }),
    ...env(),
  });
  const current = (role: Role): RoleProcess => {
    const found = newest.get(role);
    if (found === undefined) {
      throw new Error(`No ${role} process was started`);
    }
    return found;
  };
  /**
   * A process that replaces a dead one uses its port, because the clients know no other address.
   */
  const portOf = async (role: Role): Promise<string> => {
    const before = newest.get(role);
    return before === undefined || before.isRunning()
      ? String(await freePort())
      : new URL(before.url).port;
  };
  const start: Stack["start"] = async (role, input = {}) => {
    const port = await portOf(role);
    const one = processes.start({
      name: role,
      file: fileOf[role],
      env: { ...environment(), PORT: port, METRICS_PORT: port, ...input },
    });
    const url = `http://127.0.0.1:${port}`;
    const started: RoleProcess = { ...one, role, url };
    await waitUntilReady(one, url);
    newest.set(role, started);
    return started;
  };
  return {
    get env() {
      return environment();
    },
    current,
    start,
    release: async () => {
      const one = processes.start({
        name: "release",
        file: "src/migrate.ts",
        args: ["up"],
        env: environment(),
      });
      const { code } = await one.ended;
      if (code !== 0) {
        throw new Error(`release ended with ${code}:\n${one.output()}`);
      }
      return one.output();
    },
    startAll: async () => {
      const [web, relay, schedule, delivery] = await Promise.all([
        start("web"),
        start("relay"),
        start("schedule"),
        start("delivery"),
      ]);
      return { web, relay, schedule, delivery };
    },
    logIn: (login) => logIn(() => current("web").url, login),
  };
}

const noRedis: TestRedis = {
  get url(): string {
    throw new Error("The queue of this stack is in Postgres");
  },
  prefix: "",
};

/**
 * A stack for the tests of the surrounding `describe`, on a separate database and queue. Nothing is
 * started yet; processes that still run after the last test are killed.
 */
export function useStack(kind: BackendKind, env: () => Environment = () => ({})) {
  // Before `useDatabase`, so that the processes end before the database is dropped.
  const processes = useProcesses();
  const database = useDatabase();
  const redis = kind === "redis" ? useRedis() : noRedis;
  const stack = createStack({ kind, processes, database, redis, env });
  return { processes, database, redis, stack };
}
