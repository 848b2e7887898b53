import { Button, Group, Text } from "@mantine/core";
import { IconRepeat } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { formatNumber } from "../../../base/format.ts";
import type { Column } from "../../../components/data-table.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { lazyDialog } from "../../../components/lazy-dialog.tsx";
import { PagedTable } from "../../../components/paged-table.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { useMay } from "../../session.ts";
import type { Replay } from "../model.ts";
import { listPart, type ReplaySearch } from "./criteria.ts";
import { useCriteriaWords, useWebhookName } from "./criteria-words.ts";
import { ReplayFilters } from "./filters.tsx";
import { ReplayProgress } from "./progress.tsx";
import { pageSize, replaysQuery } from "./queries.ts";
import { ReplayState } from "./replay-state.tsx";
import classes from "./replays.module.css";

const [ReplayPanel, prepareReplay] = lazyDialog(
  async () => (await import("./replay-panel.tsx")).ReplayPanel,
  { isOpen: ({ openId }) => openId !== undefined },
);

const [NewReplayPanel, prepareNewReplay] = lazyDialog(
  async () => (await import("./new-replay.tsx")).NewReplayPanel,
  { isOpen: ({ search }) => search.make !== undefined },
);

type ListProps = Readonly<{ search: ReplaySearch; go: (search: ReplaySearch) => void }>;

/** Past and running replays, and the form for a new one. */
export function ReplaysPage() {
  const { t } = useTranslation("deliveries");
  const mayWrite = useMay("webhooks.write");
  const search = useSearch({ from: "/signed-in/dashboard/deliveries/replays" });
  const navigate = useNavigate();
  const go = (next: ReplaySearch): void =>
    void navigate({ to: "/dashboard/deliveries/replays", search: next, resetScroll: false });
  const listOnly = listPart(search);
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Text size="sm" c="dimmed">
          {t("replay.note")}
        </Text>
        {mayWrite ? (
          <Button
            size="xs"
            leftSection={<IconRepeat size={15} aria-hidden />}
            onPointerEnter={prepareNewReplay}
            onFocus={prepareNewReplay}
            onClick={() => go({ ...listOnly, make: "1" })}
          >
            {t("replay.new")}
          </Button>
        ) : null}
      </Group>
      <ReplayFilters search={search} go={go} />
      <div onPointerEnter={prepareReplay} onFocus={prepareReplay}>
        <List search={search} go={go} />
      </div>
      <ReplayPanel openId={idOf(search.replay)} onClose={() => go(listOnly)} />
      {mayWrite ? (
        <NewReplayPanel
          search={search}
          onClose={() => go(listOnly)}
          onMade={(id) => go({ ...listOnly, replay: String(id) })}
        />
      ) : null}
    </>
  );
}

function List({ search, go }: ListProps) {
  const { t } = useTranslation("deliveries");
  const columns = useColumns();
  const result = useQuery(replaysQuery(search));
  return (
    <PagedTable
      name="replays"
      label={t("part.replays")}
      columns={columns}
      query={result}
      openId={search.replay}
      onOpen={({ id }) => go({ ...search, replay: String(id) })}
      nothing={<Nothing search={search} go={go} />}
      page={search.page}
      pageSize={pageSize}
      onPage={(page) => go({ ...listPart(search), page })}
    />
  );
}

function useColumns(): Column<Replay>[] {
  const { t } = useTranslation("deliveries");
  const words = useCriteriaWords();
  const name = useWebhookName();
  return useMemo(
    () => [
      {
        id: "state",
        header: t("replay_column.state"),
        cell: (replay) => <ReplayState replay={replay} />,
      },
      {
        id: "webhook",
        header: t("replay_column.webhook"),
        cell: (replay) => (
          <>
            <div>{name(replay.webhook)}</div>
            <Text size="xs" c="dimmed">
              {words(replay)}
            </Text>
          </>
        ),
      },
      {
        id: "progress",
        header: t("replay_column.progress"),
        cell: (replay) => (
          <div className={classes["progress"]}>
            <ReplayProgress replay={replay} />
          </div>
        ),
      },
      {
        id: "dead",
        header: t("replay_column.dead"),
        isNumber: true,
        isMinor: true,
        cell: (replay) => formatNumber(replay.dead),
      },
      {
        id: "created",
        header: t("replay_column.created"),
        isMinor: true,
        cell: (replay) => <RelativeTime at={replay.created} />,
      },
    ],
    [t, words, name],
  );
}

function Nothing({ search, go }: ListProps) {
  const { t } = useTranslation("deliveries");
  return search.of === undefined && search.state === undefined ? (
    <EmptyState icon={IconRepeat} title={t("replay.empty")} text={t("replay.empty_note")} />
  ) : (
    <EmptyState
      icon={IconRepeat}
      title={t("replay.none")}
      text={t("replay.none_note")}
      action={
        <Button size="xs" variant="default" onClick={() => go({})}>
          {t("base:filter.clear_all")}
        </Button>
      }
    />
  );
}

function idOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/u.test(text) ? Number(text) : undefined;
}
