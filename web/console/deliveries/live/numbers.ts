import { formatDate, formatNumber } from "../../../base/format.ts";
import type { Count } from "./types.ts";

/** "14:05", for values that are updated regularly. */
export function minuteText(at: string): string {
  return formatDate(new Date(at), { hour: "2-digit", minute: "2-digit" });
}

/** "12", "≈ 25,311" if only estimated beyond a limit, "10,000+" if unknown beyond it. */
export function countText({ count, more }: Count, about: number | null = null): string {
  if (!more) {
    return formatNumber(count);
  }
  return about === null ? `${formatNumber(count)}+` : `≈ ${formatNumber(about)}`;
}
