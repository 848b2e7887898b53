import { Input } from "@mantine/core";
import { IconSelector } from "@tabler/icons-react";

type SortSelectProps<Sort extends string> = Readonly<{
  label: string;
  sorts: readonly Readonly<{ value: Sort; label: string }>[];
  value: Sort;
  onChange: (sort: Sort) => void;
}>;

/** Selects the sort order of a list. */
export function SortSelect<Sort extends string>(props: SortSelectProps<Sort>) {
  const { label, sorts, value, onChange } = props;
  return (
    <Input
      component="select"
      size="xs"
      pointer
      aria-label={label}
      rightSection={<IconSelector size={14} aria-hidden />}
      rightSectionPointerEvents="none"
      value={value}
      onChange={({ target }) => {
        const chosen = sorts.find((sort) => sort.value === target.value);
        if (chosen !== undefined) {
          onChange(chosen.value);
        }
      }}
    >
      {sorts.map((sort) => (
        <option key={sort.value} value={sort.value}>
          {sort.label}
        </option>
      ))}
    </Input>
  );
}
