import { Anchor } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useRouter, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { SignInForm } from "../../components/sign-in-form.tsx";
import { sessionQuery } from "../session.ts";
import { Card } from "./card.tsx";
import { placeAfterSignIn } from "./next.ts";

export const LoginPage = () => {
  const { t } = useTranslation(["base", "sign-in"]);
  const { next } = useSearch({ from: "/login" });
  const queries = useQueryClient();
  const router = useRouter();
  return (
    <Card title={t("sign_in.title")} note={t("sign_in.note")}>
      <SignInForm
        onSignedIn={(session) => {
          queries.setQueryData(sessionQuery.queryKey, session);
          const place = placeAfterSignIn(next, location.origin);
          if (place.isConsole) {
            router.history.push(place.href);
          } else {
            location.assign(place.href);
          }
        }}
      />
      <Anchor component={Link} to="/password" size="sm">
        {t("sign-in:forgot.link")}
      </Anchor>
    </Card>
  );
};
