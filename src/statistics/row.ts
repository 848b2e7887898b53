import Bowser from "bowser";
import type { TicketState } from "../contracts/events.ts";
import { invalidParameter } from "../contracts/problems.ts";
import { dayMs } from "../platform/clock.ts";

/** Figures of one ticket. Times are in the enterprise's time zone. */
export type TicketFigures = Readonly<{
  id: number;
  reference: string;
  description: string | null;
  priority: number;
  firstname: string | null;
  lastname: string | null;
  name: string | null;
  email: string | null;
  phone: string | null;
  state: TicketState;
  agentLogin: string | null;
  agentFirstname: string | null;
  agentLastname: string | null;
  groupName: string | null;
  type: string;
  startedAt: string;
  endedAt: string;
  isEstablished: boolean;
  emails: number;
  sms: number;
  calls: number;
  callSeconds: number;
  photos: number;
  videos: number;
  serviceName: string;
  scans: number;
  userAgent: string | null;
}>;

export type Labels = "text" | "code";

const priorities: Readonly<Record<number, string>> = {
  1: "Basse",
  2: "Normale",
  3: "Haute",
  4: "Urgente",
};

const stateLabels: Readonly<Record<TicketState, string>> = {
  new: "Nouveau",
  open: "Ouvert",
  opened: "Pris en charge",
  invited: "Invité",
  inprogress: "En cours",
  updated: "Mis à jour",
  expired: "Expiré",
  declined: "Décliné",
  rejected: "Rejeté",
  done: "Terminé",
  closed: "Clos",
};

export type TicketStatistics = ReturnType<typeof presentTicketRow>;

/** The order of the CSV columns. */
export const statisticsKeys: readonly (keyof TicketStatistics)[] = [
  "ID",
  "Ref",
  "Description",
  "Priorité",
  "Demandeur",
  "Contact",
  "Etat",
  "Assigné à",
  "Groupe",
  "Type",
  "Date de début de session",
  "Date de fin",
  "Répondues",
  "Nombre d'invitations",
  "Nombre d'invitations email",
  "Nombre d'invitations SMS",
  "Nombre Appels",
  "Durée totale des appels (secondes)",
  "Photos",
  "Vidéos",
  "Identifiant",
  "Service",
  "Scans",
  "Appareil",
  "Système d'exploitation",
  "Navigateur",
];

/** The device columns of a row, parsed from the User-Agent. */
export type Device = Readonly<{ device: string; system: string; browser: string }>;

/** Maps a ticket's figures to a row of the day export: keys and order as in the reference. Pure. */
export function presentTicketRow(ticket: TicketFigures, device: Device, labels: Labels) {
  return {
    ID: ticket.id,
    Ref: ticket.reference,
    Description: ticket.description ?? "",
    Priorité: priorities[ticket.priority] ?? "",
    Demandeur: firstNonEmpty(joinNonEmpty(" ", ticket.firstname, ticket.lastname), ticket.name),
    Contact: joinNonEmpty(", ", ticket.email, ticket.phone),
    Etat: labels === "code" ? ticket.state : stateLabels[ticket.state],
    "Assigné à": firstNonEmpty(
      joinNonEmpty(" ", ticket.agentFirstname, ticket.agentLastname),
      ticket.agentLogin,
    ),
    Groupe: ticket.groupName ?? "",
    Type: ticket.type === "" ? null : ticket.type,
    "Date de début de session": ticket.startedAt,
    "Date de fin": ticket.endedAt,
    Répondues: ticket.isEstablished ? "Oui" : "Non",
    "Nombre d'invitations": ticket.emails + ticket.sms,
    "Nombre d'invitations email": ticket.emails,
    "Nombre d'invitations SMS": ticket.sms,
    "Nombre Appels": ticket.calls,
    "Durée totale des appels (secondes)": ticket.callSeconds,
    Photos: ticket.photos,
    Vidéos: ticket.videos,
    Identifiant: ticket.agentLogin ?? "",
    Service: ticket.serviceName,
    Scans: ticket.scans,
    Appareil: device.device,
    "Système d'exploitation": device.system,
    Navigateur: device.browser,
  };
}

/** The first non-empty value. */
function firstNonEmpty(...words: readonly (string | null)[]): string {
  return words.find((word) => word !== null && word !== "") ?? "";
}

function joinNonEmpty(separator: string, ...words: readonly (string | null)[]): string {
  return words.filter((word) => word !== null && word !== "").join(separator);
}

/** Memoizes by User-Agent, because many rows share few of them. */
export function createDeviceParser(): (userAgent: string | null) => Device {
  const known = new Map<string | null, Device>();
  return (userAgent) => {
    const device = known.get(userAgent) ?? parseDevice(userAgent);
    known.set(userAgent, device);
    return device;
  };
}

const deviceKinds: Readonly<Record<string, string>> = {
  mobile: "Smartphone",
  tablet: "Tablette",
  desktop: "Ordinateur",
};

const unknownDevice: Device = { device: "", system: "", browser: "" };

export function parseDevice(userAgent: string | null): Device {
  if (userAgent === null || userAgent === "") {
    return unknownDevice;
  }
  const { platform, os, browser } = Bowser.parse(userAgent);
  const kind = deviceKinds[platform.type ?? ""];
  return {
    device: kind === undefined ? "" : joinWords(kind, platform.model ?? androidModel(userAgent)),
    system: joinWords(os.name, versionOf(os)),
    browser: joinWords(browser.name, browser.version?.split(".")[0]),
  };
}

function joinWords(...words: readonly (string | undefined)[]): string {
  return words.filter((word) => word !== undefined && word !== "").join(" ");
}

/** Placeholders of browsers that hide the model. */
const noModels = new Set(["K", "Mobile", "Tablet"]);

/** The parser does not return the model of Android phones. */
function androidModel(userAgent: string): string | undefined {
  const model = /Android [\d.]+; (?<model>[^;)]+?)(?: Build\/[^;)]*)?[;)]/u.exec(userAgent)
    ?.groups?.["model"];
  return model === undefined || noModels.has(model) ? undefined : model;
}

/** The version numbers of Windows NT differ from the product names. */
function versionOf({ version, versionName }: Bowser.Parser.OSDetails): string | undefined {
  return version?.startsWith("NT") === true ? versionName : version;
}

/** Days as `YYYY-MM-DD`, both inclusive. */
export type DayPeriod = Readonly<{ since: string; until: string }>;

const maxDays = 92;

/** Parses `since` and `until` as days of an enterprise's calendar. Pure. */
export function parseDayPeriod(
  query: Readonly<{ since?: string; until?: string }>,
  today: string,
): DayPeriod {
  const since = dayOf("since", query.since, today);
  const until = dayOf("until", query.until, today);
  const days = (parseDay("until", until) - parseDay("since", since)) / dayMs + 1;
  if (days < 1) {
    throw invalidParameter("until", "range", "The period must not end before it starts.");
  }
  if (days > maxDays) {
    throw invalidParameter("until", "range", `A period has at most ${maxDays} days.`);
  }
  return { since, until };
}

/** An empty or absent parameter means today. */
function dayOf(field: "since" | "until", text: string | undefined, today: string): string {
  const day = text === undefined || text.trim() === "" ? today : text.trim();
  parseDay(field, day);
  return day;
}

/** Midnight in UTC, where every day has 24 hours. */
function parseDay(field: "since" | "until", text: string): number {
  const midnight = /^\d{4}-\d{2}-\d{2}$/u.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  // `Date` parses 30 February as 2 March.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(text)) {
    throw invalidParameter(field, "format", "The day must have the form YYYY-MM-DD.");
  }
  return midnight;
}

/** Each day of a period, in order. */
export function daysOf({ since, until }: DayPeriod): string[] {
  const first = Date.parse(`${since}T00:00:00Z`);
  const count = (Date.parse(`${until}T00:00:00Z`) - first) / dayMs + 1;
  return Array.from({ length: count }, (_, at) =>
    new Date(first + at * dayMs).toISOString().slice(0, 10),
  );
}
