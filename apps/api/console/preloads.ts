/** Of Vite's manifest: what the build has made of a source. */
export interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly isEntry?: boolean;
}
/** By the source's path below apps/console. */
export type Manifest = Readonly<Record<string, Chunk>>;

/** No part of what is found. */
const BASE = 'http://console';
const viewSource = (view: string): string => `src/views/${view}/index.tsx`;
const DETAILS = 'src/views/objects/details/Details.tsx';
const SUMMARY = 'src/views/objects/details/SummaryTab.tsx';
const YAML = 'src/views/objects/details/Yaml.tsx';
const HISTORY = 'src/views/objects/details/History.tsx';
const REVISIONS = 'src/views/objects/rollout/Revisions.tsx';
const TERMINAL = 'src/views/terminal/Session.tsx';
/** Below every view of a cluster. */
export const TIME_BAR = 'src/parts/time/TimeBar.tsx';
/** What views load lazily, and show at once. */
export const INNER: Readonly<Record<string, readonly string[]>> = {
  object: [DETAILS, SUMMARY],
  yaml: [DETAILS, YAML],
  history: [DETAILS, HISTORY],
  revisions: [DETAILS, REVISIONS],
  terminal: [TERMINAL],
  lab: [TERMINAL],
};
/** Of an object; all else is its summary. */
const TABS: ReadonlySet<string> = new Set(['yaml', 'history', 'revisions']);
/** Segments of the path of one object: c, the cluster, objects, the resource, its namespace, its name. */
const OBJECT_SEGMENTS = 6;

/**
 * The scripts that the page of a path needs beside its entry, so that the browser fetches all of them at once and not
 * each when the one before has asked for it: files of the build, each once.
 */
export function preloadsOf(manifest: Manifest, url: string): string[] {
  if (!URL.canParse(url, BASE)) return [];
  const { pathname, searchParams } = new URL(url, BASE);
  const found = new Set<string>();
  const add = (source: string): void => {
    const chunk = Object.hasOwn(manifest, source) ? manifest[source] : undefined;
    if (!chunk || chunk.isEntry || found.has(chunk.file)) return;
    found.add(chunk.file);
    for (const one of chunk.imports ?? []) add(one);
  };
  for (const source of sourcesOf(pathname.split('/').filter(Boolean), searchParams.get('tab'))) add(source);
  return [...found];
}

/** The same places as in the console's own router (apps/console/src/app/routing/route.ts). */
function sourcesOf(segments: readonly string[], tab: string | null): readonly string[] {
  const [first, second, third] = segments;
  if (first === 'embed') return [viewSource(second ?? 'overview'), ...innerOf(second, segments.length + 1, tab)];
  if (first !== 'c') return [viewSource(first ?? 'clusters')];
  return [viewSource(third ?? 'overview'), TIME_BAR, ...innerOf(third, segments.length, tab)];
}

function innerOf(view: string | undefined, segments: number, tab: string | null): readonly string[] {
  if (view === undefined) return [];
  if (view !== 'objects') return Object.hasOwn(INNER, view) ? INNER[view]! : [];
  if (segments < OBJECT_SEGMENTS) return [];
  return INNER[tab !== null && TABS.has(tab) ? tab : 'object']!;
}
