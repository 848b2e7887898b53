import { Select, TextInput } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useTranslation } from "../../base/i18n.ts";
import { useMay, useSession } from "../session.ts";
import { servicesQuery } from "./queries.ts";

/** Selects the service, from a list or by its key. */
export function ServiceChoice() {
  const { t } = useTranslation("statistics");
  const navigate = useNavigate({ from: "/statistics" });
  const { service } = useSearch({ from: "/signed-in/statistics" });
  const mayList = useMay("services.read");
  const needsOne = useServiceNeed();
  const { data } = useQuery({ ...servicesQuery, enabled: mayList });
  const choose = (next: string | null): void => {
    const key = next === null || next.trim() === "" ? undefined : next.trim();
    void navigate({ search: (was) => ({ ...was, service: key, session: undefined }) });
  };
  return mayList ? (
    <Select
      aria-label={t("sessions.service")}
      placeholder={t(needsOne ? "sessions.choose_service" : "sessions.all_services")}
      data={(data ?? []).map(({ service_key, name }) => ({
        value: service_key,
        label: name,
      }))}
      value={service ?? null}
      onChange={choose}
      clearable
      allowDeselect
      searchable
    />
  ) : (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const input = new FormData(event.currentTarget).get("service");
        choose(typeof input === "string" ? input : null);
      }}
    >
      <TextInput
        name="service"
        aria-label={t("sessions.service_key")}
        placeholder={t("sessions.service_key")}
        defaultValue={service ?? ""}
        leftSection={<IconKey size={15} aria-hidden />}
        onBlur={(event) => choose(event.currentTarget.value)}
      />
    </form>
  );
}

/** Administrators see all services at once; others must select one. */
export function useServiceNeed(): boolean {
  const { user } = useSession();
  return user.role !== "admin" && user.role !== "superadmin";
}
