import { useForm, type UseFormReturnType } from "@mantine/form";
import { useTranslation } from "../../base/i18n.ts";
import { formatNumber } from "../../base/format.ts";
import { fieldFaults } from "../../components/field-faults.ts";
import { boundsOf, isWithin, type ServiceValues } from "./values.ts";

export function useServiceForm(
  initialValues: ServiceValues,
): UseFormReturnType<ServiceValues> & { showFaults: (thrown: unknown) => void } {
  const { t } = useTranslation("services");
  const range = (field: Parameters<typeof boundsOf>[0], value: number | ""): string | null => {
    const { min, max } = boundsOf(field);
    return isWithin(field, value)
      ? null
      : t("fault.range", { min: formatNumber(min), max: formatNumber(max) });
  };
  const form = useForm<ServiceValues>({
    initialValues,
    validate: {
      name: (value) => (value.trim() === "" ? t("base:form.required") : null),
      not_clicked_minutes: (value) => range("not_clicked_minutes", value),
      reminder_minutes: (value) => (value === "" ? null : range("reminder_minutes", value)),
      media_retention_days: (value) => range("media_retention_days", value),
    },
  });
  const showFaults = (thrown: unknown): void => {
    const faults = fieldFaults(thrown, () => t("fault.value"));
    form.setErrors(
      Object.fromEntries(
        Object.entries(faults).map(([field, say]) => [field.replace(/\[\d+\]$/u, ""), say]),
      ),
    );
  };
  return { ...form, showFaults };
}
