import makeCalendar, { ICalCalendarMethod, ICalEventStatus } from "ical-generator";

export type CalendarEntry = Readonly<{
  /** The same for as long as the meeting lives. */
  uid: string;
  /** Higher with every entry that a guest gets: calendars take the highest. */
  sequence: number;
  isCancelled: boolean;
  title: string;
  description: string;
  link: string;
  startTime: Date;
  endTime: Date;
  organizer: Readonly<{ name: string; email: string }>;
  attendee: string;
  at: Date;
}>;

/** An iCalendar object with one entry: an invitation, or its end. Times are in UTC. */
export function calendarOf(entry: CalendarEntry): string {
  const { isCancelled, organizer } = entry;
  const calendar = makeCalendar({
    prodId: "//Sightline//Sightline//EN",
    method: isCancelled ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.REQUEST,
  });
  calendar.createEvent({
    id: entry.uid,
    sequence: entry.sequence,
    stamp: entry.at,
    start: entry.startTime,
    end: entry.endTime,
    summary: entry.title,
    description: entry.description,
    ...(isCancelled ? {} : { location: entry.link, url: entry.link }),
    organizer: { name: plainName(organizer.name), email: organizer.email },
    attendees: [{ email: entry.attendee, rsvp: !isCancelled }],
    status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
  });
  return `${calendar.toString()}\r\n`;
}

/** Quotes cannot be written inside a quoted name. */
function plainName(name: string): string {
  return name.replaceAll(/["\p{Cc}]/gu, " ").trim();
}
