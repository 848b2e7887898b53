import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { afterNavigation, afterUpdate, initialText, pendingUpdate } from "./debounced-text.ts";

type SearchFieldProps = Readonly<{
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  maxLength?: number;
  className?: string | undefined;
  /** For toolbars: the label is for screen readers only, and the placeholder shows it. */
  isSmall?: boolean;
}>;

/** Search text; `onChange` is debounced (300 ms). */
export function SearchField(props: SearchFieldProps) {
  const { label, value, onChange, maxLength = 255, isSmall = false, ...field } = props;
  const [typed, setTyped] = useState(() => initialText(value));
  const search = useDebouncedCallback(() => {
    const text = pendingUpdate(typed);
    if (text !== undefined) {
      setTyped(afterUpdate(typed, text));
      onChange(text);
    }
  }, 300);
  if (typed.value !== value) {
    setTyped(afterNavigation(typed, value));
  }
  return (
    <TextInput
      {...field}
      {...(isSmall ? { size: "xs", "aria-label": label } : { label })}
      type="search"
      leftSection={<IconSearch size={15} aria-hidden />}
      maxLength={maxLength}
      value={typed.text}
      onChange={(event) => {
        setTyped({ ...typed, text: event.currentTarget.value });
        search();
      }}
    />
  );
}
