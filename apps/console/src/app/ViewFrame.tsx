import { Suspense, type ComponentType } from 'react';
import { Waiting } from '../parts/Notice.js';
import { t } from '../texts/texts.js';
import type { View, ViewProps } from '../views/views.js';
import { Fence } from './Fence.js';
import { lazyPart } from './load-patiently.js';

/** One component a view, made once: lazy() must not be called while rendering. */
const lazyViews = new WeakMap<View, ComponentType<ViewProps>>();

function lazyOf(view: View): ComponentType<ViewProps> {
  let component = lazyViews.get(view);
  if (!component) lazyViews.set(view, (component = lazyPart(() => view.load())));
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
