import { TextInput, type TextInputProps } from "@mantine/core";
import { useEffect, useRef } from "react";

type DateRangeFieldProps = Readonly<{
  type: "date" | "datetime-local";
  value: string;
  onApply: (value: string) => void;
}> &
  Pick<TextInputProps, "label" | "aria-label" | "min" | "max" | "error" | "size">;

/**
 * Applies only complete dates: after the first digit of a year, the value is valid but wrong. Shows
 * `value` again after a date that was not taken.
 */
export function DateRangeField({ value, onApply, ...field }: DateRangeFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const show = (): void => {
    if (input.current !== null) {
      input.current.value = value;
    }
  };
  // No key: a new element would lose the focus.
  useEffect(show, [value]);
  const apply = (text: string): void => {
    if (text !== value) {
      show();
      onApply(text);
    }
  };
  return (
    <TextInput
      size="xs"
      {...field}
      ref={input}
      defaultValue={value}
      onBlur={(event) => apply(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") {
          apply(event.currentTarget.value);
        }
      }}
    />
  );
}
