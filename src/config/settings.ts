import { faultNames } from "../contracts/fault-points.ts";
import { deliverySettings } from "./delivery-settings.ts";
import { providerSettings, type Setting } from "./provider-settings.ts";

/**
 * Every setting of Sightline, in the order of the reference that `docs/configuration.md` shows.
 * The JSON schema that validates the environment and that page are both made from this list.
 */
export const settings = {
  PORT: {
    type: "integer",
    default: 3000,
    minimum: 0,
    maximum: 65535,
    meaning:
      "Port of the web process. 0 uses a free port; without npm start it requires a BASE_URL.",
  },
  HOST: {
    type: "string",
    defaultNote: "`127.0.0.1` embedded, `0.0.0.0` with a DATABASE_URL",
    meaning: "Address that the web process listens on.",
  },
  BASE_URL: {
    type: "string",
    defaultNote: "`http://127.0.0.1:PORT`",
    pattern: "^https?://[^/?#\\s]+$",
    meaning: "Public address, without a trailing slash. Links in API responses start with it.",
  },
  TRUST_PROXY: {
    type: "boolean",
    default: false,
    meaning: "Take the client address from the X-Forwarded-For header of the nearest proxy.",
  },
  DATA_DIR: {
    type: "string",
    default: ".data",
    meaning: "Folder of the embedded Postgres and of the generated secrets.",
  },
  DATABASE_URL: {
    type: "string",
    pattern: "^postgres(ql)?://",
    isSecret: true,
    defaultNote: "the embedded Postgres",
    meaning: "Postgres 15 or newer. Every process of the Procfile needs it.",
  },
  DATABASE_POOL_SIZE: {
    type: "integer",
    default: 10,
    minimum: 2,
    maximum: 200,
    meaning:
      "Postgres connections of each of the two pools of a process: for deliveries, and for everything else. The queue has its own.",
  },
  DATABASE_WAIT_SECONDS: {
    type: "integer",
    default: 60,
    minimum: 0,
    maximum: 3600,
    meaning: "How many seconds a starting process waits for a database that does not respond.",
  },
  REDIS_URL: {
    type: "string",
    pattern: "^rediss?://",
    isSecret: true,
    defaultNote: "the queue is stored in Postgres",
    meaning: "Redis of the queue. Use a dedicated one with maxmemory-policy noeviction.",
  },
  REDIS_CLUSTER: {
    type: "boolean",
    default: false,
    meaning:
      "REDIS_URL is a Redis Cluster: one or more of its nodes, separated by commas. The others are found. Login, password and TLS of the first apply to all.",
  },
  QUEUE_PREFIX: {
    type: "string",
    default: "sightline",
    pattern: "^[a-z][a-z0-9_]{0,40}$",
    meaning: "Prefix of every Redis key. Without Redis, the Postgres schema of the queue.",
  },
  SECRET_KEY: {
    type: "string",
    pattern: "^[A-Za-z0-9+/_=-]{43,}$",
    isSecret: true,
    defaultNote: "generated into DATA_DIR when embedded; required otherwise",
    meaning: "Base64 of at least 32 random bytes. Encrypts webhook secrets and custom headers.",
  },
  ADMIN_LOGIN: {
    type: "string",
    default: "admin@demo.example",
    meaning: "Login of the first administrator. Used on the first start only.",
  },
  ADMIN_PASSWORD: {
    type: "string",
    isSecret: true,
    defaultNote: "generated and printed once",
    meaning: "Password of the first administrator. Used on the first start only.",
  },
  AGENT_LOGIN: {
    type: "string",
    default: "agent@demo.example",
    meaning: "Login of the first agent. Used on the first start only.",
  },
  AGENT_PASSWORD: {
    type: "string",
    isSecret: true,
    defaultNote: "generated and printed once",
    meaning: "Password of the first agent. Used on the first start only.",
  },
  SUPERADMIN_LOGIN: {
    type: "string",
    defaultNote: "no superadmin",
    meaning: "Login of a user whom every release and every `npm start` makes a superadmin.",
  },
  REPLACEMENT_BEGAN_AT: {
    type: "string",
    pattern:
      "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])" +
      "T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]+)?Z$",
    defaultNote: "the start of release",
    meaning:
      "For release, in UTC: when the replacement of the processes began. What release held back since " +
      "then stays held back. `npm run procfile` sets it.",
  },
  TOKEN_TTL: {
    type: "integer",
    default: 86400,
    minimum: 60,
    maximum: 2592000,
    meaning: "Lifetime of an access token, in seconds.",
  },
  RATE_LIMIT_API: {
    type: "integer",
    default: 600,
    minimum: 1,
    meaning: "API calls per user and minute.",
  },
  RATE_LIMIT_EVENTS: {
    type: "integer",
    default: 60,
    minimum: 1,
    meaning: "Calls of the ticket events endpoints per user and minute.",
  },
  RATE_LIMIT_TOKEN_LOGIN: {
    type: "integer",
    default: 10,
    minimum: 1,
    meaning:
      "After ten wrong passwords of a login within 15 minutes: how many passwords of this login " +
      "are checked per minute. Further attempts wait.",
  },
  RATE_LIMIT_TOKEN_IP: {
    type: "integer",
    default: 30,
    minimum: 1,
    meaning:
      "Failed sign-ins, failed token requests and requests for a new password, per client " +
      "address and minute.",
  },
  RATE_LIMIT_GUEST: {
    type: "integer",
    default: 60,
    minimum: 1,
    meaning:
      "Calls of public operations and short links, per client address and minute. The same limit applies to failed sign-ins of sockets, and ten times this limit to POST /api/checkUserToken.",
  },
  RATE_LIMIT_SMS: {
    type: "integer",
    default: 30,
    minimum: 1,
    meaning: "SMS per enterprise and minute. The daily limit is a setting of the enterprise.",
  },
  ...providerSettings,
  INBOX: {
    type: "boolean",
    defaultNote: "`true` embedded, `false` with a DATABASE_URL",
    meaning: "Serve the built-in webhook receiver under /inbox.",
  },
  ALLOW_LOCAL_RECEIVERS: {
    type: "boolean",
    default: false,
    meaning: "Allow webhooks to loopback and private addresses, over HTTP too. For development.",
  },
  RECEIVER_ALLOW_LIST: {
    type: "string",
    default: "",
    meaning:
      "Private ranges that webhooks may reach: a comma-separated list of CIDR:port, " +
      "for instance `10.1.0.0/16:443`.",
  },
  ...deliverySettings,
  METRICS_PORT: {
    type: "integer",
    default: 9464,
    minimum: 0,
    maximum: 65535,
    meaning: "Port of /metrics, /livez and /readyz of a worker process. 0 uses a free port.",
  },
  METRICS_HOST: {
    type: "string",
    default: "127.0.0.1",
    meaning:
      "Address that METRICS_PORT listens on. Change it if Prometheus or probes run on another host.",
  },
  METRICS_TOKEN: {
    type: "string",
    pattern: "^[A-Za-z0-9._~+/=-]{16,}$",
    isSecret: true,
    defaultNote:
      "the web process serves /metrics to its own machine only, and only without a public BASE_URL",
    meaning: "Bearer token that /metrics requires, in every process.",
  },
  SHUTDOWN_GRACE_SECONDS: {
    type: "integer",
    default: 20,
    minimum: 1,
    maximum: 300,
    meaning: "How many seconds a stopping process may take to finish its work in flight.",
  },
  SHUTDOWN_DRAIN_SECONDS: {
    type: "integer",
    defaultNote: "`0` embedded, `10` with a DATABASE_URL",
    minimum: 0,
    maximum: 300,
    meaning:
      "How many seconds a web process keeps serving after SIGTERM, with /readyz at 503, before it " +
      "closes its port. Use more than the load balancer takes to notice. Ctrl-C does not wait.",
  },
  FAULT_AT: {
    type: "string",
    enum: faultNames,
    defaultNote: "never",
    meaning: "For fault tests only: kills the process when it first reaches this point.",
  },
  LOG_LEVEL: {
    type: "string",
    enum: ["silent", "error", "warn", "info", "debug"],
    defaultNote: "`warn` embedded, `info` with a DATABASE_URL",
    meaning: "The lowest level of log lines that are written.",
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;
