import { useTranslation } from "../../base/i18n.ts";
import { asProblem } from "../../base/problem.ts";

/** Validation errors of the API by form field. */
export function useFieldFaults() {
  const { t } = useTranslation("tickets");
  return (thrown: unknown): Record<string, string> =>
    Object.fromEntries(
      asProblem(thrown).errors.map(({ field, detail }) => [field, detail ?? t("form.refused")]),
    );
}
