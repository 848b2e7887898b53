import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ColumnDef } from "@tanstack/react-table";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { StateBadge } from "../../components/state-badge.tsx";
import type { Service } from "./queries.ts";

export const useColumns = (): ColumnDef<Service>[] => {
  const { t } = useTranslation("services");
  return useMemo(
    () => [
      {
        id: "name",
        header: t("field.name"),
        enableHiding: false,
        cell: ({ row }) => (
          <Anchor
            component={Link}
            to={`/settings/services/${row.original.id}`}
            fw={600}
            size="sm"
            style={{ overflowWrap: "anywhere" }}
            onClick={(event: React.MouseEvent) => event.stopPropagation()}
          >
            {row.original.name}
          </Anchor>
        ),
      },
      { id: "kind", header: t("field.kind"), accessorFn: ({ kind }) => t(`kind.${kind}`) },
      {
        id: "groups",
        header: t("field.groups"),
        meta: { isMinor: true },
        accessorFn: ({ groups }) =>
          groups.length === 0 ? t("list.all_agents") : groups.map(({ name }) => name).join(", "),
      },
      {
        id: "types",
        header: t("field.types"),
        meta: { isMinor: true },
        accessorFn: ({ ticket_types: types }) => types.join(", ") || "–",
      },
      {
        id: "state",
        header: t("field.state"),
        cell: ({ row }) => (
          <StateBadge meaning={row.original.is_active ? "good" : "neutral"}>
            {t(row.original.is_active ? "state.active" : "state.off")}
          </StateBadge>
        ),
      },
    ],
    [t],
  );
};
