/**
 * The agent's page of a ticket's room. A document of its own, not a page of the console: sites that
 * may frame it get this one ticket, and nothing else of whoever is signed in.
 */
import { Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { IconTicketOff } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { whenSignedOut } from "../../base/api.ts";
import { useTranslation } from "../../base/i18n.ts";
import { asProblem } from "../../base/problem.ts";
import type { Session } from "../../base/session.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorBox } from "../../components/error-box.tsx";
import { lazyDialog } from "../../components/lazy-dialog.tsx";
import { SignInForm } from "../../components/sign-in-form.tsx";
import { postToParent } from "../../shared/parent-frame.ts";
import { fetchSignedIn } from "../../quick-invitation/signed-in.ts";
import { sessionQuery } from "../session.ts";
import { ticketQuery } from "../tickets/queries.ts";
import classes from "./call.module.css";
import { useHandedOver } from "./handed-over.ts";
import { CallTicket } from "./call-ticket.tsx";

const [SessionEnded] = lazyDialog(
  async () => (await import("../sign-in/session-ended.tsx")).SessionEnded,
);

const addressPattern = /^\/agent\/entrypoint\/[^/]+\/tickets\/([1-9]\d{0,14})\/?$/u;

export function CallPage() {
  const { t } = useTranslation("call");
  const id = Number(addressPattern.exec(window.location.pathname)?.[1] ?? Number.NaN);
  useDocumentTitle(Number.isNaN(id) ? "Sightline" : `${t("ticket", { id })} · Sightline`);
  return Number.isNaN(id) ? <NoTicket /> : <SignedIn ticketId={id} />;
}

function NoTicket() {
  const { t } = useTranslation("call");
  return (
    <main className={classes["alone"]}>
      <EmptyState icon={IconTicketOff} title={t("no_ticket")} text={t("no_ticket_text")} />
    </main>
  );
}

function SignedIn({ ticketId }: { ticketId: number }) {
  const queries = useQueryClient();
  const fetch = async (): Promise<Session | null> => {
    const session = await fetchSignedIn();
    queries.setQueryData(sessionQuery.queryKey, session);
    return session;
  };
  const first = useQuery({ queryKey: ["call", "session"], queryFn: fetch, staleTime: Infinity });
  if (first.isError) {
    return (
      <main className={classes["alone"]}>
        <ErrorBox error={first.error} onRetry={() => void first.refetch()} />
      </main>
    );
  }
  if (first.data === undefined) {
    return <Loading />;
  }
  if (first.data === null) {
    return <SignIn onSignedIn={() => void first.refetch()} />;
  }
  return (
    <>
      <Ticket ticketId={ticketId} />
      <SessionWatch session={first.data} />
    </>
  );
}

function Loading() {
  const { t } = useTranslation();
  return (
    <main className={classes["alone"]} role="status" aria-label={t("state.loading")}>
      <Skeleton height={320} width="100%" />
    </main>
  );
}

function SignIn({ onSignedIn }: { onSignedIn: () => void }) {
  const { t } = useTranslation();
  useEffect(() => postToParent({ type: "signed-out" }), []);
  return (
    <main className={classes["alone"]}>
      <Paper withBorder radius="md" p="lg" w="100%" maw={400}>
        <Stack gap="md">
          <div>
            <Title order={1}>{t("sign_in.title")}</Title>
            <Text size="sm" c="dimmed" mt={4}>
              {t("sign_in.note")}
            </Text>
          </div>
          <SignInForm onSignedIn={onSignedIn} />
        </Stack>
      </Paper>
    </main>
  );
}

function Ticket({ ticketId }: { ticketId: number }) {
  const { t } = useTranslation("call");
  const { data, error, refetch } = useQuery(ticketQuery(ticketId));
  if (data !== undefined) {
    return <CallTicket ticket={data} />;
  }
  return error === null ? (
    <Loading />
  ) : (
    <main className={classes["alone"]}>
      {isOutOfReach(error) ? (
        <EmptyState icon={IconTicketOff} title={t("out_of_reach")} text={t("out_of_reach_text")} />
      ) : (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      )}
    </main>
  );
}

function isOutOfReach(error: unknown): boolean {
  const { status } = asProblem(error);
  return status === 403 || status === 404;
}

/** The call continues during a new sign-in. */
function SessionWatch({ session }: { session: Session }) {
  const queries = useQueryClient();
  const [isEnded, setEnded] = useState(false);
  const isHandedOver = useHandedOver();
  useEffect(() => whenSignedOut(() => setEnded(true)), []);
  if (!isEnded || isHandedOver) {
    return null;
  }
  const goOn = (signed: Session): void => {
    if (signed.user.id !== session.user.id) {
      window.location.reload();
      return;
    }
    queries.setQueryData(sessionQuery.queryKey, signed);
    setEnded(false);
    void queries.invalidateQueries();
  };
  const leave = (): void => window.location.reload();
  return (
    <SessionEnded login={session.user.login} onSignedIn={goOn} onLeave={leave} onClose={leave} />
  );
}
