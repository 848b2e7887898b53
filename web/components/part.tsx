import { Component, Suspense, type ReactNode } from "react";
import { ErrorBox } from "./error-box.tsx";

type Fault = Readonly<{ error: unknown }>;

class Boundary extends Component<Readonly<{ children: ReactNode }>, { fault?: Fault }> {
  static getDerivedStateFromError(error: unknown): { fault: Fault } {
    return { fault: { error } };
  }

  override state: { fault?: Fault } = {};

  override render(): ReactNode {
    const { fault } = this.state;
    return fault === undefined ? (
      this.props.children
    ) : (
      // A script that failed once may stay failed until the page is loaded again.
      <ErrorBox error={fault.error} onRetry={() => window.location.reload()} />
    );
  }
}

type PartProps = Readonly<{
  /** Stands where the part will be, as large as it. */
  placeholder?: ReactNode;
  children: ReactNode;
}>;

/** A part of a page that is loaded once it is needed. Where it cannot be, the rest of the page stays. */
export const Part = ({ placeholder = null, children }: PartProps) => (
  <Boundary>
    <Suspense fallback={placeholder}>{children}</Suspense>
  </Boundary>
);
