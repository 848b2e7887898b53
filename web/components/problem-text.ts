import { useTranslation } from "../base/i18n.ts";
import { asProblem, pageFault } from "../base/problem.ts";

/** What to tell people about a fault: what happened, and what to do. */
export function useProblemText() {
  const { t, find, language } = useTranslation();
  return (thrown: unknown): { title: string; text: string; requestId: string | undefined } => {
    const problem = asProblem(thrown);
    const isOfPage = problem.code === pageFault;
    const known = isOfPage
      ? t("problem.page")
      : (find(`problem.${problem.code}`) ?? t("problem.other"));
    // The API speaks English and knows more; other languages get the kind of fault in their words.
    // What went wrong in the page is for support, in any language.
    const hasDetail = isOfPage || (language === "en" && problem.message !== known);
    return { title: known, text: hasDetail ? problem.message : "", requestId: problem.requestId };
  };
}
