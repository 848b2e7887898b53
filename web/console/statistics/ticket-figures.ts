/** Rows of the day export → what is told of a day, and of many. Pure. */
import type { components } from "../../base/api-types.ts";

export type TicketRow = components["schemas"]["TicketStatistics"];

export const ticketStates = [
  ...(["done", "closed", "inprogress", "opened", "open", "updated", "new", "invited"] as const),
  ...(["expired", "declined", "rejected"] as const),
] as const;
export type TicketState = (typeof ticketStates)[number];

/** States that mean the same to who looks at a day. */
export const stateGroups = {
  done: ["done", "closed"],
  going: ["inprogress", "opened", "open", "updated"],
  waiting: ["new", "invited"],
  expired: ["expired"],
  refused: ["declined", "rejected"],
} as const satisfies Readonly<Record<string, readonly TicketState[]>>;
export type StateGroup = keyof typeof stateGroups;

export type TicketFigures = Readonly<{
  tickets: number;
  states: Readonly<Partial<Record<TicketState, number>>>;
  emails: number;
  sms: number;
  /** Tickets whose two sides were connected at least once. */
  answered: number;
  calls: number;
  callSeconds: number;
  photos: number;
  videos: number;
}>;

const nothing: TicketFigures = {
  ...{ tickets: 0, states: {}, emails: 0, sms: 0, answered: 0 },
  ...{ calls: 0, callSeconds: 0, photos: 0, videos: 0 },
};

const figuresOf = (row: TicketRow): TicketFigures => ({
  tickets: 1,
  states: { [row.Etat]: 1 },
  emails: row["Nombre d'invitations email"],
  sms: row["Nombre d'invitations SMS"],
  answered: row["Répondues"] === "Oui" ? 1 : 0,
  calls: row["Nombre Appels"],
  callSeconds: row["Durée totale des appels (secondes)"],
  photos: row.Photos,
  videos: row["Vidéos"],
});

const add = (a: TicketFigures, b: TicketFigures): TicketFigures => ({
  tickets: a.tickets + b.tickets,
  states: Object.fromEntries(
    ticketStates
      .map((state) => [state, (a.states[state] ?? 0) + (b.states[state] ?? 0)] as const)
      .filter(([, count]) => count > 0),
  ),
  emails: a.emails + b.emails,
  sms: a.sms + b.sms,
  answered: a.answered + b.answered,
  calls: a.calls + b.calls,
  callSeconds: a.callSeconds + b.callSeconds,
  photos: a.photos + b.photos,
  videos: a.videos + b.videos,
});

export const sumOf = (figures: readonly TicketFigures[]): TicketFigures =>
  figures.reduce(add, nothing);

/** What the rows of one day come to; states have to be codes (`labels=code`). */
export const figuresOfRows = (rows: readonly TicketRow[]): TicketFigures =>
  sumOf(rows.map(figuresOf));

export const countOfGroup = ({ states }: TicketFigures, group: StateGroup): number =>
  stateGroups[group].reduce((sum, state) => sum + (states[state] ?? 0), 0);
