import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../base/i18n.ts";
import { CopyValueButton, CopyText } from "../../components/copy-button.tsx";
import { Facts } from "../../components/facts.tsx";
import { Section } from "../../components/section.tsx";
import { accessQuery } from "./queries.ts";
import { isOver, type Meeting } from "./types.ts";

/** Links for guests, who need no account. */
export function LinksCard({ meeting }: { meeting: Meeting }) {
  const { t } = useTranslation("meetings");
  const { data: access } = useQuery(accessQuery(meeting));
  const note = access?.moderation === true ? "links.note_moderated" : "links.note";
  return (
    <Section title={t("links.title")} note={t(isOver(meeting) ? "links.over" : note)}>
      <Facts>
        <dt>{t("links.short")}</dt>
        <dd>
          <CopyText value={meeting.short_url} name={t("links.short")} />
        </dd>
        <dt>{t("links.long")}</dt>
        <dd>
          <CopyText value={meeting.url} name={t("links.long")} />
        </dd>
        <DialIn meeting={meeting} />
      </Facts>
    </Section>
  );
}

function DialIn({ meeting }: { meeting: Meeting }) {
  const { t } = useTranslation("meetings");
  return (
    <>
      <dt>{t("links.number")}</dt>
      <dd>
        {meeting.sip_phone_number === "" ? (
          <Text size="sm" c="dimmed">
            {t("links.no_number")}
          </Text>
        ) : (
          <CopyText value={meeting.sip_phone_number} name={t("links.number")} />
        )}
      </dd>
      <dt>{t("links.code")}</dt>
      <dd>
        <span className="mono">{readable(meeting.sip_dtmf_code)}</span>
        <CopyValueButton value={meeting.sip_dtmf_code} name={t("links.code")} />
      </dd>
    </>
  );
}

/** `397 592 964`: grouped for reading aloud. */
function readable(code: string): string {
  return code.replaceAll(/(\d{3})(?=\d)/gu, "$1 ");
}
