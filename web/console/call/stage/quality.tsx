/** The connection quality of both sides, with advice. */
import { IconAntennaBars3, IconAntennaBars4, IconAntennaBars5 } from "@tabler/icons-react";
import type { CallQuality } from "../../../../src/contracts/room-messages.ts";
import { useTranslation } from "../../../base/i18n.ts";
import type { PeerView } from "../../../rooms/room.ts";
import classes from "./stage.module.css";

type QualityProps = Readonly<{
  own: CallQuality;
  customer: PeerView | undefined;
  name: string;
}>;

const icons = { good: IconAntennaBars5, fair: IconAntennaBars4, poor: IconAntennaBars3 } as const;

export function QualityBadges({ own, customer, name }: QualityProps) {
  const { t } = useTranslation("call");
  const theirs = customer?.isInCall === true ? customer.state.quality : undefined;
  const advice = own === "poor" ? "advice_own" : theirs === "poor" ? "advice_customer" : undefined;
  return (
    <div className={classes["quality"]} role="group" aria-label={t("quality.title")}>
      <Badge who={t("quality.you")} quality={own} />
      {theirs === undefined ? null : <Badge who={name} quality={theirs} />}
      <p className={classes["advice"]} aria-live="polite">
        {advice === undefined ? "" : t(`quality.${advice}`)}
      </p>
    </div>
  );
}

function Badge({ who, quality }: { who: string; quality: CallQuality }) {
  const { t } = useTranslation("call");
  const Picture = icons[quality];
  return (
    <span className={classes["bars"]} data-quality={quality}>
      <Picture size={16} aria-hidden />
      {who} · {t(`quality.${quality}`)}
    </span>
  );
}
