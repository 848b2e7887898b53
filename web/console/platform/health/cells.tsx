/** What the tables of this page are made of. On a phone each row is a card. */
import { Table, Text } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "../platform.module.css";

export const Frame = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={classes["frame"]} role="region" aria-label={label} tabIndex={0}>
    <Table verticalSpacing={6} aria-label={label} className={classes["table"] ?? ""}>
      {children}
    </Table>
  </div>
);

type CellProps = Readonly<{
  /** The head of its column: on a phone it stands in the cell. */
  label: string;
  isBad?: boolean;
  children: ReactNode;
}>;

export const Figure = ({ label, isBad = false, children }: CellProps) => (
  <Table.Td className={classes["number"] ?? ""} data-label={label} data-bad={isBad || undefined}>
    {children}
  </Table.Td>
);

export const Heads = ({ names }: { names: readonly string[] }) =>
  names.map((name) => (
    <Table.Th key={name} className={classes["number"] ?? ""}>
      {name}
    </Table.Th>
  ));

export const Name = ({ name, queue }: { name: string; queue: string }) => (
  <Table.Th scope="row">
    {name}
    <Text size="xs" c="dimmed" className="mono" fw={400}>
      {queue}
    </Text>
  </Table.Th>
);
