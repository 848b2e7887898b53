import { variablesOfKind, type Variables } from "./kinds.ts";
import { dayOf, timeOf } from "./moments.ts";
import type { Wording } from "./wording.ts";

type Setting = Readonly<{ timeZone: string; enterprise: string; at: Date }>;

const hourMs = 3_600_000;

/** Values for a preview: each variable of the kind has one, as long as real ones are. */
export function exampleValues(
  { kind, channel, language }: Wording,
  { timeZone, enterprise, at }: Setting,
): Variables {
  const rules = { channel, language, timeZone };
  const start = new Date(at.getTime() + 24 * hourMs);
  const all: Required<Variables> = {
    enterprise,
    name: "Camille Martin",
    startDate: dayOf(start, rules),
    startTime: timeOf(start, rules),
    endTime: timeOf(new Date(start.getTime() + hourMs / 2), rules),
    link: "https://video.example/v/0123456789ABCDEFabcdef",
    informationLink: "https://video.example/i/0123456789",
    firstname: "Camille",
    lastname: "Martin",
    agentName: "Alex Bernard",
    subject: "Router",
    reference: "REF-1024",
    organizerName: "Alex Bernard",
    message: "See you soon!",
    dialInNumber: "+33 1 23 45 67 89",
    dialInCode: "123 456 789",
  };
  return Object.fromEntries(variablesOfKind[kind].map((name) => [name, all[name]]));
}
