import { SegmentedMessage } from "sms-segments-calculator";

export type Segments = Readonly<{
  segments: number;
  /** As the alphabet counts them: some characters of GSM-7 take two places. */
  characters: number;
  encoding: "GSM-7" | "UCS-2";
}>;

/** Ten parts of the small alphabet: more is no short message. */
export const maxSmsLength = 1_530;

/**
 * What an SMS costs: the parts it is cut into, and the alphabet that its characters need. Exact for
 * what may be sent; what is longer would take seconds to count.
 */
export function countSegments(text: string): Segments {
  if (text.length > maxSmsLength) {
    return estimate(text);
  }
  const counted = new SegmentedMessage(text, "auto");
  const encoding = counted.encodingName;
  return { segments: counted.segmentsCount, characters: counted.numberOfCharacters, encoding };
}

const charactersOfPart = { "GSM-7": 153, "UCS-2": 67 } as const;

/** Of a text that is far too long, from the characters that it is made of. */
function estimate(text: string): Segments {
  const kinds = [...new Set(text)].slice(0, maxSmsLength).join("");
  const { encodingName: encoding } = new SegmentedMessage(kinds, "auto");
  const segments = Math.ceil(text.length / charactersOfPart[encoding]);
  return { segments, characters: text.length, encoding };
}
