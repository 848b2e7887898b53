/** The row of filters above a list. Each stands on a line of its own where there is little room. */
import { MultiSelect } from "@mantine/core";
import type { ReactNode } from "react";
import { SearchField } from "./search-field.tsx";
import classes from "./list-filters.module.css";

type FilterBarProps = Readonly<{ label: string; children: ReactNode }>;

export const FilterBar = ({ label, children }: FilterBarProps) => (
  <div className={classes["bar"]} role="search" aria-label={label}>
    {children}
  </div>
);

type SearchFilterProps = Readonly<{
  label: string;
  placeholder: string;
  value: string | undefined;
  maxLength: number;
  /** What to look for once nobody types any more; undefined for everything. */
  onSearch: (text: string | undefined) => void;
}>;

export const SearchFilter = ({ value = "", onSearch, ...field }: SearchFilterProps) => (
  <SearchField
    {...field}
    value={value}
    onChange={(text) => onSearch(text === "" ? undefined : text)}
    className={classes["search"]}
  />
);

type ChoicesFilterProps = Readonly<{
  label: string;
  /** Said where nothing is chosen. */
  any: string;
  choices: { value: string; label: string }[];
  chosen: string[];
  /** The chosen values joined by commas, as an address keeps them; undefined for none. */
  onChoose: (values: string | undefined) => void;
}>;

export const ChoicesFilter = ({ label, any, choices, chosen, onChoose }: ChoicesFilterProps) => (
  <MultiSelect
    label={label}
    placeholder={chosen.length === 0 ? any : ""}
    data={choices}
    value={chosen}
    onChange={(values) => onChoose(values.length === 0 ? undefined : values.join(","))}
    clearable
  />
);
