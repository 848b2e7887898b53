import { Button, Collapse, Group, MultiSelect, Select, TextInput } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { IconAdjustmentsHorizontal, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { SearchField } from "../../../components/search-field.tsx";
import { useMay, useSession } from "../../session.ts";
import { AgentSelect } from "../agent-select.tsx";
import { servicesQuery } from "../queries.ts";
import { ticketStates } from "../types.ts";
import { isFiltered, sortNames, type ListSearch } from "./list-search.ts";
import classes from "./list.module.css";
import { narrow } from "./narrow.ts";

type FiltersProps = Readonly<{
  search: ListSearch;
  set: (change: Partial<ListSearch>) => void;
}>;

const AgentFilter = ({ search, set }: FiltersProps) => {
  const { t } = useTranslation("tickets");
  const { user } = useSession();
  if (useMay("users.read")) {
    return (
      <AgentSelect
        label={t("filter.agent")}
        placeholder={t("filter.any")}
        value={search.agent ?? ""}
        onChange={(agent) => set({ agent })}
        isClearable
      />
    );
  }
  return (
    <Select
      label={t("filter.agent")}
      data={[
        { value: "", label: t("filter.any") },
        { value: user.login, label: t("filter.mine") },
      ]}
      value={search.agent ?? ""}
      onChange={(agent) => set({ agent: agent ?? "" })}
    />
  );
};

const ServiceFilter = ({ search, set }: FiltersProps) => {
  const { t } = useTranslation("tickets");
  const { data } = useQuery(servicesQuery);
  return (
    <Select
      label={t("filter.service")}
      placeholder={t("filter.any")}
      clearable
      searchable
      data={(data ?? []).map(({ service_key: value, name }) => ({ value, label: name }))}
      value={search.service ?? null}
      onChange={(service) => set({ service: service ?? "" })}
    />
  );
};

const SearchBox = ({ search, set }: FiltersProps) => {
  const { t } = useTranslation("tickets");
  return (
    <SearchField
      label={t("filter.search")}
      placeholder={t("filter.search_hint")}
      value={search.q ?? ""}
      onChange={(q) => set({ q })}
    />
  );
};

const DayBox = ({ name, search, set }: FiltersProps & { name: "since" | "until" }) => {
  const { t } = useTranslation("tickets");
  return (
    <TextInput
      type="date"
      label={t(`filter.${name}`)}
      value={search[name] ?? ""}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  );
};

const StateFilter = ({ search, set }: FiltersProps) => {
  const { t } = useTranslation("tickets");
  const chosen = search.state?.split(",") ?? [];
  return (
    <MultiSelect
      label={t("filter.state")}
      placeholder={chosen.length === 0 ? t("filter.any") : ""}
      data={ticketStates.map((value) => ({ value, label: t(`state.${value}`) }))}
      value={chosen}
      onChange={(states) => set({ state: states.join(",") })}
      className={classes["states"] ?? ""}
      comboboxProps={{ shadow: "md" }}
    />
  );
};

const Fields = (props: FiltersProps) => {
  const maySeeServices = useMay("services.read");
  return (
    <div className={classes["filters"]}>
      <StateFilter {...props} />
      <AgentFilter {...props} />
      {maySeeServices ? <ServiceFilter {...props} /> : null}
      <SearchBox {...props} />
      <DayBox name="since" {...props} />
      <DayBox name="until" {...props} />
    </div>
  );
};

const SortSelect = ({ search, set }: FiltersProps) => {
  const { t } = useTranslation("tickets");
  return (
    <Select
      aria-label={t("sort.name")}
      size="xs"
      w={190}
      data={sortNames.map((value) => ({ value, label: t(`sort.${value}`) }))}
      value={search.sort ?? "newest"}
      onChange={(sort) => set({ sort: sortNames.find((known) => known === sort) ?? "newest" })}
    />
  );
};

/** What the list is narrowed by. On a phone behind one button, so that the tickets come first. */
export const Filters = (props: FiltersProps) => {
  const { t } = useTranslation("tickets");
  const [isOpen, { toggle }] = useDisclosure(isFiltered(props.search));
  const isNarrow = useMediaQuery(narrow, undefined, { getInitialValueInEffect: false });
  return (
    <div className={classes["bar"]}>
      {isNarrow ? null : <Fields {...props} />}
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Group gap="xs">
          <Button
            hiddenFrom="sm"
            variant="default"
            size="xs"
            aria-expanded={isOpen}
            leftSection={<IconAdjustmentsHorizontal size={14} aria-hidden />}
            onClick={toggle}
          >
            {t("filter.name")}
          </Button>
          {isFiltered(props.search) ? (
            <Button
              variant="subtle"
              size="xs"
              leftSection={<IconX size={14} aria-hidden />}
              onClick={() =>
                props.set({
                  ...{ state: "", agent: "", service: "", q: "", since: "", until: "" },
                })
              }
            >
              {t("list.reset")}
            </Button>
          ) : null}
        </Group>
        <SortSelect {...props} />
      </Group>
      {isNarrow ? (
        <Collapse expanded={isOpen}>
          <Fields {...props} />
        </Collapse>
      ) : null}
    </div>
  );
};
