import { Paper, Stack, Text, Title, Skeleton, Button } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState, type ReactNode } from "react";
import { useTranslation } from "../base/i18n.ts";
import { api, call, whenSignedOut } from "../base/api.ts";
import type { Session } from "../base/session.ts";
import { ErrorBox } from "../components/error-box.tsx";
import { SignInForm } from "../components/sign-in-form.tsx";
import { InvitationForm } from "./invitation-form.tsx";
import { readParameters } from "./parameters.ts";
import { isFramed, postToParent } from "../shared/parent-frame.ts";
import classes from "./quick-invitation.module.css";
import type { Draft } from "./recipients.ts";
import { Results } from "./results.tsx";
import { ordersOf, type Order } from "./sending.ts";
import { fetchSignedIn } from "./signed-in.ts";
import type { Filled } from "./use-form.ts";
import { IconExternalLink } from "@tabler/icons-react";

/** The quick invitation: one field and one button. */
export function QuickInvitation() {
  const queries = useQueryClient();
  const state = useInvitation();
  const session = useQuery({ queryKey: ["session"], queryFn: fetchSignedIn, staleTime: 60_000 });
  useEffect(() => {
    whenSignedOut(() => void queries.setQueryData(["session"], null));
  }, [queries]);
  // A failed refetch keeps the data, and the form with what was typed.
  if (session.data === undefined) {
    return (
      <Frame>
        {session.isError ? (
          <ErrorBox error={session.error} onRetry={() => void session.refetch()} />
        ) : (
          <Waiting />
        )}
      </Frame>
    );
  }
  if (session.data === null) {
    return (
      <Frame>
        <SignIn onSignedIn={(signed) => void queries.setQueryData(["session"], signed)} />
      </Frame>
    );
  }
  const { nickname, login } = session.data.user;
  return (
    <Frame person={nickname || login}>
      <Invitation session={session.data} state={state} />
    </Frame>
  );
}

function Frame({ children, person }: { children: ReactNode; person?: string }) {
  const { t } = useTranslation("quick-invitation");
  useDocumentTitle(`${t("title")} · Sightline`);
  return (
    <main className={classes["page"]}>
      <Paper withBorder radius="md" p="lg" className={classes["card"] ?? ""}>
        {children}
      </Paper>
      {person === undefined ? null : (
        <Text size="xs" c="dimmed" ta="center" mt="sm">
          {t("signed_in", { name: person })}
        </Text>
      )}
    </main>
  );
}

/**
 * Refetches the session after sign-in, because a browser may drop the cookie in an iframe; there,
 * this may reload the page.
 */
function SignIn({ onSignedIn }: { onSignedIn: (session: Session) => void }) {
  const { t } = useTranslation();
  const [isBlocked, setBlocked] = useState(false);
  const check = async (signed: Session): Promise<void> => {
    const kept = isFramed() ? await fetchSignedIn() : signed;
    if (kept === null) {
      setBlocked(true);
    } else {
      onSignedIn(kept);
    }
  };
  if (isBlocked) {
    return <Blocked />;
  }
  return (
    <Stack gap="md">
      <div>
        <Title order={1}>{t("sign_in.title")}</Title>
        <Text size="sm" c="dimmed" mt={4}>
          {t("sign_in.note")}
        </Text>
      </div>
      <SignInForm onSignedIn={(signed) => void check(signed)} />
    </Stack>
  );
}

/** Shown if the browser blocks cookies in a cross-site iframe. */
function Blocked() {
  const { t } = useTranslation("quick-invitation");
  return (
    <Stack gap="sm" align="flex-start">
      <Title order={1}>{t("blocked")}</Title>
      <Text size="sm">{t("blocked_text")}</Text>
      <Button
        component="a"
        href={location.href}
        target="_blank"
        rel="noopener"
        leftSection={<IconExternalLink size={16} aria-hidden />}
      >
        {t("new_tab")}
      </Button>
    </Stack>
  );
}

function Invitation({
  session,
  state,
}: {
  session: Session;
  state: ReturnType<typeof useInvitation>;
}) {
  const { parameters, drafts, setDrafts, orders, setOrders } = state;
  const services = useQuery({
    queryKey: ["services"],
    queryFn: () => call(api.GET("/api/users/me/services")),
    staleTime: Infinity,
  });
  useEffect(() => postToParent({ type: "ready" }), []);
  if (services.isError) {
    return <ErrorBox error={services.error} onRetry={() => void services.refetch()} />;
  }
  if (services.data === undefined) {
    return <Waiting />;
  }
  if (orders !== undefined) {
    const startAgain = (kept: readonly Draft[]): void => {
      setDrafts(kept);
      setOrders(undefined);
    };
    return <Results orders={orders} onAgain={startAgain} />;
  }
  const submit = (filled: Filled): void =>
    setOrders(ordersOf({ ...filled, agent: session.user.login }));
  return (
    <InvitationForm
      {...{ parameters, drafts, setDrafts, session }}
      services={services.data.data}
      onSubmit={submit}
    />
  );
}

/** Skeleton of the form: title, service, recipients and button. */
function Waiting() {
  const { t } = useTranslation();
  return (
    <Stack gap="md" role="status" aria-label={t("state.loading")}>
      <div>
        <Skeleton height={27} width="38%" />
        <Skeleton height={15} width="80%" mt={6} />
      </div>
      <div>
        <Skeleton height={13} width={64} my={4} />
        <Skeleton height={36} />
      </div>
      <div>
        <Skeleton height={13} width={110} my={4} />
        <Skeleton height={10} width="60%" mb={7} />
        <Skeleton height={46} />
      </div>
      <Skeleton height={42} />
    </Stack>
  );
}

/** Keeps the form's state during a new sign-in. */
function useInvitation() {
  const parameters = useMemo(() => readParameters(location.search), []);
  const [drafts, setDrafts] = useState<readonly Draft[]>(parameters.recipients);
  const [orders, setOrders] = useState<readonly Order[]>();
  return { parameters, drafts, setDrafts, orders, setOrders };
}
