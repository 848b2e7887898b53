import { useTranslation } from "../../base/i18n.ts";
import { StateBadge } from "../../components/state-badge.tsx";
import { meaningOf, type Situation } from "./health-words.ts";

/** How a webhook does, in a word with its icon. */
export const SituationBadge = ({ situation }: { situation: Situation }) => {
  const { t } = useTranslation("webhooks");
  return <StateBadge meaning={meaningOf[situation]}>{t(`situation.${situation}.word`)}</StateBadge>;
};
