import { resolve } from "node:path";
import { Ajv, type ErrorObject } from "ajv";
import {
  dependencyFaults,
  processFaults,
  toBlobs,
  toIce,
  toLivekit,
  toMail,
  toMllp,
  toRedis,
  toSms,
  type BlobConfig,
  type IceConfig,
  type LivekitConfig,
  type MailConfig,
  type MllpConfig,
  type RedisConfig,
  type SmsConfig,
  textOrUndefined,
  type ValidatedSettings,
  parseAllowList,
  type ReceiverRange,
  warningsFor,
} from "./sections.ts";
import type { Setting } from "./provider-settings.ts";
import { settings, type SettingName } from "./settings.ts";

export type LogLevel = (typeof settings)["LOG_LEVEL"]["enum"][number];

/** The validated configuration of a process, with units in the names. */
export type Config = Readonly<{
  port: number;
  host: string;
  baseUrl: string | undefined;
  trustProxy: boolean;
  dataDir: string;
  databaseUrl: string | undefined;
  databasePoolSize: number;
  databaseWaitMs: number;
  /** Absent: the queue is in Postgres. */
  redis: RedisConfig | undefined;
  queuePrefix: string;
  secretKey: string | undefined;
  firstAdmin: ConfiguredLogin;
  firstAgent: ConfiguredLogin;
  /** Login of an active user. */
  superadminLogin: string | undefined;
  /** Set by the runner for release, in a rolling restart. */
  replacementBeganAt: Date | undefined;
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
  ice: IceConfig;
  /** Absent: every call is a mesh. */
  livekit: LivekitConfig | undefined;
  /** Absent where HL7 over MLLP is off. */
  mllp: MllpConfig | undefined;
  isInboxOn: boolean;
  areLocalReceiversAllowed: boolean;
  receiverAllowList: readonly ReceiverRange[];
  relayShards: number;
  /** Whether a delivery process may stand in for the relay. */
  isStandInOn: boolean;
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
  /** Deprecated values and questionable combinations, logged at start. */
  warnings: readonly string[];
}>;

export type ConfiguredLogin = Readonly<{ login: string; password: string | undefined }>;

/** All errors of the environment, one sentence each. */
export class ConfigError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`The configuration has ${faults.length} error${faults.length === 1 ? "" : "s"}`);
    this.name = "ConfigError";
    this.faults = faults;
  }
}

type Environment = Record<string, string | undefined>;

const entries = Object.entries(settings) as [SettingName, Setting][];

/** Configuration of a process of the Procfile, which has no embedded database. */
export type ProcessConfig = Config & Readonly<{ databaseUrl: string; secretKey: string }>;

/**
 * Reads and validates the environment. Throws one `ConfigError` with all errors. An empty value
 * counts as not set.
 */
export function loadConfig(env: Environment): Config {
  return load(env, () => []);
}

/** Like `loadConfig`, for a process of the Procfile. */
export function loadProcessConfig(env: Environment): ProcessConfig {
  return load(env, processFaults) as ProcessConfig;
}

export const settingsSchema = {
  type: "object",
  properties: Object.fromEntries(entries.map(([name, setting]) => [name, propertyOf(setting)])),
};

// `validateSchema` would compile the schema of schemas at every start of a process.
const validate = new Ajv({
  ...{ allErrors: true, coerceTypes: true, useDefaults: true, validateSchema: false },
}).compile(settingsSchema);

function load(
  env: Environment,
  findMore: (values: ValidatedSettings) => readonly string[],
): Config {
  const raw = readEnvironment(env);
  const deprecations = replaceDeprecated(raw);
  const faults = validate(raw) ? [] : (validate.errors ?? []).map(describe);
  const values = raw as ValidatedSettings;
  const allowList = parseAllowList(String(values.RECEIVER_ALLOW_LIST ?? ""));
  faults.push(...allowList.faults, ...combinedFaults(values), ...findMore(values));
  if (faults.length > 0) {
    throw new ConfigError(faults);
  }
  const config = toConfig(values, allowList.ranges);
  return Object.freeze({ ...config, warnings: [...deprecations, ...config.warnings] });
}

/** People write `1`, `yes` and `on`; ajv accepts only `true` and `false`. */
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

/** Values of earlier versions, accepted for one more version. */
const deprecatedValues: Partial<Record<SettingName, Readonly<Record<string, string>>>> = {
  MAIL_PROVIDER: { outbox: "dev" },
  SMS_PROVIDER: { outbox: "dev" },
};

/** Replaces deprecated values in place. Returns a warning for each. */
function replaceDeprecated(raw: Record<string, unknown>): string[] {
  return Object.entries(deprecatedValues).flatMap(([name, replacements]) => {
    const value = String(raw[name]);
    const replacement = Object.hasOwn(replacements, value) ? replacements[value] : undefined;
    if (replacement === undefined) {
      return [];
    }
    raw[name] = replacement;
    return [`${name}=${value} is deprecated: use ${name}=${replacement}`];
  });
}

function describe(error: ErrorObject): string {
  const name = error.instancePath.slice(1);
  const allowed = (error.params as { allowedValues?: readonly string[] }).allowedValues;
  return `${name} ${error.message ?? "is wrong"}${allowed ? `: ${allowed.join(", ")}` : ""}`;
}

/**
 * Runs on unvalidated values. NaN compares false, so an invalid number reports only its own error.
 */
function combinedFaults(values: ValidatedSettings): string[] {
  const faults = dependencyFaults(values);
  if (values.DATABASE_URL !== undefined && values.SECRET_KEY === undefined) {
    faults.push("SECRET_KEY is required with a DATABASE_URL (openssl rand -base64 32)");
  }
  const leaseMs = Number(values.DELIVERY_LEASE_SECONDS) * 1000;
  if (leaseMs < Number(values.DELIVERY_TIMEOUT_MS) + 1000) {
    faults.push("DELIVERY_LEASE_SECONDS must exceed DELIVERY_TIMEOUT_MS by at least a second");
  }
  return faults;
}

function toConfig(values: ValidatedSettings, ranges: readonly ReceiverRange[]): Config {
  const isEmbedded = values.DATABASE_URL === undefined;
  return {
    port: Number(values.PORT),
    host: textOrUndefined(values.HOST) ?? (isEmbedded ? "127.0.0.1" : "0.0.0.0"),
    baseUrl: textOrUndefined(values.BASE_URL),
    trustProxy: values.TRUST_PROXY === true,
    dataDir: resolve(String(values.DATA_DIR)),
    databaseUrl: textOrUndefined(values.DATABASE_URL),
    databasePoolSize: Number(values.DATABASE_POOL_SIZE),
    databaseWaitMs: Number(values.DATABASE_WAIT_SECONDS) * 1000,
    redis: toRedis(values),
    queuePrefix: String(values.QUEUE_PREFIX),
    secretKey: textOrUndefined(values.SECRET_KEY),
    firstAdmin: {
      login: String(values.ADMIN_LOGIN),
      password: textOrUndefined(values.ADMIN_PASSWORD),
    },
    firstAgent: {
      login: String(values.AGENT_LOGIN),
      password: textOrUndefined(values.AGENT_PASSWORD),
    },
    superadminLogin: textOrUndefined(values.SUPERADMIN_LOGIN),
    replacementBeganAt: toDate(textOrUndefined(values.REPLACEMENT_BEGAN_AT)),
    tokenTtlSeconds: Number(values.TOKEN_TTL),
    limits: {
      apiPerMinute: Number(values.RATE_LIMIT_API),
      eventsPerMinute: Number(values.RATE_LIMIT_EVENTS),
      tokenPerLogin: Number(values.RATE_LIMIT_TOKEN_LOGIN),
      tokenPerIp: Number(values.RATE_LIMIT_TOKEN_IP),
      guestPerIp: Number(values.RATE_LIMIT_GUEST),
      smsPerMinute: Number(values.RATE_LIMIT_SMS),
    },
    mail: toMail(values),
    sms: toSms(values),
    blobs: toBlobs(values),
    ice: toIce(values),
    livekit: toLivekit(values),
    mllp: toMllp(values),
    isInboxOn: values.INBOX === undefined ? isEmbedded : values.INBOX === true,
    areLocalReceiversAllowed: values.ALLOW_LOCAL_RECEIVERS === true,
    receiverAllowList: ranges,
    relayShards: Number(values.RELAY_SHARDS),
    isStandInOn: values.RELAY_STAND_IN === true,
    delivery: {
      concurrency: Number(values.DELIVERY_CONCURRENCY),
      slowConcurrency: Number(values.DELIVERY_SLOW_CONCURRENCY),
      maxInFlight: Number(values.DELIVERY_MAX_IN_FLIGHT),
      timeoutMs: Number(values.DELIVERY_TIMEOUT_MS),
      leaseMs: Number(values.DELIVERY_LEASE_SECONDS) * 1000,
      queueHighWater: Number(values.QUEUE_HIGH_WATER),
      retentionDays: Number(values.RETENTION_DAYS),
      eventMaxBytes: Number(values.EVENT_MAX_BYTES),
    },
    metricsPort: Number(values.METRICS_PORT),
    metricsHost: String(values.METRICS_HOST),
    metricsToken: textOrUndefined(values.METRICS_TOKEN),
    shutdownGraceMs: Number(values.SHUTDOWN_GRACE_SECONDS) * 1000,
    shutdownDrainMs: Number(values.SHUTDOWN_DRAIN_SECONDS ?? (isEmbedded ? 0 : 10)) * 1000,
    faultAt: textOrUndefined(values.FAULT_AT),
    logLevel: (textOrUndefined(values.LOG_LEVEL) ?? (isEmbedded ? "warn" : "info")) as LogLevel,
    warnings: warningsFor(values),
  };
}

function toDate(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
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
