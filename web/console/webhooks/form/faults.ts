/** The faults that the API tells, at the fields of the form. */
import { useTranslation } from "../../../base/i18n.ts";
import { asProblem, type ApiProblem } from "../../../base/problem.ts";
import { formFieldOf } from "./field-names.ts";

/** Faults by field of the form; empty where the refusal is about no field. */
export function useFieldFaults() {
  const textOf = useFaultText();
  return (thrown: unknown): Record<string, string> => {
    const problem = asProblem(thrown);
    return Object.fromEntries(
      problem.errors.map(({ field, reason }) => [formFieldOf(field), textOf(problem, reason)]),
    );
  };
}

/** A fault in the reader's words. The API speaks English, and there it knows more. */
function useFaultText() {
  const { t, find, language } = useTranslation("webhooks");
  return (problem: ApiProblem, reason: string): string => {
    if (reason === "masked") {
      return t("fault.masked");
    }
    if (language === "en" && problem.errors.length === 1 && problem.message !== "") {
      return problem.message;
    }
    return find(`fault.${reason}`) ?? t("fault.other");
  };
}
