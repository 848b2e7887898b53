import { Button, Text } from "@mantine/core";
import { IconArrowBackUp } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Confirm } from "../../components/confirm.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { Section } from "../../components/section.tsx";
import { showDone } from "../../components/show-fault.tsx";
import {
  deleteTemplate,
  templatesKey,
  type Contents,
  type Owner,
  type Template,
} from "./queries.ts";
import classes from "./templates.module.css";

type DefaultTextProps = Readonly<{
  owner: Owner;
  own: Template;
  usual: Contents;
  mayChange: boolean;
}>;

/** What would count without the own text, and the way back to it. */
export const DefaultText = ({ owner, own, usual, mayChange }: DefaultTextProps) => {
  const { t } = useTranslation("templates");
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const of = owner.serviceId === undefined ? "built_in" : "wider";
  const reset = async (): Promise<void> => {
    await deleteTemplate(owner, own.id);
    // What counted until now is not what counts from here on: the editor begins with the new text.
    queries.removeQueries({ queryKey: [...templatesKey, "usual"] });
    await queries.invalidateQueries({ queryKey: templatesKey });
    showDone(t("default.done"));
  };
  return (
    <Section
      title={t(`default.title_${of}`)}
      note={t(`default.note_${of}`)}
      actions={
        mayChange ? (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconArrowBackUp size={15} aria-hidden />}
            onClick={() => setAsking(true)}
          >
            {t("default.reset")}
          </Button>
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
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t("default.reset")}
        action={t("default.reset")}
        isDangerous
        onConfirm={reset}
      >
        {t(`default.ask_${of}`)}
      </Confirm>
    </Section>
  );
};
