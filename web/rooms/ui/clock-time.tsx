import type { ReactNode } from "react";

type ClockTimeProps = Readonly<{ at: string; locale: string }>;

export function ClockTime({ at, locale }: ClockTimeProps): ReactNode {
  const time = new Date(at).toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit" });
  return <time dateTime={at}>{time}</time>;
}
