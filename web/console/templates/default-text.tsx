import { Text } from "@mantine/core";
import { IconArrowBackUp } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../../base/i18n.ts";
import { ConfirmButton } from "../../components/confirm-button.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { Section } from "../../components/section.tsx";
import { showDone } from "../../components/show-fault.tsx";
import {
  deleteTemplate,
  templatesKey,
  type TemplateContents,
  type TemplateOwner,
  type Template,
} from "./queries.ts";
import classes from "./templates.module.css";

type DefaultTextProps = Readonly<{
  owner: TemplateOwner;
  own: Template;
  usual: TemplateContents;
  mayChange: boolean;
  /** Called after the custom text was deleted, to reset the fields to the default. */
  onDefault: () => void;
}>;

/** Shows the default text, with a button to return to it. */
export function DefaultText(props: DefaultTextProps) {
  const { owner, own, usual, mayChange, onDefault } = props;
  const { t } = useTranslation("templates");
  const queries = useQueryClient();
  const of = owner.serviceId === undefined ? "built_in" : "wider";
  const reset = async (): Promise<void> => {
    await deleteTemplate(owner, own.id);
    await queries.invalidateQueries({ queryKey: templatesKey });
    onDefault();
    showDone(t("default.done"));
  };
  return (
    <Section
      title={t(`default.title_${of}`)}
      note={t(`default.note_${of}`)}
      actions={
        mayChange ? (
          <ConfirmButton
            variant="default"
            leftSection={<IconArrowBackUp size={15} aria-hidden />}
            label={t("default.reset")}
            title={t("default.reset")}
            isDangerous
            onConfirm={reset}
          >
            {t(`default.ask_${of}`)}
          </ConfirmButton>
        ) : undefined
      }
    >
      <pre className={classes["text"]} lang={own.language} tabIndex={0}>
        {usual.subject === null ? "" : `${usual.subject}\n\n`}
        {usual.text}
      </pre>
      <Text size="xs" c="dimmed" mt="xs" component="div">
        {t("default.changed")} <RelativeTime at={own.modified} />
      </Text>
    </Section>
  );
}
