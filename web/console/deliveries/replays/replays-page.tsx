import { Button, Group, Pagination, Text } from "@mantine/core";
import { IconRepeat } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import type { ColumnDef } from "@tanstack/react-table";
import { useTranslation } from "react-i18next";
import { formatNumber } from "../../../base/format.ts";
import { DataTable } from "../../../components/data-table.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorBox } from "../../../components/error-box.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { useMay } from "../../session.ts";
import type { Replay } from "../model.ts";
import type { ReplaySearch } from "./criteria.ts";
import { useCriteriaWords, useWebhookName } from "./criteria-words.ts";
import { NewReplayPanel } from "./new-replay.tsx";
import { ReplayProgress } from "./progress.tsx";
import { pageSize, replaysQuery } from "./queries.ts";
import { ReplayPanel, ReplayState } from "./replay-panel.tsx";
import classes from "./replays.module.css";

const useColumns = (): ColumnDef<Replay>[] => {
  const { t } = useTranslation("deliveries");
  const words = useCriteriaWords();
  const name = useWebhookName();
  return useMemo(
    () => [
      {
        id: "state",
        header: t("replay_column.state"),
        cell: ({ row: { original } }) => <ReplayState replay={original} />,
      },
      {
        id: "webhook",
        header: t("replay_column.webhook"),
        cell: ({ row: { original } }) => (
          <>
            <div>{name(original.webhook)}</div>
            <Text size="xs" c="dimmed">
              {words(original)}
            </Text>
          </>
        ),
      },
      {
        id: "progress",
        header: t("replay_column.progress"),
        cell: ({ row: { original } }) => (
          <div className={classes["progress"]}>
            <ReplayProgress replay={original} />
          </div>
        ),
      },
      {
        id: "dead",
        header: t("replay_column.dead"),
        meta: { isNumber: true, isMinor: true },
        cell: ({ row: { original } }) => formatNumber(original.dead),
      },
      {
        id: "created",
        header: t("replay_column.created"),
        meta: { isMinor: true },
        cell: ({ row: { original } }) => <RelativeTime at={original.created} />,
      },
    ],
    [t, words, name],
  );
};

const idOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/u.test(text) ? Number(text) : undefined;

type ListProps = Readonly<{ search: ReplaySearch; go: (search: ReplaySearch) => void }>;

const List = ({ search, go }: ListProps) => {
  const { t } = useTranslation("deliveries");
  const columns = useColumns();
  const page = Math.max(1, idOf(search.page) ?? 1);
  const { data, error, refetch } = useQuery({
    ...replaysQuery((page - 1) * pageSize),
    placeholderData: keepPreviousData,
  });
  if (data === undefined && error !== null) {
    return <ErrorBox error={error} onRetry={() => void refetch()} />;
  }
  if (data?.total === 0) {
    return <EmptyState icon={IconRepeat} title={t("replay.empty")} text={t("replay.empty_note")} />;
  }
  const pages = Math.ceil((data?.total ?? 0) / pageSize);
  return (
    <>
      <DataTable
        name="replays"
        label={t("part.replays")}
        columns={columns}
        rows={data?.data}
        rowId={({ id }) => String(id)}
        openId={search.replay}
        onOpen={({ id }) => go({ ...search, replay: String(id) })}
      />
      {pages < 2 ? null : (
        <Pagination
          mt="sm"
          size="sm"
          total={pages}
          value={page}
          onChange={(next) => go({ page: String(next) })}
        />
      )}
    </>
  );
};

/** What was sent again, what is being sent again, and the way to do so. */
export const ReplaysPage = () => {
  const { t } = useTranslation("deliveries");
  const mayWrite = useMay("webhooks.write");
  const search = useSearch({ from: "/signed-in/dashboard/deliveries/replays" });
  const navigate = useNavigate();
  const go = (next: ReplaySearch): void =>
    void navigate({ to: "/dashboard/deliveries/replays", search: next, resetScroll: false });
  const listOnly: ReplaySearch = search.page === undefined ? {} : { page: search.page };
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
            onClick={() => go({ ...listOnly, make: "1" })}
          >
            {t("replay.new")}
          </Button>
        ) : null}
      </Group>
      <List search={search} go={go} />
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
};
