/** A part of the page that could not be loaded or drawn: says so, and offers to load it again. */
import { Component, type ReactNode } from "react";
import { Button, Screen } from "./screens/screen.tsx";
import { WordsContext, type Words } from "./texts.ts";

type Props = Readonly<{ children: ReactNode }>;

export class PartBoundary extends Component<Props, { hasFailed: boolean }> {
  static override contextType = WordsContext;

  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    const words = this.context as Words | undefined;
    if (!this.state.hasFailed || words === undefined) {
      return this.props.children;
    }
    return (
      <Screen
        title={words.t("failed")}
        text={words.t("failed_text")}
        actions={
          <Button isMain onPress={() => location.reload()}>
            {words.t("retry")}
          </Button>
        }
      />
    );
  }
}
