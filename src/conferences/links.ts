import type { Db } from "../platform/db/pool.ts";
import { isOver } from "./model.ts";
import { roomUrl } from "./present.ts";
import { findByCode } from "./store.ts";

/** What a short link leads to. */
export type ShortLink =
  | Readonly<{ kind: "found"; url: string }>
  | Readonly<{ kind: "over" }>
  | Readonly<{ kind: "unknown" }>;

export type ConferenceLinks = {
  /** `query` is what stood behind the question mark; it is handed on. */
  findByShortCode(code: string, query: string): Promise<ShortLink>;
};

const codeShape = /^[0-9A-Za-z]{12}$/u;

export function createConferenceLinks({
  db,
  baseUrl,
}: Readonly<{ db: Db; baseUrl: string }>): ConferenceLinks {
  return {
    findByShortCode: async (code, query) => {
      const conference = codeShape.test(code) ? await findByCode(db, code) : undefined;
      if (conference === undefined) {
        return { kind: "unknown" };
      }
      if (isOver(conference.status)) {
        return { kind: "over" };
      }
      const url = roomUrl(conference, baseUrl);
      return { kind: "found", url: query === "" ? url : `${url}?${query}` };
    },
  };
}
