import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../base/i18n.ts";
import { roles } from "../../../src/contracts/permissions.ts";
import { OneFilter } from "../../components/choices.tsx";
import { FilterBar } from "../../components/filter-bar.tsx";
import { SearchField } from "../../components/search-field.tsx";
import { ViewMenu } from "../../components/view-menu.tsx";
import { useSession } from "../session.ts";
import { filtersOf, groupsQuery, isFiltered, roleOf, unfiltered } from "./queries.ts";
import type { UsersSearch } from "./queries.ts";

type FiltersProps = Readonly<{
  search: UsersSearch;
  set: (change: Partial<UsersSearch>) => void;
}>;

/** Filters of the user list. */
export function UserFilters({ search, set }: FiltersProps) {
  const { t } = useTranslation("users");
  const { enterprise } = useSession();
  const { data: groups } = useQuery(groupsQuery(enterprise.id));
  return (
    <FilterBar
      label={t("filter.name")}
      search={
        <SearchField
          label={t("filter.search")}
          placeholder={t("filter.search_hint")}
          value={search.q ?? ""}
          onChange={(q) => set({ q })}
          isSmall
        />
      }
      start={
        <ViewMenu
          list="users"
          search={filtersOf(search)}
          onChoose={(view) => set({ ...unfiltered, ...view })}
        />
      }
      isFiltered={isFiltered(search)}
      onClear={() => set(unfiltered)}
    >
      <OneFilter
        name={t("field.role")}
        choices={roles.map((value) => ({ value, label: t(`role.${value}`) }))}
        chosen={roleOf(search.role)}
        onChange={(role = "") => set({ role })}
      />
      <OneFilter
        name={t("field.group")}
        choices={(groups ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        chosen={search.group}
        onChange={(group = "") => set({ group })}
      />
      <OneFilter
        name={t("filter.active")}
        choices={[
          { value: "yes", label: t("state.active") },
          { value: "no", label: t("state.off") },
        ]}
        chosen={search.active}
        onChange={(active = "") => set({ active })}
      />
    </FilterBar>
  );
}
