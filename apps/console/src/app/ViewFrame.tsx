import { Component, lazy, Suspense, type ComponentType, type ErrorInfo, type ReactNode } from 'react';
import { toFailure } from '../api/failure.js';
import { ErrorNotice, Waiting } from '../parts/Notice.js';
import { t } from '../texts/texts.js';
import type { View, ViewProps } from '../views/views.js';

/** One component a view, made once: lazy() must not be called while rendering. */
const lazyViews = new WeakMap<View, ComponentType<ViewProps>>();

function lazyOf(view: View): ComponentType<ViewProps> {
  let component = lazyViews.get(view);
  if (!component) lazyViews.set(view, (component = lazy(() => view.load())));
  return component;
}

/** A view, loaded when it is first shown; when it fails, it alone does. */
export function ViewFrame({ view, rest }: { readonly view: View; readonly rest: readonly string[] }) {
  const Loaded = lazyOf(view);
  return (
    <Fence key={view.id}>
      <Suspense fallback={<Waiting what={t.common.loading} />}>
        <Loaded rest={rest} />
      </Suspense>
    </Fence>
  );
}

class Fence extends Component<{ readonly children: ReactNode }, { readonly error?: unknown }> {
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
