import { useTranslation } from "../../../base/i18n.ts";
import { CopyText } from "../../../components/copy.tsx";
import { Section } from "../../../components/section.tsx";
import type { Service } from "../queries.ts";
import classes from "../services.module.css";

/** The page that invites a customer in one step, with this service chosen. */
export function QuickInvitationLink({ service }: { service: Service }) {
  const { t } = useTranslation("services");
  const query = new URLSearchParams({ service_key: service.service_key });
  return (
    <Section title={t("quick.title")} note={t("quick.note")}>
      <span className={classes["address"]}>
        <CopyText
          value={`${location.origin}/quick-invitation?${query.toString()}`}
          name={t("quick.title")}
        />
      </span>
    </Section>
  );
}
