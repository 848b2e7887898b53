import { useTranslation } from "../base/i18n.ts";
import { ApiProblem, asProblem } from "../base/problem.ts";

/** What to tell people about a fault: what happened, and what to do. */
export const useProblemText = () => {
  const { t, find, language } = useTranslation();
  return (thrown: unknown): { title: string; text: string; requestId: string | undefined } => {
    const problem = asProblem(thrown);
    const known = find(`problem.${problem.code}`) ?? t("problem.other");
    // The API speaks English and knows more; other languages get the kind of fault in their words. What
    // a browser says of a lost connection is for nobody.
    const hasDetail =
      thrown instanceof ApiProblem && language === "en" && problem.message !== known;
    return { title: known, text: hasDetail ? problem.message : "", requestId: problem.requestId };
  };
};
