/** Converts the form of a new meeting to the request body. Pure. */
import type { paths } from "../../base/api-types.ts";

type CreateBody = NonNullable<
  paths["/api/conferences"]["post"]["requestBody"]
>["content"]["application/json"];

export type MeetingLanguage = NonNullable<CreateBody["language"]>;

export type MeetingValues = {
  guests: string[];
  isInvited: boolean;
  name: string;
  /** `2026-11-20T10:00` in the reader's time zone; empty for now. */
  start: string;
  minutes: number | string;
  isModerated: boolean;
  isOpen: boolean;
  moderator: string;
  organizer: string;
  service: string;
  password: string;
  language: MeetingLanguage | "";
  message: string;
  /** Minutes before the start; empty for the default. */
  reminder: number | string;
};

export type ValueFault = "needed" | "short" | "password" | "minutes" | "reminder" | "start";

/** Maps API fields to form fields. */
export const fieldOf: Readonly<Record<string, keyof MeetingValues>> = {
  participants: "guests",
  name: "name",
  startTime: "start",
  duration: "minutes",
  moderator: "moderator",
  organizer: "organizer",
  service_key: "service",
  password: "password",
  language: "language",
  message: "message",
  reminder: "reminder",
};

export function emptyMeeting(start: string): MeetingValues {
  return {
    ...{ guests: [], isInvited: true, name: "", start, minutes: 60 },
    ...{ isModerated: false, isOpen: false, moderator: "", organizer: "", service: "" },
    ...{ password: "", language: "", message: "", reminder: "" },
  };
}

/** The next full half hour. */
export function nextStart(now: Date): string {
  return localTime(new Date(Math.ceil((now.getTime() + 1) / 1_800_000) * 1_800_000));
}

/** The value for a `datetime-local` input, in the reader's time zone. */
export function localTime(at: Date): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** Filled-in fields only; the API applies defaults to the others. */
export function createBody(values: MeetingValues): CreateBody {
  return {
    participants: values.guests.join(","),
    invite: values.isInvited,
    moderation: values.isModerated,
    open: values.isOpen,
    ...filledIn({
      ...trimmed(values),
      startTime: values.start === "" ? "" : new Date(values.start).toISOString(),
      duration: values.minutes === "" ? "" : Number(values.minutes),
      reminder: values.reminder === "" ? "" : Number(values.reminder),
      service_key: values.service,
      password: values.password,
      language: values.language,
    }),
  };
}

function filledIn(values: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== "" && value !== undefined),
  );
}

function trimmed({ name, moderator, organizer, message }: MeetingValues) {
  return {
    name: name.trim(),
    moderator: moderator.trim(),
    organizer: organizer.trim(),
    message: message.trim(),
  };
}

/** Validation errors by field. Guests are validated in their own input. */
export function meetingFaults(
  values: MeetingValues,
): Partial<Record<keyof MeetingValues, ValueFault>> {
  const { name, password, minutes, reminder, start, guests } = values;
  const faults: [keyof MeetingValues, boolean, ValueFault][] = [
    ["guests", guests.length > 0, "needed"],
    ["name", name.trim() === "" || name.trim().length >= 2, "short"],
    ["password", isPasswordOrEmpty(password), "password"],
    ["minutes", minutes !== "" && isWithin(minutes, 1, 1_440), "minutes"],
    ["reminder", isWithin(reminder, 0, 10_080), "reminder"],
    ["start", start === "" || !Number.isNaN(Date.parse(start)), "start"],
  ];
  return Object.fromEntries(
    faults.filter(([, isRight]) => !isRight).map(([field, , fault]) => [field, fault]),
  );
}

/** As the API accepts it. Empty for none, or for no change. */
export function isPasswordOrEmpty(password: string): boolean {
  return password === "" || /^[0-9*#]{4,16}$/u.test(password);
}

function isWithin(value: number | string, least: number, most: number): boolean {
  return (
    value === "" ||
    (Number.isInteger(Number(value)) && Number(value) >= least && Number(value) <= most)
  );
}
