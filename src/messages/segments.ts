import { SegmentedMessage } from "sms-segments-calculator";

export type Segments = Readonly<{
  segments: number;
  /** As the alphabet counts them: some characters of GSM-7 take two places. */
  characters: number;
  encoding: "GSM-7" | "UCS-2";
}>;

/** What an SMS costs: the parts it is cut into, and the alphabet that its characters need. */
export const countSegments = (text: string): Segments => {
  const counted = new SegmentedMessage(text, "auto");
  const encoding = counted.encodingName;
  return { segments: counted.segmentsCount, characters: counted.numberOfCharacters, encoding };
};
