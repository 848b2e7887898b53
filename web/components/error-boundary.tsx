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
  /** Stands where the part will be, as large as it. */
  placeholder?: ReactNode;
  /** Draws what is told where it cannot be loaded; else that stands in its place. */
  renderFault?: (fault: ReactNode) => ReactNode;
  children: ReactNode;
}>;

/** A part of a page that is loaded once it is needed. Where it cannot be, the rest of the page stays. */
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
