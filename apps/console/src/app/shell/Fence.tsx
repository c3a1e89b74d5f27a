import { Component, type ErrorInfo, type ReactNode } from 'react';
import { toFailure } from '../../api/failure.js';
import { ErrorNotice } from '../../parts/Notice.js';
import { t } from '../../texts/texts.js';

/** Around a part of the page: when it fails, it alone does. */
export class Fence extends Component<{ readonly children: ReactNode }, { readonly error?: unknown }> {
  override state: { readonly error?: unknown } = {};

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error(error, info.componentStack);
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <section className="crashed">
        <h2>{t.shell.crashed}</h2>
        <ErrorNotice failure={toFailure(error)} onRetry={() => this.setState({ error: undefined })} />
      </section>
    );
  }
}
