import { Button } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { IconMapSearch } from "@tabler/icons-react";
import { Link, useRouterState } from "@tanstack/react-router";
import { useTranslation } from "../../base/i18n.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { navItemAt } from "./navigation.ts";

const firstPlace = { to: "/tickets", name: "nav.tickets" } as const;

/** Not found, with a link to the parent list. */
export function NotFound() {
  const { t } = useTranslation();
  const { to, name } = useRouterState({
    select: ({ location }) => navItemAt(location.pathname) ?? firstPlace,
  });
  useDocumentTitle(`${t("not_found.title")} · Sightline`);
  return (
    <EmptyState
      isPage
      icon={IconMapSearch}
      title={t("not_found.title")}
      text={t("not_found.text")}
      action={
        <Button component={Link} to={to} variant="default" mt="xs">
          {t("not_found.back", { place: t(name) })}
        </Button>
      }
    />
  );
}
