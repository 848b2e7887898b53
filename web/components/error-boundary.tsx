import { Component, Suspense, type ReactNode } from "react";
import { LoadFault } from "./load-fault.tsx";

type Fault = Readonly<{ error: unknown }>;

type BoundaryProps = Readonly<{
  renderFault: (fault: ReactNode) => ReactNode;
  children: ReactNode;
}>;

class Boundary extends Component<BoundaryProps, { fault?: Fault | undefined }> {
  static getDerivedStateFromError(error: unknown): { fault: Fault } {
    return { fault: { error } };
  }

  override state: { fault?: Fault | undefined } = {};

  override render(): ReactNode {
    const { fault } = this.state;
    if (fault === undefined) {
      return this.props.children;
    }
    return this.props.renderFault(
      <LoadFault error={fault.error} onRetry={() => this.setState({ fault: undefined })} />,
    );
  }
}

type PartProps = Readonly<{
  /** Shown during loading; has the size of the part. */
  placeholder?: ReactNode;
  /** Wraps the error message; by default it replaces the part. */
  renderFault?: (fault: ReactNode) => ReactNode;
  children: ReactNode;
}>;

/**
 * A lazily loaded part of a page, with an error boundary: a failure leaves the rest of the page
 * intact.
 */
export function PartBoundary({
  placeholder = null,
  renderFault = (fault) => fault,
  children,
}: PartProps) {
  return (
    <Boundary renderFault={renderFault}>
      <Suspense fallback={placeholder}>{children}</Suspense>
    </Boundary>
  );
}
