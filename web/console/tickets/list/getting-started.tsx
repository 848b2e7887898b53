import { IconCircle, IconCircleCheckFilled } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api, call } from "../../../base/api.ts";
import { useTranslation } from "../../../base/i18n.ts";
import { Section } from "../../../components/section.tsx";
import { useMay } from "../../session.ts";
import classes from "./list.module.css";

/** First steps for an empty console. */
export function GettingStarted() {
  const maySetUp = useMay("webhooks.write");
  const maySeeUsers = useMay("users.read");
  return maySetUp && maySeeUsers ? <Steps /> : null;
}

function Steps() {
  const { t } = useTranslation("tickets");
  return (
    <Section title={t("start.title")} note={t("start.note")}>
      <ol className={classes["start"]}>
        {useSteps().map(({ name, to, isDone }) => (
          <li key={name} data-done={isDone || undefined}>
            {isDone ? (
              <IconCircleCheckFilled size={20} aria-label={t("start.done")} />
            ) : (
              <IconCircle size={20} aria-hidden />
            )}
            <Link to={to}>{t(`start.${name}`)}</Link>
            <span>{t(`start.${name}_note`)}</span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

type Step = Readonly<{
  name: "invite" | "webhook" | "delivery" | "people";
  to: "/tickets/new" | "/settings/webhooks" | "/dashboard/deliveries" | "/settings/users";
  isDone: boolean;
}>;

/** The completed steps. Shown only without tickets, so no customer was invited yet. */
function useSteps(): Step[] {
  const webhooks = useQuery({
    queryKey: ["start", "webhooks"],
    queryFn: () => call(api.GET("/api/webhooks")),
  });
  const deliveries = useQuery({
    queryKey: ["start", "deliveries"],
    queryFn: () => call(api.GET("/api/webhooks/deliveries", { params: { query: { limit: 1 } } })),
  });
  const users = useQuery({
    queryKey: ["start", "users"],
    queryFn: () => call(api.GET("/api/users", { params: { query: { limit: 1 } } })),
  });
  const hasActive = webhooks.data?.data.some(({ active }) => active) ?? false;
  return [
    { name: "invite", to: "/tickets/new", isDone: false },
    { name: "webhook", to: "/settings/webhooks", isDone: hasActive },
    {
      name: "delivery",
      to: "/dashboard/deliveries",
      isDone: (deliveries.data?.data.length ?? 0) > 0,
    },
    { name: "people", to: "/settings/users", isDone: (users.data?.total ?? 0) > 1 },
  ];
}
