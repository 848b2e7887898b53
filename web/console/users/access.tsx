import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { IconLogout, IconMail, IconTrash } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../base/i18n.ts";
import { api, call } from "../../base/api.ts";
import { Confirm } from "../../components/confirm.tsx";
import { showDone } from "../../components/show-fault.tsx";
import { useSession } from "../session.ts";
import { usersKey, type User } from "./queries.ts";
import classes from "./users.module.css";

type Step = "mail" | "sign_out" | "delete";

const acts: Record<Step, (userId: number) => Promise<unknown>> = {
  mail: (userId) =>
    call(api.POST("/api/users/{userId}/password-reset", { params: { path: { userId } } })),
  sign_out: (userId) =>
    call(api.DELETE("/api/users/{userId}/tokens", { params: { path: { userId } } })),
  delete: (userId) => call(api.DELETE("/api/users/{userId}", { params: { path: { userId } } })),
};

/** Access of a user (password, sessions) and deletion. */
export function Access({ user, onDeleted }: { user: User; onDeleted: () => void }) {
  const { t } = useTranslation("users");
  const queries = useQueryClient();
  const [step, setStep] = useState<Step>("mail");
  const [isAsking, setAsking] = useState(false);
  const words = { name: user.nickname === "" ? user.login : user.nickname, address: user.email };
  const run = async (): Promise<void> => {
    await acts[step](user.id);
    showDone(t(`access.${step}.done`, words));
    if (step === "delete") {
      onDeleted();
    }
    await queries.invalidateQueries({ queryKey: usersKey });
  };
  return (
    <section className={classes["part"]} aria-label={t("access.title")}>
      <Stack gap="xs">
        <Title order={2}>{t("access.title")}</Title>
        <Text size="sm" c="dimmed">
          {t("access.note")}
        </Text>
        <Buttons
          user={user}
          onStep={(next) => {
            setStep(next);
            setAsking(true);
          }}
        />
      </Stack>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t(`access.${step}.title`, words)}
        action={t(`access.${step}.action`)}
        isDangerous={step === "delete"}
        onConfirm={run}
      >
        {t(`access.${step}.note`, words)}
      </Confirm>
    </section>
  );
}

function Buttons({ user, onStep }: { user: User; onStep: (step: Step) => void }) {
  const { t } = useTranslation("users");
  const { user: me } = useSession();
  return (
    <Group gap="xs">
      <Button
        variant="default"
        size="xs"
        leftSection={<IconMail size={15} aria-hidden />}
        disabled={!user.isActive || user.email === ""}
        onClick={() => onStep("mail")}
      >
        {t("access.mail.action")}
      </Button>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconLogout size={15} aria-hidden />}
        onClick={() => onStep("sign_out")}
      >
        {t("access.sign_out.action")}
      </Button>
      {user.id === me.id ? null : (
        <Button
          variant="outline"
          color="red"
          size="xs"
          leftSection={<IconTrash size={15} aria-hidden />}
          onClick={() => onStep("delete")}
        >
          {t("access.delete.action")}
        </Button>
      )}
    </Group>
  );
}
