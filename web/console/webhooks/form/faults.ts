/** Maps API errors to form fields. */
import { useTranslation } from "../../../base/i18n.ts";
import { asProblem, type ApiProblem } from "../../../base/problem.ts";
import { formFieldOf, reasonOf } from "./field-names.ts";
import type { FormValues } from "./values.ts";

/** Errors by form field; empty if the error concerns no field. */
export function useFieldFaults() {
  const textOf = useFaultText();
  return (thrown: unknown, values: FormValues): Record<string, string> => {
    const problem = asProblem(thrown);
    return Object.fromEntries(
      problem.errors.map((error) => [
        formFieldOf(error.field, values),
        textOf(problem, reasonOf(error)),
      ]),
    );
  };
}

/** The translated error. The English detail of the API is more precise. */
function useFaultText() {
  const { t, find, language } = useTranslation("webhooks");
  return (problem: ApiProblem, reason: string): string => {
    if (reason === "masked" || reason === "renamed") {
      return t(`fault.${reason}`);
    }
    if (language === "en" && problem.errors.length === 1 && problem.message !== "") {
      return problem.message;
    }
    return find(`fault.${reason}`) ?? t("fault.other");
  };
}
