/**
 * SQL: when a day starts in a time zone. In: its midnight, a timestamp without time zone. Where clocks
 * change at midnight, there are two: Postgres would take the second, but the first also has this date.
 */
export function startOfDaySql(midnight: string, zone: string): string {
  return `least(${midnight} AT TIME ZONE ${zone},
        (${midnight} - interval '1 second') AT TIME ZONE ${zone} + interval '1 second')`;
}
