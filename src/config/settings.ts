import { providerSettings } from "./provider-settings.ts";
import type { Setting } from "./setting.ts";

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
    meaning: "Port of the web process. 0 takes a free one.",
  },
  HOST: {
    type: "string",
    defaultNote: "`127.0.0.1` embedded, `0.0.0.0` with a DATABASE_URL",
    meaning: "Address the web process listens on.",
  },
  BASE_URL: {
    type: "string",
    defaultNote: "`http://127.0.0.1:PORT`",
    pattern: "^https?://[^/?#\\s]+$",
    meaning: "Public address, without a slash at the end. Links in answers start with it.",
  },
  TRUST_PROXY: {
    type: "boolean",
    default: false,
    meaning: "Take the client address from X-Forwarded-For of the nearest proxy.",
  },
  DATA_DIR: {
    type: "string",
    default: ".data",
    meaning: "Folder of the embedded Postgres and its generated secrets.",
  },
  DATABASE_URL: {
    type: "string",
    pattern: "^postgres(ql)?://",
    isSecret: true,
    defaultNote: "the embedded Postgres",
    meaning: "Postgres 15 or newer. Needed by every process of the Procfile.",
  },
  DATABASE_POOL_SIZE: {
    type: "integer",
    default: 10,
    minimum: 2,
    maximum: 200,
    meaning: "Connections of one process to Postgres, the queue's own not counted.",
  },
  DATABASE_WAIT_SECONDS: {
    type: "integer",
    default: 60,
    minimum: 0,
    maximum: 3600,
    meaning: "How long a starting process waits for a database that does not answer yet.",
  },
  REDIS_URL: {
    type: "string",
    pattern: "^rediss?://",
    isSecret: true,
    defaultNote: "the queue lives in Postgres",
    meaning: "Redis of the queue. Use one of its own with maxmemory-policy noeviction.",
  },
  QUEUE_PREFIX: {
    type: "string",
    default: "sightline",
    pattern: "^[a-z][a-z0-9_]{0,40}$",
    meaning: "Start of every Redis key; name of the Postgres schema of the queue without Redis.",
  },
  SECRET_KEY: {
    type: "string",
    pattern: "^[A-Za-z0-9+/_=-]{43,}$",
    isSecret: true,
    defaultNote: "generated into DATA_DIR when embedded; required otherwise",
    meaning: "Base64 of at least 32 random bytes: encrypts webhook secrets and custom headers.",
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
    defaultNote: "nobody is made one",
    meaning:
      "Login of a user who runs the platform: made superadmin at every release and `npm start`.",
  },
  TOKEN_TTL: {
    type: "integer",
    default: 86400,
    minimum: 60,
    maximum: 2592000,
    meaning: "Life of an access token, in seconds.",
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
      "Passwords tried per login and minute once ten were wrong within a quarter of an hour. " +
      "What is more waits.",
  },
  RATE_LIMIT_TOKEN_IP: {
    type: "integer",
    default: 30,
    minimum: 1,
    meaning:
      "Sign-ins and token requests that fail, and requests for a new password, per client " +
      "address and minute.",
  },
  RATE_LIMIT_GUEST: {
    type: "integer",
    default: 60,
    minimum: 1,
    meaning:
      "Calls per client address and minute on guests' pages and link lookups; as many sockets may fail to sign in, and ten times as many tokens be checked.",
  },
  RATE_LIMIT_SMS: {
    type: "integer",
    default: 30,
    minimum: 1,
    meaning: "SMS per enterprise and minute. Those a day are a setting of the enterprise.",
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
    meaning: "Allow webhooks to loopback and private addresses, over http too. For development.",
  },
  RECEIVER_ALLOW_LIST: {
    type: "string",
    default: "",
    meaning:
      "Comma list of CIDR:port that webhooks may reach although the range is private, " +
      "for instance `10.1.0.0/16:443`.",
  },
  DELIVERY_CONCURRENCY: {
    type: "integer",
    default: 256,
    minimum: 1,
    maximum: 1000,
    meaning: "Requests of one object type that one delivery process has under way.",
  },
  DELIVERY_SLOW_CONCURRENCY: {
    type: "integer",
    default: 768,
    minimum: 0,
    maximum: 5000,
    meaning:
      "Requests beside those that take longer than half a second: whoever waits for a slow " +
      "receiver holds up no other.",
  },
  DELIVERY_MAX_IN_FLIGHT: {
    type: "integer",
    default: 96,
    minimum: 1,
    maximum: 10000,
    meaning:
      "The most requests one subscription may have in flight, over all processes: at most half " +
      "of DELIVERY_CONCURRENCY, so that one subscription never fills a worker.",
  },
  DELIVERY_TIMEOUT_MS: {
    type: "integer",
    default: 15000,
    minimum: 100,
    maximum: 60000,
    meaning: "Time a receiver has for its answer. A status that came by then decides.",
  },
  DELIVERY_LEASE_SECONDS: {
    type: "integer",
    default: 30,
    minimum: 2,
    maximum: 600,
    meaning: "After how long a delivery of a worker that died is tried again.",
  },
  QUEUE_HIGH_WATER: {
    type: "integer",
    default: 10000,
    minimum: 100,
    meaning: "Waiting jobs of one queue above which no more are added; the rest waits in Postgres.",
  },
  RETENTION_DAYS: {
    type: "integer",
    default: 30,
    minimum: 4,
    maximum: 400,
    meaning:
      "How long events, ended deliveries and their attempts are kept, where an enterprise has " +
      "not set its own days.",
  },
  EVENT_MAX_BYTES: {
    type: "integer",
    default: 262144,
    minimum: 65536,
    maximum: 1048576,
    meaning:
      "The most that one webhook's body may weigh. A change that would exceed it is refused.",
  },
  METRICS_PORT: {
    type: "integer",
    default: 9464,
    minimum: 0,
    maximum: 65535,
    meaning: "Port of /metrics, /livez and /readyz of a worker process. 0 takes a free one.",
  },
  METRICS_HOST: {
    type: "string",
    default: "127.0.0.1",
    meaning:
      "Address METRICS_PORT listens on. Another one where Prometheus or probes come from elsewhere.",
  },
  METRICS_TOKEN: {
    type: "string",
    pattern: "^[A-Za-z0-9._~+/=-]{16,}$",
    isSecret: true,
    defaultNote:
      "the web process shows /metrics to its own machine alone, and only without a public BASE_URL",
    meaning: "Bearer token that /metrics asks for, in every process.",
  },
  SHUTDOWN_GRACE_SECONDS: {
    type: "integer",
    default: 20,
    minimum: 1,
    maximum: 300,
    meaning: "How long a stopping process may finish what is in flight.",
  },
  SHUTDOWN_DRAIN_SECONDS: {
    type: "integer",
    defaultNote: "`0` embedded, `10` with a DATABASE_URL",
    minimum: 0,
    maximum: 300,
    meaning:
      "How long a web process goes on serving after SIGTERM, with /readyz at 503, before it closes " +
      "its port: longer than the balancer takes to notice. Ctrl-C does not wait.",
  },
  FAULT_AT: {
    type: "string",
    enum: [
      "api.beforeCommit",
      "api.afterCommit",
      "relay.afterCommit",
      "delivery.afterClaim",
      "delivery.afterSend",
      "delivery.afterSettle",
      "tasks.afterClaim",
      "messages.afterSend",
      "media.afterRow",
      "media.afterStore",
    ],
    defaultNote: "never",
    meaning: "For fault tests only: kills the process the first time it passes this point.",
  },
  LOG_LEVEL: {
    type: "string",
    enum: ["silent", "error", "warn", "info", "debug"],
    defaultNote: "`warn` embedded, `info` with a DATABASE_URL",
    meaning: "The least severe log lines that are written.",
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;
