/** An enterprise and its settings. Pure. */
import type { Language } from "../../contracts/languages.ts";
import { domainToASCII } from "node:url";
import { invalidParameter, problem } from "../../contracts/problems.ts";
import type { Role } from "../../contracts/permissions.ts";
import { parsePhone } from "../../platform/contact.ts";
import { omitUndefined, parseOptionalText } from "../fields.ts";

export type Group = Readonly<{ id: number; name: string }>;

export type Quotas = Readonly<{
  /** Null: unlimited. */
  max_users: number | null;
  max_media_bytes: number | null;
  max_sms_per_day: number;
}>;

/** For how many days webhook data is kept. Null: the platform's setting. */
export type Retention = Readonly<{
  /** The content of events. */
  payload_days: number | null;
  /** Deliveries and their attempts. */
  log_days: number | null;
}>;

/** Columns that an update writes. */
export type EnterpriseSettings = Quotas &
  Retention &
  Readonly<{
    name: string;
    time_zone: string;
    language: Language;
    /** E.164, or empty. */
    sip_phone_number: string;
    sms_sender: string;
    /** Null: the platform's provider. */
    mail_provider: "smtp" | "dev" | null;
    sms_provider: "http" | "twilio" | "dev" | null;
    solution_enabled: boolean;
    /** The enterprise whose administrators also administer this one. */
    managed_by: number | null;
  }>;

export type Enterprise = EnterpriseSettings &
  Readonly<{ id: number; apiKey: string; created: Date; modified: Date }>;

type ProviderFields = Pick<EnterpriseSettings, "mail_provider" | "sms_provider">;

/** `outbox` is the deprecated name of the provider `dev`, accepted for one more version. */
type ProviderInput = { [Field in keyof ProviderFields]?: ProviderFields[Field] | "outbox" };

export type EnterpriseInput = Partial<
  Omit<EnterpriseSettings, keyof Quotas | keyof Retention | keyof ProviderFields>
> &
  ProviderInput & {
    quotas?: Partial<Quotas>;
    retention?: Partial<Retention>;
  };

const hostLabel = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";

const localName = /^(?:localhost|127(?:\.\d{1,3}){3})$/u;

export type Domain = Readonly<{ id: number; domain: string; alias: string; created: Date }>;

export type UserGroup = Readonly<{
  id: number;
  name: string;
  members: readonly Readonly<{ id: number; login: string }>[];
}>;

/** Fields that only a superadmin may change. */
const superadminFields = ["quotas", "solution_enabled", "managed_by"] as const;

type SettingsActor = Readonly<{ role: Role; enterpriseId: number }>;

export function checkSuperadminFields(
  actor: SettingsActor,
  id: number,
  input: EnterpriseInput,
): void {
  const refused = superadminFields.find((field) => input[field] !== undefined);
  if (actor.role !== "superadmin" && refused !== undefined) {
    throw problem("forbidden", `Only a superadmin may change ${refused}.`, {
      details: `Parameter ${refused}`,
    });
  }
  if (actor.enterpriseId === id && input.solution_enabled === false) {
    const detail = "You cannot end the subscription of your own enterprise.";
    throw invalidParameter("solution_enabled", "own", detail);
  }
}

/** Maps the fields of a request to stored columns. */
export function settingsOf({
  quotas,
  retention,
  mail_provider: mailProvider,
  sms_provider: smsProvider,
  ...input
}: EnterpriseInput): Partial<EnterpriseSettings> {
  return omitUndefined({
    ...input,
    ...quotas,
    ...retention,
    mail_provider: mailProvider === "outbox" ? "dev" : mailProvider,
    sms_provider: smsProvider === "outbox" ? "dev" : smsProvider,
    sip_phone_number: parseOptionalText("sip_phone_number", input.sip_phone_number, parsePhone),
  });
}

/**
 * The host name whose pages may embed ours. A platform on localhost also accepts localhost names
 * with a port, such as `localhost:4000`.
 */
export function parseDomain(text: string, baseUrl: string): string | undefined {
  if (!isLocalPlatform(baseUrl)) {
    return parseHostName(text);
  }
  const [, name = "", port] = /^(.*?)(?::([1-9]\d{0,4}))?$/u.exec(text.trim()) ?? [];
  const host = parseLocalName(name);
  if (host === undefined || port === undefined) {
    return host;
  }
  return Number(port) <= 65_535 ? `${host}:${port}` : undefined;
}

/** Whether the platform's public address is localhost, as in development. */
export function isLocalPlatform(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "http:" && (localName.test(hostname) || hostname === "[::1]");
}

function parseLocalName(text: string): string | undefined {
  const name = text.toLowerCase();
  return localName.test(name) ? name : parseHostName(text);
}

const hostName = new RegExp(`^(?:${hostLabel}\\.)+(?=[a-z0-9-]*[a-z])${hostLabel}$`, "u");

/** A host name with at least one dot, in lower case and ASCII. No IP address, port or wildcard. */
export function parseHostName(text: string): string | undefined {
  const host = domainToASCII(text.trim()).toLowerCase();
  return host.length <= 253 && hostName.test(host) ? host : undefined;
}
