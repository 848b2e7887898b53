import { replayStates } from "../../../../src/contracts/deliveries.ts";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../../base/i18n.ts";
import { ManyFilter } from "../../../components/choices.tsx";
import { FilterBar } from "../../../components/filter-bar.tsx";
import { ViewMenu } from "../../../components/view-menu.tsx";
import { listOf } from "../log/search.ts";
import { webhooksQuery } from "../queries.ts";
import { readReplaySearch, type ReplaySearch } from "./criteria.ts";

type FiltersProps = Readonly<{ search: ReplaySearch; go: (search: ReplaySearch) => void }>;

/** Filters of the replay list. */
export function ReplayFilters({ search, go }: FiltersProps) {
  const { t } = useTranslation("deliveries");
  const { data } = useQuery(webhooksQuery);
  const { of, state } = search;
  const filters = { of, state };
  const change = (name: keyof typeof filters, chosen: readonly string[]): void =>
    go(readReplaySearch({ ...filters, [name]: chosen.join(",") }));
  return (
    <FilterBar
      label={t("filter.title")}
      start={
        <ViewMenu list="replays" search={filters} onChoose={(view) => go(readReplaySearch(view))} />
      }
      isFiltered={of !== undefined || state !== undefined}
      onClear={() => go({})}
    >
      <ManyFilter
        name={t("filter.webhook")}
        choices={(data?.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        chosen={listOf(of)}
        onChange={(chosen) => change("of", chosen)}
      />
      <ManyFilter
        name={t("filter.status")}
        choices={replayStates.map((value) => ({ value, label: t(`replay_state.${value}`) }))}
        chosen={listOf(state)}
        onChange={(chosen) => change("state", chosen)}
      />
    </FilterBar>
  );
}
