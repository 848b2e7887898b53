import { useTranslation } from "../base/i18n.ts";
import { asProblem, pageFault } from "../base/problem.ts";

/** The user-facing text of an error: what happened and what to do. */
export function useProblemText() {
  const { t, find, language } = useTranslation();
  return (thrown: unknown): { title: string; text: string; requestId: string | undefined } => {
    const problem = asProblem(thrown);
    const isOfPage = problem.code === pageFault;
    const known = isOfPage
      ? t("problem.page")
      : (find(`problem.${problem.code}`) ?? t("problem.other"));
    // The API's English detail is more precise; other languages get a translated text for the error
    // code. Errors of the page itself are for support, in any language.
    const hasDetail = isOfPage || (language === "en" && problem.message !== known);
    return { title: known, text: hasDetail ? problem.message : "", requestId: problem.requestId };
  };
}
