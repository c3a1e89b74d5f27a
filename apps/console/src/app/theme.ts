import { createStore } from '../api/store.js';

export type Theme = 'system' | 'light' | 'dark';
const THEMES: readonly Theme[] = ['system', 'light', 'dark'];
const KEY = 'terrarium.theme';

export const theme = createStore<Theme>('system');

const systemDark = typeof matchMedia === 'undefined' ? undefined : matchMedia('(prefers-color-scheme: dark)');

/** Applies the theme of the URL (embedded views), else the one that was chosen here before. */
export function beginTheme(search: string): void {
  systemDark?.addEventListener('change', () => applyTheme(theme.get()));
  const asked = new URLSearchParams(search).get('theme') ?? readKept();
  applyTheme(THEMES.find((one) => one === asked) ?? 'system');
}

export function chooseTheme(next: Theme): void {
  applyTheme(next);
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Storage is closed to this page: the choice lasts as long as the page.
  }
}

export const nextTheme = (now: Theme): Theme => THEMES[(THEMES.indexOf(now) + 1) % THEMES.length]!;

function applyTheme(next: Theme): void {
  theme.set(next);
  // The style sheet has one block for each: what the system prefers is found out here.
  document.documentElement.dataset['theme'] = next === 'system' ? (systemDark?.matches ? 'dark' : 'light') : next;
}

function readKept(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    // As above.
    return null;
  }
}
