/** An appointment in words, in the reader's own time. Pure. */
import { fill } from "../shared/words.ts";
import type { TextKey } from "./texts.ts";

type Appointment = Readonly<{ from: Date; to: Date; now: Date }>;

/** "Today, 14:00 to 14:30", "Monday 3 March, 14:00 to 14:30", "Now, until 14:30". */
export function describeTime(
  appointment: Appointment,
  { locale, texts }: Readonly<{ locale: string; texts: Readonly<Record<TextKey, string>> }>,
): string {
  const time = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" });
  const day = new Intl.DateTimeFormat(locale, { weekday: "long", day: "numeric", month: "long" });
  const { from, to } = appointment;
  return fill(texts[wordOf(appointment)], {
    from: time.format(from),
    to: time.format(to),
    day: day.format(from),
  });
}

function wordOf({ from, to, now }: Appointment): TextKey {
  if (from <= now && now <= to) {
    return "now";
  }
  if (isSameDay(from, now)) {
    return "today";
  }
  // Not 24 hours later: the day on which the clocks change has 23 or 25.
  const tomorrow = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
  return isSameDay(from, tomorrow) ? "tomorrow" : "day";
}

function isSameDay(a: Date, b: Date): boolean {
  return a.toDateString() === b.toDateString();
}
