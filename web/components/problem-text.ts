import { useTranslation } from "react-i18next";
import { asProblem } from "../base/problem.ts";

/** What to tell people about a fault: what happened, and what to do. */
export const useProblemText = () => {
  const { t, i18n } = useTranslation();
  return (thrown: unknown): { title: string; text: string; requestId: string | undefined } => {
    const problem = asProblem(thrown);
    const key = `problem.${problem.code}` as "problem.0";
    const known = i18n.exists(key) ? t(key) : t("problem.other");
    // The API speaks English and knows more; other languages get the kind of fault in their words.
    const detail = i18n.language === "en" && problem.message !== "" ? problem.message : known;
    return { title: known, text: detail === known ? "" : detail, requestId: problem.requestId };
  };
};
