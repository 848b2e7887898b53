import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTranslation } from "../../base/i18n.ts";
import type { Column } from "../../components/data-table.tsx";
import { StateBadge } from "../../components/state-badge.tsx";
import type { Service } from "./queries.ts";

export function useColumns(): Column<Service>[] {
  const { t } = useTranslation("services");
  return useMemo(
    () => [
      {
        id: "name",
        header: t("field.name"),
        isFixed: true,
        cell: (service) => (
          <Anchor
            component={Link}
            to={`/settings/services/${service.id}`}
            fw={600}
            size="sm"
            style={{ overflowWrap: "anywhere" }}
            onClick={(event: React.MouseEvent) => event.stopPropagation()}
          >
            {service.name}
          </Anchor>
        ),
      },
      { id: "kind", header: t("field.kind"), cell: ({ kind }) => t(`kind.${kind}`) },
      {
        id: "groups",
        header: t("field.groups"),
        isMinor: true,
        cell: ({ groups }) =>
          groups.length === 0 ? t("list.all_agents") : groups.map(({ name }) => name).join(", "),
      },
      {
        id: "types",
        header: t("field.types"),
        isMinor: true,
        cell: ({ ticket_types: types }) => types.join(", ") || "–",
      },
      {
        id: "state",
        header: t("field.state"),
        cell: (service) => (
          <StateBadge meaning={service.is_active ? "good" : "neutral"}>
            {t(service.is_active ? "state.active" : "state.off")}
          </StateBadge>
        ),
      },
    ],
    [t],
  );
}
