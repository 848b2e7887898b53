import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";

type SearchFieldProps = Readonly<{
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
}>;

/** A text that narrows a list, asked for a moment after the last key. */
export const SearchField = ({ label, placeholder, value, onChange }: SearchFieldProps) => {
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
      type="search"
      label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={15} aria-hidden />}
      maxLength={255}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        ask(event.currentTarget.value);
      }}
    />
  );
};
