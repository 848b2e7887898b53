import { TextInput, type TextInputProps } from "@mantine/core";

type DateRangeFieldProps = Readonly<{
  type: "date" | "datetime-local";
  value: string;
  onApply: (value: string) => void;
}> &
  Pick<TextInputProps, "label" | "aria-label" | "min" | "max" | "error" | "size">;

/** Applies only complete dates: after the first digit of a year, the value is valid but wrong. */
export function DateRangeField({ value, onApply, ...field }: DateRangeFieldProps) {
  const apply = (text: string): void => {
    if (text !== value) {
      onApply(text);
    }
  };
  return (
    <TextInput
      size="xs"
      {...field}
      key={value}
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
