import { Anchor, Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import { PageHeader } from "../../../components/page-header.tsx";
import { StateBadge } from "../../../components/state-badge.tsx";
import { useMay } from "../../session.ts";
import { serviceQuery, type Service } from "../queries.ts";
import classes from "../services.module.css";
import { PageFault } from "../../shell/page-fault.tsx";
import { DeleteService } from "./delete-service.tsx";
import { EntryPoints } from "./entry-points.tsx";
import { ServiceKey } from "./service-key.tsx";
import { SettingsForm } from "./settings-form.tsx";
import { SurveyEditor } from "./survey-editor.tsx";
import { CopyText } from "../../../components/copy-button.tsx";
import { Section } from "../../../components/section.tsx";

/** A service: settings, entry points and survey. */
export function ServicePage() {
  const { serviceId } = useParams({
    from: "/signed-in/settings-layout/settings/services/$serviceId",
  });
  const { data, error, refetch } = useQuery(serviceQuery(Number(serviceId)));
  const mayChange = useMay("services.write");
  if (error !== null && data === undefined) {
    return <PageFault error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) {
    return (
      <Stack>
        <Skeleton height={48} width={320} />
        <Skeleton height={460} />
        <Skeleton height={120} />
      </Stack>
    );
  }
  return (
    <>
      <Head service={data} />
      <SettingsForm key={data.id} service={data} />
      <div className={classes["two"]}>
        <ServiceKey service={data} />
        <QuickInvitationLink service={data} />
      </div>
      <EntryPoints serviceId={data.id} />
      <SurveyEditor serviceId={data.id} />
      {mayChange ? <DeleteService service={data} /> : null}
    </>
  );
}

function Head({ service }: { service: Service }) {
  const { t } = useTranslation("services");
  return (
    <PageHeader
      title={service.name}
      badge={
        <StateBadge meaning={service.is_active ? "good" : "neutral"}>
          {t(service.is_active ? "state.active" : "state.off")}
        </StateBadge>
      }
      note={t(`kind_note.${service.kind}`)}
      actions={
        <>
          <Anchor
            component={Link}
            to={`/settings/templates?service=${service.id}`}
            size="sm"
            mr="sm"
          >
            {t("detail.templates")}
          </Anchor>
          <Anchor component={Link} to="/settings/services" size="sm">
            {t("detail.all")}
          </Anchor>
        </>
      }
    />
  );
}

/** Link to the quick invitation with this service preselected. */
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
