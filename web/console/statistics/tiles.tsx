import { Skeleton } from "@mantine/core";
import classes from "./statistics.module.css";

export type Tile = Readonly<{
  name: string;
  /** As it is read, unit included; undefined while it is on its way. */
  value: string | undefined;
  /** A few words on what it is made of. */
  note?: string | undefined;
}>;

/** A few numbers that are seen at once. */
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
