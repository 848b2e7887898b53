import { Skeleton } from "@mantine/core";
import classes from "./statistics.module.css";

export type Tile = Readonly<{
  name: string;
  /** Formatted, with unit; undefined during loading. */
  value: string | undefined;
  /** A short note on the value. */
  note?: string | undefined;
}>;

/** A row of key figures. */
export function Tiles({ label, tiles }: { label: string; tiles: readonly Tile[] }) {
  return (
    <dl className={classes["tiles"]} aria-label={label}>
      {tiles.map(({ name, value, note }) => (
        <div key={name} className={classes["tile"]}>
          <dt>{name}</dt>
          <dd>
            {value === undefined ? (
              <Skeleton height={30} width={72} />
            ) : (
              <span className={classes["number"]}>{value}</span>
            )}
            <span className={classes["note"]}>{note ?? "\u00A0"}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
