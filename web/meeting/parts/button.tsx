import type { ButtonHTMLAttributes, ReactNode } from "react";
import styles from "./button.module.css";

type ButtonProps = Readonly<{
  tone?: "main" | "plain" | "danger" | "quiet";
  isSmall?: boolean;
}> &
  ButtonHTMLAttributes<HTMLButtonElement>;

export function Button({ tone = "plain", isSmall = false, ...rest }: ButtonProps): ReactNode {
  return (
    <button
      type="button"
      className={styles.button}
      data-tone={tone}
      data-small={isSmall ? "" : undefined}
      {...rest}
    />
  );
}
