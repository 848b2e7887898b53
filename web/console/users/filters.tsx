import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../base/i18n.ts";
import { roles } from "../../../src/contracts/permissions.ts";
import { useSession } from "../session.ts";
import { SearchField } from "../../components/search-field.tsx";
import { groupsQuery, roleOf, type UsersSearch } from "./queries.ts";
import classes from "./users.module.css";

type FiltersProps = Readonly<{
  search: UsersSearch;
  set: (change: Partial<UsersSearch>) => void;
}>;

/** What the list is narrowed by. */
export const UserFilters = ({ search, set }: FiltersProps) => {
  const { t } = useTranslation("users");
  const { enterprise } = useSession();
  const { data: groups } = useQuery(groupsQuery(enterprise.id));
  return (
    <div className={classes["filters"]} role="search" aria-label={t("filter.name")}>
      <SearchField
        label={t("filter.search")}
        placeholder={t("filter.search_hint")}
        value={search.q ?? ""}
        onChange={(q) => set({ q })}
      />
      <Select
        label={t("field.role")}
        placeholder={t("filter.any")}
        clearable
        data={roles.map((value) => ({ value, label: t(`role.${value}`) }))}
        value={roleOf(search.role) ?? null}
        onChange={(role) => set({ role: role ?? "" })}
      />
      <Select
        label={t("field.group")}
        placeholder={t("filter.any")}
        clearable
        searchable
        data={(groups ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        value={search.group ?? null}
        onChange={(group) => set({ group: group ?? "" })}
      />
      <Select
        label={t("filter.active")}
        placeholder={t("filter.any")}
        clearable
        data={[
          { value: "yes", label: t("state.active") },
          { value: "no", label: t("state.off") },
        ]}
        value={search.active ?? null}
        onChange={(active) => set({ active: active ?? "" })}
      />
    </div>
  );
};
