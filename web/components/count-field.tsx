import { TextInput, type TextInputProps } from "@mantine/core";

type CountFieldProps = Omit<TextInputProps, "value" | "onChange" | "defaultValue"> &
  Readonly<{
    /** Shown after the label. */
    unit: string;
    /** `""` if empty. */
    value?: number | "";
    onChange?: (value: number | "") => void;
  }>;

/** A whole number, up to nine digits. Mantine's NumberInput is 9 KB larger. */
export function CountField({ unit, label, value = "", onChange, ...rest }: CountFieldProps) {
  return (
    <TextInput
      label={
        <>
          {label} ({unit})
        </>
      }
      inputMode="numeric"
      autoComplete="off"
      value={String(value)}
      onChange={({ currentTarget }) => {
        const digits = currentTarget.value.replaceAll(/\D/gu, "").slice(0, 9);
        onChange?.(digits === "" ? "" : Number(digits));
      }}
      {...rest}
    />
  );
}
