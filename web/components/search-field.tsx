import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";

type SearchFieldProps = Readonly<{
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  maxLength?: number;
  className?: string | undefined;
}>;

/** A text that narrows a list, asked for a moment after the last key. */
export const SearchField = ({ value, onChange, maxLength = 255, ...field }: SearchFieldProps) => {
  const [typed, setTyped] = useState(value);
  const ask = useDebouncedCallback((text: string) => onChange(text.trim()), 300);
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    // The address has changed by other means, such as the browser's way back.
    setSeen(value);
    setTyped(typed.trim() === value ? typed : value);
  }
  return (
    <TextInput
      {...field}
      type="search"
      leftSection={<IconSearch size={15} aria-hidden />}
      maxLength={maxLength}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        ask(event.currentTarget.value);
      }}
    />
  );
};
