import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./page.module.css";

type Fact = Readonly<{ name: string; value: ReactNode }>;

/** A list of names and values. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={classes["facts"]}>
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A key figure with label and note. */
export function Tile({ name, value, note }: { name: string; value: ReactNode; note?: ReactNode }) {
  return (
    <div className={classes["tile"]}>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <div className={classes["value"]}>{value}</div>
      {note === undefined || note === null ? null : (
        <Text size="xs" c="dimmed" component="div">
          {note}
        </Text>
      )}
    </div>
  );
}
