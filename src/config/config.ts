import { resolve } from "node:path";
import { Ajv, type ErrorObject } from "ajv";
import {
  dependencyFaults,
  toBlobs,
  toMail,
  toMllp,
  toSms,
  type BlobConfig,
  type MailConfig,
  type MllpConfig,
  type SmsConfig,
  textOrUndefined,
  type ValidatedSettings,
  parseAllowList,
  type ReceiverRange,
} from "./sections.ts";
import type { Setting } from "./provider-settings.ts";
import { settings, type SettingName } from "./settings.ts";

export type LogLevel = "silent" | "error" | "warn" | "info" | "debug";

/** Everything a process may be told from outside, validated, with units in the names. */
export type Config = Readonly<{
  port: number;
  host: string;
  baseUrl: string | undefined;
  trustProxy: boolean;
  dataDir: string;
  databaseUrl: string | undefined;
  databasePoolSize: number;
  databaseWaitMs: number;
  redisUrl: string | undefined;
  queuePrefix: string;
  secretKey: string | undefined;
  firstAdmin: ConfiguredLogin;
  firstAgent: ConfiguredLogin;
  /** Of an active user. */
  superadminLogin: string | undefined;
  tokenTtlSeconds: number;
  limits: Readonly<{
    apiPerMinute: number;
    eventsPerMinute: number;
    tokenPerLogin: number;
    tokenPerIp: number;
    guestPerIp: number;
    smsPerMinute: number;
  }>;
  mail: MailConfig;
  sms: SmsConfig;
  blobs: BlobConfig;
  /** Absent where HL7 over MLLP is off. */
  mllp: MllpConfig | undefined;
  isInboxOn: boolean;
  areLocalReceiversAllowed: boolean;
  receiverAllowList: readonly ReceiverRange[];
  delivery: Readonly<{
    concurrency: number;
    slowConcurrency: number;
    maxInFlight: number;
    timeoutMs: number;
    leaseMs: number;
    queueHighWater: number;
    retentionDays: number;
    eventMaxBytes: number;
  }>;
  metricsPort: number;
  metricsHost: string;
  metricsToken: string | undefined;
  shutdownGraceMs: number;
  shutdownDrainMs: number;
  faultAt: string | undefined;
  logLevel: LogLevel;
  /** Doubtful pairs of values, to be logged at the start. */
  warnings: readonly string[];
}>;

export type ConfiguredLogin = Readonly<{ login: string; password: string | undefined }>;

/** All faults of the environment at once, one sentence each. */
export class ConfigError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`The configuration has ${faults.length} fault${faults.length === 1 ? "" : "s"}`);
    this.name = "ConfigError";
    this.faults = faults;
  }
}

type Environment = Record<string, string | undefined>;

const entries = Object.entries(settings) as [SettingName, Setting][];

/** What a process of the Procfile is configured with: it brings no database of its own. */
export type ProcessConfig = Config & Readonly<{ databaseUrl: string; secretKey: string }>;

/**
 * Reads and validates the environment. Throws `ConfigError` with every fault in one go.
 * An empty value counts as not set.
 */
export function loadConfig(env: Environment): Config {
  return load(env, () => []);
}

/** The same for a process of the Procfile. */
export function loadProcessConfig(env: Environment): ProcessConfig {
  return load(env, (values) =>
    values.DATABASE_URL === undefined
      ? ["DATABASE_URL is required; npm start alone runs without it"]
      : [],
  ) as ProcessConfig;
}

const validate = new Ajv({ allErrors: true, coerceTypes: true, useDefaults: true }).compile({
  type: "object",
  properties: Object.fromEntries(entries.map(([name, setting]) => [name, propertyOf(setting)])),
});

function load(
  env: Environment,
  findMore: (values: ValidatedSettings) => readonly string[],
): Config {
  const raw = readEnvironment(env);
  const faults = validate(raw) ? [] : (validate.errors ?? []).map(describe);
  const values = raw as ValidatedSettings;
  const allowList = parseAllowList(String(values.RECEIVER_ALLOW_LIST ?? ""));
  faults.push(...allowList.faults, ...combinedFaults(values), ...findMore(values));
  if (faults.length > 0) {
    throw new ConfigError(faults);
  }
  return Object.freeze(toConfig(values, allowList.ranges));
}

/** `1`, `yes`, `on` are what people write for a switch; ajv itself takes `true` and `false` only. */
const switchWords: Record<string, string> = {
  "1": "true",
  yes: "true",
  on: "true",
  "0": "false",
  no: "false",
  off: "false",
};

function readEnvironment(env: Environment): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, setting] of entries) {
    const raw = env[name]?.trim();
    if (raw !== undefined && raw !== "") {
      values[name] =
        setting.type === "boolean" ? (switchWords[raw.toLowerCase()] ?? raw.toLowerCase()) : raw;
    }
  }
  return values;
}

function describe(error: ErrorObject): string {
  const name = error.instancePath.slice(1);
  const allowed = (error.params as { allowedValues?: readonly string[] }).allowedValues;
  return `${name} ${error.message ?? "is wrong"}${allowed ? `: ${allowed.join(", ")}` : ""}`;
}

/** Of values that may be faulty by themselves: what is no number is larger or smaller than none. */
function combinedFaults(settings: ValidatedSettings): string[] {
  const faults = dependencyFaults(settings);
  if (settings.DATABASE_URL !== undefined && settings.SECRET_KEY === undefined) {
    faults.push("SECRET_KEY is required with a DATABASE_URL (openssl rand -base64 32)");
  }
  const leaseMs = Number(settings.DELIVERY_LEASE_SECONDS) * 1000;
  if (leaseMs < Number(settings.DELIVERY_TIMEOUT_MS) + 1000) {
    faults.push("DELIVERY_LEASE_SECONDS must exceed DELIVERY_TIMEOUT_MS by at least a second");
  }
  return faults;
}

function toConfig(settings: ValidatedSettings, ranges: readonly ReceiverRange[]): Config {
  const isEmbedded = settings.DATABASE_URL === undefined;
  return {
    port: Number(settings.PORT),
    host: textOrUndefined(settings.HOST) ?? (isEmbedded ? "127.0.0.1" : "0.0.0.0"),
    baseUrl: textOrUndefined(settings.BASE_URL),
    trustProxy: settings.TRUST_PROXY === true,
    dataDir: resolve(String(settings.DATA_DIR)),
    databaseUrl: textOrUndefined(settings.DATABASE_URL),
    databasePoolSize: Number(settings.DATABASE_POOL_SIZE),
    databaseWaitMs: Number(settings.DATABASE_WAIT_SECONDS) * 1000,
    redisUrl: textOrUndefined(settings.REDIS_URL),
    queuePrefix: String(settings.QUEUE_PREFIX),
    secretKey: textOrUndefined(settings.SECRET_KEY),
    firstAdmin: {
      login: String(settings.ADMIN_LOGIN),
      password: textOrUndefined(settings.ADMIN_PASSWORD),
    },
    firstAgent: {
      login: String(settings.AGENT_LOGIN),
      password: textOrUndefined(settings.AGENT_PASSWORD),
    },
    superadminLogin: textOrUndefined(settings.SUPERADMIN_LOGIN),
    tokenTtlSeconds: Number(settings.TOKEN_TTL),
    limits: {
      apiPerMinute: Number(settings.RATE_LIMIT_API),
      eventsPerMinute: Number(settings.RATE_LIMIT_EVENTS),
      tokenPerLogin: Number(settings.RATE_LIMIT_TOKEN_LOGIN),
      tokenPerIp: Number(settings.RATE_LIMIT_TOKEN_IP),
      guestPerIp: Number(settings.RATE_LIMIT_GUEST),
      smsPerMinute: Number(settings.RATE_LIMIT_SMS),
    },
    mail: toMail(settings),
    sms: toSms(settings),
    blobs: toBlobs(settings),
    mllp: toMllp(settings),
    isInboxOn: settings.INBOX === undefined ? isEmbedded : settings.INBOX === true,
    areLocalReceiversAllowed: settings.ALLOW_LOCAL_RECEIVERS === true,
    receiverAllowList: ranges,
    delivery: {
      concurrency: Number(settings.DELIVERY_CONCURRENCY),
      slowConcurrency: Number(settings.DELIVERY_SLOW_CONCURRENCY),
      maxInFlight: Number(settings.DELIVERY_MAX_IN_FLIGHT),
      timeoutMs: Number(settings.DELIVERY_TIMEOUT_MS),
      leaseMs: Number(settings.DELIVERY_LEASE_SECONDS) * 1000,
      queueHighWater: Number(settings.QUEUE_HIGH_WATER),
      retentionDays: Number(settings.RETENTION_DAYS),
      eventMaxBytes: Number(settings.EVENT_MAX_BYTES),
    },
    metricsPort: Number(settings.METRICS_PORT),
    metricsHost: String(settings.METRICS_HOST),
    metricsToken: textOrUndefined(settings.METRICS_TOKEN),
    shutdownGraceMs: Number(settings.SHUTDOWN_GRACE_SECONDS) * 1000,
    shutdownDrainMs: Number(settings.SHUTDOWN_DRAIN_SECONDS ?? (isEmbedded ? 0 : 10)) * 1000,
    faultAt: textOrUndefined(settings.FAULT_AT),
    logLevel: (textOrUndefined(settings.LOG_LEVEL) ?? (isEmbedded ? "warn" : "info")) as LogLevel,
    warnings: warningsFor(settings),
  };
}

/** Pairs of values that work, but hardly as they were meant. */
function warningsFor(settings: ValidatedSettings): string[] {
  return [
    ...(Number(settings.DELIVERY_MAX_IN_FLIGHT) * 2 > Number(settings.DELIVERY_CONCURRENCY)
      ? [
          "DELIVERY_MAX_IN_FLIGHT is more than half of DELIVERY_CONCURRENCY: one subscription can fill a worker",
        ]
      : []),
    ...(Number(settings.SHUTDOWN_GRACE_SECONDS) * 1000 < Number(settings.DELIVERY_TIMEOUT_MS) + 2000
      ? [
          "SHUTDOWN_GRACE_SECONDS does not cover DELIVERY_TIMEOUT_MS: a stop cuts requests off, which are then sent again",
        ]
      : []),
  ];
}

function propertyOf({ type, minimum, maximum, pattern, enum: words, ...rest }: Setting) {
  return {
    type,
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(pattern === undefined ? {} : { pattern }),
    ...(words === undefined ? {} : { enum: words }),
    ...(rest.default === undefined ? {} : { default: rest.default }),
  };
}
