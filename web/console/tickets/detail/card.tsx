import { Group, Title } from "@mantine/core";
import { useId, type ReactNode } from "react";
import classes from "./detail.module.css";

type CardProps = Readonly<{
  title: string;
  /** Count or actions, right of the title. */
  aside?: ReactNode;
  children: ReactNode;
}>;

/** A titled card. */
export function Card({ title, aside, children }: CardProps) {
  const id = useId();
  return (
    <section className={classes["card"]} aria-labelledby={id}>
      <Group justify="space-between" mb="xs" gap="xs" wrap="nowrap">
        <Title order={2} size="h3" id={id}>
          {title}
        </Title>
        {aside}
      </Group>
      {children}
    </section>
  );
}

/** A list of names and values. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={classes["facts"]}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
