import { conferenceAnswer } from "../../src/conferences/present.ts";
import { hl7Routes } from "../../src/hl7/routes.ts";
import { createHl7, type Hl7 } from "../../src/hl7/service.ts";
import { randomIds } from "../../src/platform/ids.ts";
import type { Db } from "../../src/platform/db/pool.ts";
import { useConferenceApi, type ConferenceApi, type ConferenceFeatures } from "./conferences.ts";
import { testBox } from "./secret-box.ts";
import type { TestUser } from "./tickets.ts";

export type Sample = Readonly<{
  event?: string;
  type?: string;
  version?: string;
  control?: string;
  facility?: string;
  /** MSH-6: receiving facility. */
  receiver?: string;
  charset?: string;
  id?: string;
  /** SCH-11.4: start date and time. */
  start?: string;
  duration?: string;
  unit?: string;
  /** SCH-25: filler status code. */
  status?: string;
  clinician?: string;
  contact?: string;
  name?: string;
}>;

const ordinary = {
  event: "S12",
  type: "SIU",
  version: "2.5",
  facility: "WARD",
  receiver: "",
  charset: "",
  id: "APT1",
  start: "20261201093000",
  duration: "45",
  unit: "min",
  status: "Booked",
  clinician: "",
  contact: "^NET^^anna@patients.test~+33612345678",
  name: "Durand^Anna",
};

let sent = 0;

/** A scheduling message as sent by clinical systems, with a unique control id. */
export function aMessage(sample: Sample = {}): string {
  const control = `C${(sent += 1)}`;
  const m: Required<Sample> = { ...ordinary, control, ...sample };
  const type = `${m.type}^${m.event}`;
  return [
    `MSH|^~\\&|EHR|${m.facility}|SIGHTLINE|${m.receiver}|20261120100000||${type}|${m.control}|P|${m.version}||||||${m.charset}`,
    `SCH||${m.id}|||||||${m.duration}|${m.unit}|^^^${m.start}||||||||||||||${m.status}`,
    `PID|1||PAT1||${m.name}||||||||${m.contact}`,
    `AIP|1||${m.clinician}`,
  ].join("\r");
}

/** The segments of an acknowledgement, each split into its fields. */
export function segmentsOf(ack: string): Record<string, string[]> {
  return Object.fromEntries(
    ack
      .split("\r")
      .filter((line) => line !== "")
      .map((line) => [line.slice(0, 3), line.split("|")]),
  );
}

function createTestHl7(db: Db, features: ConferenceFeatures): Hl7 {
  return createHl7({
    db,
    clock: features.clock,
    ids: randomIds,
    secretBox: testBox,
    directory: features.directory,
    conferences: features.external,
  });
}

export type Hl7Answer = { status: number; type: string | null; text: string };

/** The HL7 operations of the surrounding `describe`, in addition to those of conferences. */
export function useHl7Api(database: { readonly db: Db }) {
  let hl7: Hl7 | undefined;
  const api: ConferenceApi = useConferenceApi(database, (features) => {
    hl7 = createTestHl7(database.db, features);
    return hl7Routes({ hl7, conferenceSchema: conferenceAnswer });
  });
  return {
    api,
    get hl7() {
      if (hl7 === undefined) {
        throw new Error("HL7 exists inside tests and hooks only");
      }
      return hl7;
    },
    /** Sends bytes like an HL7 engine; without `accept`, any response type is accepted. */
    send: async (
      body: string | Buffer,
      {
        as,
        accept = "*/*",
        type = "application/hl7-v2",
      }: { as?: TestUser; accept?: string; type?: string } = {},
    ): Promise<Hl7Answer> => {
      const response = await fetch(`${api.url}/api/hl7`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${(as ?? api.fixture.api).login}`,
          "content-type": type,
          accept,
        },
        body: typeof body === "string" ? body : new Uint8Array(body),
      });
      const { status, headers } = response;
      return { status, type: headers.get("content-type"), text: await response.text() };
    },
  };
}
