/** Colleagues of the user, by name; needs no permission to read users. */
import { Select } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, call } from "../../base/api.ts";
import { useTranslation } from "../../base/i18n.ts";
import { ErrorBox } from "../../components/error-box.tsx";

type ColleagueSelectProps = Readonly<{
  ticketId: number;
  label: string;
  /** Whom the list offers: those who can take the ticket over, or all who can join its call. */
  who: "agents" | "experts";
  /** The login of an agent, the id of an expert; "" for none. */
  value: string;
  onChange: (value: string) => void;
}>;

function colleaguesQuery(ticketId: number) {
  return queryOptions({
    queryKey: ["tickets", ticketId, "colleagues"],
    queryFn: async () => {
      const params = { path: { ticketId } };
      return (await call(api.GET("/api/tickets/{ticketId}/colleagues", { params }))).data;
    },
    staleTime: 60_000,
  });
}

export function ColleagueSelect({ ticketId, label, who, value, onChange }: ColleagueSelectProps) {
  const { t } = useTranslation("tickets");
  const { data = [], error, isFetching, refetch } = useQuery(colleaguesQuery(ticketId));
  if (error !== null) {
    return <ErrorBox error={error} onRetry={() => void refetch()} />;
  }
  const offered = who === "agents" ? data.filter((colleague) => colleague.may_take) : data;
  return (
    <Select
      label={label}
      searchable
      required
      data={offered.map(({ id, login, name }) => ({
        value: who === "agents" ? login : String(id),
        label: name,
      }))}
      value={value === "" ? null : value}
      onChange={(chosen) => onChange(chosen ?? "")}
      limit={50}
      nothingFoundMessage={t(isFetching ? "agent.looking" : "agent.none")}
    />
  );
}
