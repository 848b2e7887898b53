import { Alert, Button, Code, Group, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconRefresh } from "@tabler/icons-react";
import { useTranslation } from "../base/i18n.ts";
import { useProblemText } from "./problem-text.ts";

type ErrorBoxProps = Readonly<{ error: unknown; onRetry?: () => void }>;

/** What happened, what to do, and the id that support asks for. */
export const ErrorBox = ({ error, onRetry }: ErrorBoxProps) => {
  const { t } = useTranslation();
  const { title, text, requestId } = useProblemText()(error);
  return (
    <Alert
      color="red"
      variant="light"
      title={title}
      icon={<IconAlertTriangle aria-hidden />}
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        {text === "" ? null : <Text size="sm">{text}</Text>}
        <Group gap="sm">
          {onRetry === undefined ? null : (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconRefresh size={14} aria-hidden />}
              onClick={onRetry}
            >
              {t("action.retry")}
            </Button>
          )}
          {requestId === undefined ? null : (
            <Text size="xs" c="dimmed">
              {t("problem.request_id")} <Code>{requestId}</Code>
            </Text>
          )}
        </Group>
      </Stack>
    </Alert>
  );
};
