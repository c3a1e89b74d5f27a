import { createStore } from '../../api/store.js';

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'info' | 'bad';
}

const SHOWN_MS = 6_000;
const MAX_SHOWN = 4;
export const toasts = createStore<readonly Toast[]>([]);
let nextId = 1;

/** Says something in a corner for a while; a screen reader reads it. */
export function say(text: string, tone: Toast['tone'] = 'info'): void {
  const id = nextId++;
  toasts.set([...toasts.get(), { id, text, tone }].slice(-MAX_SHOWN));
  setTimeout(() => dismiss(id), tone === 'bad' ? 2 * SHOWN_MS : SHOWN_MS);
}

export const dismiss = (id: number): void => toasts.set(toasts.get().filter((toast) => toast.id !== id));
