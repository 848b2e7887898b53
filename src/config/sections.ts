/** The configuration of mail, SMS, files and MLLP, and the dependencies between their settings. */
import { resolve } from "node:path";
import type { SettingName } from "./settings.ts";
import ipaddr from "ipaddr.js";

export type MailConfig = Readonly<
  { from: string } & ({ provider: "dev" } | { provider: "smtp"; url: string })
>;

/** Every configured gateway. `provider` is the default; an enterprise may choose another. */
export type SmsConfig = Readonly<{
  provider: "http" | "twilio" | "dev";
  http:
    | Readonly<{ url: string; token: string | undefined; secret: string | undefined }>
    | undefined;
  twilio:
    | Readonly<{ accountSid: string; authToken: string; from: string; apiUrl: string }>
    | undefined;
}>;

export type BlobConfig = Readonly<
  | { store: "disk"; dir: string }
  | {
      store: "s3";
      bucket: string;
      endpoint: string | undefined;
      region: string;
      /** Absent: the AWS credential chain, for example an instance role. */
      credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
    }
>;

export type MllpConfig = Readonly<{ port: number; host: string; login: string }>;

/** One Redis, or some nodes of a Redis Cluster, by which the others are found. */
export type RedisConfig = Readonly<
  { kind: "redis"; url: string } | { kind: "redis-cluster"; urls: readonly string[] }
>;

/** Servers that help pages in a call to reach each other. */
export type IceConfig = Readonly<{
  stunUrls: readonly string[];
  turnUrls: readonly string[];
  /** Shared with coturn (`use-auth-secret`). */
  turnSecret: string | undefined;
  policy: "all" | "relay";
}>;

/** The SFU of larger calls. */
export type LivekitConfig = Readonly<{
  /** As pages reach it: `wss://…`. */
  url: string;
  /** As the platform reaches it: `https://…`. */
  apiUrl: string;
  apiKey: string;
  apiSecret: string;
}>;

/** Settings that require others. */
export function dependencyFaults(settings: ValidatedSettings): string[] {
  return [
    ...(settings.MAIL_PROVIDER === "smtp" ? missing(settings, "MAIL_PROVIDER", ["SMTP_URL"]) : []),
    ...(settings.SMS_PROVIDER === "http"
      ? missing(settings, "SMS_PROVIDER", ["SMS_HTTP_URL"])
      : []),
    ...(settings.SMS_PROVIDER === "twilio"
      ? missing(settings, "SMS_PROVIDER", ["TWILIO_ACCOUNT_SID"])
      : []),
    ...(settings.TWILIO_ACCOUNT_SID === undefined
      ? []
      : missing(settings, "TWILIO_ACCOUNT_SID", ["TWILIO_AUTH_TOKEN", "TWILIO_FROM"])),
    ...(settings.BLOB_STORE === "s3" ? missing(settings, "BLOB_STORE", ["S3_BUCKET"]) : []),
    ...(settings.S3_ACCESS_KEY_ID === undefined
      ? []
      : missing(settings, "S3_ACCESS_KEY_ID", ["S3_SECRET_ACCESS_KEY"])),
    ...(Number(settings.MLLP_PORT) > 0 ? missing(settings, "MLLP_PORT", ["MLLP_LOGIN"]) : []),
    ...callFaults(settings),
    ...redisFaults(settings),
  ];
}

/** Settings that a process of the Procfile requires, and `npm start` chooses by itself. */
export function processFaults(settings: ValidatedSettings): string[] {
  return [
    ...(settings.DATABASE_URL === undefined
      ? ["DATABASE_URL is required; npm start alone runs without it"]
      : []),
    // Other processes do not know the port, and their emails link to the web process.
    ...(settings.PORT === 0 ? missing(settings, "PORT", ["BASE_URL"]) : []),
  ];
}

/** A cluster is declared, because one that is taken for a single Redis works for some keys only. */
function redisFaults(settings: ValidatedSettings): string[] {
  const urls = redisUrls(settings);
  if (settings.REDIS_CLUSTER !== true) {
    return urls.length > 1 ? ["REDIS_URL names several servers: set REDIS_CLUSTER=1"] : [];
  }
  return [
    ...missing(settings, "REDIS_CLUSTER", ["REDIS_URL"]),
    ...urls.flatMap((url) => {
      const { hostname, pathname } = URL.canParse(url) ? new URL(url) : { hostname: "" };
      if (hostname === "" || pathname === undefined) {
        return ["REDIS_URL has a part that is not a URL such as redis://host:6379"];
      }
      const isFirstDatabase = ["", "/", "/0"].includes(pathname);
      return isFirstDatabase ? [] : ["REDIS_URL: a Redis Cluster has the database 0 only"];
    }),
  ];
}

/** A password may contain a comma, so only one before the next URL separates. */
function redisUrls(settings: ValidatedSettings): string[] {
  return textOrUndefined(settings.REDIS_URL)?.split(/\s*,\s*(?=rediss?:\/\/)/u) ?? [];
}

function callFaults(settings: ValidatedSettings): string[] {
  return [
    ...(settings.TURN_URLS === undefined ? [] : missing(settings, "TURN_URLS", ["TURN_SECRET"])),
    ...(settings.ICE_POLICY === "relay" ? missing(settings, "ICE_POLICY", ["TURN_URLS"]) : []),
    ...(settings.LIVEKIT_URL === undefined
      ? livekitDetails
          .filter((name) => settings[name] !== undefined)
          .map((name) => `LIVEKIT_URL is required with ${name}`)
      : missing(settings, "LIVEKIT_URL", ["LIVEKIT_API_KEY", "LIVEKIT_API_SECRET"])),
  ];
}

const livekitDetails = ["LIVEKIT_API_URL", "LIVEKIT_API_KEY", "LIVEKIT_API_SECRET"] as const;

/** Settings that `user` requires; missing ones fail at start instead of at first use. */
function missing(
  settings: ValidatedSettings,
  user: SettingName,
  needed: readonly SettingName[],
): string[] {
  return needed
    .filter((name) => settings[name] === undefined)
    .map((name) => `${name} is required with ${user}=${String(settings[user])}`);
}

export function toRedis(settings: ValidatedSettings): RedisConfig | undefined {
  const url = textOrUndefined(settings.REDIS_URL);
  if (url === undefined) {
    return undefined;
  }
  return settings.REDIS_CLUSTER === true
    ? { kind: "redis-cluster", urls: redisUrls(settings) }
    : { kind: "redis", url };
}

export function toMail(settings: ValidatedSettings): MailConfig {
  const from = String(settings.MAIL_FROM);
  const url = textOrUndefined(settings.SMTP_URL);
  return url === undefined || settings.MAIL_PROVIDER === "dev"
    ? { provider: "dev", from }
    : { provider: "smtp", url, from };
}

export function toSms(settings: ValidatedSettings): SmsConfig {
  const http =
    settings.SMS_HTTP_URL === undefined
      ? undefined
      : {
          url: String(settings.SMS_HTTP_URL),
          token: textOrUndefined(settings.SMS_HTTP_TOKEN),
          secret: textOrUndefined(settings.SMS_HTTP_SECRET),
        };
  const twilio =
    settings.TWILIO_ACCOUNT_SID === undefined
      ? undefined
      : {
          accountSid: String(settings.TWILIO_ACCOUNT_SID),
          authToken: String(settings.TWILIO_AUTH_TOKEN),
          from: String(settings.TWILIO_FROM),
          apiUrl: String(settings.TWILIO_API_URL),
        };
  const configured = twilio === undefined ? (http === undefined ? "dev" : "http") : "twilio";
  return {
    provider:
      (textOrUndefined(settings.SMS_PROVIDER) as SmsConfig["provider"] | undefined) ?? configured,
    http,
    twilio,
  };
}

export function toIce(settings: ValidatedSettings): IceConfig {
  const list = (name: "STUN_URLS" | "TURN_URLS"): string[] =>
    textOrUndefined(settings[name])?.split(",") ?? [];
  return {
    stunUrls: list("STUN_URLS"),
    turnUrls: list("TURN_URLS"),
    turnSecret: textOrUndefined(settings.TURN_SECRET),
    policy: settings.ICE_POLICY === "relay" ? "relay" : "all",
  };
}

export function toLivekit(settings: ValidatedSettings): LivekitConfig | undefined {
  const url = textOrUndefined(settings.LIVEKIT_URL)?.replace(/\/$/u, "");
  return url === undefined
    ? undefined
    : {
        url,
        apiUrl: textOrUndefined(settings.LIVEKIT_API_URL) ?? url.replace(/^ws/u, "http"),
        apiKey: String(settings.LIVEKIT_API_KEY),
        apiSecret: String(settings.LIVEKIT_API_SECRET),
      };
}

export function toBlobs(settings: ValidatedSettings): BlobConfig {
  if (settings.S3_BUCKET === undefined || settings.BLOB_STORE === "disk") {
    return {
      store: "disk",
      dir: resolve(textOrUndefined(settings.BLOB_DIR) ?? `${String(settings.DATA_DIR)}/blobs`),
    };
  }
  const accessKeyId = textOrUndefined(settings.S3_ACCESS_KEY_ID);
  const secretAccessKey = textOrUndefined(settings.S3_SECRET_ACCESS_KEY);
  return {
    store: "s3",
    bucket: String(settings.S3_BUCKET),
    endpoint: textOrUndefined(settings.S3_ENDPOINT),
    region: String(settings.S3_REGION),
    credentials:
      accessKeyId === undefined || secretAccessKey === undefined
        ? undefined
        : { accessKeyId, secretAccessKey },
  };
}

export function toMllp(settings: ValidatedSettings): MllpConfig | undefined {
  return settings.MLLP_PORT === 0
    ? undefined
    : {
        port: Number(settings.MLLP_PORT),
        host: String(settings.MLLP_HOST),
        login: String(settings.MLLP_LOGIN),
      };
}

/** The environment after validation: every setting with its type, or undefined. */
export type ValidatedSettings = Record<SettingName, string | number | boolean | undefined>;

export function textOrUndefined(value: ValidatedSettings[SettingName]): string | undefined {
  return value === undefined ? undefined : String(value);
}

/** An address range and a port that webhooks may reach. */
export type ReceiverRange = Readonly<{ cidr: string; port: number }>;

/** Parses `CIDR:port, …`. IPv6 ranges are in brackets. Invalid entries are returned as errors. */
export function parseAllowList(text: string): { ranges: ReceiverRange[]; faults: string[] } {
  const ranges: ReceiverRange[] = [];
  const faults: string[] = [];
  for (const entry of text.split(",").map((part) => part.trim())) {
    const range = entry === "" ? undefined : parseEntry(entry);
    if (range !== undefined) {
      ranges.push(range);
    } else if (entry !== "") {
      faults.push(`RECEIVER_ALLOW_LIST has "${entry}", which is not CIDR:port`);
    }
  }
  return { ranges, faults };
}

function parseEntry(entry: string): ReceiverRange | undefined {
  const colon = entry.lastIndexOf(":");
  const cidr = entry.slice(0, colon).replace(/^\[(.*)\]$/u, "$1");
  const port = Number(entry.slice(colon + 1));
  const isPort = Number.isInteger(port) && port > 0 && port < 65536;
  return colon > 0 && isPort && ipaddr.isValidCIDR(cidr) ? { cidr, port } : undefined;
}

/** Combinations that work, but are probably not intended. */
export function warningsFor(values: ValidatedSettings): string[] {
  return [
    ...(Number(values.DELIVERY_MAX_IN_FLIGHT) * 2 > Number(values.DELIVERY_CONCURRENCY)
      ? [
          "DELIVERY_MAX_IN_FLIGHT is more than half of DELIVERY_CONCURRENCY: one subscription can fill a worker",
        ]
      : []),
    ...(Number(values.SHUTDOWN_GRACE_SECONDS) * 1000 < Number(values.DELIVERY_TIMEOUT_MS) + 2000
      ? [
          "SHUTDOWN_GRACE_SECONDS does not cover DELIVERY_TIMEOUT_MS: stopping aborts requests, which are then sent again",
        ]
      : []),
  ];
}
