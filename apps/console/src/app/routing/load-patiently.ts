import { createElement, lazy, useState, type ComponentType, type ReactElement } from 'react';
import { untilConnected } from '../../api/connection.js';

/**
 * Loads a part of the page: when the server does not answer, once more as soon as it does. Rejects when it answers and
 * the part does not come: then the page is of another build than the server.
 */
export async function loadPatiently<T>(load: () => Promise<T>, answered = untilConnected): Promise<T> {
  try {
    return await load();
  } catch {
    // Why does not matter: what counts is whether it comes when the server can be reached.
    await answered();
    return load();
  }
}

/** A part of the page that is loaded when it is first shown, or a little before. */
export interface LazyPart<Props> {
  (props: Props): ReactElement;
  /** Loads it now; resolves also when it has not come. Shown after that, it waits for nothing. */
  preload(): Promise<void>;
}

/**
 * React's lazy() of what is loaded so. Once loaded, it is rendered as any component: React shows what was suspended,
 * if only for a moment, no sooner than 300 ms after its fallback. `isWanted`: loads it at once, for a link to it.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  isWanted = false,
): LazyPart<Props> {
  let loaded: ComponentType<Props> | undefined;
  const keep = (module: { readonly default: ComponentType<Props> }) => {
    loaded = module.default;
    return module;
  };
  const Lazy = lazy(() => loadPatiently(load).then(keep)) as ComponentType<Props>;
  // What it is when it is first shown, it stays: another component would lose its state.
  const Part = (props: Props): ReactElement => {
    const [Shown] = useState<ComponentType<Props>>(() => loaded ?? Lazy);
    return createElement(Shown, props);
  };
  // What does not come now is loaded patiently when it is shown.
  const preload = (): Promise<void> =>
    load()
      .then(keep)
      .then(Boolean, Boolean)
      .then(() => undefined);
  if (isWanted) void preload();
  return Object.assign(Part, { preload });
}
