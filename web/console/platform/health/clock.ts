import { formatDate } from "../../../base/format.ts";

/** "14:05:20", for what is younger than a day. */
export const clockText = (at: string): string =>
  formatDate(new Date(at), { hour: "2-digit", minute: "2-digit", second: "2-digit" });
