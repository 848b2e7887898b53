import { Table } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { formatNumber } from "../../../base/format.ts";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { StateBadge } from "../../../components/state-badge.tsx";
import type { WebhookExplanation } from "../model.ts";
import { useWords } from "../labels.ts";
import { meaningOfVerdict } from "./verdict-words.ts";
import classes from "./explain.module.css";

type VerdictCount = WebhookExplanation["verdicts"][number];

/** The events by their result, each with a link to the newest one. */
export function VerdictTable({ verdicts }: { verdicts: readonly VerdictCount[] }) {
  const { t } = useTranslation("deliveries");
  const words = useWords();
  const mismatches = useMismatches();
  return verdicts.length === 0 ? null : (
    <Frame
      label={t("why.verdicts")}
      heads={[
        { text: t("column.result") },
        { text: t("why.count_column"), isNumber: true },
        { text: t("why.example_column") },
      ]}
    >
      {verdicts.map((one) => (
        <Table.Tr key={one.verdict}>
          <Table.Td>
            <StateBadge meaning={meaningOfVerdict(one.verdict)}>
              {t(`verdict_name.${one.verdict}`)}
            </StateBadge>{" "}
            {mismatches(one)}
          </Table.Td>
          <Table.Td className={classes["number"] ?? ""}>{formatNumber(one.count)}</Table.Td>
          <Table.Td>
            <Link
              to="/dashboard/explain"
              search={{ q: one.example.event_id }}
              className={classes["gap"] ?? ""}
            >
              {words.event(one.example)} <span className="mono">{one.example.object_id}</span>
            </Link>{" "}
            <RelativeTime at={one.example.time} />
          </Table.Td>
        </Table.Tr>
      ))}
    </Frame>
  );
}

/** "12 of another object, 3 with another action". */
function useMismatches(): (one: VerdictCount) => string {
  const { t } = useTranslation("deliveries");
  return ({ mismatches }) =>
    (["object", "event", "eventType"] as const)
      .filter((part) => mismatches[part] > 0)
      .map((part) => t(`why.${part}`, { number: formatNumber(mismatches[part]) }))
      .join(", ");
}

type KindCount = WebhookExplanation["kinds"][number];

const mostKinds = 10;

/** The most frequent types of events, and how many of each matched. */
export function KindTable({ kinds }: { kinds: readonly KindCount[] }) {
  const { t } = useTranslation("deliveries");
  const words = useWords();
  return kinds.length === 0 ? null : (
    <Frame
      label={t("why.kinds")}
      heads={[
        { text: t("column.event") },
        { text: t("why.happened_column"), isNumber: true },
        { text: t("why.matched_column"), isNumber: true },
      ]}
    >
      {kinds.slice(0, mostKinds).map((one) => (
        <Table.Tr key={`${one.object}.${one.event}:${one.event_type ?? ""}`}>
          <Table.Td>{words.event(one)}</Table.Td>
          <Table.Td className={classes["number"] ?? ""}>{formatNumber(one.count)}</Table.Td>
          <Table.Td className={classes["number"] ?? ""}>{formatNumber(one.matched)}</Table.Td>
        </Table.Tr>
      ))}
    </Frame>
  );
}

type FrameProps = Readonly<{
  label: string;
  heads: readonly { text: string; isNumber?: true }[];
  children: ReactNode;
}>;

function Frame({ label, heads, children }: FrameProps) {
  return (
    <div className={classes["frame"]} role="group" aria-label={label} tabIndex={0}>
      <Table verticalSpacing={6} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {heads.map(({ text, isNumber }) => (
              <Table.Th key={text} className={isNumber === true ? (classes["number"] ?? "") : ""}>
                {text}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </div>
  );
}
