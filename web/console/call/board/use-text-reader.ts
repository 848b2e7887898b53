import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, call } from "../../../base/api.ts";
import { timelineQuery } from "../../tickets/detail/queries.ts";
import type { Crop } from "./crop.ts";

/** Longer than the text recognition may take, with a queue before it. */
const patienceMs = 45_000;

export type TextReader = Readonly<{
  state: "idle" | "reading" | "found" | "none";
  text: string;
  read: (crop: Crop | undefined) => Promise<void>;
}>;

/** Requests text recognition; the result arrives in the timeline. */
export function useTextReader(mediaId: number, ticketId: number): TextReader {
  const client = useQueryClient();
  const { data: events = [] } = useQuery(timelineQuery(ticketId));
  /** The last entry of the timeline when the text was asked for. */
  const [since, setSince] = useState<number>();
  const [isLate, setLate] = useState(false);
  const found = events.findLast(
    ({ id, eventType }) => eventType === "media.OCRDone" && since !== undefined && id > since,
  );
  const text = found?.eventType === "media.OCRDone" ? found.text : "";
  const isReading = since !== undefined && text === "";
  useEffect(() => {
    if (!isReading) {
      return undefined;
    }
    const timer = setTimeout(() => setLate(true), patienceMs);
    return () => clearTimeout(timer);
  }, [isReading, since]);
  return {
    state: text !== "" ? "found" : isReading ? (isLate ? "none" : "reading") : "idle",
    text,
    read: async (crop) => {
      const params = { path: { mediaId } };
      // Of the present timeline, not of the one on the page: that may not have loaded yet, and
      // would let an earlier text of another photo count as the result.
      const before = await client.query({ ...timelineQuery(ticketId), staleTime: 0 });
      const last = Math.max(0, ...before.map(({ id }) => id));
      await call(api.POST("/api/medias/{mediaId}/ocr", { params, body: crop ?? {} }));
      setLate(false);
      setSince(last);
    },
  };
}
