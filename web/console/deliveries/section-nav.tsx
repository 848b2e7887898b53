import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../base/i18n.ts";
import classes from "../../components/section-nav.module.css";

const exact = { includeSearch: true, explicitUndefined: true } as const;
const whole = { exact: true, includeSearch: false } as const;
const whatever = { includeSearch: false } as const;

/** Tabs of the delivery pages; each has its own URL. */
export function SectionNav() {
  const { t } = useTranslation("deliveries");
  const className = classes["item"] ?? "";
  return (
    <nav className={classes["nav"]} aria-label={t("title")}>
      <Link to="/dashboard/deliveries" search={{}} className={className} activeOptions={whole}>
        {t("part.now")}
      </Link>
      <Link
        to="/dashboard/deliveries/log"
        search={{}}
        className={className}
        activeOptions={whatever}
      >
        {t("part.log")}
      </Link>
      <Link
        to="/dashboard/deliveries/replays"
        search={{}}
        className={className}
        activeOptions={whatever}
      >
        {t("part.replays")}
      </Link>
      <Link
        to="/dashboard/explain"
        search={{ part: undefined }}
        className={className}
        activeOptions={exact}
      >
        {t("part.explain")}
      </Link>
      <Link to="/dashboard/explain" search={{ part: "webhook" }} className={className}>
        {t("part.webhook")}
      </Link>
      <Link to="/dashboard/explain" search={{ part: "period" }} className={className}>
        {t("part.missing")}
      </Link>
    </nav>
  );
}
