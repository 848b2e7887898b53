import { Alert, Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../base/i18n.ts";
import { formatNumber } from "../../base/format.ts";
import { asProblem } from "../../base/problem.ts";
import { ErrorBox } from "../../components/error-box.tsx";
import { MailFrame } from "../../components/mail-frame.tsx";
import { Section } from "../../components/section.tsx";
import { StateBadge } from "../../components/state-badge.tsx";
import { useWordingFaults } from "./faults.ts";
import {
  previewQuery,
  type TemplateContents,
  type TemplateOwner,
  type TemplateRef,
  type Preview,
} from "./queries.ts";
import classes from "./templates.module.css";

type PreviewProps = Readonly<{
  owner: TemplateOwner;
  place: TemplateRef;
  contents: TemplateContents;
}>;

/** The preview with sample values, updated while typing. */
export function PreviewSection(props: PreviewProps) {
  const { t } = useTranslation("templates");
  return (
    <Section title={t("preview.title")} note={t("preview.note")}>
      {props.contents.text === "" ? (
        <Text size="sm" c="dimmed">
          {t("preview.empty")}
        </Text>
      ) : (
        <Shown {...props} />
      )}
    </Section>
  );
}

function Shown({ owner, place, contents }: PreviewProps) {
  const { t } = useTranslation("templates");
  const say = useWordingFaults(place.kind);
  const { data, error, refetch } = useQuery(previewQuery(owner, place, contents));
  if (error !== null) {
    const faults = Object.values(say(error, contents));
    return asProblem(error).status === 400 ? (
      <Alert color="yellow" title={t("preview.not_yet")} role="status">
        {faults.join(" ")}
      </Alert>
    ) : (
      <ErrorBox error={error} onRetry={() => void refetch()} />
    );
  }
  if (data === undefined) {
    return <Skeleton height={place.channel === "sms" ? 90 : 320} />;
  }
  return place.channel === "sms" ? <Sms preview={data} /> : <Mail preview={data} />;
}

function Sms({ preview }: { preview: Preview }) {
  const { t } = useTranslation("templates");
  const segments = preview.segments ?? 1;
  return (
    <div className={classes["phone"]}>
      <div className={classes["bubble"]} lang={preview.language}>
        {preview.text}
      </div>
      <Text size="sm" component="div" className={classes["cost"]}>
        <StateBadge meaning={segments > 1 ? "warn" : "good"}>
          {t("preview.segments", { count: segments })}
        </StateBadge>
        <span>
          {t("preview.characters", {
            count: preview.characters,
            number: formatNumber(preview.characters),
          })}
        </span>
        <span className={classes["quiet"]}>
          {t(preview.encoding === "UCS-2" ? "preview.wide" : "preview.plain")}
        </span>
      </Text>
    </div>
  );
}

function Mail({ preview }: { preview: Preview }) {
  const { t } = useTranslation("templates");
  return (
    <>
      <div className={classes["subject"]}>
        <span className={classes["quiet"]}>{t("editor.subject")}</span>
        <b lang={preview.language}>{preview.subject}</b>
      </div>
      <div className={classes["mail"]}>
        <div>
          <Text size="xs" c="dimmed" mb={4}>
            {t("preview.html")}
          </Text>
          <MailFrame html={preview.html ?? ""} title={t("preview.html")} />
        </div>
        <div>
          <Text size="xs" c="dimmed" mb={4}>
            {t("preview.text")}
          </Text>
          <pre className={classes["text"]} lang={preview.language} tabIndex={0}>
            {preview.text}
          </pre>
        </div>
      </div>
    </>
  );
}
