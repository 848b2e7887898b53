import { resolve } from "node:path";
import { Ajv, type ErrorObject } from "ajv";
import { settings, type Setting, type SettingName } from "./settings.ts";
import { parseAllowList, type AllowedRange } from "./allow-list.ts";

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
  firstAdmin: FirstUser;
  firstAgent: FirstUser;
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
  mllp: Readonly<{ port: number; host: string; login: string }> | undefined;
  isInboxOn: boolean;
  areLocalReceiversAllowed: boolean;
  receiverAllowList: readonly AllowedRange[];
  delivery: Readonly<{
    concurrency: number;
    maxInFlight: number;
    timeoutMs: number;
    leaseMs: number;
    queueHighWater: number;
    retentionDays: number;
  }>;
  metricsPort: number;
  shutdownGraceMs: number;
  faultAt: string | undefined;
  logLevel: LogLevel;
  /** Doubtful pairs of values, to be logged at the start. */
  warnings: readonly string[];
}>;

export type MailConfig = Readonly<
  { from: string } & ({ provider: "outbox" } | { provider: "smtp"; url: string })
>;

/** Every gateway that is configured; `provider` is the one in use unless an enterprise chose. */
export type SmsConfig = Readonly<{
  provider: "http" | "twilio" | "outbox";
  http:
    Readonly<{ url: string; token: string | undefined; secret: string | undefined }> | undefined;
  twilio:
    Readonly<{ accountSid: string; authToken: string; from: string; apiUrl: string }> | undefined;
}>;

export type BlobConfig = Readonly<
  | { store: "disk"; dir: string }
  | {
      store: "s3";
      bucket: string;
      endpoint: string | undefined;
      region: string;
      /** Absent: the usual chain of AWS, such as the role of the machine. */
      credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
    }
>;

export type FirstUser = Readonly<{ login: string; password: string | undefined }>;

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
type Values = Record<SettingName, string | number | boolean | undefined>;

const propertyOf = ({ type, minimum, maximum, pattern, enum: words, ...rest }: Setting) => ({
  type,
  ...(minimum === undefined ? {} : { minimum }),
  ...(maximum === undefined ? {} : { maximum }),
  ...(pattern === undefined ? {} : { pattern }),
  ...(words === undefined ? {} : { enum: words }),
  ...(rest.default === undefined ? {} : { default: rest.default }),
});

const entries = Object.entries(settings) as [SettingName, Setting][];

const validate = new Ajv({ allErrors: true, coerceTypes: true, useDefaults: true }).compile({
  type: "object",
  properties: Object.fromEntries(entries.map(([name, setting]) => [name, propertyOf(setting)])),
});

/** `1`, `yes`, `on` are what people write for a switch; ajv itself takes `true` and `false` only. */
const switchWords: Record<string, string> = {
  "1": "true",
  yes: "true",
  on: "true",
  "0": "false",
  no: "false",
  off: "false",
};

const readEnvironment = (env: Environment): Record<string, unknown> => {
  const values: Record<string, unknown> = {};
  for (const [name, setting] of entries) {
    const raw = env[name]?.trim();
    if (raw !== undefined && raw !== "") {
      values[name] =
        setting.type === "boolean" ? (switchWords[raw.toLowerCase()] ?? raw.toLowerCase()) : raw;
    }
  }
  return values;
};

const describe = (error: ErrorObject): string => {
  const name = error.instancePath.slice(1);
  const allowed = (error.params as { allowedValues?: readonly string[] }).allowedValues;
  return `${name} ${error.message ?? "is wrong"}${allowed ? `: ${allowed.join(", ")}` : ""}`;
};

/** What `user` needs and is not there, so that nothing is found out at the first message only. */
const missing = (v: Values, user: SettingName, needed: readonly SettingName[]): string[] =>
  needed
    .filter((name) => v[name] === undefined)
    .map((name) => `${name} is required with ${user}=${String(v[user])}`);

/** What one setting needs of others. */
const partnerFaults = (v: Values): string[] => [
  ...(v.MAIL_PROVIDER === "smtp" ? missing(v, "MAIL_PROVIDER", ["SMTP_URL"]) : []),
  ...(v.SMS_PROVIDER === "http" ? missing(v, "SMS_PROVIDER", ["SMS_HTTP_URL"]) : []),
  ...(v.SMS_PROVIDER === "twilio" ? missing(v, "SMS_PROVIDER", ["TWILIO_ACCOUNT_SID"]) : []),
  ...(v.TWILIO_ACCOUNT_SID === undefined
    ? []
    : missing(v, "TWILIO_ACCOUNT_SID", ["TWILIO_AUTH_TOKEN", "TWILIO_FROM"])),
  ...(v.BLOB_STORE === "s3" ? missing(v, "BLOB_STORE", ["S3_BUCKET"]) : []),
  ...(v.S3_ACCESS_KEY_ID === undefined
    ? []
    : missing(v, "S3_ACCESS_KEY_ID", ["S3_SECRET_ACCESS_KEY"])),
  ...(Number(v.MLLP_PORT) > 0 ? missing(v, "MLLP_PORT", ["MLLP_LOGIN"]) : []),
];

/** Of values that may be faulty by themselves: what is no number is larger or smaller than none. */
const crossFaults = (v: Values): string[] => {
  const faults = partnerFaults(v);
  if (v.DATABASE_URL !== undefined && v.SECRET_KEY === undefined) {
    faults.push("SECRET_KEY is required with a DATABASE_URL (openssl rand -base64 32)");
  }
  const leaseMs = Number(v.DELIVERY_LEASE_SECONDS) * 1000;
  if (leaseMs < Number(v.DELIVERY_TIMEOUT_MS) + 1000) {
    faults.push("DELIVERY_LEASE_SECONDS must exceed DELIVERY_TIMEOUT_MS by at least a second");
  }
  return faults;
};

/** Pairs of values that work, but hardly as they were meant. */
const doubts = (v: Values): string[] => [
  ...(Number(v.DELIVERY_MAX_IN_FLIGHT) * 2 > Number(v.DELIVERY_CONCURRENCY)
    ? [
        "DELIVERY_MAX_IN_FLIGHT is more than half of DELIVERY_CONCURRENCY: one subscription can fill a worker",
      ]
    : []),
  ...(Number(v.SHUTDOWN_GRACE_SECONDS) * 1000 < Number(v.DELIVERY_TIMEOUT_MS) + 2000
    ? [
        "SHUTDOWN_GRACE_SECONDS does not cover DELIVERY_TIMEOUT_MS: a stop cuts requests off, which are then sent again",
      ]
    : []),
];

const text = (value: Values[SettingName]): string | undefined =>
  value === undefined ? undefined : String(value);

const load = (env: Environment, findMore: (values: Values) => readonly string[]): Config => {
  const raw = readEnvironment(env);
  const faults = validate(raw) ? [] : (validate.errors ?? []).map(describe);
  const values = raw as Values;
  const allowList = parseAllowList(String(values.RECEIVER_ALLOW_LIST ?? ""));
  faults.push(...allowList.faults, ...crossFaults(values), ...findMore(values));
  if (faults.length > 0) {
    throw new ConfigError(faults);
  }
  return Object.freeze(toConfig(values, allowList.ranges));
};

/**
 * Reads and validates the environment. Throws `ConfigError` with every fault in one go.
 * An empty value counts as not set.
 */
export const loadConfig = (env: Environment): Config => load(env, () => []);

/** What a process of the Procfile is configured with: it brings no database of its own. */
export type ProcessConfig = Config & Readonly<{ databaseUrl: string; secretKey: string }>;

/** The same for a process of the Procfile. */
export const loadProcessConfig = (env: Environment): ProcessConfig =>
  load(env, (values) =>
    values.DATABASE_URL === undefined
      ? ["DATABASE_URL is required; npm start alone runs without it"]
      : [],
  ) as ProcessConfig;

const toMail = (v: Values): MailConfig => {
  const from = String(v.MAIL_FROM);
  const url = text(v.SMTP_URL);
  return url === undefined || v.MAIL_PROVIDER === "outbox"
    ? { provider: "outbox", from }
    : { provider: "smtp", url, from };
};

const toSms = (v: Values): SmsConfig => {
  const http =
    v.SMS_HTTP_URL === undefined
      ? undefined
      : {
          url: String(v.SMS_HTTP_URL),
          token: text(v.SMS_HTTP_TOKEN),
          secret: text(v.SMS_HTTP_SECRET),
        };
  const twilio =
    v.TWILIO_ACCOUNT_SID === undefined
      ? undefined
      : {
          accountSid: String(v.TWILIO_ACCOUNT_SID),
          authToken: String(v.TWILIO_AUTH_TOKEN),
          from: String(v.TWILIO_FROM),
          apiUrl: String(v.TWILIO_API_URL),
        };
  const configured = twilio === undefined ? (http === undefined ? "outbox" : "http") : "twilio";
  return {
    provider: (text(v.SMS_PROVIDER) as SmsConfig["provider"] | undefined) ?? configured,
    http,
    twilio,
  };
};

const toBlobs = (v: Values): BlobConfig => {
  if (v.S3_BUCKET === undefined || v.BLOB_STORE === "disk") {
    return { store: "disk", dir: resolve(text(v.BLOB_DIR) ?? `${String(v.DATA_DIR)}/blobs`) };
  }
  const accessKeyId = text(v.S3_ACCESS_KEY_ID);
  const secretAccessKey = text(v.S3_SECRET_ACCESS_KEY);
  return {
    store: "s3",
    bucket: String(v.S3_BUCKET),
    endpoint: text(v.S3_ENDPOINT),
    region: String(v.S3_REGION),
    credentials:
      accessKeyId === undefined || secretAccessKey === undefined
        ? undefined
        : { accessKeyId, secretAccessKey },
  };
};

const toConfig = (v: Values, ranges: readonly AllowedRange[]): Config => {
  const isEmbedded = v.DATABASE_URL === undefined;
  return {
    port: Number(v.PORT),
    host: text(v.HOST) ?? (isEmbedded ? "127.0.0.1" : "0.0.0.0"),
    baseUrl: text(v.BASE_URL),
    trustProxy: v.TRUST_PROXY === true,
    dataDir: resolve(String(v.DATA_DIR)),
    databaseUrl: text(v.DATABASE_URL),
    databasePoolSize: Number(v.DATABASE_POOL_SIZE),
    databaseWaitMs: Number(v.DATABASE_WAIT_SECONDS) * 1000,
    redisUrl: text(v.REDIS_URL),
    queuePrefix: String(v.QUEUE_PREFIX),
    secretKey: text(v.SECRET_KEY),
    firstAdmin: { login: String(v.ADMIN_LOGIN), password: text(v.ADMIN_PASSWORD) },
    firstAgent: { login: String(v.AGENT_LOGIN), password: text(v.AGENT_PASSWORD) },
    tokenTtlSeconds: Number(v.TOKEN_TTL),
    limits: {
      apiPerMinute: Number(v.RATE_LIMIT_API),
      eventsPerMinute: Number(v.RATE_LIMIT_EVENTS),
      tokenPerLogin: Number(v.RATE_LIMIT_TOKEN_LOGIN),
      tokenPerIp: Number(v.RATE_LIMIT_TOKEN_IP),
      guestPerIp: Number(v.RATE_LIMIT_GUEST),
      smsPerMinute: Number(v.RATE_LIMIT_SMS),
    },
    mail: toMail(v),
    sms: toSms(v),
    blobs: toBlobs(v),
    mllp:
      v.MLLP_PORT === 0
        ? undefined
        : { port: Number(v.MLLP_PORT), host: String(v.MLLP_HOST), login: String(v.MLLP_LOGIN) },
    isInboxOn: v.INBOX === undefined ? isEmbedded : v.INBOX === true,
    areLocalReceiversAllowed: v.ALLOW_LOCAL_RECEIVERS === true,
    receiverAllowList: ranges,
    delivery: {
      concurrency: Number(v.DELIVERY_CONCURRENCY),
      maxInFlight: Number(v.DELIVERY_MAX_IN_FLIGHT),
      timeoutMs: Number(v.DELIVERY_TIMEOUT_MS),
      leaseMs: Number(v.DELIVERY_LEASE_SECONDS) * 1000,
      queueHighWater: Number(v.QUEUE_HIGH_WATER),
      retentionDays: Number(v.RETENTION_DAYS),
    },
    metricsPort: Number(v.METRICS_PORT),
    shutdownGraceMs: Number(v.SHUTDOWN_GRACE_SECONDS) * 1000,
    faultAt: text(v.FAULT_AT),
    logLevel: (text(v.LOG_LEVEL) ?? (isEmbedded ? "warn" : "info")) as LogLevel,
    warnings: doubts(v),
  };
};
