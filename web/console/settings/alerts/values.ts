/** Converts the form of the alerts to the API's body. Pure. */
import { changedFields } from "../../../base/changed-fields.ts";
import type { AlertSettings } from "./queries.ts";

export type AlertValues = Readonly<{
  failing: number;
  pastDue: number;
  failed: boolean;
  repeat: number;
  administrators: boolean;
  users: AlertSettings["users"];
  emails: string[];
}>;

export function valuesOf(settings: AlertSettings): AlertValues {
  return {
    failing: settings.failing_minutes,
    pastDue: settings.past_due_minutes,
    failed: settings.failed_deliveries,
    repeat: settings.repeat_hours,
    administrators: settings.administrators,
    users: settings.users,
    emails: settings.emails.map(({ email }) => email),
  };
}

export function bodyOfChange(before: AlertValues, after: AlertValues) {
  return changedFields(bodyOf(before), bodyOf(after));
}

function bodyOf(values: AlertValues) {
  return {
    failing_minutes: values.failing,
    past_due_minutes: values.pastDue,
    failed_deliveries: values.failed,
    repeat_hours: values.repeat,
    administrators: values.administrators,
    users: values.users.map(({ id }) => id),
    emails: values.emails,
  };
}
