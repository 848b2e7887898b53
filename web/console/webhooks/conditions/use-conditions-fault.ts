import { useTranslation } from "../../../base/i18n.ts";
import { parseConditions } from "../form/values.ts";
import { jsonFault } from "./json-fault.ts";

/** The error of a conditions text with its position; null if valid. */
export function useConditionsFault(): (text: string) => string | null {
  const { t } = useTranslation("webhooks");
  return (text) => {
    if (parseConditions(text) !== undefined) {
      return null;
    }
    const fault = jsonFault(text);
    if (fault === undefined) {
      return t("conditions.no_object");
    }
    const { line, column, found } = fault;
    const what = found === undefined ? t("conditions.end") : t("conditions.found", { found });
    return t("conditions.fault", { line, column, what });
  };
}
