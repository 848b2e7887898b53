import { Alert, Button, Code, Group, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconPlugConnected, IconRefresh } from "@tabler/icons-react";
import { useState, useSyncExternalStore } from "react";
import { connection } from "../base/connection.ts";
import { useTranslation } from "../base/i18n.ts";
import { asProblem } from "../base/problem.ts";
import { BusyCountdown } from "./busy-countdown.tsx";
import { useProblemText } from "./problem-text.ts";

type ErrorBoxProps = Readonly<{ error: unknown; onRetry?: () => void }>;

/** What happened, what to do, and the request id for support. */
export function ErrorBox({ error, onRetry }: ErrorBoxProps) {
  const { t } = useTranslation();
  const { title, text, requestId } = useProblemText()(error);
  const { status, code, retryAfter } = asProblem(error);
  const isAway = status === 0;
  const isBack = useIsBack();
  const pause = code === tooManyRequests ? retryAfter : undefined;
  const retry = (): void => {
    if (isAway) {
      connection.probeNow();
    }
    onRetry?.();
  };
  const retryButton =
    onRetry === undefined ? null : (
      <Button
        size="xs"
        variant="default"
        leftSection={<IconRefresh size={14} aria-hidden />}
        onClick={retry}
      >
        {t("action.retry")}
      </Button>
    );
  if (isAway && isBack) {
    return (
      <Alert
        color="accent"
        variant="light"
        title={t("connection.back")}
        icon={<IconPlugConnected aria-hidden />}
        role="status"
      >
        {retryButton}
      </Alert>
    );
  }
  return (
    <Alert
      color="red"
      variant="light"
      title={title}
      icon={<IconAlertTriangle aria-hidden />}
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        {pause === undefined ? null : (
          <BusyCountdown key={requestId} retryAfter={pause} onRetry={onRetry} />
        )}
        {text === "" || pause !== undefined ? null : <Text size="sm">{text}</Text>}
        <Group gap="sm">
          {retryButton}
          {requestId === undefined || isOwnMistake(error) ? null : (
            <Text size="xs" c="dimmed">
              {t("problem.request_id")} <Code>{requestId}</Code>
            </Text>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}

/** The code of the problem "Too many requests", whose text would repeat the title. */
const tooManyRequests = 12;

/**
 * Whether the platform has become reachable while the error was shown. Most queries then load again;
 * an error of a form, or of a list that does not, would stay.
 */
function useIsBack(): boolean {
  const isAway = useSyncExternalStore(connection.subscribe, () => connection.state().isAway);
  const [wasAway, setWasAway] = useState(isAway);
  if (isAway && !wasAway) {
    setWasAway(true);
  }
  return wasAway && !isAway;
}

/** The code of the problem "Bad login". */
const badLogin = 5;

/** User errors such as a wrong password need no support, so no request id. */
function isOwnMistake(error: unknown): boolean {
  return asProblem(error).code === badLogin;
}
