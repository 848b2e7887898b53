import { Outlet } from "@tanstack/react-router";
import { Suspense } from "react";
import { useTranslation } from "../../base/i18n.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { Loading } from "../shell/loading.tsx";
import { SectionNav } from "./section-nav.tsx";

/** The pages of webhook deliveries: live, log and replays. */
export function DeliveriesPage() {
  const { t } = useTranslation("deliveries");
  return (
    <>
      <PageHeader title={t("title")} />
      <SectionNav />
      <Suspense fallback={<Loading />}>
        <Outlet />
      </Suspense>
    </>
  );
}
