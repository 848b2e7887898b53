/** Builds the request body from the form, with changed fields only. Pure. */
import type { paths } from "../../base/api-types.ts";
import { localTime } from "./meeting-values.ts";
import { minutesOf, type Meeting } from "./types.ts";

/** The API does not return these settings, so "" keeps them unchanged. */
export type Choice = "" | "yes" | "no";

export type ChangeValues = {
  name: string;
  start: string;
  minutes: number | string;
  organizer: string;
  moderator: string;
  moderation: Choice;
  locked: Choice;
  open: Choice;
  /** Empty keeps the password. */
  password: string;
  isPasswordRemoved: boolean;
  isNotified: boolean;
};

type ChangeBody = NonNullable<
  paths["/api/conferences/{conferenceId}"]["patch"]["requestBody"]
>["content"]["application/json"];

/** Empty if nothing changed. */
export function changeBody(values: ChangeValues, meeting: Meeting): ChangeBody {
  const was = valuesOf(meeting);
  const start = changed(values.start, was.start);
  const body = {
    name: changed(values.name.trim(), was.name),
    startTime: start === undefined ? undefined : new Date(start).toISOString(),
    duration: changed(Number(values.minutes), Number(was.minutes)),
    organizer: changed(values.organizer.trim(), ""),
    moderator: changed(values.moderator.trim(), ""),
    moderation: choiceOf(values.moderation),
    locked: choiceOf(values.locked),
    open: choiceOf(values.open),
    password: values.isPasswordRemoved ? null : changed(values.password, ""),
    invite: values.isNotified ? true : undefined,
  };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

export function valuesOf(meeting: Meeting): ChangeValues {
  return {
    name: meeting.name,
    start: localTime(new Date(meeting.start_time)),
    minutes: minutesOf(meeting),
    ...{ organizer: "", moderator: "", moderation: "", locked: "", open: "" },
    ...{ password: "", isPasswordRemoved: false, isNotified: false },
  };
}

function changed<T>(value: T, was: T): T | undefined {
  return value === was ? undefined : value;
}

function choiceOf(choice: Choice): boolean | undefined {
  return choice === "" ? undefined : choice === "yes";
}
