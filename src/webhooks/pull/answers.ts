/** What the operations of pulling answer. */
import {
  exactObject,
  flag,
  integer,
  nullableText,
  text,
  timestamp,
} from "../../http/answer-schema.ts";

const event = exactObject("PulledEvent", {
  sequence: integer,
  cursor: text,
  webhook_id: nullableText,
  object: text,
  event: nullableText,
  event_type: nullableText,
  object_id: { type: ["integer", "string", "null"] },
  time: timestamp,
  body: nullableText,
  expunged: flag,
  replay: flag,
  state: text,
  attempt_count: integer,
});

export const eventPageAnswer = exactObject("PulledEventPage", {
  data: { type: "array", items: event },
  next: text,
  has_more: flag,
  skipped: {
    type: "array",
    items: exactObject("SkippedSequences", { from: integer, to: integer }),
  },
});
