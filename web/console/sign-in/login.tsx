import { Anchor } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useRouter, useSearch } from "@tanstack/react-router";
import { useTranslation } from "../../base/i18n.ts";
import { SignInForm } from "../../components/sign-in-form.tsx";
import { sessionQuery } from "../session.ts";
import { Card } from "./card.tsx";
import { locationAfterSignIn } from "./next.ts";

export function LoginPage() {
  const { t } = useTranslation("sign-in");
  const { next, reason } = useSearch({ from: "/login" });
  const queries = useQueryClient();
  const router = useRouter();
  return (
    <Card title={t("base:sign_in.title")} note={t(reasonOf({ next, reason }))}>
      <SignInForm
        onSignedIn={(session) => {
          queries.setQueryData(sessionQuery.queryKey, session);
          const place = locationAfterSignIn(next, location.origin);
          if (place.isConsole) {
            router.history.push(place.href);
          } else {
            location.assign(place.href);
          }
        }}
      />
      <Anchor component={Link} to="/password" size="sm">
        {t("forgot.link")}
      </Anchor>
    </Card>
  );
}

type Search = Readonly<{ next: string | undefined; reason: "ended" | undefined }>;

/** Why the sign-in page is shown. */
function reasonOf({ next, reason }: Search) {
  if (reason !== undefined) {
    return "reason.ended";
  }
  return next === undefined || next === "/tickets" ? "base:sign_in.note" : "reason.page";
}
