import type { Language } from "./languages.ts";
import type { Person } from "./session-events.ts";

/** Users and services of an enterprise, as features other than accounts see them. */

export type DirectoryUser = Readonly<{
  id: number;
  login: string;
  /** First and last name; empty if the user has neither, because customers do not see logins. */
  displayName: string;
  isAgent: boolean;
  groupIds: readonly number[];
  person: Person;
}>;

/**
 * Finds an active user of the enterprise by an id or a login; logins are compared without case.
 */
export type FindUser<Queryable, Value> = (
  db: Queryable,
  enterpriseId: number,
  value: Value,
) => Promise<DirectoryUser | undefined>;
/** A colleague as agents see them: who it is, and no contact. */
export type TicketColleague = Readonly<{
  id: number;
  login: string;
  name: string;
  /** An agent who may work for the service of the ticket. */
  isAgentOfService: boolean;
  groupIds: readonly number[];
}>;

/** A service that handles tickets, with its first entry point. */
export type TicketService = Readonly<{
  id: number;
  serviceKey: string;
  name: string;
  /** Empty: every type is allowed. */
  ticketTypes: readonly string[];
  buttonId: number;
  /** How long before the planned start a reminder is sent. Null: none. */
  reminderMinutes: number | null;
  /** Groups whose agents may work for it. Empty: all groups. */
  groupIds: readonly number[];
}>;

/** What a service decides about its tickets. */
export type ServiceRules = Pick<TicketService, "ticketTypes" | "reminderMinutes">;

/** A service that conferences can be created for. */
export type ConferenceService = Readonly<{
  id: number;
  serviceKey: string;
  name: string;
  /** Null: the language of the enterprise. */
  language: string | null;
  /** How long before the start a reminder is sent. Null: none. */
  reminderMinutes: number | null;
}>;

/** Used by `accounts`, which links to the avatar, and by `pages`, which serves it. */
export const defaultAvatarPath = "/avatars/default.svg";

/** The absolute URL of a user's photo. */
export function photoUrlOf(url: string | null | undefined, baseUrl: string): string {
  return url ?? `${baseUrl}${defaultAvatarPath}`;
}

/** A request for a page that other sites may frame. */
export type EmbedRequest = Readonly<{
  /** The `Host` header, with or without a port. */
  host: string | undefined;
  /** `service_key` of the query. */
  serviceKey: string | undefined;
  cookieHeader: string | undefined;
}>;

/** What is known about a page before it is rendered. */
export type FramePolicy = Readonly<{
  /**
   * Sources of `frame-ancestors`: `'self'` and the domains of one enterprise. The enterprise is
   * found by the alias in `host`, else by the service, else by the session. Only `'self'` if none
   * is found, or if the signed-in user belongs to another enterprise: otherwise the owner of a key
   * or alias could clickjack that user.
   */
  frameAncestors: string[];
  /**
   * Whether the key belongs to an active service. If a user is signed in, they must also be allowed
   * to invite to it.
   */
  isService: boolean;
}>;

export type FindFramePolicy = (request: EmbedRequest) => Promise<FramePolicy>;

/** A question in at least one language. Customers with another language get the first one. */
export type SurveyQuestion = Readonly<{ label: Readonly<Partial<Record<Language, string>>> }>;

export type Survey = Readonly<{
  enabled: boolean;
  /** One to five. */
  questions: readonly SurveyQuestion[];
  /** Whether customers can add a free text. */
  feedback: boolean;
}>;

/** For services whose column is null. */
export const defaultSurvey: Survey = {
  enabled: true,
  questions: [
    {
      label: {
        fr: "Êtes-vous satisfait de l’assistance ?",
        en: "Are you satisfied with the assistance?",
        es: "¿Está satisfecho con la asistencia?",
        de: "Sind Sie mit der Hilfe zufrieden?",
        it: "È soddisfatto dell'assistenza?",
        nl: "Bent u tevreden over de hulp?",
        pt: "Está satisfeito com a assistência?",
      },
    },
  ],
  feedback: true,
};
