import { Button, Group, Text } from "@mantine/core";
import { IconRepeat } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import { formatNumber } from "../../../base/format.ts";
import { DataTable, type Column } from "../../../components/data-table.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { useMay } from "../../session.ts";
import type { Reconciliation } from "../model.ts";
import { useWebhookName } from "../replays/criteria-words.ts";
import { counted, useWords } from "../labels.ts";
import classes from "./explain.module.css";

type Gap = Reconciliation["gaps"][number];

const mostShown = 200;

/** Missing events, with a replay button. */
export function Gaps({ gaps }: { gaps: readonly Gap[] }) {
  const { t } = useTranslation("deliveries");
  const mayWrite = useMay("webhooks.write");
  const columns = useColumns();
  if (gaps.length === 0) {
    return null;
  }
  return (
    <>
      {mayWrite ? <ReplayButtons gaps={gaps} /> : null}
      <DataTable
        name="gaps"
        label={t("reconcile.gaps")}
        columns={columns}
        rows={gaps.slice(0, mostShown)}
        rowId={({ webhook, event_id: event }) => `${webhook}-${event}`}
      />
      {gaps.length > mostShown ? (
        <Text size="xs" c="dimmed">
          {t("reconcile.more", { number: formatNumber(gaps.length - mostShown) })}
        </Text>
      ) : null}
    </>
  );
}

function useColumns(): Column<Gap>[] {
  const { t } = useTranslation("deliveries");
  const words = useWords();
  const name = useWebhookName();
  return [
    {
      id: "what",
      header: t("column.event"),
      cell: (gap) => (
        <Link to="/dashboard/explain" search={{ q: gap.event_id }} className={classes["gap"] ?? ""}>
          {words.event(gap)} <span className="mono">{gap.object_id}</span>
        </Link>
      ),
    },
    {
      id: "webhook",
      header: t("column.webhook"),
      cell: (gap) => name(gap.webhook),
    },
    {
      id: "reason",
      header: t("reconcile.why"),
      isMinor: true,
      cell: (gap) => t(`reconcile.${gap.reason}`),
    },
    {
      id: "time",
      header: t("column.created"),
      cell: (gap) => <RelativeTime at={gap.time} />,
    },
  ];
}

function ReplayButtons({ gaps }: { gaps: readonly Gap[] }) {
  const { t } = useTranslation("deliveries");
  const name = useWebhookName();
  const ids = [...new Set(gaps.map(({ webhook }) => webhook))];
  return (
    <Group gap="xs">
      {ids.map((id) => {
        const own = gaps.filter(({ webhook }) => webhook === id);
        const search = { make: "1", webhook: String(id), status: "never_attempted" };
        return (
          <Button
            key={id}
            size="xs"
            leftSection={<IconRepeat size={14} aria-hidden />}
            renderRoot={(props) => (
              <Link
                {...props}
                to="/dashboard/deliveries/replays"
                search={{ ...search, ...periodOf(own) }}
              />
            )}
          >
            {t("reconcile.replay", {
              ...counted(own.length),
              webhook: name(id),
            })}
          </Button>
        );
      })}
    </Group>
  );
}

/** The period of the gaps. It ends one second later, because `until` of a replay is exclusive. */
function periodOf(gaps: readonly Gap[]): { since: string; until: string } {
  const times = gaps.map(({ time }) => new Date(time).getTime());
  const bound = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/u, "Z");
  return { since: bound(Math.min(...times)), until: bound(Math.max(...times) + 1_000) };
}
