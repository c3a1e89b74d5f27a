import { Suspense } from 'react';
import { Waiting } from '../../parts/Notice.js';
import { t } from '../../texts/texts.js';
import { findView, type View, type ViewProps } from '../../views/views.js';
import { Fence } from './Fence.js';
import { lazyPart, type LazyPart } from '../routing/load-patiently.js';
import { parseRoute } from '../routing/route.js';

/** One component a view, made once: lazy() must not be called while rendering. */
const lazyViews = new WeakMap<View, LazyPart<ViewProps>>();

function lazyOf(view: View): LazyPart<ViewProps> {
  let component = lazyViews.get(view);
  if (!component) lazyViews.set(view, (component = lazyPart(() => view.load())));
  return component;
}

/** Loads the code of the view that a path leads to. */
export async function preloadView(pathname: string): Promise<void> {
  const route = parseRoute(pathname);
  const view = findView(route.place === 'embed' ? 'cluster' : route.place, route.view);
  if (view) await lazyOf(view).preload();
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
