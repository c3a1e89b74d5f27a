import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { untilConnected } from '../api/connection.js';

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

/** React's lazy() of what is loaded so. */
export const lazyPart = <Props>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> => lazy(() => loadPatiently(load));
