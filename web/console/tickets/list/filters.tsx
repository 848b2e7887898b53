import { Button, Input } from "@mantine/core";
import { IconSelector, IconX } from "@tabler/icons-react";
import { useTranslation } from "../../../base/i18n.ts";
import { FilterRow } from "../../../components/filter-pill.tsx";
import { SearchField } from "../../../components/search-field.tsx";
import { useMay } from "../../session.ts";
import { isFiltered, sortNames, unfiltered } from "./list-search.ts";
import {
  AgentFilter,
  PeriodFilter,
  ServiceFilter,
  StateFilter,
  type FilterProps,
} from "./pills.tsx";
import classes from "./list.module.css";

const SearchBox = ({ search, set }: FilterProps) => {
  const { t } = useTranslation("tickets");
  return (
    <SearchField
      label={t("filter.search")}
      placeholder={t("filter.search_hint")}
      value={search.q ?? ""}
      onChange={(q) => set({ q })}
      isSmall
    />
  );
};

const SortSelect = ({ search, set }: FilterProps) => {
  const { t } = useTranslation("tickets");
  return (
    <Input
      component="select"
      size="xs"
      pointer
      aria-label={t("sort.name")}
      rightSection={<IconSelector size={14} aria-hidden />}
      rightSectionPointerEvents="none"
      value={search.sort ?? "newest"}
      onChange={({ target }) =>
        set({ sort: sortNames.find((sort) => sort === target.value) ?? "newest" })
      }
    >
      {sortNames.map((sort) => (
        <option key={sort} value={sort}>
          {t(`sort.${sort}`)}
        </option>
      ))}
    </Input>
  );
};

/** What the list is narrowed by, and its order. What is set stands in its pill, and in the address. */
export const Filters = (props: FilterProps) => {
  const { t } = useTranslation("tickets");
  const maySeeServices = useMay("services.read");
  return (
    <div className={classes["bar"]} role="group" aria-label={t("filter.name")}>
      <FilterRow search={<SearchBox {...props} />}>
        <StateFilter {...props} />
        <AgentFilter {...props} />
        {maySeeServices ? <ServiceFilter {...props} /> : null}
        <PeriodFilter {...props} />
        {isFiltered(props.search) ? (
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            leftSection={<IconX size={12} aria-hidden />}
            onClick={() => props.set(unfiltered)}
          >
            {t("list.reset")}
          </Button>
        ) : null}
      </FilterRow>
      <div className={classes["sort"]}>
        <SortSelect {...props} />
      </div>
    </div>
  );
};
