import { Link, Outlet } from "@tanstack/react-router";
import { IconLock } from "@tabler/icons-react";
import { Suspense } from "react";
import { useTranslation } from "../../base/i18n.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useMay } from "../session.ts";
import { Loading } from "../shell/loading.tsx";
import classes from "../../components/section-nav.module.css";

/** For the platform's operators: health and enterprises. */
export function PlatformPage() {
  const { t } = useTranslation("platform");
  if (!useMay("platform.read")) {
    return <EmptyState icon={IconLock} title={t("refused.title")} text={t("refused.text")} />;
  }
  return (
    <>
      <PageHeader title={t("title")} />
      <Parts />
      <Suspense fallback={<Loading />}>
        <Outlet />
      </Suspense>
    </>
  );
}

function Parts() {
  const { t } = useTranslation("platform");
  const link = {
    className: classes["item"] ?? "",
    activeProps: { "aria-current": "page" },
  } as const;
  return (
    <nav className={classes["nav"]} aria-label={t("title")}>
      <Link to="/platform" {...link} activeOptions={{ exact: true }}>
        {t("part.health")}
      </Link>
      <Link to="/platform/enterprises" {...link} activeOptions={{ includeSearch: false }}>
        {t("part.enterprises")}
      </Link>
    </nav>
  );
}
