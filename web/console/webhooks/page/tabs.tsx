import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import classes from "../../../components/page-parts.module.css";
import { webhookTabs, type WebhookTab } from "./tab-search.ts";

type TabsProps = Readonly<{ webhookId: number; current: WebhookTab }>;

/** The parts of the page. Each has an address of its own. */
export function Tabs({ webhookId, current }: TabsProps) {
  const { t } = useTranslation("webhooks");
  return (
    <nav className={classes["parts"]} aria-label={t("page.tabs")}>
      {webhookTabs.map((tab) => (
        <Link
          key={tab}
          to="/settings/webhooks/$webhookId"
          params={{ webhookId: String(webhookId) }}
          search={tab === "overview" ? {} : { tab }}
          className={classes["part"] ?? ""}
          activeOptions={{ exact: true, includeSearch: true, explicitUndefined: true }}
          {...(tab === current ? { "aria-current": "page" as const } : {})}
        >
          {t(`page.tab.${tab}`)}
        </Link>
      ))}
    </nav>
  );
}
