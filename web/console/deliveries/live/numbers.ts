import { formatDate, formatNumber } from "../../../base/format.ts";
import type { Count } from "./types.ts";

/** "14:05", for what is counted again and again. */
export function minuteText(at: string): string {
  return formatDate(new Date(at), { hour: "2-digit", minute: "2-digit" });
}

/** "12", "≈ 25,311" where it was counted up to a bound only, "10,000+" where nothing more is known. */
export function countText({ count, more }: Count, about: number | null = null): string {
  if (!more) {
    return formatNumber(count);
  }
  return about === null ? `${formatNumber(count)}+` : `≈ ${formatNumber(about)}`;
}
