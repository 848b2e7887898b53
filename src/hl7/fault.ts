/** Why a message is not done. What each code means is said in table 0357 of the standard. */
const faultTexts = {
  100: "Segment sequence error",
  101: "Required field missing",
  102: "Data type error",
  200: "Unsupported message type",
  201: "Unsupported event code",
  203: "Unsupported version id",
  204: "Unknown key identifier",
  205: "Duplicate key identifier",
  207: "Application internal error",
} as const;

export type FaultCode = keyof typeof faultTexts;

/** `SCH^1^11`: segment, which of that name, field. */
export type Place = `${string}^${number}^${number}`;

/** `AE`: the data are wrong. `AR`: the message is nothing for us. */
export class Hl7Fault extends Error {
  readonly result: "AE" | "AR";
  readonly code: FaultCode;
  readonly place: Place;

  constructor(result: "AE" | "AR", code: FaultCode, { place, text }: FaultWords) {
    super(text);
    this.name = "Hl7Fault";
    this.result = result;
    this.code = code;
    this.place = place;
  }
}

type FaultWords = Readonly<{ place: Place; text: string }>;

export function textOf(code: FaultCode): string {
  return faultTexts[code];
}

export function dataFault(code: FaultCode, place: Place, text: string): Hl7Fault {
  return new Hl7Fault("AE", code, { place, text });
}

export function refusal(code: FaultCode, place: Place, text: string): Hl7Fault {
  return new Hl7Fault("AR", code, { place, text });
}
