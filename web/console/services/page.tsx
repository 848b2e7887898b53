import { Button, SegmentedControl } from "@mantine/core";
import { IconHeadset, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useTranslation } from "../../base/i18n.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { PagedTable } from "../../components/paged-table.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useMay } from "../session.ts";
import { SearchField } from "../../components/search-field.tsx";
import { useSearchValues } from "../use-search.ts";
import { useColumns } from "./columns.tsx";
import { kindOf, servicesQuery, type ServicesSearch } from "./queries.ts";
import classes from "./services.module.css";

type PartProps = Readonly<{
  search: ServicesSearch;
  set: (change: Partial<ServicesSearch>) => void;
}>;

/** The list of services. */
export function ServicesPage() {
  const { t } = useTranslation("services");
  const [search, set] = useSearchValues<ServicesSearch>();
  const mayChange = useMay("services.write");
  return (
    <>
      <PageHeader
        title={t("list.title")}
        note={t("list.note")}
        actions={
          mayChange ? (
            <Button
              component={Link}
              to="/settings/services/new"
              leftSection={<IconPlus size={16} aria-hidden />}
            >
              {t("list.new")}
            </Button>
          ) : undefined
        }
      />
      <Filters search={search} set={set} />
      <Found search={search} set={set} />
    </>
  );
}

function Filters({ search, set }: PartProps) {
  const { t } = useTranslation("services");
  return (
    <div className={classes["filters"]} role="search" aria-label={t("list.filters")}>
      <SearchField
        label={t("list.search")}
        placeholder={t("field.name")}
        value={search.q ?? ""}
        onChange={(q) => set({ q })}
      />
      <SegmentedControl
        aria-label={t("field.kind")}
        data={[
          { value: "", label: t("list.all") },
          { value: "ticket", label: t("kind.ticket") },
          { value: "conference", label: t("kind.conference") },
        ]}
        value={kindOf(search.kind) ?? ""}
        onChange={(kind) => set({ kind })}
      />
    </div>
  );
}

function Found({ search, set }: PartProps) {
  const { t } = useTranslation("services");
  const result = useQuery(servicesQuery(search));
  const columns = useColumns();
  const navigate = useNavigate();
  return (
    <PagedTable
      name="services"
      label={t("list.title")}
      columns={columns}
      query={result}
      onOpen={({ id }) =>
        void navigate({
          to: "/settings/services/$serviceId",
          params: { serviceId: String(id) },
        })
      }
      page={search.page}
      onPage={(page) => set({ page })}
      nothing={
        <EmptyState
          icon={IconHeadset}
          title={t("list.none")}
          text={t("list.none_note")}
          action={
            <Button variant="default" onClick={() => set({ q: "", kind: "", page: "" })}>
              {t("list.every")}
            </Button>
          }
        />
      }
    />
  );
}
