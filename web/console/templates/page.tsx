import { Select, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../base/i18n.ts";
import { ErrorBox } from "../../components/error-box.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { everyServiceQuery, type Service } from "../services/queries.ts";
import { useSession } from "../session.ts";
import { languageChoices } from "../settings/languages.ts";
import { useSearchValues } from "../use-search.ts";
import { Editor } from "./editor.tsx";
import { TemplateNav } from "./template-nav.tsx";
import {
  ownTemplatesQuery,
  defaultTemplateQuery,
  type TemplateOwner,
  type TemplateRef,
  type Template,
} from "./queries.ts";
import { kindsOf, placeOf, type TemplatesSearch } from "./search.ts";
import classes from "./templates.module.css";

/** The templates of invitations, reminders and cancellations. */
export function TemplatesPage() {
  const { t } = useTranslation("templates");
  const [search, set] = useSearchValues<TemplatesSearch>();
  const { services, owner, kinds, place } = useOwner(search);
  const own = useQuery(ownTemplatesQuery(owner));
  const fault = services.error ?? own.error;
  const isWaiting = services.data === undefined || own.data === undefined;
  const key = [owner.serviceId, place.kind, place.channel, place.language].join(" ");
  return (
    <>
      <PageHeader title={t("title")} note={t("note")} />
      <Choice services={services.data} search={search} place={place} set={set} />
      {fault === null ? null : (
        <ErrorBox
          error={fault}
          onRetry={() => void Promise.all([services.refetch(), own.refetch()])}
        />
      )}
      <div className={classes["page"]}>
        <TemplateNav kinds={kinds} place={place} own={own.data?.data} search={search} />
        <div className={classes["main"]}>
          {isWaiting ? (
            fault === null ? (
              <Skeleton height={420} />
            ) : null
          ) : (
            <Text
              key={key}
              owner={owner}
              place={place}
              own={own.data.data.find((template) => isAt(template, place))}
            />
          )}
        </div>
      </div>
    </>
  );
}

function useOwner(search: TemplatesSearch) {
  const { enterprise } = useSession();
  const services = useQuery(everyServiceQuery);
  const service = services.data?.find(({ id }) => String(id) === search.service);
  const owner: TemplateOwner = { enterpriseId: enterprise.id, serviceId: service?.id };
  const language = service?.language ?? enterprise.language;
  const kinds = kindsOf(service?.kind);
  const place = placeOf(search, { kind: kinds[0] ?? "ticket", language });
  return { services, owner, kinds, place };
}

type ChoiceProps = Readonly<{
  services: readonly Service[] | undefined;
  search: TemplatesSearch;
  place: TemplateRef;
  set: (change: Partial<TemplatesSearch>) => void;
}>;

function Choice({ services, search, place, set }: ChoiceProps) {
  const { t } = useTranslation("templates");
  return (
    <div className={classes["choice"]}>
      <Select
        label={t("place.of")}
        data={[
          { value: "", label: t("place.company") },
          ...(services ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        searchable
        value={search.service ?? ""}
        onChange={(service) => set({ service: service ?? "", kind: "" })}
      />
      <Select
        label={t("place.language")}
        data={languageChoices()}
        value={place.language}
        onChange={(language) => set({ language: language ?? "" })}
      />
    </div>
  );
}

type TextProps = Readonly<{ owner: TemplateOwner; place: TemplateRef; own: Template | undefined }>;

/** Edits the custom text, or starts from the default. */
function Text({ owner, place, own }: TextProps) {
  const { data: usual, error, refetch } = useQuery(defaultTemplateQuery(owner, place));
  if (usual === undefined) {
    return error === null ? (
      <Skeleton height={420} />
    ) : (
      <ErrorBox error={error} onRetry={() => void refetch()} />
    );
  }
  // Stays mounted when the first custom text is saved, so that typing is not interrupted.
  return <Editor {...{ owner, place, own, usual }} />;
}

function isAt(template: Template, { kind, channel, language }: TemplateRef): boolean {
  return template.kind === kind && template.channel === channel && template.language === language;
}
