/** A ticket's figures → the row of the day export, with the keys of the reference in their order. */
import type { TicketState } from "../contracts/events.ts";
import type { Device } from "./device.ts";

/** What the store reads of one ticket. Times are those of the enterprise's clock already. */
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

export type TicketStatistics = ReturnType<typeof presentRow>;

/** In the order of the columns. */
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

export function presentRow(ticket: TicketFigures, device: Device, labels: Labels) {
  return {
    ID: ticket.id,
    Ref: ticket.reference,
    Description: ticket.description ?? "",
    Priorité: priorities[ticket.priority] ?? "",
    Demandeur: firstOf(joined(" ", ticket.firstname, ticket.lastname), ticket.name),
    Contact: joined(", ", ticket.email, ticket.phone),
    Etat: labels === "code" ? ticket.state : stateLabels[ticket.state],
    "Assigné à": firstOf(
      joined(" ", ticket.agentFirstname, ticket.agentLastname),
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

/** The first that says something. */
function firstOf(...words: readonly (string | null)[]): string {
  return words.find((word) => word !== null && word !== "") ?? "";
}

function joined(separator: string, ...words: readonly (string | null)[]): string {
  return words.filter((word) => word !== null && word !== "").join(separator);
}
